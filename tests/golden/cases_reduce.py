# SPDX-License-Identifier: MIT
# Reductions, arg reductions, softmax, scans and the sorting family.
import mlx.core as mx
import numpy as np
from scipy import special

from goldlib import (ALL, FLOATS, HALVES, LAYOUTS, NP, Family, Values,
                     at_least_float, cast, is_float, is_int, kinds)

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
        if op == "count_nonzero":
            return (np.sum(v != 0, axes, keepdims=k), "i32")
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
    if op == "count_nonzero":
        return lambda a: mx.sum(a != 0, **k)
    return lambda a: getattr(mx, op)(a, **k)


OPS = {"sum": "BUIFC", "prod": "BUIFC", "max": "BUIFC", "min": "BUIFC",
       "all": "BUIFC", "any": "BUIFC", "mean": "BUIFC", "var": "BUIFC",
       "std": "BUIFC", "median": "BUIF", "logsumexp": "BUIF",
       "count_nonzero": "BUIFC"}


def reduction(known):
    f = Family("reduction", known)
    g = Values(21)
    n = 0
    for op, kind in OPS.items():
        for d in kinds(kind):
            for k in range(4):
                s, axes, keep = FORMS[k] if k < 2 else FORMS[n % 8]
                n += 1
                if op == "prod":
                    v = g.span(d, s, 0.5, 1.5) if is_float(d) or d == "c64" \
                        else g.ints(d, s, 1, 2)
                    if is_int(d):
                        v = np.where(g.rng.integers(0, 5, s) > 2, v, 1)
                elif op in ("all", "any", "count_nonzero"):
                    v = cast(g.rng.integers(0, 6, s) > (op == "any") * 4, d)
                else:
                    v = g.any(d, s)
                ddof = n % 2 if op in ("var", "std") else None
                half_sum = d in HALVES and op in ("prod", "var", "std",
                                                  "sum", "mean")
                f.case(op, [(v, d)], truth_of(op, axes, keep, d, ddof or 0),
                       ref_of(op, axes, keep, ddof or 0),
                       [LAYOUTS[(n * 3) % 5]], axes=axes, keepdims=keep,
                       ddof=ddof,
                       loose=(1e-1, 1e-1) if half_sum else None)
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
                   ref_of(op, (1,), 0), axes=(1,),
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
               truth_of(op, None, 0, "c64"), ref_of(op, None, 0),
               keepdims=0, ddof=0)
    # sums that need their width or a stable formula
    f.case("mean", [(np.full(5, 2 ** 31 - 1), "i32")],
           truth_of("mean", None, 0, "i32"), ref_of("mean", None, 0),
           keepdims=0)
    f.case("mean", [(np.full(3, 2 ** 32 - 1), "u32")],
           truth_of("mean", None, 0, "u32"), ref_of("mean", None, 0),
           keepdims=0)
    f.case("var", [(np.array([2 ** 24, 2 ** 24 + 2, 2 ** 24 + 4]), "i32")],
           truth_of("var", None, 0, "i32"), ref_of("var", None, 0),
           keepdims=0, ddof=0)
    f.case("var", [(np.array([0, 1000, 40000, 65535]), "u16")],
           truth_of("var", None, 0, "u16"), ref_of("var", None, 0),
           keepdims=0, ddof=0)
    f.case("var", [(np.array([1e4, 1e4 + 1, 1e4 + 2, 1e4 + 3]), "f32")],
           truth_of("var", None, 0, "f32"), ref_of("var", None, 0),
           keepdims=0, ddof=0)
    for d in HALVES:
        f.case("sum", [(np.ones(4096), d)], truth_of("sum", None, 0, d),
               ref_of("sum", None, 0), keepdims=0, exact=True)
        f.case("mean", [(np.full(3000, 40.0), d)],
               truth_of("mean", None, 0, d), ref_of("mean", None, 0),
               keepdims=0)
    for d in ("u8", "i8", "u16", "i16"):
        f.case("sum", [(np.full(300, 120), d)], truth_of("sum", None, 0, d),
               ref_of("sum", None, 0), keepdims=0, exact=True)
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
            loose = {"f16": (3e-2, 1e-3),
                     "bf16": (1e-1, 1e-2)}.get(o)
            f.case("softmax", [(g.any(d, s), d)],
                   lambda v, a=axes, o=o: (special.softmax(
                       wide(v), a), o),
                   lambda x, a=axes: mx.softmax(x, a),
                   [LAYOUTS[(i + j) % 5]], axes=axes, loose=loose)
    x = np.array([[-np.inf, 1, 2], [-np.inf, -np.inf, 0]])
    f.case("softmax", [(x, "f32")],
           lambda v: (special.softmax(wide(v), 1), "f32"),
           lambda a: mx.softmax(a, 1), axes=(1,))
    f.case("softmax", [(np.full((2, 3), -np.inf), "f32")],
           lambda v: (np.full((2, 3), np.nan), "f32"),
           lambda a: mx.softmax(a, 1), axes=(1,))
    f.case("softmax", [(np.array([[1000.0, 999, 0]]), "f32")],
           lambda v: (special.softmax(wide(v), 1), "f32"),
           lambda a: mx.softmax(a, 1), axes=(1,))


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
                           x, a, bool(k)), [LAYOUTS[n % 5]],
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

                def truth(v, op=op, a=axis, r=reverse, x=exclusive, d=d,
                          o=o):
                    return (scan(op, v, a, r, x, d), o)

                def ref(x, op=op, a=axis, r=reverse, e=exclusive):
                    return getattr(mx, op)(x, axis=a, reverse=bool(r),
                                           inclusive=not e)
                f.case(op, [(v, d)], truth, ref,
                       [LAYOUTS[(n * 2) % 5]], axis=axis, reverse=reverse,
                       exclusive=exclusive,
                       loose=(5e-2, 5e-2) if d in HALVES else None)
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
                   lambda x, op=op: getattr(mx, op)(x), reverse=0, exclusive=0)
    for i, d in enumerate(("f32", "i16", "u8", "bool", "f16", "c64")):
        for nth, axis in ((1, -1), (2, -1), (1, 0), (3, 1)):
            v = g.any(d, (3, 4)) if d != "f16" else g.ints(d, (3, 4), -9, 9)
            f.case("diff", [(v, d)],
                   lambda v, n=nth, a=axis, d=d: (diff(v, n, a), d),
                   lambda x, n=nth, a=axis: mx.diff(x, n, a),
                   [LAYOUTS[(i + nth + axis) % 5]], n=nth, axis=axis)
    return f


def diff(v, n, axis):
    v = np.moveaxis(v, axis, -1)
    for _ in range(n):
        a, b = v[..., 1:], v[..., :-1]
        v = a ^ b if v.dtype == bool else a - b
    return np.moveaxis(v, -1, axis)


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
                lambda x, a=axis: mx.sort(x, a), lay, axis=axis)
            f.case("argsort", [(v, d)], lambda v, a=axis: (
                order(v, a), "u32"), lambda x, a=axis: mx.argsort(x, a), lay,
                axis=axis)
        f.case("sort", [(g.any(d, (2, 3)), d)], lambda v, d=d: (
            v.ravel()[order(v.ravel(), 0)], d),
            lambda x: mx.sort(x, None))
        for s, axis in forms[:3]:
            n += 1
            v = g.any(d, s, 3)
            kth = n % s[axis] - (n % 2) * s[axis]
            f.case("partition", [(v, d)], lambda v, a=axis, d=d: (
                np.take_along_axis(v, order(v, a), a), d), None,
                [LAYOUTS[n % 5]], kth=kth, axis=axis)
            f.case("argpartition", [(v, d)], lambda v, a=axis, d=d: (
                np.take_along_axis(v, order(v, a), a), d), None,
                [LAYOUTS[n % 5]], kth=kth, axis=axis)
            k = 1 + n % (s[axis] - 1)
            f.case("topk", [(v, d)], lambda v, a=axis, d=d, k=k: (
                np.take(np.take_along_axis(v, order(v, a), a),
                        range(v.shape[a] - k, v.shape[a]), a), d), None,
                        [LAYOUTS[n % 5]], k=k, axis=axis)
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
                   ["contiguous", "transposed"], side=side)
    for side in ("left", "right"):
        seq = np.array([-1, 0, 2, np.nan])
        at = np.array([np.nan, 5, -5, 0, np.inf])
        f.case("searchsorted", [(seq, "f32"), (at, "f32")],
               lambda s, v, side=side: (
                   np.searchsorted(s, v, side), "u32"),
               lambda s, v, side=side: mx.searchsorted(s, v, side),
               side=side)


FAMILIES = [reduction, scans, sorts]
