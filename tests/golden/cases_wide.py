# SPDX-License-Identifier: MIT
# Rows and columns longer than a vector register, along each axis of views.
import mlx.core as mx
import numpy as np
from scipy import special

from goldlib import LAYOUTS, Family, Values, at_least_float
from cases_reduce import (arg, order, ref_of, scan, truth_of, wide as up)

SHAPES = [(9, 35), (35, 9), (3, 5, 17)]
DTYPES = ["f32", "i16", "f16", "u8", "f64", "bf16", "bool", "c64"]


def wide(known):
    f = Family("wide", known)
    g = Values(71)
    n = 0
    for op in ("sum", "max", "min", "all", "any", "mean", "var", "logsumexp",
               "median", "argmax", "argmin", "softmax", "sort", "argsort",
               "cumsum", "cummax", "cumprod"):
        for axis in (0, 1, -1):
            for _ in range(3):
                n += 1
                one(f, g, op, axis, SHAPES[n // 3 % 3], DTYPES[n % 8],
                    [LAYOUTS[n % 5]])
    for i, d in enumerate(("f32", "f16", "bf16", "f64", "c64")):
        for j, lay in enumerate((None, ["transposed", "step2"],
                                 ["reversed", "transposed"])):
            sa, sb = [((17, 33), (33, 9)), ((2, 5, 35), (35, 17)),
                      ((33,), (33, 18))][(i + j) % 3]
            f.case("matmul", [(g.normal(d, sa, 1), d),
                              (g.normal(d, sb, 1), d)],
                   lambda a, b, d=d: (np.matmul(up(a), up(b)), d), mx.matmul,
                   lay, loose=None if d == "f16" or d == "bf16" else
                   (1e-5, 1e-5))
    return f


def one(f, g, op, axis, shape, d, lay):
    if d == "c64" and op in ("logsumexp", "median", "softmax") or \
            d == "bool" and op in ("cumsum", "cummax", "cumprod"):
        d = "f32"
    v = g.any(d, shape, 3)
    loose = (1e-1, 1e-1) if d in ("f16", "bf16") else None
    if op in ("argmax", "argmin"):
        f.case(op, [(v, d)],
               lambda v: (arg(v, axis, op == "argmax"), "u32"),
               lambda a: getattr(mx, op)(a, axis), lay, axis=axis, keepdims=0)
    elif op == "softmax":
        o = at_least_float(d)
        f.case(op, [(v, d)], lambda v: (special.softmax(up(v), axis), o),
               lambda a: mx.softmax(a, axis), lay, axes=(axis,), loose=loose)
    elif op in ("sort", "argsort"):
        f.case(op, [(v, d)], lambda v: (
            (order(v, axis), "u32") if op == "argsort" else
            (np.take_along_axis(v, order(v, axis), axis), d)),
            lambda a: getattr(mx, op)(a, axis), lay, axis=axis)
    elif op.startswith("cum"):
        v = np.abs(v) ** 0.125 if op == "cumprod" and d != "c64" else v
        v = np.sign(v) if op == "cumprod" and d in ("i16", "u8") else v
        v = v / (1 + np.abs(v)) * 2 if op == "cumprod" and d == "c64" else v
        f.case(op, [(v, d)], lambda v: (scan(op, v, axis, 1, 0, d), d),
               lambda a: getattr(mx, op)(a, axis=axis, reverse=True), lay,
               axis=axis, reverse=1, exclusive=0, loose=loose)
    else:
        f.case(op, [(v, d)], truth_of(op, (axis,), 0, d),
               ref_of(op, (axis,), 0), lay, axes=(axis,), keepdims=0,
               loose=loose, ddof=0 if op == "var" else None)


FAMILIES = [wide]
