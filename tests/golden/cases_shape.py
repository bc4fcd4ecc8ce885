# SPDX-License-Identifier: MIT
# Creation, shape and view operations, joining and padding, slices.
import mlx.core as mx
import numpy as np

from goldlib import (ALL, INTS, LAYOUTS, LONG, MX, NP, Family, Values, cast,
                     is_float, kinds)


def creation(known):
    f = Family("creation", known)
    g = Values(11)
    for d in kinds("UIF"):
        ranges = [(0, 5, 1), (2, 11, 3), (10, 0, -2.5), (0, 0, 1), (3, 1, 1)]
        if is_float(d):
            ranges += [(0, 1, 0.1), (-1, 1, 0.25), (0.5, 4, 0.7)]
        elif d in INTS:
            ranges += [(-5, 6, 2), (5, -6, -3)]
        for start, stop, step in ranges:
            if not is_float(d) and step != int(step):
                step = -2
            n = max(int(np.ceil((stop - start) / step)), 0)
            f.case("arange", [], lambda n=n, a=start, s=step, d=d: (
                a + np.arange(n) * float(s), d),
                lambda a=start, b=stop, s=step, d=d: mx.arange(
                    a, b, s, dtype=MX[d]), start=float(start),
                stop=float(stop), step=float(step), dtype=LONG[d])
    for d in ("i32", "f32"):
        f.case("arange", [], lambda d=d: (
            cast(np.arange(6) * 0.5, d), d),
            lambda d=d: mx.arange(0, 3, 0.5, dtype=MX[d]), start=0.0,
            stop=3.0, step=0.5, dtype=LONG[d])
    for d in kinds("IUF"):
        for a, b, n, end in ((0, 10, 5, 1), (1, 2, 6, 1), (0, 10, 4, 0),
                             (3, 9, 1, 1), (0, 1, 0, 1)):
            if not is_float(d) and (a, b) == (1, 2):
                a, b, n = 0, 100, 11
            f.case("linspace", [], lambda a=a, b=b, n=n, e=end, d=d: (
                np.linspace(a, b, n, bool(e)), d),
                lambda a=a, b=b, n=n, e=end, d=d: mx.linspace(
                    a, b, n, bool(e), dtype=MX[d]), start=float(a),
                stop=float(b), num=n, endpoint=end, dtype=LONG[d])
    for i, d in enumerate(ALL):
        for n, m, k in ((3, 3, 0), (3, 5, 1), (4, 2, -1), (2, 3, 7),
                        (0, 3, 0)):
            f.case("eye", [], lambda n=n, m=m, k=k, d=d: (
                np.eye(n, m, k), d), lambda n=n, m=m, k=k, d=d: mx.eye(
                    n, m, k, dtype=MX[d]), n=n, m=m, k=k, dtype=LONG[d])
            if i % 2 == 0:
                f.case("tri", [], lambda n=n, m=m, k=k, d=d: (
                    np.tri(n, m, k), d), lambda n=n, m=m, k=k, d=d: mx.tri(
                        n, m, k, dtype=MX[d]), n=n, m=m, k=k, dtype=LONG[d])
        f.case("full", [(np.array(1), d)], lambda v, d=d: (
            np.full((2, 3), v), d), lambda v, d=d: mx.full((2, 3), v),
            shape=(2, 3), dtype=LONG[d])
        for op in ("zeros", "ones"):
            f.case(op, [], lambda op=op, d=d: (getattr(np, op)((2, 2)), d),
                   lambda op=op, d=d: getattr(mx, op)((2, 2), MX[d]),
                   shape=(2, 2), dtype=LONG[d])
            f.case(op + "_like", [(g.any(d, (2, 3)), d)],
                   lambda v, op=op, d=d: (getattr(np, op)((2, 3)), d),
                   getattr(mx, op + "_like"))
        for j, k in enumerate((0, 1, -2)):
            for op in ("tril", "triu"):
                shape = [(3, 4), (2, 3, 3), (4, 2)][j]
                f.case(op, [(g.any(d, shape), d)],
                       lambda v, op=op, k=k, d=d: (getattr(np, op)(v, k), d),
                       lambda a, op=op, k=k: getattr(mx, op)(a, k),
                       [LAYOUTS[(i + j) % 5]], k=k)
    for i, d in enumerate(ALL):
        for k in (0, 2, -1):
            f.case("diag", [(g.any(d, (3,)), d)],
                   lambda v, k=k, d=d: (np.diag(v, k), d),
                   lambda a, k=k: mx.diag(a, k),
                   [LAYOUTS[i % 5]], k=k)
            f.case("diag", [(g.any(d, (3, 4)), d)],
                   lambda v, k=k, d=d: (np.diag(v, k), d),
                   lambda a, k=k: mx.diag(a, k),
                   [LAYOUTS[(i + 1) % 5]], k=k)
        for off, a1, a2 in ((0, 0, 1), (1, 0, 2), (-1, 2, 1)):
            f.case("diagonal", [(g.any(d, (2, 3, 4)), d)],
                   lambda v, o=off, a=a1, b=a2, d=d: (
                       np.diagonal(v, o, a, b), d),
                   lambda v, o=off, a=a1, b=a2: mx.diagonal(v, o, a, b),
                   [LAYOUTS[i % 5]], offset=off, axis1=a1, axis2=a2)
        f.case("full_like", [(g.any(d, (3, 4)), d), (np.array([[1], [0], [2]]),
                                                     "i32")],
               lambda v, x, d=d: (np.broadcast_to(x, v.shape), d),
               lambda v, x, d=d: mx.full((3, 4), x.astype(MX[d])),
               [LAYOUTS[i % 5], LAYOUTS[(i + 2) % 4]], dtype=LONG[d])
    for k in (0, 2, -2):
        f.case("diag", [(np.zeros(0), "f32")], lambda v, k=k: (
            np.zeros((abs(k), abs(k))), "f32"),
            lambda a, k=k: mx.diag(a, k), k=k)
    windows(f)
    grids(f, g)
    return f


def windows(f):
    for m in (0, 1, 2, 5, 12):
        for op in ("bartlett", "hanning", "hamming", "blackman"):
            f.case(op, [], lambda m=m, op=op: (
                getattr(np, op)(m), "f32"),
                lambda m=m, op=op: getattr(mx, op)(m),
                m=m, tag="f32")


def grids(f, g):
    for d in ("f32", "i16", "bool", "c64"):
        for sparse in (0, 1):
            for ix in ("xy", "ij"):
                for sizes in ((3,), (2, 3), (2, 3, 4)):
                    ins = [(g.any(d, (n,)), d) for n in sizes]
                    f.case("meshgrid", ins,
                           lambda *v, s=sparse, ix=ix, d=d: [
                               (x, d) for x in np.meshgrid(
                                   *v, sparse=bool(s), indexing=ix)],
                           lambda *v, s=sparse, ix=ix: mx.meshgrid(
                               *v, sparse=bool(s), indexing=ix),
                           sparse=sparse, indexing=ix)


# ---- shape ----

# (op, params, input shape, NumPy function, reference function)
VIEWS = [
    ("reshape", {"shape": (4, 3)}, (3, 4), lambda v: v.reshape(4, 3),
     lambda a: a.reshape(4, 3)),
    ("reshape", {"shape": (2, -1)}, (3, 4), lambda v: v.reshape(2, -1),
     lambda a: a.reshape(2, -1)),
    ("reshape", {"shape": (6, 4)}, (2, 3, 4), lambda v: v.reshape(6, 4),
     lambda a: a.reshape(6, 4)),
    ("reshape", {"shape": (1, 1)}, (), lambda v: v.reshape(1, 1),
     lambda a: a.reshape(1, 1)),
    ("reshape", {"shape": (3, 0, 2)}, (0, 3), lambda v: v.reshape(3, 0, 2),
     lambda a: a.reshape(3, 0, 2)),
    ("transpose", {}, (3, 4), lambda v: v.T, mx.transpose),
    ("transpose", {}, (2, 3, 4), lambda v: v.T, mx.transpose),
    ("transpose", {"axes": (1, 2, 0)}, (2, 3, 4),
     lambda v: v.transpose(1, 2, 0), lambda a: mx.transpose(a, (1, 2, 0))),
    ("transpose", {"axes": (0, 2, 1)}, (2, 3, 4),
     lambda v: v.transpose(0, 2, 1), lambda a: mx.transpose(a, (0, 2, 1))),
    ("transpose", {"axes": (-1, 0, 1)}, (2, 3, 4),
     lambda v: v.transpose(-1, 0, 1), lambda a: mx.transpose(a, (-1, 0, 1))),
    ("swapaxes", {"axis1": 0, "axis2": -1}, (2, 3, 4),
     lambda v: v.swapaxes(0, -1), lambda a: mx.swapaxes(a, 0, -1)),
    ("moveaxis", {"source": 0, "destination": 2}, (2, 3, 4),
     lambda v: np.moveaxis(v, 0, 2), lambda a: mx.moveaxis(a, 0, 2)),
    ("moveaxis", {"source": -1, "destination": 0}, (2, 3, 4),
     lambda v: np.moveaxis(v, -1, 0), lambda a: mx.moveaxis(a, -1, 0)),
    ("flatten", {"start_axis": 0, "end_axis": -1}, (2, 3, 4),
     lambda v: v.reshape(24), mx.flatten),
    ("flatten", {"start_axis": 1, "end_axis": 2}, (2, 3, 4),
     lambda v: v.reshape(2, 12), lambda a: mx.flatten(a, 1, 2)),
    ("flatten", {"start_axis": 0, "end_axis": -1}, (),
     lambda v: v.reshape(1), mx.flatten),
    ("unflatten", {"axis": 1, "shape": (2, 2)}, (3, 4),
     lambda v: v.reshape(3, 2, 2), lambda a: mx.unflatten(a, 1, (2, 2))),
    ("unflatten", {"axis": 0, "shape": (-1, 3)}, (6, 2),
     lambda v: v.reshape(2, 3, 2), lambda a: mx.unflatten(a, 0, (-1, 3))),
    ("squeeze", {}, (1, 3, 1, 2), lambda v: v.squeeze(), mx.squeeze),
    ("squeeze", {"axes": (0,)}, (1, 3, 1), lambda v: v.squeeze(0),
     lambda a: mx.squeeze(a, 0)),
    ("squeeze", {"axes": (0, -1)}, (1, 3, 1), lambda v: v.squeeze((0, -1)),
     lambda a: mx.squeeze(a, (0, -1))),
    ("expand_dims", {"axes": (0,)}, (3, 4), lambda v: v[None],
     lambda a: mx.expand_dims(a, 0)),
    ("expand_dims", {"axes": (0, 2, -1)}, (3, 4),
     lambda v: np.expand_dims(v, (0, 2, -1)),
     lambda a: mx.expand_dims(a, (0, 2, -1))),
    ("expand_dims", {"axes": (-2, -1)}, (),
     lambda v: v.reshape(1, 1), lambda a: mx.expand_dims(a, (-2, -1))),
    ("broadcast_to", {"shape": (2, 3, 4)}, (3, 1),
     lambda v: np.broadcast_to(v, (2, 3, 4)),
     lambda a: mx.broadcast_to(a, (2, 3, 4))),
    ("broadcast_to", {"shape": (0, 3)}, (1, 3),
     lambda v: np.broadcast_to(v, (0, 3)),
     lambda a: mx.broadcast_to(a, (0, 3))),
    ("flip", {}, (3, 4), lambda v: np.flip(v), mx.flip),
    ("flip", {"axes": (1,)}, (2, 3, 4), lambda v: np.flip(v, 1),
     lambda a: mx.flip(a, 1)),
    ("flip", {"axes": (0, -1)}, (2, 3, 4), lambda v: np.flip(v, (0, -1)),
     lambda a: mx.flip(a, (0, -1))),
    ("atleast_1d", {}, (), np.atleast_1d, mx.atleast_1d),
    ("atleast_1d", {}, (2, 3), np.atleast_1d, mx.atleast_1d),
    ("atleast_2d", {}, (3,), np.atleast_2d, mx.atleast_2d),
    ("atleast_3d", {}, (3,), np.atleast_3d, mx.atleast_3d),
    ("atleast_3d", {}, (3, 4), np.atleast_3d, mx.atleast_3d),
    ("contiguous", {}, (3, 4), lambda v: v, mx.contiguous),
    ("contiguous", {"col_major": 1}, (2, 3, 4), lambda v: v,
     lambda a: mx.contiguous(a, True)),
    ("copy", {}, (3, 4), lambda v: v, lambda a: mx.array(a)),
    ("tile", {"reps": (2,)}, (3,), lambda v: np.tile(v, 2),
     lambda a: mx.tile(a, 2)),
    ("tile", {"reps": (2, 1, 3)}, (2, 3), lambda v: np.tile(v, (2, 1, 3)),
     lambda a: mx.tile(a, (2, 1, 3))),
    ("tile", {"reps": (2,)}, (2, 3), lambda v: np.tile(v, 2),
     lambda a: mx.tile(a, 2)),
    ("tile", {"reps": (0, 2)}, (2, 3), lambda v: np.tile(v, (0, 2)),
     lambda a: mx.tile(a, (0, 2))),
    ("repeat", {"repeats": 2}, (3, 4), lambda v: np.repeat(v, 2),
     lambda a: mx.repeat(a, 2)),
    ("repeat", {"repeats": 3, "axis": 1}, (2, 3, 4),
     lambda v: np.repeat(v, 3, 1), lambda a: mx.repeat(a, 3, 1)),
    ("repeat", {"repeats": 2, "axis": -1}, (3, 4),
     lambda v: np.repeat(v, 2, -1), lambda a: mx.repeat(a, 2, -1)),
    ("repeat", {"repeats": 0, "axis": 0}, (3, 4),
     lambda v: np.repeat(v, 0, 0), lambda a: mx.repeat(a, 0, 0)),
    ("roll", {"shift": (2,)}, (3, 4), lambda v: np.roll(v, 2),
     lambda a: mx.roll(a, 2)),
    ("roll", {"shift": (-1,), "axes": (0,)}, (3, 4),
     lambda v: np.roll(v, -1, 0), lambda a: mx.roll(a, -1, 0)),
    ("roll", {"shift": (7, -2), "axes": (1, 2)}, (2, 3, 4),
     lambda v: np.roll(v, (7, -2), (1, 2)),
     lambda a: mx.roll(a, (7, -2), (1, 2))),
    ("roll", {"shift": (1,), "axes": (0,)}, (0, 3),
     lambda v: np.roll(v, 1, 0), lambda a: mx.roll(a, 1, 0)),
    ("as_strided", {"shape": (3, 2), "strides": (1, 2), "offset": 1},
     (3, 4), lambda v: np.array([[v.ravel()[1 + i + 2 * j] for j in range(2)]
                                 for i in range(3)], v.dtype),
     lambda a: mx.as_strided(a, (3, 2), (1, 2), 1)),
    ("as_strided", {"shape": (4,), "strides": (-2,), "offset": 7}, (8,),
     lambda v: v[7::-2], lambda a: mx.as_strided(a, (4,), (-2,), 7)),
]


def shape(known):
    f = Family("shape", known)
    g = Values(12)
    n = 0
    for op, params, s, fn, ref in VIEWS:
        for k in range(5):
            d = ALL[n % 14]
            f.case(op, [(g.any(d, s), d)], lambda v, fn=fn, d=d: (fn(v), d),
                   ref, [LAYOUTS[k]], **params)
            n += 3 if k < 4 else 1
    bits(f, g)
    join(f, g)
    split(f, g)
    pads(f, g)
    return f


def bits(f, g):
    for a, b in (("f32", "u32"), ("f32", "u8"), ("u8", "u32"), ("i16", "u8"),
                 ("u8", "bool"), ("f64", "i32"), ("c64", "f32"),
                 ("u32", "u64"), ("f16", "u16"), ("i64", "f64")):
        v = g.ints(a, (3, 8), 0, 1) if b == "bool" else g.any(a, (3, 8))
        f.case("view", [(v, a)], lambda v, b=b: (
            np.ascontiguousarray(v).view(NP[b]), b),
            lambda x, b=b: x.view(MX[b]), tag=f"{a}_{b}",
            dtype=LONG[b])
        f.case("view", [(v, a)], lambda v, b=b: (
            np.ascontiguousarray(v).view(NP[b]), b),
            lambda x, b=b: x.view(MX[b]), ["step2"],
            tag=f"{a}_{b}", dtype=LONG[b])


def join(f, g):
    for i, d in enumerate(ALL):
        lay = [LAYOUTS[i % 5], LAYOUTS[(i + 2) % 5], LAYOUTS[(i + 1) % 5]]
        for axis, shapes in ((0, [(2, 3), (1, 3), (3, 3)]),
                             (-1, [(3, 4), (3, 1)]),
                             (1, [(2, 1, 4), (2, 3, 4)]),
                             (0, [(0, 3), (2, 3)]),
                             (None, [(2, 2), (3,)])):
            if axis is None and i % 3:
                continue
            ins = [(g.any(d, s), d) for s in shapes]
            f.case("concatenate", ins, lambda *v, a=axis, d=d: (
                np.concatenate(v, a), d),
                lambda *v, a=axis: mx.concatenate(list(v), a), lay,
                axis=axis)
        for axis in (0, 1, -1):
            ins = [(g.any(d, (3, 4)), d) for _ in range(2)]
            f.case("stack", ins, lambda *v, a=axis, d=d: (
                np.stack(v, a), d), lambda *v, a=axis: mx.stack(list(v), a),
                lay, axis=axis)
    for a, b, t in (("i8", "f16", "f16"), ("u8", "i8", "i16"),
                    ("f16", "bf16", "f32"), ("bool", "i64", "i64")):
        f.case("concatenate", [(g.ints(a, (3,), 0, 1), a),
                               (g.ints(b, (2,), 0, 3), b)],
               lambda x, y, t=t: (np.concatenate([cast(x, t), cast(y, t)]),
                                  t), lambda x, y: mx.concatenate([x, y]),
               tag=f"{a}_{b}", axis=0)
    for d in ("f32", "u8"):
        f.case("broadcast_arrays", [(g.any(d, (3, 1)), d),
                                    (g.any(d, (4,)), d)],
               lambda *v, d=d: [(x, d) for x in np.broadcast_arrays(*v)],
               lambda *v: mx.broadcast_arrays(*v))


def split(f, g):
    for i, d in enumerate(ALL):
        for axis, s in ((0, (3, 4)), (-1, (2, 3)), (1, (2, 3, 4))):
            f.case("unstack", [(g.any(d, s), d)], lambda v, a=axis, d=d: [
                (x, d) for x in np.moveaxis(v, a, 0)],
                lambda v, a=axis: mx.unstack(v, axis=a),
                [LAYOUTS[(i + axis) % 5]],
                axis=axis)
        for axis, num, s in ((0, 2, (4, 3)), (-1, 4, (3, 4)),
                             (1, 3, (2, 3, 4))):
            f.case("split", [(g.any(d, s), d)],
                   lambda v, n=num, a=axis, d=d: [
                       (x, d) for x in np.split(v, n, a)],
                   lambda v, n=num, a=axis: mx.split(v, n, a),
                   [LAYOUTS[(i + num) % 5]], num=num, axis=axis)
        for axis, at, s in ((0, (1, 3), (4, 3)), (1, (2,), (3, 4)),
                            (-1, (0, 2, 2), (2, 5))):
            f.case("split", [(g.any(d, s), d)],
                   lambda v, n=at, a=axis, d=d: [
                       (x, d) for x in np.split(v, n, a)],
                   lambda v, n=at, a=axis: mx.split(v, list(n), a),
                   [LAYOUTS[(i + axis) % 5]], indices=at, axis=axis)


def pads(f, g):
    forms = [((3, 4), ((1, 2), (0, 3))), ((5,), ((2, 7),)),
             ((2, 3, 4), ((1, 0), (0, 2), (2, 1))), ((1, 3), ((1, 2), (1, 1)))]
    numpy_mode = {"constant": "constant", "edge": "edge",
                  "reflect": "reflect", "symmetric": "symmetric"}
    for i, d in enumerate(ALL):
        for j, (s, w) in enumerate(forms):
            for mode in numpy_mode:
                if (i + j + len(mode)) % 2:
                    continue
                v = g.any(d, s)
                ins = [(v, d)]
                value = None
                if mode == "constant":
                    value = np.array(1) if j % 2 else np.array(0)
                    ins.append((value, d))

                def truth(v, *c, w=w, m=mode, d=d):
                    if m == "constant":
                        return (np.pad(v, w, m, constant_values=c[0]), d)
                    return (np.pad(v, w, m), d)

                def ref(v, *c, w=w, m=mode):
                    if m == "constant":
                        return mx.pad(v, list(w), constant_values=c[0])
                    return mx.pad(v, list(w), mode=m)
                f.case("pad", ins, truth, ref,
                       [LAYOUTS[(i + j) % 5]], low=[a for a, _ in w],
                       high=[b for _, b in w], mode=mode)


# ---- slices ----

SLICES = [
    ((5,), (1,), (4,), (1,)), ((5,), (0,), (5,), (2,)),
    ((5,), (4,), (-6,), (-1,)), ((5,), (-1,), (0,), (-2,)),
    ((5,), (-3,), (-1,), (1,)), ((5,), (3,), (1,), (1,)),
    ((3, 4), (0, 1), (3, 3), (1, 1)), ((3, 4), (2, 3), (-4, -5), (-1, -2)),
    ((3, 4), (0, 0), (3, 4), (2, 3)), ((3, 4), (1, 0), (2, 9), (1, 1)),
    ((2, 3, 4), (0, 0, 1), (2, 3, 4), (1, 2, 2)),
    ((2, 3, 4), (1, -1, 3), (-3, -4, -5), (-1, -1, -1)),
    ((0, 3), (0, 0), (0, 2), (1, 1)),
]


def window(s, start, stop, step):
    out = []
    for n, a, b, c in zip(s, start, stop, step):
        a, b = a + n if a < 0 else a, b + n if b < 0 else b
        if c < 0:
            out.append(slice(min(a, n - 1), None if b < 0 else b, c))
        else:
            out.append(slice(max(a, 0), max(b, 0), c))
    return tuple(out)


def slices(known):
    f = Family("slice", known)
    g = Values(13)
    n = 0
    for s, start, stop, step in SLICES:
        w = window(s, start, stop, step)
        for k in range(5):
            d = ALL[n % 14]
            n += 3
            f.case("slice", [(g.any(d, s), d)],
                   lambda v, w=w, d=d: (v[w], d), lambda a, w=w: a[w],
                   [LAYOUTS[k]], start=start, stop=stop, step=step)
    modes = {"set": None, "add": "add", "prod": "multiply",
             "max": "maximum", "min": "minimum"}
    for mode, at in modes.items():
        for i, (s, start, stop, step) in enumerate(SLICES):
            w = window(s, start, stop, step)
            for k in range(2):
                d = ALL[n % 14]
                n += 3
                got = np.zeros(s)[w].shape
                us = got if k == 0 else got[1:]
                if mode == "add" and d == "bool" or 0 in got:
                    d = "f32"
                a, u = g.any(d, s), g.any(d, us)

                def truth(v, u, w=w, m=mode, d=d):
                    r = v.copy()
                    x = v[w]
                    u = np.broadcast_to(u, x.shape)
                    r[w] = combine(m, x, u)
                    return (r, d)

                def ref(v, u, w=w, at=at):
                    if at:
                        return getattr(v.at[w], at)(u)
                    v = mx.array(v)
                    v[w] = u
                    return v
                f.case("slice_update", [(a, d), (u, d)], truth, ref,
                       [LAYOUTS[i % 5], LAYOUTS[(i + k) % 4]], mode=mode,
                       start=start, stop=stop, step=step)
    f.case("slice_update", [(g.any("f32", (3, 4)), "f32"),
                            (g.any("i32", (2,)), "i32")],
           lambda v, u: (np.concatenate([v[:, :1], np.broadcast_to(
               u, (3, 2)).astype("f4"), v[:, 3:]], 1), "f32"), None,
           mode="set", start=(0, 1), stop=(3, 3), step=(1, 1))
    dynamic(f, g)
    return f


def combine(mode, x, u):
    if mode == "set":
        return u
    if mode == "add":
        return x | u if x.dtype == bool else x + u
    if mode == "prod":
        return x & u if x.dtype == bool else x * u
    if x.dtype.kind == "c":
        big = (x.real > u.real) | ((x.real == u.real) & (x.imag > u.imag))
        return np.where(big == (mode == "max"), x, u)
    return (np.maximum if mode == "max" else np.minimum)(x, u)


def dynamic(f, g):
    forms = [((3, 4), (1, 2), (0, 1), (2, 2)), ((3, 4), (2,), (1,), (3, 1)),
             ((2, 3, 4), (1, 1), (0, 2), (1, 2, 3)), ((5,), (3,), (0,), (2,))]
    for i, d in enumerate(ALL):
        for s, start, axes, size in forms:
            it = ["i32", "u32", "i64", "u8"][i % 4]
            lo = [0] * len(s)
            for a, x in zip(axes, start):
                lo[a] = x
            w = tuple(slice(a, a + b) for a, b in zip(lo, size))
            f.case("slice_dynamic", [(g.any(d, s), d),
                                     (np.array(start), it)],
                   lambda v, p, w=w, d=d: (v[w], d),
                   lambda v, p, x=axes, z=size: mx.slice(v, p, x, z),
                   [LAYOUTS[i % 5]], axes=axes, size=size)

            def truth(v, u, p, w=w, d=d):
                r = v.copy()
                r[w] = u
                return (r, d)
            f.case("slice_update_dynamic",
                   [(g.any(d, s), d), (g.any(d, size), d),
                    (np.array(start), it)], truth,
                   lambda v, u, p, x=axes: mx.slice_update(v, u, p, x),
                   [LAYOUTS[i % 5], LAYOUTS[(i + 1) % 4]],
                   axes=axes)


FAMILIES = [creation, shape, slices]
