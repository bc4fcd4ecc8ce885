# SPDX-License-Identifier: MIT
# Matrix products and what is built of them.
import mlx.core as mx
import numpy as np

from goldlib import ALL, FLOATS, LAYOUTS, Family, Values, cast, promote
from cases_reduce import wide, widened

INEXACT = FLOATS + ["c64"]


def up(v):
    return wide(v) if v.dtype.kind in "fc" else v


def matmul(known):
    f = Family("matmul", known)
    g = Values(41)
    shapes = [((3, 4), (4, 2)), ((2, 3, 4), (4, 5)), ((2, 3, 4), (2, 4, 3)),
              ((4,), (4,)), ((4,), (4, 3)), ((3, 4), (4,)),
              ((2, 1, 3, 4), (3, 4, 2)), ((3, 0), (0, 2)), ((1, 5), (5, 1)),
              ((7, 9), (9, 6)), ((0, 4), (4, 3)), ((4, 3), (2, 3, 2))]
    n = 0
    for d in INEXACT:
        for sa, sb in shapes:
            for k in range(2):
                lay = [LAYOUTS[n % 4 if k else 0], LAYOUTS[(n // 2) % 4]]
                n += 1
                f.case("matmul", [(g.normal(d, sa, 1), d),
                                  (g.normal(d, sb, 1), d)],
                       lambda a, b, d=d: (np.matmul(up(a), up(b)), d),
                       mx.matmul, lay)
    for a, b in (("f16", "f32"), ("bf16", "f16"), ("f32", "f64"),
                 ("f32", "c64"), ("i32", "f32"), ("u8", "f16"),
                 ("bool", "f32")):
        t = promote(a, b)
        f.case("matmul", [(g.ints(a, (3, 4), 0, 1), a),
                          (g.ints(b, (4, 2), 0, 3), b)],
               lambda x, y, t=t: (np.matmul(up(cast(x, t)), up(cast(y, t))),
                                  t), mx.matmul, tag=f"{a}_{b}", exact=True)
    for d in ("i32", "i64"):
        f.case("matmul", [(g.ints(d, (3, 4), -5, 5), d),
                          (g.ints(d, (4, 2), -5, 5), d)],
               lambda a, b, d=d: (np.matmul(a, b), d), mx.matmul)
    addmm(f, g)
    products(f, g)
    einsums(f, g)
    return f


def addmm(f, g):
    n = 0
    forms = [((3, 2), (3, 4), (4, 2)), ((2,), (3, 4), (4, 2)),
             ((), (3, 4), (4, 2)), ((2, 3, 5), (2, 3, 4), (4, 5)),
             ((3,), (3, 4), (4,)), ((3, 1), (2, 3, 4), (2, 4, 5)),
             ((2, 2), (2, 0), (0, 2))]
    for d in INEXACT:
        for sc, sa, sb in forms:
            alpha, beta = ((1.0, 1.0), (0.5, 2.0), (-1.0, 0.0))[n % 3]
            n += 1
            f.case("addmm", [(g.normal(d, sc, 1), d),
                             (g.normal(d, sa, 1), d),
                             (g.normal(d, sb, 1), d)],
                   lambda c, a, b, x=alpha, y=beta, d=d: (
                       x * np.matmul(up(a), up(b)) + y * up(c), d),
                   lambda c, a, b, x=alpha, y=beta: mx.addmm(c, a, b, x, y),
                   [LAYOUTS[n % 4], LAYOUTS[(n + 1) % 4],
                    LAYOUTS[(n + 2) % 4]], alpha=alpha, beta=beta)
    for d in ("f32", "f16"):
        f.case("addmm", [(np.ones((2, 2)), d), (np.zeros((2, 0)), d),
                         (np.zeros((0, 2)), d)],
               lambda c, a, b, d=d: (2 * c, d),
               lambda c, a, b: mx.addmm(c, a, b, 0.5, 2.0), alpha=0.5,
               beta=2.0, exact=True)


def products(f, g):
    n = 0
    for d in ALL:
        lay = [LAYOUTS[n % 4], LAYOUTS[(n + 1) % 4]]
        n += 1
        mul = np.logical_and if d == "bool" else np.multiply
        f.case("outer", [(g.any(d, (3,)), d), (g.any(d, (2, 2)), d)],
               lambda a, b, d=d, m=mul: (m.outer(a.ravel(), b.ravel()), d),
               mx.outer, lay)
        for sa, sb in (((2, 3), (3, 2)), ((2,), (2, 2)), ((2, 1, 2), (3,))):
            f.case("kron", [(g.any(d, sa), d), (g.any(d, sb), d)],
                   lambda a, b, d=d: (kron(a, b), d), mx.kron, lay)
        w = widened(d)
        for off, a1, a2, s in ((0, 0, 1, (3, 4)), (1, 0, 2, (2, 3, 4)),
                               (-1, 1, 0, (4, 3))):
            def truth(v, o=off, a=a1, b=a2, w=w):
                return (np.trace(up(v).astype(up(v).dtype if w not in
                                              ("i32", "u32") else
                                              ("i4" if w == "i32" else
                                               "u4")), o, a, b), w)
            f.case("trace", [(g.any(d, s), d)], truth,
                   lambda v, o=off, a=a1, b=a2: mx.trace(v, o, a, b), lay,
                   offset=off, axis1=a1, axis2=a2)
        if d != "bool":
            f.case("vecdot", [(g.any(d, (3, 4)), d), (g.any(d, (3, 4)), d)],
                   lambda a, b, w=w: (np.sum(np.conj(up(a)).astype(
                       up(a).dtype if w == d else np.int64) * up(b), -1), w),
                   mx.vecdot, lay, axis=-1)
    for d in INEXACT:
        for sa, sb in (((3, 4), (2, 4)), ((4,), (4,)), ((2, 3, 4), (4,)),
                       ((), (3, 4))):
            f.case("inner", [(g.normal(d, sa, 1), d),
                             (g.normal(d, sb, 1), d)],
                   lambda a, b, d=d: (np.inner(up(a), up(b)), d), mx.inner,
                   [LAYOUTS[n % 4]])
            n += 1
        for sa, sb, ax in (((2, 3, 4), (3, 4, 5), 2), ((3, 4), (4, 2), 1),
                           ((3,), (2, 2), 0),
                           ((2, 3, 4), (4, 2), ([2, 0], [0, 1])),
                           ((3, 4), (2, 4), ([-1], [-1]))):
            p = {"axes": ax} if isinstance(ax, int) else \
                {"axes_a": ax[0], "axes_b": ax[1]}
            f.case("tensordot", [(g.normal(d, sa, 1), d),
                                 (g.normal(d, sb, 1), d)],
                   lambda a, b, x=ax, d=d: (np.tensordot(up(a), up(b), x),
                                            d),
                   lambda a, b, x=ax: mx.tensordot(a, b, x),
                   [LAYOUTS[n % 4], LAYOUTS[(n + 2) % 4]], **p)
            n += 1


def kron(a, b):
    if a.dtype != bool:
        return np.kron(a, b)
    return np.kron(a.astype("u1"), b.astype("u1")) != 0


def einsums(f, g):
    forms = [("ij,jk->ik", (3, 4), (4, 2)), ("ij,jk", (3, 4), (4, 2)),
             ("ij,kj->ik", (3, 4), (2, 4)), ("bij,bjk->bik", (2, 3, 4),
                                             (2, 4, 3)),
             ("bij,bjk->bik", (1, 3, 4), (2, 4, 5)), ("ii->i", (3, 3)),
             ("ii", (3, 3)), ("ij->ji", (3, 4)), ("ij->", (3, 4)),
             ("ij->j", (3, 4)), ("i,j->ij", (3,), (4,)), ("i,i", (4,), (4,)),
             ("ij,j->ij", (3, 4), (4,)), ("...ij,...jk->...ik", (2, 3, 4),
                                          (4, 2)),
             ("ij,jk,kl->il", (2, 3), (3, 4), (4, 5)),
             ("ab,bc,cd,de", (2, 3), (3, 4), (4, 2), (2, 3)),
             ("ijk,ikl->jl", (2, 3, 4), (2, 4, 2)),
             ("bhqd,bhkd->bhqk", (1, 2, 3, 4), (1, 2, 2, 4)),
             ("ij,ij->i", (3, 4), (3, 4)), ("iij->j", (3, 3, 2)),
             ("i...->...", (3, 4)), ("ba", (2, 3)), ("ij,ik->ijk", (2, 3),
                                                     (2, 4))]
    for n, (subs, *shapes) in enumerate(forms):
        for d in ("f32", "f64", "f16", "c64", "bf16"):
            if n % 2 and d in ("f16", "c64", "bf16"):
                continue
            ins = [(g.normal(d, s, 1), d) for s in shapes]
            f.case("einsum", ins, lambda *v, s=subs, d=d: (
                np.einsum(s, *[up(x) for x in v]), d),
                lambda *v, s=subs: mx.einsum(s, *v),
                [LAYOUTS[(n + i) % 4] for i in range(len(shapes))],
                subscripts=subs)


FAMILIES = [matmul]
