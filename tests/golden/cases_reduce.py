# SPDX-License-Identifier: MIT
# Reductions, arg reductions, softmax, scans and the sorting family.
import mlx.core as mx
import numpy as np
from scipy import special

from goldlib import (ALL, FLOATS, HALVES, INTS, LAYOUTS, NP, UINTS, Family,
                     Values, at_least_float, cast, is_float, is_int, kinds)

# (shape, axes or None for all, keepdims)
FORMS = [((3, 4), None, 0), ((3, 4), (0,), 0), ((3, 4), (-1,), 1),
         ((2, 3, 4), (0, 2), 0), ((2, 3, 4), (1,), 1), ((2, 3, 4), (2,), 0),
         ((5,), (0,), 0), ((2, 3, 4), (0, 1, 2), 1)]


def widened(d):
    """The dtype that sums and products have."""
    if d in ("i8", "i16", "bool"):
        return "i32"
    return "u32" if d in ("u8", "u16") else d


def wide(v):
    return v.astype(np.complex128 if v.dtype.kind == "c" else np.float64)


def lex_extreme(v, axes, keep, big):
    """Largest or smallest complex number, by real part, then imaginary."""
    axes = tuple(range(v.ndim)) if axes is None else axes
    pick = np.max if big else np.min
    lost = -np.inf if big else np.inf
    re = pick(v.real, axes, keepdims=True)
    im = pick(np.where(v.real == re, v.imag, lost), axes, keepdims=True)
    r = re + 1j * im
    return r if keep else r.squeeze(axes)


def truth_of(op, axes, keep, d, ddof=0):
    k = bool(keep)
    f = at_least_float(d)

    def truth(v):
        if op in ("all", "any"):
            return (getattr(np, op)(v != 0, axes, keepdims=k), "bool")
        if op in ("sum", "prod"):
            w = wide(v) if is_float(d) or d == "c64" else \
                v.astype(NP[widened(d)])
            r = getattr(np, op)(w, axes, keepdims=k)
            return (r, widened(d))
        if op in ("max", "min"):
            if d == "c64":
                return (lex_extreme(v, axes, k, op == "max"), d)
            return (getattr(np, op)(v, axes, keepdims=k), d)
        if op == "mean":
            return (np.mean(wide(v), axes, keepdims=k), f)
        if op in ("var", "std"):
            return (getattr(np, op)(wide(v), axes, ddof=ddof, keepdims=k),
                    "f32" if d == "c64" else f)
        if op == "median":
            return (np.median(wide(v), axes, keepdims=k), f)
        if op == "logsumexp":
            return (special.logsumexp(wide(v), axes, keepdims=k), f)
        return None
    return truth


def ref_of(op, axes, keep, ddof=0):
    k = {"axis": axes, "keepdims": bool(keep)}
    if op in ("var", "std"):
        k["ddof"] = ddof
    return lambda a: getattr(mx, op)(a, **k)


# name: (kinds, bound for f32)
OPS = {
    "sum": ("BUIFC", "ulp:4,abs:2e-6"), "prod": ("BUIFC", "ulp:8"),
    "max": ("BUIFC", "exact"), "min": ("BUIFC", "exact"),
    "all": ("BUIFC", "exact"), "any": ("BUIFC", "exact"),
    "mean": ("BUIFC", "ulp:4,abs:1e-6"), "var": ("BUIFC", "ulp:8,abs:1e-6"),
    "std": ("BUIFC", "ulp:8,abs:1e-6"), "median": ("BUIF", "ulp:1"),
    "logsumexp": ("BUIF", "ulp:8,abs:1e-6"),
}


def bound(tol, out):
    if tol == "exact" or not (is_float(out) or out == "c64"):
        return "exact"
    return {"f16": "ulp:1,abs:1e-5", "bf16": "ulp:1,abs:1e-5",
            "f64": "rel:1e-13,abs:1e-14", "c64": "rel:4e-6,abs:2e-6"}.get(
                out, tol)


def out_dtype(op, d):
    if op in ("all", "any"):
        return "bool"
    if op in ("sum", "prod"):
        return widened(d)
    if op in ("max", "min"):
        return d
    if op in ("var", "std") and d == "c64":
        return "f32"
    return at_least_float(d)


def reduction(known):
    f = Family("reduction", known)
    g = Values(21)
    n = 0
    for op, (kind, tol) in OPS.items():
        for d in kinds(kind):
            t = bound(tol, out_dtype(op, d))
            for k in range(4):
                s, axes, keep = FORMS[k] if k < 2 else FORMS[n % 8]
                n += 1
                if op == "prod":
                    v = g.span(d, s, 0.5, 1.5) if is_float(d) or d == "c64" \
                        else g.ints(d, s, 1, 2)
                    if is_int(d):
                        v = np.where(g.rng.integers(0, 5, s) > 2, v, 1)
                elif op in ("all", "any"):
                    v = cast(g.rng.integers(0, 6, s) > (op == "any") * 4, d)
                else:
                    v = g.any(d, s)
                ddof = n % 2 if op in ("var", "std") else None
                half_sum = d in HALVES and op in ("prod", "var", "std",
                                                  "sum", "mean")
                f.case(op, [(v, d)], truth_of(op, axes, keep, d, ddof or 0),
                       ref_of(op, axes, keep, ddof or 0), t,
                       [LAYOUTS[(n * 3) % 5]], axes=axes, keepdims=keep,
                       ddof=ddof,
                       loose="rel:1e-1,abs:1e-1" if half_sum else None)
    special_values(f)
    empty(f)
    softmax(f, g)
    args(f, g)
    return f


def special_values(f):
    nan, inf = np.nan, np.inf
    rows = np.array([[1, nan, 3, -1], [inf, 2, -inf, 0], [1, 5, inf, 2],
                     [-inf, -inf, -inf, -inf]])
    for d in FLOATS:
        for op in ("max", "min", "all", "any", "sum", "median", "logsumexp"):
            f.case(op, [(rows, d)], truth_of(op, (1,), 0, d),
                   ref_of(op, (1,), 0),
                   bound(OPS[op][1], out_dtype(op, d)), axes=(1,),
                   keepdims=0)
        f.case("any", [(np.full(70, -0.0), d)],
               lambda v: (np.array(False), "bool"), mx.any, keepdims=0)
        f.case("all", [(np.array([1, -0.0]), d)],
               lambda v: (np.array(False), "bool"), mx.all, keepdims=0)
    for op in ("all", "any"):
        c = np.array([[1j, 0], [1, 1j]], "c8")
        f.case(op, [(c, "c64")], truth_of(op, (1,), 0, "c64"),
               ref_of(op, (1,), 0), axes=(1,), keepdims=0)
    for op in ("var", "std"):
        f.case(op, [(np.array([1 + 1j, 1 - 1j], "c8"), "c64")],
               truth_of(op, None, 0, "c64"), ref_of(op, None, 0), "ulp:2",
               keepdims=0, ddof=0)
    # sums that need their width or a stable formula
    f.case("mean", [(np.full(5, 2 ** 31 - 1), "i32")],
           truth_of("mean", None, 0, "i32"), ref_of("mean", None, 0),
           "ulp:1", keepdims=0)
    f.case("mean", [(np.full(3, 2 ** 32 - 1), "u32")],
           truth_of("mean", None, 0, "u32"), ref_of("mean", None, 0),
           "ulp:1", keepdims=0)
    f.case("var", [(np.array([2 ** 24, 2 ** 24 + 2, 2 ** 24 + 4]), "i32")],
           truth_of("var", None, 0, "i32"), ref_of("var", None, 0), "ulp:4",
           keepdims=0, ddof=0)
    f.case("var", [(np.array([0, 1000, 40000, 65535]), "u16")],
           truth_of("var", None, 0, "u16"), ref_of("var", None, 0), "ulp:4",
           keepdims=0, ddof=0)
    f.case("var", [(np.array([1e4, 1e4 + 1, 1e4 + 2, 1e4 + 3]), "f32")],
           truth_of("var", None, 0, "f32"), ref_of("var", None, 0), "ulp:4",
           keepdims=0, ddof=0)
    for d in HALVES:
        f.case("sum", [(np.ones(4096), d)], truth_of("sum", None, 0, d),
               ref_of("sum", None, 0), keepdims=0)
        f.case("mean", [(np.full(3000, 40.0), d)],
               truth_of("mean", None, 0, d), ref_of("mean", None, 0),
               "ulp:1", keepdims=0)
    for d in ("u8", "i8", "u16", "i16"):
        f.case("sum", [(np.full(300, 120), d)], truth_of("sum", None, 0, d),
               ref_of("sum", None, 0), keepdims=0)
    for ddof, v in ((1, [2.0]), (3, [1.0, 2.0]), (2, [1.0, 2.0])):
        f.case("var", [(np.array(v), "f32")],
               lambda v, ddof=ddof: (
                   np.sum((v - v.mean()) ** 2) / np.float64(
                       max(len(v) - ddof, 0)), "f32"),
               ref_of("var", None, 0, ddof), keepdims=0, ddof=ddof)


def empty(f):
    # the reference is not asked here: it does not always return
    for d in ("f32", "i32", "u8", "bool"):
        for op in ("sum", "prod", "all", "any"):
            f.case(op, [(np.zeros((0, 3)), d)], truth_of(op, (0,), 0, d),
                   None, axes=(0,), keepdims=0)
    for op in ("max", "min"):
        f.case(op, [(np.zeros((0, 2)), "f32")], truth_of(op, (1,), 0, "f32"),
               None, axes=(1,), keepdims=0)
    for op in ("sum", "prod", "max", "min", "mean", "all", "any", "var"):
        f.case(op, [(np.array(2.5), "f32")], truth_of(op, None, 0, "f32"),
               ref_of(op, None, 0), keepdims=0,
               ddof=0 if op == "var" else None)
    f.case("mean", [(np.zeros((0, 2)), "f32")],
           lambda v: (np.full(2, np.nan), "f32"), None, axes=(0,), keepdims=0)


def softmax(f, g):
    forms = [((3, 4), (-1,)), ((3, 4), (0,)), ((2, 3, 4), (0, 2)),
             ((3, 4), None), ((2, 3, 4), (1,))]
    for i, d in enumerate(kinds("BUIF")):
        o = at_least_float(d)
        for j, (s, axes) in enumerate(forms):
            t = {"f16": "ulp:1,abs:1e-6", "bf16": "ulp:1,abs:1e-6",
                 "f64": "rel:1e-13"}.get(o, "ulp:6,abs:1e-9")
            loose = {"f16": "rel:3e-2,abs:1e-3",
                     "bf16": "rel:1e-1,abs:1e-2"}.get(o)
            f.case("softmax", [(g.any(d, s), d)],
                   lambda v, a=axes, o=o: (special.softmax(
                       wide(v), a), o),
                   lambda x, a=axes: mx.softmax(x, a), t,
                   [LAYOUTS[(i + j) % 5]], axes=axes, loose=loose)
    x = np.array([[-np.inf, 1, 2], [-np.inf, -np.inf, 0]])
    f.case("softmax", [(x, "f32")],
           lambda v: (special.softmax(wide(v), 1), "f32"),
           lambda a: mx.softmax(a, 1), "ulp:6", axes=(1,))
    f.case("softmax", [(np.full((2, 3), -np.inf), "f32")],
           lambda v: (np.full((2, 3), np.nan), "f32"),
           lambda a: mx.softmax(a, 1), axes=(1,))
    f.case("softmax", [(np.array([[1000.0, 999, 0]]), "f32")],
           lambda v: (special.softmax(wide(v), 1), "f32"),
           lambda a: mx.softmax(a, 1), "ulp:6", axes=(1,))


def arg(v, axis, big):
    """First extreme; the first NaN wins, as in NumPy."""
    if v.dtype.kind != "c":
        return (np.argmax if big else np.argmin)(v, axis)
    e = lex_extreme(v, None if axis is None else (axis,), True, big)
    return np.argmax(v == e, axis)


def args(f, g):
    forms = [((3, 4), None, 0), ((3, 4), 0, 0), ((2, 3, 4), -1, 1),
             ((2, 3, 4), 1, 0), ((5,), 0, 1)]
    n = 0
    for op in ("argmax", "argmin"):
        big = op == "argmax"
        for d in ALL:
            for s, axis, keep in forms:
                n += 1
                v = g.any(d, s)

                def truth(v, a=axis, k=keep, s=s, big=big):
                    r = arg(v, a, big)
                    return (np.expand_dims(r, a) if k else r, "u32")
                f.case(op, [(v, d)], truth,
                       lambda x, a=axis, k=keep, op=op: getattr(mx, op)(
                           x, a, bool(k)), "exact", [LAYOUTS[n % 5]],
                       axis=axis, keepdims=keep)
        for d in FLOATS:
            v = np.array([[1, np.nan, 3, np.nan], [np.nan, 0, 1, 2],
                          [np.inf, -np.inf, np.inf, -np.inf]])
            f.case(op, [(v, d)],
                   lambda v, big=big: (arg(v, 1, big), "u32"),
                   lambda x, op=op: getattr(mx, op)(x, 1), axis=1,
                   keepdims=0)


# ---- scans ----

def logcumsumexp(v, axis):
    m = np.maximum.accumulate(v, axis)
    r = np.zeros_like(v)
    n = v.shape[axis]
    for i in range(n):
        x = np.take(v, range(i + 1), axis)
        y = special.logsumexp(x, axis)
        index = [slice(None)] * v.ndim
        index[axis] = i
        r[tuple(index)] = y
    del m
    return r


def lex_accumulate(v, axis, big):
    v = np.moveaxis(v, axis, 0).copy()
    for i in range(1, len(v)):
        p, c = v[i - 1], v[i]
        more = (p.real > c.real) | ((p.real == c.real) & (p.imag > c.imag))
        v[i] = np.where(more == big, p, c)
    return np.moveaxis(v, 0, axis)


def scan(op, v, axis, reverse, exclusive, d):
    if op in ("cumsum", "cumprod"):
        if d == "bool" and op == "cumprod":
            fn = np.logical_and.accumulate
            one = True
        else:
            fn = np.add.accumulate if op == "cumsum" else \
                np.multiply.accumulate
            one = int(op == "cumprod")
            if d == "bool":
                v = v.astype("i4")
            if is_float(d) or d == "c64":
                v = wide(v)
    elif op in ("cummax", "cummin"):
        big = op == "cummax"
        fn = np.maximum.accumulate if big else np.minimum.accumulate
        if d == "c64":
            def fn(v, axis):
                return lex_accumulate(v, axis, big)
            one = -np.inf - 1j * np.inf if big else np.inf + 1j * np.inf
        elif d == "bool":
            fn = np.logical_or.accumulate if big else \
                np.logical_and.accumulate
            one = not big
        elif is_int(d):
            one = np.iinfo(v.dtype).min if big else np.iinfo(v.dtype).max
        else:
            one = -np.inf if big else np.inf
    else:
        fn, one, v = logcumsumexp, -np.inf, wide(v)
    if reverse:
        v = np.flip(v, axis)
    r = fn(v, axis=axis)
    if exclusive:
        head = np.full_like(np.take(r, [0], axis), one)
        r = np.concatenate([head, np.take(r, range(r.shape[axis] - 1),
                                          axis)], axis)
    return np.flip(r, axis) if reverse else r


def scans(known):
    f = Family("scan", known)
    g = Values(22)
    forms = [((3, 4), 0), ((3, 4), -1), ((2, 3, 4), 1), ((7,), 0)]
    n = 0
    for op in ("cumsum", "cumprod", "cummax", "cummin", "logcumsumexp"):
        for d in kinds("F" if op == "logcumsumexp" else "BUIFC"):
            for k in range(4):
                reverse, exclusive = k & 1, k >> 1
                s, axis = forms[n % 4]
                n += 1
                if op == "cumprod" and (is_float(d) or d == "c64"):
                    v = g.span(d, s, 0.5, 1.5)
                else:
                    v = g.any(d, s, 3)
                o = "i32" if op == "cumsum" and d == "bool" else d
                if d == "c64" and op in ("cummax", "cummin") and exclusive:
                    exclusive = 0
                if op in ("cummax", "cummin"):
                    t = "exact"
                else:
                    t = bound("ulp:8,abs:1e-6", o)
                if op == "logcumsumexp" and d in HALVES:
                    t = "ulp:2,abs:1e-5"

                def truth(v, op=op, a=axis, r=reverse, x=exclusive, d=d,
                          o=o):
                    return (scan(op, v, a, r, x, d), o)

                def ref(x, op=op, a=axis, r=reverse, e=exclusive):
                    return getattr(mx, op)(x, axis=a, reverse=bool(r),
                                           inclusive=not e)
                f.case(op, [(v, d)], truth, ref, t,
                       [LAYOUTS[(n * 2) % 5]], axis=axis, reverse=reverse,
                       exclusive=exclusive,
                       loose="rel:5e-2,abs:5e-2" if d in HALVES else None)
    for op in ("cummax", "cummin"):
        for d in FLOATS:
            for k in range(4):
                v = np.array([1, 3, np.nan, 5])
                f.case(op, [(v, d)], lambda v, op=op, k=k, d=d: (
                    scan(op, v, 0, k & 1, k >> 1, d), d),
                    lambda x, op=op, k=k: getattr(mx, op)(
                        x, axis=0, reverse=bool(k & 1),
                        inclusive=not k >> 1), axis=0, reverse=k & 1,
                    exclusive=k >> 1)
    for d in ("u8", "i8", "i32", "f32"):
        for op in ("cumsum", "cumprod"):
            f.case(op, [(g.ints(d, (3, 3), 1, 3), d)],
                   lambda v, op=op, d=d: (scan(op, v.ravel(), 0, 0, 0, d),
                                          d),
                   lambda x, op=op: getattr(mx, op)(x), bound(
                       "ulp:4", d), reverse=0, exclusive=0)
    for d in ("f32", "i16", "u8", "bool", "f16"):
        for nth in (1, 2):
            v = g.any(d, (3, 4)) if d != "f16" else g.ints(d, (3, 4), -9, 9)
            f.case("diff", [(v, d)],
                   lambda v, n=nth, d=d: (diff(v, n), d),
                   lambda x, n=nth: mx.diff(x, n), bound("ulp:1", d),
                   n=nth, axis=-1)
    return f


def diff(v, n):
    for _ in range(n):
        a, b = v[..., 1:], v[..., :-1]
        v = a ^ b if v.dtype == bool else a - b
    return v


# ---- sorting ----

def order(v, axis):
    """Stable ascending order, NaN last, complex by real then imaginary."""
    if v.dtype.kind != "c":
        return np.argsort(v, axis, kind="stable")
    v = np.moveaxis(v, axis, -1)
    r = np.lexsort((v.imag, v.real))
    return np.moveaxis(r, -1, axis)


def sorts(known):
    f = Family("sort", known)
    g = Values(23)
    forms = [((3, 4), -1), ((3, 4), 0), ((2, 3, 4), 1), ((9,), 0)]
    n = 0
    for d in ALL:
        for s, axis in forms:
            n += 1
            lay = [LAYOUTS[n % 5]]
            v = g.any(d, s, 3)
            f.case("sort", [(v, d)], lambda v, a=axis, d=d: (
                np.take_along_axis(v, order(v, a), a), d),
                lambda x, a=axis: mx.sort(x, a), "exact", lay, axis=axis)
            f.case("argsort", [(v, d)], lambda v, a=axis: (
                order(v, a), "u32"), lambda x, a=axis: mx.argsort(x, a),
                "exact", lay, axis=axis)
        f.case("sort", [(g.any(d, (2, 3)), d)], lambda v, d=d: (
            v.ravel()[order(v.ravel(), 0)], d),
            lambda x: mx.sort(x, None))
        for s, axis in forms[:3]:
            n += 1
            v = g.any(d, s, 3)
            kth = n % s[axis] - (n % 2) * s[axis]
            f.case("partition", [(v, d)], lambda v, a=axis, d=d: (
                np.take_along_axis(v, order(v, a), a), d), None, "exact",
                [LAYOUTS[n % 5]], check="partition", kth=kth, axis=axis)
            f.case("argpartition", [(v, d)], lambda v, a=axis, d=d: (
                np.take_along_axis(v, order(v, a), a), d), None, "exact",
                [LAYOUTS[n % 5]], check="argpartition", kth=kth, axis=axis)
            k = 1 + n % (s[axis] - 1)
            f.case("topk", [(v, d)], lambda v, a=axis, d=d, k=k: (
                np.take(np.take_along_axis(v, order(v, a), a),
                        range(v.shape[a] - k, v.shape[a]), a), d), None,
                "exact", [LAYOUTS[n % 5]], check="sorted", k=k, axis=axis)
    for d in FLOATS:
        v = np.array([3, np.nan, -np.inf, 0, np.inf, np.nan, -1])
        f.case("sort", [(v, d)], lambda v, d=d: (np.sort(v), d),
               lambda x: mx.sort(x), axis=-1)
        f.case("argsort", [(v, d)], lambda v: (order(v, 0), "u32"),
               lambda x: mx.argsort(x), axis=-1)
        z = np.array([0.0, -0.0, 1, -0.0, 0.0])
        f.case("argsort", [(z, d)], lambda v: (order(v, 0), "u32"),
               lambda x: mx.argsort(x), axis=-1)
    searches(f, g)
    return f


def searches(f, g):
    for d in kinds("BUIF"):
        for side in ("left", "right"):
            seq = np.sort(g.any(d, (7,), 3))
            at = np.concatenate([seq[:3], g.any(d, (3,), 3)])
            f.case("searchsorted", [(seq, d), (at.reshape(2, 3), d)],
                   lambda s, v, side=side: (
                       np.searchsorted(s, v, side), "u32"),
                   lambda s, v, side=side: mx.searchsorted(s, v, side),
                   "exact", ["contiguous", "transposed"], side=side)
    for side in ("left", "right"):
        seq = np.array([-1, 0, 2, np.nan])
        at = np.array([np.nan, 5, -5, 0, np.inf])
        f.case("searchsorted", [(seq, "f32"), (at, "f32")],
               lambda s, v, side=side: (
                   np.searchsorted(s, v, side), "u32"),
               lambda s, v, side=side: mx.searchsorted(s, v, side),
               side=side)


FAMILIES = [reduction, scans, sorts]
