# SPDX-License-Identifier: MIT
# Element-wise families: ternary operations and casts.
import mlx.core as mx
import numpy as np

from goldlib import (ALL, FLOATS, LAYOUTS, LONG, MX, NP, UINTS, Family,
                     Values, cast, is_int, kinds, promote)


def ternary(known):
    f = Family("ternary", known)
    g = Values(3)
    lays = [["contiguous", "transposed", "step2"],
            ["transposed", "contiguous", "reversed"],
            ["step2", "broadcast0", "contiguous"],
            ["broadcast0", "reversed", "transposed"], None]
    shapes = [((3, 4),) * 3, ((3, 1), (1, 4), ()), ((4,), (3, 4), (3, 1)),
              ((2, 3, 4), (3, 4), (4,)), ((0, 3), (3,), (1, 3))]
    n = 0
    for d in ALL:
        for k in range(4):
            sc, sx, sy = shapes[0] if k < 2 else shapes[n % 5]
            cond = g.rng.integers(0, 2, sc) != 0
            f.case("where", [(cond, "bool"), (g.any(d, sx), d),
                             (g.any(d, sy), d)],
                   lambda c, x, y, d=d: (np.where(c, x, y), d), mx.where,
                   lays[n % 5] if k < 3 else None, tag=d)
            n += 1
    for a, b in (("i32", "f16"), ("u8", "i8"), ("bool", "f64"),
                 ("f16", "bf16"), ("f32", "c64"), ("u64", "i32")):
        f.case("where", [(np.array([1, 0, 2]), "i32"),
                         (g.ints(a, (3,), 0, 3), a),
                         (g.ints(b, (3,), 0, 3), b)],
               lambda c, x, y, t=promote(a, b): (
                   np.where(c != 0, cast(x, t), cast(y, t)), t), mx.where,
               tag=f"{a}_{b}")
    f.case("where", [(np.array([1, 0]), "bool"), (np.array([1.0, np.nan]),
                                                  "f32"),
                     (np.array([np.inf, 2.0]), "f32")],
           lambda c, x, y: (np.where(c, x, y), "f32"), mx.where)
    clips(f, g)
    return f


def clips(f, g):
    for i, d in enumerate(kinds("UIF")):
        v = g.any(d, (3, 4), 20)
        lo, hi = (2, 9) if d in UINTS else (-1, 2)
        for low, high in ((lo, hi), (lo, None), (None, hi), (hi, lo)):
            ins = [(v, d)]
            names = []
            for name, x in (("low", low), ("high", high)):
                if x is not None:
                    ins.append((np.array(x), d))
                    names.append(name)

            def truth(v, *b, names=names, d=d):
                for name, x in zip(names, b):
                    v = (np.maximum if name == "low" else np.minimum)(v, x)
                return (v, d)

            def ref(a, *b, names=names):
                k = dict(zip(names, b))
                return mx.clip(a, k.get("low"), k.get("high"))
            f.case("clip", ins, truth, ref,
                   [LAYOUTS[(i + len(names)) % 5]], bounds=names)
    for v, lo, hi in ((np.array([np.nan, 5, -5]), 0, 1),
                      (np.array([1.0, 5, -5]), np.nan, 1)):
        f.case("clip", [(v, "f32"), (np.array(lo), "f32"),
                        (np.array(hi), "f32")],
               lambda v, a, b: (np.minimum(np.maximum(v, a), b), "f32"),
               mx.clip, bounds=["low", "high"])
    f.case("clip", [(np.array([1, 5, -5]), "i32"), (np.array(-1.5), "f32")],
           lambda v, a: (np.maximum(v.astype("f4"), a), "f32"),
           lambda a, b: mx.clip(a, b, None), bounds=["low"])
    f.case("clip", [(g.any("f32", (3, 4)), "f32"),
                    (g.any("f32", (4,)), "f32"),
                    (g.any("f32", (3, 1)), "f32")],
           lambda v, a, b: (np.minimum(np.maximum(v, a), b), "f32"), mx.clip,
           bounds=["low", "high"])


def cast_values(a, b):
    """Values whose conversion from a to b is defined."""
    if a == "bool":
        return [True, False, True]
    v = [0, 1, 2, 3, 100]
    if is_int(a):
        i = np.iinfo(NP[a])
        return v + [i.max, i.min]
    if a == "c64":
        v = [0, 1, 2.75, 3 + 4j, 100 - 2j, 1j]
        return v if b in UINTS else v + [-1.5 + 1j, -100]
    v = v + [0.5, 1.75, 2.5, 99.99]
    if b not in UINTS:
        v += [-1, -1.75, -0.5, -100]
    if b == "bool" or not is_int(b):
        v += [np.inf, -np.inf, np.nan, -0.0]
    if b in FLOATS + ["c64"] and a in ("f32", "f64", "bf16"):
        v += [1e5, 65519, 65520, 1e-8, 6.1e-5, 1e38, 3.39e38]
        if b == "bf16":
            v += [1.00390625, 1.01171875]    # ties to even
        if b == "f16":
            v += [1.00048828125, 1.00146484375]
    return v


def casts(known):
    f = Family("cast", known)
    g = Values(4)
    n = 0
    for a in ALL:
        for b in ALL:
            def truth(v, b=b):
                return (v.astype(np.float32) if b in ("f16", "bf16") and
                        v.dtype == np.float64 else v, b)
            v = cast(np.array(cast_values(a, b)), a)

            def ref(x, b=b):
                return x.astype(MX[b])
            f.case("astype", [(v, a)], truth, ref, tag=f"{a}_{b}",
                   dtype=LONG[b])
            w = g.ints(a, (3, 4), 0, 9)
            f.case("astype", [(w, a)], truth, ref,
                   [LAYOUTS[n % 5]], tag=f"{a}_{b}", dtype=LONG[b])
            n += 1
    return f


FAMILIES = [ternary, casts]
