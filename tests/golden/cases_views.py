# SPDX-License-Identifier: MIT
# Inputs that are views, for operations whose other cases have none.
import mlx.core as mx
import numpy as np

from goldlib import ALL, LAYOUTS, LONG, MX, Family, Values, cast, is_float

DTYPES = ["f32", "f16", "i32", "bool", "c64", "f64", "bf16", "u8"]
PAIRS = [["transposed", "step2"], ["reversed", "contiguous"],
         ["broadcast0", "transposed"], ["step2", "reversed"],
         ["contiguous", "broadcast0"]]


def views(known):
    f = Family("views", known)
    g = Values(61)
    for i, d in enumerate(DTYPES):
        for j, lay in enumerate(LAYOUTS[1:]):
            for shape in ((3, 4), (2, 3, 4)):
                one(f, g, d, shape, [lay])
        for lay in PAIRS:
            two(f, g, d, lay)
            grids(f, g, d, lay, i)
    for d in ALL:
        for lay in LAYOUTS[1:]:
            chains(f, g, d, [lay])
    return f


def one(f, g, d, shape, lay):
    v = g.any(d, shape)
    for op in ("zeros", "ones"):
        f.case(op + "_like", [(v, d)],
               lambda v, op=op, d=d: (getattr(np, op)(v.shape), d),
               getattr(mx, op + "_like"), lay)
    f.case("full", [(v, d)],
           lambda v, d=d: (np.broadcast_to(v, (2, 2) + v.shape[1:])
                           if v.shape[0] == 2 else v, d),
           lambda a, d=d: mx.full((2, 2) + a.shape[1:] if a.shape[0] == 2
                                  else a.shape, a),
           lay, shape=(2, 2) + shape[1:] if shape[0] == 2 else shape,
           dtype=LONG[d])
    if d in ("f32", "f64"):
        v = cast(g.rng.integers(-900, 900, shape) * 0.37 + 0.011, d)
        f.case("round", [(v, d)], lambda v, d=d: (
            np.rint(v.astype(float) * 10) / 10, d),
            lambda a: mx.round(a, 1), lay, decimals=1)
    if is_float(d):
        v = np.where(g.rng.integers(0, 3, shape) == 0,
                     g.rng.choice([np.nan, np.inf, -np.inf], shape), v)
        f.case("nan_to_num", [(v, d)], lambda v, d=d: (np.nan_to_num(
            v.astype(float), True, 1, 8, -8), d),
            lambda a: mx.nan_to_num(a, 1.0, 8.0, -8.0), lay, nan=1.0,
            posinf=8.0, neginf=-8.0)


def two(f, g, d, lay):
    a = g.any(d, (3, 4))
    b = np.where(g.rng.integers(0, 3, (3, 4)) == 0, g.any(d, (3, 4)), a)
    f.case("array_equal", [(a, d), (b, d)], lambda a, b: (
        np.array(bool(np.all(a == b))), "bool"), mx.array_equal, lay,
        equal_nan=0)
    if d == "bool":
        return

    def close(a, b):
        a, b = (x.astype(complex if d == "c64" else float) for x in (a, b))
        return np.abs(a - b) <= 0.5 + 0.125 * np.abs(b)
    for op in ("isclose", "allclose"):
        f.case(op, [(a, d), (b, d)], lambda a, b, op=op: (
            close(a, b) if op == "isclose" else
            np.array(bool(np.all(close(a, b)))), "bool"),
            lambda a, b, op=op: getattr(mx, op)(a, b, 0.125, 0.5), lay,
            rtol=0.125, atol=0.5, equal_nan=0)


def grids(f, g, d, lay, i):
    lay = [x if x in ("step2", "reversed") else "contiguous" for x in lay]
    ins = [(g.any(d, (n,)), d) for n in (2, 3)]
    f.case("meshgrid", ins, lambda *v, d=d: [
        (x, d) for x in np.meshgrid(*v, indexing="ij")],
        lambda *v: mx.meshgrid(*v, indexing="ij"), lay, sparse=0,
        indexing="ij")
    f.case("broadcast_arrays", [(g.any(d, (3, 1)), d), (g.any(d, (4,)), d)],
           lambda *v, d=d: [(x, d) for x in np.broadcast_arrays(*v)],
           lambda *v: mx.broadcast_arrays(*v),
           ["transposed" if i % 2 else "step2", lay[1]])


def chains(f, g, d, lay):
    """Operations that move elements, and a dtype that was not drawn there."""
    for op, shape, p, fn, ref in (
            ("swapaxes", (2, 3, 4), {"axis1": 0, "axis2": 2},
             lambda v: v.swapaxes(0, 2), lambda a: mx.swapaxes(a, 0, 2)),
            ("moveaxis", (2, 3, 4), {"source": 2, "destination": 0},
             lambda v: np.moveaxis(v, 2, 0),
             lambda a: mx.moveaxis(a, 2, 0)),
            ("unflatten", (3, 4), {"axis": 1, "shape": (2, 2)},
             lambda v: v.reshape(3, 2, 2),
             lambda a: mx.unflatten(a, 1, (2, 2))),
            ("broadcast_to", (3, 4), {"shape": (2, 3, 4)},
             lambda v: np.broadcast_to(v, (2, 3, 4)),
             lambda a: mx.broadcast_to(a, (2, 3, 4))),
            ("copy", (3, 4), {}, lambda v: v, lambda a: mx.array(a)),
            ("contiguous", (3, 4), {}, lambda v: v, mx.contiguous),
            ("atleast_3d", (3, 4), {}, np.atleast_3d, mx.atleast_3d),
            ("roll", (3, 4), {"shift": (1, -3), "axes": (0, 1)},
             lambda v: np.roll(v, (1, -3), (0, 1)),
             lambda a: mx.roll(a, (1, -3), (0, 1))),
            ("tile", (3, 4), {"reps": (2, 2)},
             lambda v: np.tile(v, (2, 2)), lambda a: mx.tile(a, (2, 2))),
            ("repeat", (3, 4), {"repeats": 2, "axis": 0},
             lambda v: np.repeat(v, 2, 0), lambda a: mx.repeat(a, 2, 0))):
        f.case(op, [(g.any(d, shape), d)], lambda v, fn=fn, d=d: (fn(v), d),
               ref, lay, **p)
    if d == "f64":
        return
    x = g.any(d, (3, 4))
    f.case("astype", [(x, d)], lambda v: (
        (v.real if d == "c64" else v).astype("f4"), "f32"),
        lambda a: a.astype(MX["f32"]), lay, dtype="float32")


FAMILIES = [views]
