# SPDX-License-Identifier: MIT
# Element-wise families: unary and binary.
import mlx.core as mx
import numpy as np
from scipy import special

from goldlib import (ALL, FLOATS, INTS, LAYOUTS, NP, UINTS, Family, Values,
                     at_least_float, cast, is_float, is_int, kinds, promote,
                     same)

SHAPES = [(3, 4), (2, 3, 4), (5,), (), (0, 3), (1, 7)]


def wide(v):
    """The most exact NumPy type for a function of v."""
    v = np.asarray(v)
    return v.astype(np.complex128 if v.dtype.kind == "c" else np.float64)


def sign(v):
    if v.dtype.kind == "c":
        return np.where(v == 0, 0, v / np.where(v == 0, 1, np.abs(v)))
    return v if v.dtype == bool else np.sign(v)


def rint(v):
    if v.dtype.kind == "c":
        r = v.copy()  # a sum would lose the sign of a zero
        r.real, r.imag = np.rint(v.real), np.rint(v.imag)
        return r
    return np.rint(v) if v.dtype.kind == "f" else v


def whole(f):
    return lambda v: f(v) if v.dtype.kind == "f" else v


def log2(v):
    return np.log(v) / np.log(2) if v.dtype.kind == "c" else np.log2(v)


def test(f):
    def g(v):
        if v.dtype.kind == "c":
            return f(v.real) | f(v.imag)
        return f(v) if v.dtype.kind == "f" else np.zeros(v.shape, bool)
    return g


def infinite(s):
    def g(v):
        if v.dtype.kind == "c":
            return (v.real == s * np.inf) & (v.imag == 0)
        return v == s * np.inf if v.dtype.kind == "f" else \
            np.zeros(v.shape, bool)
    return g


# name: (function, operand rule, result rule, kinds, domain)
UNARY = {
    "abs": (np.abs, "SAME", "REAL", "BUIFC", "any"),
    "negative": (np.negative, "SAME", "SAME", "UIFC", "any"),
    "positive": (lambda v: v, "SAME", "SAME", "BUIFC", "any"),
    "stop_gradient": (lambda v: v, "SAME", "SAME", "BUIFC", "any"),
    "sign": (sign, "SAME", "SAME", "BUIFC", "any"),
    "square": (lambda v: v if v.dtype == bool else v * v, "SAME", "SAME",
               "BUIFC", "any"),
    "sqrt": (np.sqrt, "FLOAT", "SAME", "BUIFC", "any"),
    "rsqrt": (lambda v: 1 / np.sqrt(v), "FLOAT", "SAME", "BUIFC",
              "positive"),
    "reciprocal": (lambda v: 1 / v, "FLOAT", "SAME", "BUIFC",
                   "any"),
    "exp": (np.exp, "FLOAT", "SAME", "BUIFC", "any"),
    "expm1": (np.expm1, "FLOAT", "SAME", "BUIF", "any"),
    "log": (np.log, "FLOAT", "SAME", "BUIFC", "any"),
    "log2": (log2, "FLOAT", "SAME", "BUIFC", "any"),
    "log10": (np.log10, "FLOAT", "SAME", "BUIFC", "any"),
    "log1p": (np.log1p, "FLOAT", "SAME", "BUIFC", "any"),
    "sin": (np.sin, "FLOAT", "SAME", "BUIFC", "any"),
    "cos": (np.cos, "FLOAT", "SAME", "BUIFC", "any"),
    "tan": (np.tan, "FLOAT", "SAME", "BUIFC", "any"),
    "arcsin": (np.arcsin, "FLOAT", "SAME", "BUIFC", "unit"),
    "arccos": (np.arccos, "FLOAT", "SAME", "BUIFC", "unit"),
    "arctan": (np.arctan, "FLOAT", "SAME", "BUIFC", "any"),
    "sinh": (np.sinh, "FLOAT", "SAME", "BUIFC", "any"),
    "cosh": (np.cosh, "FLOAT", "SAME", "BUIFC", "any"),
    "tanh": (np.tanh, "FLOAT", "SAME", "BUIFC", "any"),
    "arcsinh": (np.arcsinh, "FLOAT", "SAME", "BUIFC", "any"),
    "arccosh": (np.arccosh, "FLOAT", "SAME", "BUIFC", "above1"),
    "arctanh": (np.arctanh, "FLOAT", "SAME", "BUIFC", "unit"),
    "sigmoid": (special.expit, "FLOAT", "SAME", "BUIF", "any"),
    "erf": (special.erf, "FLOAT", "SAME", "BUIF", "any"),
    "erfinv": (special.erfinv, "FLOAT", "SAME", "BUIF", "unit"),
    "floor": (whole(np.floor), "SAME", "SAME", "BUIF", "any"),
    "ceil": (whole(np.ceil), "SAME", "SAME", "BUIF", "any"),
    "trunc": (whole(np.trunc), "SAME", "SAME", "BUIF", "any"),
    "rint": (rint, "SAME", "SAME", "BUIFC", "any"),
    "logical_not": (lambda v: v == 0, "SAME", "BOOL", "BUIFC",
                    "any"),
    "bitwise_invert": (lambda v: ~v, "SAME", "SAME", "BUI", "any"),
    "conjugate": (np.conj, "SAME", "SAME", "UIFC", "any"),
    "real": (np.real, "SAME", "REAL", "BUIFC", "any"),
    "imag": (np.imag, "SAME", "REAL", "BUIFC", "any"),
    "isnan": (test(np.isnan), "SAME", "BOOL", "BUIFC", "any"),
    "isinf": (test(np.isinf), "SAME", "BOOL", "BUIFC", "any"),
    "isfinite": (lambda v: ~(test(np.isinf)(v) | test(np.isnan)(v)), "SAME",
                 "BOOL", "BUIFC", "any"),
    "isposinf": (infinite(1), "SAME", "BOOL", "BUIFC", "any"),
    "isneginf": (infinite(-1), "SAME", "BOOL", "BUIFC", "any"),
    "degrees": (np.rad2deg, "FLOAT", "SAME", "BUIF", "any"),
    "radians": (np.deg2rad, "FLOAT", "SAME", "BUIF", "any"),
}


def special_values(d, domain):
    if d == "bool":
        return [True, False]
    if is_int(d):
        i = np.iinfo(NP[d])
        return [0, 1, 2, 3, 100, i.max, i.max - 1, i.min, i.min + 1, 7]
    if d == "c64":
        return [1 + 2j, -3 + 0.5j, 0.25 - 0.75j, -1.5 - 2j, 2 + 0.125j]
    v = [0.0, -0.0, 1, -1, 0.5, -0.5, 2, -2, np.inf, -np.inf, np.nan, 1e-3,
         -1e-3, 0.999, 1.5, 2.5, -1.5, -2.5, 3.75, 10, -10]
    if domain == "any" and d != "f16":
        v += [80, -80, 1e4, -1e4]
    if d in ("f32", "f64"):
        v += [1e-30, -1e-30, 1e-40, 1e30]
    return v


def random_values(g, d, shape, domain):
    if d == "bool" or is_int(d):
        return g.any(d, shape)
    if d == "c64":
        v = g.span(d, shape, 0.2, 1.8)
        return v * g.rng.choice(np.array([1, -1, 1j, -1j], "c8"), shape)
    return {"any": lambda: g.normal(d, shape),
            "positive": lambda: g.span(d, shape, 0.05, 9),
            "unit": lambda: g.span(d, shape, -0.97, 0.97),
            "above1": lambda: g.span(d, shape, 1.1, 9)}[domain]()


def unary_truth(f, rule, out, d):
    def truth(v):
        t = at_least_float(d) if rule == "FLOAT" else d
        v = cast(v, t)
        if rule == "FLOAT" or is_float(d) or d == "c64":
            v = wide(v)
        r = f(v)
        o = {"BOOL": "bool", "REAL": "f32" if t == "c64" else t}.get(out, t)
        return (r, o)
    return truth


def unary(known):
    f = Family("unary", known)
    g = Values(1)
    n = 0
    for op, (fn, rule, out, kind, domain) in UNARY.items():
        for d in kinds(kind):
            truth = unary_truth(fn, rule, out, d)
            ref = getattr(mx, "round" if op == "rint" else op)
            sp = np.array(special_values(d, domain))
            if op in ("sin", "cos", "tan") and d in ("i64", "u64"):
                sp = np.array([0, 1, 2, 3, 100], NP[d])
            f.case(op, [(cast(sp, d), d)], truth, ref)
            n += 1
            for k in range(1 + n % 2):
                shape = SHAPES[(n // 2) % len(SHAPES)] if k else (3, 4)
                lay = LAYOUTS[1 + (n // 3) % 4] if not k else LAYOUTS[n % 5]
                f.case(op, [(random_values(g, d, shape, domain), d)], truth,
                       ref, [lay])
    c = np.array([complex(0, np.inf), complex(np.inf, 0), 3 + 4j,
                  complex(np.nan, 1), complex(1, np.nan),
                  complex(-np.inf, 0), 1j, 0], "c8")
    for op in ("isnan", "isinf", "isfinite", "isposinf", "isneginf",
               "logical_not", "abs"):
        fn, rule, out, _, _ = UNARY[op]
        f.case(op, [(c, "c64")], unary_truth(fn, rule, out, "c64"),
               getattr(mx, op))
    for d in FLOATS:
        for dec in (1, 2, -1):
            v = cast(g.rng.integers(-900, 900, (3, 4)) * 0.37 + 0.011, d)
            f.case("round", [(v, d)],
                   lambda v, dec=dec, d=d: (
                       np.rint(wide(v) * 10.0 ** dec) / 10.0 ** dec, d),
                   lambda a, dec=dec: mx.round(a, dec),
                   decimals=dec)
    for d in ("f16", "bf16"):  # the product overflows float16
        f.case("round", [(np.array([7000, 700.25, -60000, np.inf, np.nan,
                                    0.0625]), d)],
               lambda v, d=d: (np.rint(wide(v) * 100) / 100, d),
               lambda a: mx.round(a, 2), decimals=2)
    for d in ("i16", "i32", "i64", "u16", "u32", "u64"):
        f.case("round", [(np.array([1234, 1250, 1350, 0, 1649]), d)],
               lambda v, d=d: (np.array([1200, 1200, 1400, 0, 1600]), d),
               lambda a: mx.round(a, -2), decimals=-2)
    nan_to_num(f)
    return f


BIG = float(np.finfo(np.float32).max)


def nan_to_num(f):
    v = np.array([1.5, np.nan, np.inf, -np.inf, -0.0, 3])
    odd = np.array([complex(np.nan, np.inf), complex(-np.inf, 2), 1 + 2j,
                    complex(3, np.nan)])

    def parts(v, nan, pos, neg):
        return np.nan_to_num(np.stack([v.real, v.imag]).astype(float), True,
                             nan, pos, neg)
    for nan, pos, neg in ((0.0, None, None), (1.0, 5.0, -5.0)):
        f.case("nan_to_num", [(odd, "c64")],
               lambda v, x=(nan, pos, neg): (
                   (lambda r: r[0] + 1j * r[1])(parts(v, *[
                       b if y is None else y for y, b in zip(
                           x, (0, BIG, -BIG))])), "c64"),
               lambda a, x=(nan, pos, neg): mx.nan_to_num(a, *x), nan=nan,
               posinf=pos, neginf=neg)
    for d in ALL:
        if d == "c64":
            continue
        w = v if is_float(d) else np.arange(4)
        big = {"bf16": 3.3895313892515355e38, "f16": 65504.0}.get(d)
        if is_float(d) and big is None:
            big = float(np.finfo(NP[d]).max)
        for nan, pos, neg in ((0.0, None, None), (1.0, 5.0, -5.0),
                              (-2.5, 100.0, None)):
            def truth(v, d=d, nan=nan, pos=pos, neg=neg, big=big):
                if not is_float(d):
                    return (v, d)
                r = np.where(np.isnan(v), nan, v.astype(float))
                r = np.where(v == np.inf, big if pos is None else pos, r)
                return (np.where(v == -np.inf, -big if neg is None else neg,
                                 r), d)
            f.case("nan_to_num", [(w, d)], truth,
                   lambda a, nan=nan, pos=pos, neg=neg: mx.nan_to_num(
                       a, nan, pos, neg), nan=nan, posinf=pos, neginf=neg)


# ---- binary ----

def wrap(f):
    return lambda a, b: f(a, b)


def logic(f):
    return lambda a, b: f(a != 0, b != 0)


def lex(greater):
    """Complex order: real part, then imaginary part."""
    def f(a, b):
        if a.dtype.kind != "c":
            return (np.greater if greater else np.less)(a, b)
        x, y = (a, b) if greater else (b, a)
        return (x.real > y.real) | ((x.real == y.real) & (x.imag > y.imag))
    return f


def pick(greater):
    def f(a, b):
        if a.dtype.kind == "c":
            return np.where(lex(greater)(a, b), a, b)
        return (np.maximum if greater else np.minimum)(a, b)
    return f


def power(a, b):
    if a.dtype == bool:
        return ~b | a
    if a.dtype.kind in "iu":
        r = np.ones(a.shape, a.dtype)
        for _ in range(8):
            r = np.where(b > 0, r * a, r)
            b = b - (b > 0).astype(b.dtype)
        return np.where(b < 0, 0, r).astype(a.dtype)
    return np.power(wide(a), wide(b))


def arith(f, onbool):
    def g(a, b):
        if a.dtype == bool:
            return onbool(a, b)
        return f(a, b)
    return g


def floor_divide(a, b):
    if a.dtype == bool:
        return a & b
    return np.floor_divide(a, b) if a.dtype.kind in "iu" else \
        np.floor(wide(a) / wide(b))


def remainder(a, b):
    if a.dtype == bool:
        return a & ~b
    return np.remainder(a, b) if a.dtype.kind in "iu" else \
        np.remainder(wide(a), wide(b))


def shift(left):
    def f(a, b):
        bits = a.dtype.itemsize * 8
        if left:
            return np.where(b < bits, a << np.minimum(b, bits - 1), 0)
        r = a >> np.minimum(b, bits - 1)
        return np.where((b >= bits) & (a >= 0), 0, r)
    return f


# name: (function, operand rule, bool result, kinds)
BINARY = {
    "add": (arith(np.add, np.logical_or), "PROMOTE", 0, "BUIFC"),
    "subtract": (arith(np.subtract, np.logical_xor), "PROMOTE", 0, "BUIFC"),
    "multiply": (arith(np.multiply, np.logical_and), "PROMOTE", 0, "BUIFC"),
    "divide": (np.divide, "FLOAT", 0, "BUIFC"),
    "floor_divide": (floor_divide, "PROMOTE", 0, "UIF"),
    "remainder": (remainder, "PROMOTE", 0, "UIF"),
    "power": (power, "PROMOTE", 0, "BUIFC"),
    "maximum": (pick(True), "PROMOTE", 0, "BUIFC"),
    "minimum": (pick(False), "PROMOTE", 0, "BUIFC"),
    "logaddexp": (np.logaddexp, "FLOAT", 0, "BUIF"),
    "arctan2": (np.arctan2, "FLOAT", 0, "BUIF"),
    "equal": (np.equal, "PROMOTE", 1, "BUIFC"),
    "not_equal": (np.not_equal, "PROMOTE", 1, "BUIFC"),
    "greater": (lex(True), "PROMOTE", 1, "BUIFC"),
    "less": (lex(False), "PROMOTE", 1, "BUIFC"),
    "greater_equal": (lambda a, b: lex(True)(a, b) | (a == b), "PROMOTE", 1,
                      "BUIFC"),
    "less_equal": (lambda a, b: lex(False)(a, b) | (a == b), "PROMOTE", 1,
                   "BUIFC"),
    "logical_and": (logic(np.logical_and), "SAME", 1, "BUIFC"),
    "logical_or": (logic(np.logical_or), "SAME", 1, "BUIFC"),
    "logical_xor": (logic(np.logical_xor), "SAME", 1, "BUIFC"),
    "bitwise_and": (np.bitwise_and, "PROMOTE", 0, "BUI"),
    "bitwise_or": (np.bitwise_or, "PROMOTE", 0, "BUI"),
    "bitwise_xor": (np.bitwise_xor, "PROMOTE", 0, "BUI"),
    "left_shift": (shift(True), "PROMOTE", 0, "UI"),
    "right_shift": (shift(False), "PROMOTE", 0, "UI"),
}
PAIRS = [((3, 4), (3, 4)), ((3, 4), (4,)), ((3, 1), (1, 4)), ((), (3, 4)),
         ((2, 3, 4), (3, 1)), ((0, 3), (1, 3)), ((5,), (5,)),
         ((2, 1, 4), (3, 4))]
MIXES = [["contiguous", "transposed"], ["step2", "contiguous"],
         ["reversed", "step2"], ["contiguous", "broadcast0"],
         ["transposed", "reversed"], ["broadcast0", "transposed"]]


def binary_truth(fn, rule, to_bool, da, db):
    t = promote(da, db)
    t = at_least_float(t) if rule == "FLOAT" else t

    def truth(a, b):
        if rule != "SAME":
            a, b = cast(a, t), cast(b, t)
        if (is_float(t) or t == "c64") and not to_bool:
            a, b = wide(a), wide(b)
        a, b = np.broadcast_arrays(a, b)
        return (fn(a, b), "bool" if to_bool else t)
    return truth


def operands(g, op, d, sa, sb):
    if op in ("floor_divide", "remainder", "divmod"):
        if is_int(d):
            b = g.ints(d, sb, 1, 5)
            if d in INTS:
                b = b * g.rng.choice([-1, 1], sb).astype(b.dtype)
            return g.ints(d, sa, -20 if d in INTS else 0, 40), b
        b = g.rng.choice([0.5, 0.75, 1.5, 2, 3, -0.5, -1.5, -2, 5], sb)
        return cast(g.rng.integers(-32, 33, sa) * 0.25, d), cast(b, d)
    if op == "power":
        if is_int(d):
            return g.ints(d, sa, -3 if d in INTS else 0, 5), \
                g.ints(d, sb, -2 if d in INTS else 0, 5)
        if is_float(d):
            return g.span(d, sa, 0.2, 4), g.span(d, sb, -3, 3)
        if d == "c64":
            return random_values(g, d, sa, "any"), g.span(d, sb, -1, 1.5)
    if op.endswith("shift"):
        return g.ints(d, sa, -9 if d in INTS else 0, 120), g.ints(d, sb, 0, 7)
    if op == "divide" and d == "c64":
        return g.normal(d, sa), random_values(g, d, sb, "any")
    a, b = g.any(d, sa), g.any(d, sb)
    if op in COMPARE and sa == sb and a.size:
        b = np.where(g.rng.integers(0, 3, sa) == 0, a, b)
    return a, b


COMPARE = {"equal", "not_equal", "greater", "less", "greater_equal",
           "less_equal"}


def edge_pairs(op, d):
    """All pairs of a few remarkable values."""
    if d == "bool":
        v = [False, True]
    elif is_int(d):
        i = np.iinfo(NP[d])
        v = [0, 1, 3, i.max, i.min]
    elif d == "c64":
        v = [0, 1 + 2j, 1 - 2j, -1 + 2j, 1j]
    else:
        v = [0.0, -0.0, 1, -2.5, np.inf, -np.inf, np.nan]
    v = cast(np.array(v), d)
    return np.repeat(v, len(v)), np.tile(v, len(v))


EDGES = {"add", "subtract", "multiply", "maximum", "minimum", "arctan2",
         "logaddexp", "bitwise_and", "bitwise_or", "bitwise_xor",
         "logical_and", "logical_or", "logical_xor"} | COMPARE


def binary(known):
    f = Family("binary", known)
    g = Values(2)
    n = 0
    for op, (fn, rule, to_bool, kind) in BINARY.items():
        ref = getattr(mx, op, None)
        if op == "logical_xor":
            def ref(a, b):
                return mx.not_equal(a.astype(mx.bool_), b.astype(mx.bool_))
        for d in kinds(kind):
            truth = binary_truth(fn, rule, to_bool, d, d)
            for k in range(3):
                sa, sb = PAIRS[0] if k == 0 else PAIRS[n % len(PAIRS)]
                lay = MIXES[n % len(MIXES)] if k < 2 else None
                n += 1
                a, b = operands(g, op, d, sa, sb)
                f.case(op, [(a, d), (b, d)], truth, ref, lay)
            if op in EDGES:
                a, b = edge_pairs(op, d)
                f.case(op, [(a, d), (b, d)], truth, ref)
    promotions(f, g)
    more_binary(f, g)
    return f


def promotions(f, g):
    for a in ALL:
        for b in ALL:
            if a == b:
                continue
            va, vb = g.ints(a, (4,), 0, 3), g.ints(b, (4,), 0, 3)
            fn, rule, to_bool, _ = BINARY["add"]
            f.case("add", [(va, a), (vb, b)],
                   binary_truth(fn, rule, to_bool, a, b), mx.add,
                   tag=f"{a}_{b}")
    for op, pairs in (("less", [("u8", "i8"), ("i32", "f16"),
                                ("bool", "u64"), ("f16", "bf16"),
                                ("f32", "c64"), ("u32", "i32")]),
                      ("divide", [("u8", "i8"), ("i32", "f16"),
                                  ("i64", "f64"), ("f16", "bf16"),
                                  ("bool", "i8"), ("u64", "i64")]),
                      ("bitwise_or", [("u8", "i8"), ("bool", "i16"),
                                      ("u32", "i16"), ("u16", "u64")])):
        fn, rule, to_bool, _ = BINARY[op]
        for a, b in pairs:
            f.case(op, [(g.ints(a, (3, 4), 0, 5), a),
                        (g.ints(b, (3, 4), 1, 5), b)],
                   binary_truth(fn, rule, to_bool, a, b), getattr(mx, op),
                   tag=f"{a}_{b}")


def more_binary(f, g):
    # division by zero of floats and integers
    for d in FLOATS + ["i32", "u8"]:
        a = cast(np.array([1, 0, 5]), d)
        fn, rule, to_bool, _ = BINARY["divide"]
        f.case("divide", [(a, d), (np.zeros(3), d)],
               binary_truth(fn, rule, to_bool, d, d), mx.divide)
    for d in INTS + UINTS:
        a = cast(np.array([7, 0, 100]), d)
        f.case("floor_divide", [(a, d), (np.zeros(3), d)],
               lambda a, b, d=d: (np.zeros(3), d), None)
    # the known quotients
    for d, a, b in (("i32", [7, -7, 7, -7], [2, 2, -2, -2]),
                    ("i8", [-7, -1, 6], [2, 4, -4]),
                    ("f32", [-7.5, 7.5, -3, 3], [2, -2, 8, -8]),
                    ("f16", [-3, 3], [8, -8]), ("bf16", [-3, 3], [8, -8])):
        for op in ("floor_divide", "remainder"):
            fn, rule, to_bool, _ = BINARY[op]
            f.case(op, [(np.array(a), d), (np.array(b), d)],
                   binary_truth(fn, rule, to_bool, d, d), getattr(mx, op))
    for d in kinds("UIF"):
        a, b = operands(g, "divmod", d, (3, 4), (3, 4))
        f.case("divmod", [(a, d), (b, d)],
               lambda a, b, d=d: [(floor_divide(a, b), d),
                                  (remainder(a, b), d)],
               lambda a, b: mx.divmod(a, b),
               ["transposed", "step2"])
    # shifts past the width
    for d in INTS + UINTS:
        bits = NP[d].itemsize * 8
        a = cast(np.array([1, 100, 5, -3 if d in INTS else 3]), d)
        b = np.array([bits, bits + 1, bits - 1, bits])
        for op in ("left_shift", "right_shift"):
            fn, rule, to_bool, _ = BINARY[op]
            f.case(op, [(a, d), (b, d)],
                   binary_truth(fn, rule, to_bool, d, d), None)
    # powers that reach the special cases
    for d in ("f32", "f64", "f16", "bf16"):
        a = np.array([0, 0, 2, -2, -2, 4, np.inf, 0, 1, -8, np.nan])
        b = np.array([0, 2, np.nan, 3, 2, 0.5, 0, -1, np.inf, 1, 0])
        fn, rule, to_bool, _ = BINARY["power"]
        f.case("power", [(a, d), (b, d)],
               binary_truth(fn, rule, to_bool, d, d), mx.power)
    closeness(f)
    no_nan(f)


def no_nan(f):
    """What the reference lacks."""
    odd = np.array([complex(np.nan, 1), complex(0, np.nan), 1 + 2j, 0], "c8")
    for i, d in enumerate(ALL):
        a, b = edge_pairs("equal", d)
        if d == "c64":
            a = np.concatenate([a, np.repeat(odd, 4)])
            b = np.concatenate([b, np.tile(odd, 4)])
        f.case("equal_nan", [(a, d), (b, d)],
               lambda a, b: (same(a, b), "bool"))
        a, b = edge_pairs("multiply", d)
        n = int(len(a) ** 0.5)
        for lay in (None, MIXES[i % 4]):
            f.case("multiply_no_nan", [(a.reshape(n, n), d),
                                       (b.reshape(n, n), d)],
                   lambda a, b, d=d: (np.where(
                       b == 0, b, a & b if d == "bool" else wide(a) * wide(b)
                       if is_float(d) or d == "c64" else a * b), d), None,
                   lay)
            f.case("equal_nan", [(a.reshape(n, n), d), (b.reshape(n, n), d)],
                   lambda a, b: (same(a, b), "bool"), None, lay)
    for lay in (None, *MIXES[:3]):
        f.case("logaddexp", [(g_small(k), "c64") for k in (5, 6)],
               lambda a, b: (np.log(np.exp(wide(a)) + np.exp(wide(b))),
                             "c64"), mx.logaddexp, lay)


def g_small(seed):
    return Values(seed).span("c64", (3, 4), -1.4, 1.4)


def closeness(f):
    a = np.array([1, 1, np.nan, np.inf, np.inf, 0, 1e-9, 100])
    b = np.array([1, 1.1, np.nan, np.inf, -np.inf, 0, 0, 100.0005])
    for d in ("f32", "f64", "bf16", "f16"):
        for en in (0, 1):
            for rtol, atol in ((1e-5, 1e-8), (0.2, 0.0), (0.0, 0.5)):
                if d in ("f16", "bf16") and rtol == 1e-5:
                    continue
                f.case("isclose", [(a, d), (b, d)],
                       lambda a, b, en=en, rtol=rtol, atol=atol: (
                           np.isclose(a.astype(float), b.astype(float), rtol,
                                      atol, bool(en)), "bool"),
                       lambda a, b, en=en, rtol=rtol, atol=atol: mx.isclose(
                           a, b, rtol, atol, equal_nan=bool(en)),
                       rtol=rtol, atol=atol, equal_nan=en)
    for d in ("f32", "i32", "f16"):
        for x, y in (([1, 2, 3], [1, 2, 3]), ([1, 2, 3], [1, 2, 4])):
            f.case("allclose", [(np.array(x), d), (np.array(y), d)],
                   lambda a, b: (np.array(bool(np.all(a == b))), "bool"),
                   lambda a, b: mx.allclose(a, b), rtol=1e-5, atol=1e-8,
                   equal_nan=0)
            f.case("array_equal", [(np.array(x), d), (np.array(y), d)],
                   lambda a, b: (np.array(bool(np.all(a == b))), "bool"),
                   mx.array_equal, equal_nan=0)
    for d in ("f32", "f16", "bf16", "f64"):
        for en in (0, 1):
            x = np.array([1, np.nan])
            f.case("array_equal", [(x, d), (x, d)],
                   lambda a, b, en=en: (np.array(bool(en)), "bool"),
                   lambda a, b, en=en: mx.array_equal(
                       a, b, equal_nan=bool(en)),
                   equal_nan=en)
    f.case("array_equal", [(np.zeros((2, 3)), "f32"), (np.zeros(3), "f32")],
           lambda a, b: (np.array(False), "bool"), mx.array_equal,
           equal_nan=0)
    # unsigned differences do not wrap
    f.case("isclose", [(np.array([1, 5]), "u8"), (np.array([2, 5]), "u8")],
           lambda a, b: (np.array([True, True]), "bool"),
           lambda a, b: mx.isclose(a, b, 0.0, 1.5), rtol=0.0, atol=1.5,
           equal_nan=0)


FAMILIES = [unary, binary]
