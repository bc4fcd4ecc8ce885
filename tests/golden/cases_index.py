# SPDX-License-Identifier: MIT
# Gathers and scatters.
import mlx.core as mx
import numpy as np

from goldlib import ALL, INTS, LAYOUTS, Family, Values, cast
from cases_shape import combine

INDEX_TYPES = ["i32", "u32", "i64", "u8", "i8", "u16", "i16", "u64"]


def positions(g, d, shape, n, negative):
    lo = -n if negative and d in INTS else 0
    return g.ints(d, shape, lo, n - 1)


def index(known):
    f = Family("index", known)
    g = Values(31)
    n = 0
    for d in ALL:
        for s, axis, shape in (((3, 4), 0, (2,)), ((3, 4), -1, (2, 3)),
                               ((2, 3, 4), 1, (5,)), ((2, 3, 4), 0, ()),
                               ((3, 4), None, (2, 2)), ((5,), 0, (0,))):
            n += 1
            it = INDEX_TYPES[n % 8]
            size = int(np.prod(s)) if axis is None else s[axis]
            ix = positions(g, it, shape, size, True)
            f.case("take", [(g.any(d, s), d), (ix, it)],
                   lambda v, i, a=axis, d=d: (
                       np.take(v, i.astype("i8"), a), d),
                   lambda v, i, a=axis: mx.take(v, i, a),
                   [LAYOUTS[n % 5], LAYOUTS[(n + 1) % 4]], axis=axis)
        along(f, g, d, n)
        gathers(f, g, d, n)
        scatters(f, g, d, n)
        masks(f, g, d, n)
    pitfalls(f, g)
    return f


def along(f, g, d, n):
    for k, (s, si, axis) in enumerate((((3, 4), (3, 2), -1),
                                       ((3, 4), (2, 4), 0),
                                       ((2, 3, 4), (2, 5, 4), 1),
                                       ((3, 4), (1, 2), 1),
                                       ((1, 4), (3, 2), 1))):
        it = INDEX_TYPES[(n + k) % 8]
        ix = positions(g, it, si, s[axis], True)

        def truth(v, i, a=axis, d=d):
            shape = list(np.broadcast_shapes(
                [1 if j == a % v.ndim else x for j, x in enumerate(v.shape)],
                [1 if j == a % v.ndim else x for j, x in enumerate(i.shape)]))
            sv, sx = list(shape), list(shape)
            sv[a], sx[a] = v.shape[a], i.shape[a]
            return (np.take_along_axis(np.broadcast_to(v, sv),
                                       np.broadcast_to(i, sx).astype("i8"),
                                       a), d)
        f.case("take_along_axis", [(g.any(d, s), d), (ix, it)], truth,
               lambda v, i, a=axis: mx.take_along_axis(v, i, a),
               [LAYOUTS[(n + k) % 5], LAYOUTS[(n + k + 2) % 4]], axis=axis)
    for k, (s, si, axis) in enumerate((((3, 4), (3, 2), -1),
                                       ((3, 4), (2, 4), 0),
                                       ((2, 3, 4), (2, 2, 4), 1))):
        it = INDEX_TYPES[(n + k) % 8]
        perm = np.argsort(g.rng.random(s), axis)
        ix = cast(np.take(perm, range(si[axis]), axis), it)

        def truth(v, i, u, a=axis, d=d):
            r = v.copy()
            np.put_along_axis(r, i.astype("i8"), u, a)
            return (r, d)
        f.case("put_along_axis", [(g.any(d, s), d), (ix, it),
                                  (g.any(d, si), d)], truth,
               lambda v, i, u, a=axis: mx.put_along_axis(v, i, u, a),
               [LAYOUTS[(n + k) % 5], "contiguous",
                         LAYOUTS[(n + k) % 4]], axis=axis)
        ix = positions(g, it, si, s[axis], True)

        def truth_add(v, i, u, a=axis, d=d):
            r = np.moveaxis(v.copy(), a, 0)
            i = np.moveaxis(i, a, 0)
            u = np.moveaxis(u, a, 0)
            for at in np.ndindex(i.shape):
                to = (int(i[at]),) + at[1:]
                r[to] = combine("add", r[to], u[at])
            return (np.moveaxis(r, 0, a), d)
        ints = [(g.ints(d, x, 0, 5), d) for x in (s, si)]
        f.case("scatter_add_axis", [ints[0], (ix, it), ints[1]], truth_add,
               None, [LAYOUTS[(n + k) % 5]], axis=axis)


def gather_truth(axes, sizes, d):
    def truth(v, *ix):
        ix = [x.astype("i8") for x in np.broadcast_arrays(*ix)]
        shape = ix[0].shape
        r = np.zeros(shape + tuple(sizes), v.dtype)
        for at in np.ndindex(shape):
            w = [slice(0, n) for n in sizes]
            for a, x in zip(axes, ix):
                p = int(x[at])
                p += v.shape[a] if p < 0 else 0
                w[a] = slice(p, p + sizes[a])
            r[at] = v[tuple(w)]
        return (r, d)
    return truth


def gathers(f, g, d, n):
    forms = [((3, 4), (0,), [(2, 2)], (1, 4), lambda v, i: v[i][:, :, None]),
             ((3, 4), (0, 1), [(3,), (3,)], (1, 1),
              lambda v, i, j: v[i, j].reshape(3, 1, 1)),
             ((2, 3, 4), (2,), [(2,)], (2, 3, 2), None),
             ((2, 3, 4), (0, 2), [(2, 1), (3,)], (1, 2, 1), None)]
    for k, (s, axes, shapes, sizes, ref) in enumerate(forms):
        it = INDEX_TYPES[(n + k) % 8]
        ix = [(positions(g, it, x, s[a] - sizes[a] + 1, sizes[a] == 1), it)
              for x, a in zip(shapes, axes)]
        f.case("gather", [(g.any(d, s), d)] + ix,
               gather_truth(axes, sizes, d), ref,
               [LAYOUTS[(n + k) % 5]], axes=axes, slice_sizes=sizes)


def scatter_truth(mode, axes, d):
    def truth(v, *rest):
        *ix, u = rest
        ix = [x.astype("i8") for x in np.broadcast_arrays(*ix)]
        k = ix[0].ndim
        r = v.copy()
        for at in np.ndindex(ix[0].shape):
            w = [slice(0, n) for n in u.shape[k:]]
            for a, x in zip(axes, ix):
                p = int(x[at])
                p += v.shape[a] if p < 0 else 0
                w[a] = slice(p, p + u.shape[k + a])
            w = tuple(w)
            r[w] = combine(mode, r[w], u[at])
        return (r, d)
    return truth


def scatters(f, g, d, n):
    forms = [((3, 4), (0,), [(2,)], (1, 4)),
             ((3, 4), (0, 1), [(5,), (5,)], (1, 1)),
             ((2, 3, 4), (2,), [(2,)], (2, 3, 2)),
             ((2, 3, 4), (0, 1), [(2, 1), (2,)], (1, 1, 3))]
    attr = {"set": None, "add": "add", "prod": "multiply", "max": "maximum",
            "min": "minimum"}
    for m, mode in enumerate(attr):
        for k, (s, axes, shapes, sizes) in enumerate(forms):
            if (k + m) % 2 and k != 1:
                continue
            it = INDEX_TYPES[(n + k + m) % 8]
            ix = [(positions(g, it, x, s[a] - sizes[a] + 1, sizes[a] == 1),
                   it) for x, a in zip(shapes, axes)]
            lead = np.broadcast_shapes(*shapes)
            v = g.ints(d, s, 0, 4)
            u = g.ints(d, lead + sizes, 0, 3)
            ref = None
            if k < 2:
                def ref(v, *rest, k=k, way=attr[mode]):
                    *ix, u = rest
                    u = u.reshape(u.shape[0], -1) if k == 0 else \
                        u.reshape(-1)
                    key = ix[0] if k == 0 else tuple(ix)
                    if way:
                        return getattr(v.at[key], way)(u)
                    v = mx.array(v)
                    v[key] = u
                    return v
            f.case("scatter", [(v, d)] + ix + [(u, d)],
                   scatter_truth(mode, axes, d), ref,
                   [LAYOUTS[(n + k) % 5]], mode=mode, axes=axes)


def masks(f, g, d, n):
    for k, (s, sm) in enumerate((((3, 4), (3, 4)), ((3, 4), (3,)),
                                 ((2, 3, 4), (2, 3)))):
        mask = g.rng.integers(0, 2, sm) != 0
        mask[0] = True
        rows = int(mask.sum())
        u = g.any(d, (rows + k % 2,) + s[len(sm):])

        def truth(v, m, u, d=d):
            r = v.copy()
            r[m] = u[:int(m.sum())]
            return (r, d)

        def ref(v, m, u):
            v = mx.array(v)
            v[m] = u
            return v
        f.case("masked_scatter", [(g.any(d, s), d), (mask, "bool"), (u, d)],
               truth, ref, [LAYOUTS[(n + k) % 5]])


def pitfalls(f, g):
    # column-major slices
    v = np.array([1, 2]).reshape(2, 1, 1)
    for axis in (1, 2):
        f.case("take", [(v, "f32"), (np.zeros(3), "i32")],
               lambda v, i, a=axis: (np.take(v, i.astype("i8"), a), "f32"),
               lambda v, i, a=axis: mx.take(v, i, a), axis=axis)
    # a product with NaN ends
    f.case("scatter", [(np.ones(3), "f32"), (np.array([1, 1]), "i32"),
                       (np.array([[np.nan], [2.0]]), "f32")],
           scatter_truth("prod", (0,), "f32"), None, mode="prod", axes=(0,))
    # later values win
    f.case("scatter", [(np.zeros(3), "f32"), (np.array([1, 1, 0]), "i32"),
                       (np.array([[5.0], [6], [7]]), "f32")],
           scatter_truth("set", (0,), "f32"), None, mode="set", axes=(0,))
    for mode in ("max", "min"):
        f.case("scatter", [(np.zeros(3), "f32"), (np.array([1, 2]), "i32"),
                           (np.array([[np.nan], [7]]), "f32")],
               scatter_truth(mode, (0,), "f32"), None, mode=mode, axes=(0,))


FAMILIES = [index]
