# SPDX-License-Identifier: MIT
# Random numbers.  The key is the first input of each case but random_key's.
import mlx.core as mx
import numpy as np
from scipy import special

from goldlib import LONG, MX, Family, Values, cast, from_mx, to_mx

KEYS = [(0, 0), (0, 1), (0, 42), (305419896, 2596069104)]
R = mx.random


def threefry(key, c0, c1):
    """Threefry-2x32 with 20 rounds, on arrays of counters."""
    m = np.uint64(0xFFFFFFFF)
    k0, k1 = (np.uint64(k) for k in key)
    ks = [k0, k1, k0 ^ k1 ^ np.uint64(0x1BD11BDA)]
    a = (c0.astype(np.uint64) + k0) & m
    b = (c1.astype(np.uint64) + k1) & m
    for g in range(5):
        for r in ((13, 15, 26, 6), (17, 29, 16, 24))[g % 2]:
            a = (a + b) & m
            b = ((b << np.uint64(r)) | (b >> np.uint64(32 - r))) & m
            b ^= a
        a = (a + ks[(g + 1) % 3]) & m
        b = (b + ks[(g + 2) % 3] + np.uint64(g + 1)) & m
    return a.astype(np.uint32), b.astype(np.uint32)


def bits(key, shape, width):
    n = int(np.prod(shape)) * width
    words = -(-n // 4)
    half, odd = words // 2, words % 2
    j = np.arange(half)
    a, b = threefry(key, j, j + half + odd)
    mid = threefry(key, np.array([half]), np.array([0]))[0][:odd]
    w = np.concatenate([a, mid, b]).astype("<u4").tobytes()[:n]
    return np.frombuffer(w, f"<u{width}").reshape(shape)


def check():
    """The reference draws 32-bit words only; compare those."""
    for k in KEYS:
        key = mx.array(k, dtype=mx.uint32)
        for n in (1, 2, 3, 5):
            got = np.array(R.split(key, n))
            if not (got == bits(k, (n, 2), 4)).all():
                raise SystemExit("threefry differs from the reference")
    if bits((0, 0), (7,), 1).tolist() != [143, 35, 95, 55, 29, 21, 219] or \
            bits((0, 0), (3,), 2).tolist() != [9103, 14175, 5405]:
        raise SystemExit("narrow words differ from the known ones")


def random(known):
    check()
    f = Family("random", known)
    g = Values(51)
    for seed in (0, 1, 42, 2 ** 32 - 1, 2 ** 32, 0x123456789ABCDEF0,
                 2 ** 64 - 1):
        f.case("random_key", [], lambda s=seed: (
            np.array([s >> 32, s & 0xFFFFFFFF]), "u32"),
            lambda s=seed: R.key(s), seed=seed, tag="u32")
    for k in KEYS:
        key = (np.array(k), "u32")
        for num in (2, 3, 5):
            f.case("random_split", [key], lambda v, k=k, n=num: (
                bits(k, (n, 2), 4), "u32"), lambda x, n=num: R.split(x, n),
                num=num, tag="u32")
        for width in (1, 2, 4):
            for s in ((), (3, 1), (4,), (7,), (2, 3), (0, 3), (5, 5)):
                f.case("random_bits", [key], lambda v, k=k, s=s, w=width: (
                    bits(k, s, w), f"u{8 * w}"), None, width=width, shape=s,
                    tag=f"u{8 * width}")
        draws(f, g, key)
    more(f, g)
    return f


def arrays(f, g, key):
    """Parameters that are arrays and views."""
    lay = ["step2", "transposed", "reversed"]
    low, high = g.span("f32", (3, 1), -2, 0), g.span("f32", (4,), 1, 3)
    for d in ("f32", "f16", "bf16"):
        take(f, "random_uniform", [key, (low, d), (high, d)],
             lambda k, a, b, d=d: R.uniform(a, b, (3, 4), MX[d], k), d,
             layout=lay, shape=(3, 4), dtype=LONG[d])
    take(f, "random_bernoulli", [key, (g.span("f32", (3, 4), 0, 1), "f32")],
         lambda k, p: R.bernoulli(p, (2, 3, 4), k), "bool", layout=lay,
         shape=(2, 3, 4))
    f.case("random_truncated_normal",
           [key, (low, "f32"), (high, "f32")], lambda k, a, b: (
               truncated(k, a, b, (3, 4), "f32"), "f32"),
           lambda k, a, b: R.truncated_normal(a, b, (3, 4), mx.float32, k),
           lay, tag="f32", shape=(3, 4), dtype="float32")
    take(f, "random_multivariate_normal",
         [key, (g.normal("f32", (2, 2)), "f32"),
          (np.array([[2, 0.5], [0.5, 1]]), "f32")],
         lambda k, m, c: R.multivariate_normal(m, c, (3, 2), key=k), "f32",
         layout=lay, shape=(3, 2))
    f.case("random_bits", [key], lambda v: (bits(v, (7,), 4), "u32"), None,
           lay, tag="u32", width=4, shape=(7,))
    take(f, "random_randint", [key, (g.ints("i32", (3, 1), -9, 0), "i32"),
                               (g.ints("i32", (4,), 1, 9), "i32")],
         lambda k, a, b: R.randint(a, b, (3, 4), mx.int32, k), "i32",
         layout=lay, shape=(3, 4), dtype="int32")
    x = g.normal("f32", (3, 4))
    for axis in (0, -1):
        f.case("random_categorical", [key, (x, "f32")],
               lambda k, x, a=axis: (categorical(k, x, a), "u32"),
               lambda k, x, a=axis: R.categorical(x, a, key=k), lay,
               tag="u32", axis=axis)
    for op, draw in (("normal", R.normal), ("laplace", R.laplace)):
        take(f, "random_" + op, [key],
             lambda k, draw=draw: draw((5,), mx.float16, key=k), "f16",
             layout=lay, shape=(5,), dtype="float16", loc=0.0, scale=1.0)
    take(f, "random_gumbel", [key], lambda k: R.gumbel((5,), mx.bfloat16, k),
         "bf16", layout=lay, shape=(5,), dtype="bfloat16")
    take(f, "random_permutation", [key], lambda k: R.permutation(
        33, key=k), "u32", layout=lay, n=33)
    take(f, "random_permutation_array", [key, (g.any("u8", (4, 3)), "u8")],
         lambda k, x: R.permutation(x, 1, k), "u8", layout=lay, axis=1)
    take(f, "random_split", [key], lambda k: R.split(k, 4), "u32",
         layout=lay, num=4)


def categorical(key, logits, axis, num_samples=None, shape=None):
    """Gumbel-max for one row too, so that a row alone and the same row in a
    batch are drawn in the same way."""
    x = np.moveaxis(logits, axis, -1)
    if num_samples is not None:
        shape = x.shape[:-1] + (num_samples,)
        x = x[..., None, :]
    elif shape is None:
        shape = x.shape[:-1]
    n = x.shape[-1]
    # where the category axis sits in the draw
    at = axis % logits.ndim
    if num_samples is None:
        at += len(shape) - logits.ndim + 1
    g = R.gumbel(shape[:at] + (n,) + shape[at:],
                 key=mx.array(key.astype("u4")))
    return np.argmax(np.moveaxis(np.array(g), at, -1) + x, -1)


def truncated(key, low, high, shape, d):
    """The reference's formula without the error of its erf."""
    root = cast(np.sqrt(2.0), d)

    def edge(x):
        x = cast(x.astype(float) / root, d).astype(float)
        return to_mx(cast(special.erf(x), d), d)
    u = R.uniform(edge(low), edge(high), shape, MX[d], to_mx(key, "u32"))
    z = cast(special.erfinv(from_mx(u)[0].astype(float)), d)
    return np.clip(cast(root.astype(float) * z, d), low, high)


def take(f, op, ins, ref, d, **p):
    f.case(op, ins, None, ref, tag=d, **p)


def draws(f, g, key):
    for d in ("f32", "f16", "bf16"):
        for s in ((6,), (2, 3), (), (0, 3), (17,)):
            for lo, hi in ((0.0, 1.0), (-1.0, 3.0)):
                take(f, "random_uniform",
                     [key, (np.array(lo), d), (np.array(hi), d)],
                     lambda k, a, b, s=s, d=d: R.uniform(a, b, s, MX[d], k),
                     d, shape=s, dtype=LONG[d])
            take(f, "random_normal", [key],
                 lambda k, s=s, d=d: R.normal(s, MX[d], key=k), d, shape=s,
                 dtype=LONG[d], loc=0.0, scale=1.0)
        take(f, "random_normal", [key],
             lambda k, d=d: R.normal((5,), MX[d], 1.0, 2.0, k), d, shape=(5,),
             dtype=LONG[d], loc=1.0, scale=2.0)
        for s, lo, hi in (((4,), -1.0, 2.0), ((2, 3), 0.5, 0.75),
                          ((), -3.0, 3.0)):
            f.case("random_truncated_normal",
                   [key, (np.array(lo), d), (np.array(hi), d)],
                   lambda k, a, b, s=s, d=d: (
                       truncated(k, a, b, s, d), d),
                   lambda k, a, b, s=s, d=d: R.truncated_normal(
                       a, b, s, MX[d], k), tag=d, shape=s, dtype=LONG[d])
        for s in ((4,), (2, 3), (), (0, 3)):
            take(f, "random_gumbel", [key],
                 lambda k, s=s, d=d: R.gumbel(s, MX[d], k), d, shape=s,
                 dtype=LONG[d])
            take(f, "random_laplace", [key],
                 lambda k, s=s, d=d: R.laplace(s, MX[d], key=k), d, shape=s,
                 dtype=LONG[d], loc=0.0, scale=1.0)
    take(f, "random_laplace", [key],
         lambda k: R.laplace((3,), mx.float32, 1.0, 2.0, k), "f32", shape=(3,),
         dtype="float32", loc=1.0, scale=2.0)
    take(f, "random_normal", [key],
         lambda k: R.normal((3,), mx.complex64, key=k), "c64", shape=(3,),
         dtype="complex64", loc=0.0,
         scale=1.0)
    for s in ((8,), (2, 3), ()):
        for p in (0.5, 0.1, 0.0, 1.0):
            take(f, "random_bernoulli", [key, (np.array(p), "f32")],
                 lambda k, p, s=s: R.bernoulli(p, s, k), "bool", shape=s)
    take(f, "random_bernoulli", [key, (np.array([0, 1, 0.5]), "f32")],
         lambda k, p: R.bernoulli(p, (2, 3), k), "bool", shape=(2, 3))
    for d, lo, hi in (("i32", 0, 10), ("i64", -5, 5), ("u8", 0, 255),
                      ("i8", -100, 100), ("u16", 3, 60000), ("u32", 0, 7),
                      ("u64", 0, 100), ("i16", -7, 8), ("i32", 5, 5)):
        for s in ((8,), (2, 3)):
            take(f, "random_randint",
                 [key, (np.array(lo), "i32"), (np.array(hi), "i32")],
                 lambda k, a, b, s=s, d=d: R.randint(a, b, s, MX[d], k), d,
                 shape=s, dtype=LONG[d])
    for n in (1, 5, 10):
        take(f, "random_permutation", [key],
             lambda k, n=n: R.permutation(n, key=k), "u32", n=n)


def more(f, g):
    for k in KEYS:
        key = (np.array(k), "u32")
        for s, axis in (((3, 2), 0), ((2, 3), -1), ((2, 4, 3), 1)):
            for d in ("i32", "f16", "bool"):
                take(f, "random_permutation_array", [key, (g.any(d, s), d)],
                     lambda k, x, a=axis: R.permutation(x, a, k), d,
                     axis=axis)
        y = np.arange(6.0).reshape(2, 3)
        for x, p in ((np.array([[0.0, 1, 2, 3]]), {"num_samples": 8}),
                     (np.zeros((2, 5)), {"num_samples": 4}),
                     (np.zeros((2, 5)), {}), (y, {"axis": 0}),
                     (y, {"axis": 1, "shape": (4, 2)}), (y[0], {}),
                     (y[0], {"num_samples": 6})):
            p = {"axis": -1, **p}
            f.case("random_categorical", [key, (x, "f32")],
                   lambda k, x, p=p: (categorical(k, x, **p), "u32"),
                   lambda k, x, p=p: R.categorical(x, key=k, **p),
                   tag="row" if x.size == max(x.shape) else "u32", **p)
        f.case("random_split_pair", [key], lambda v, k=k: [
            (x, "u32") for x in bits(k, (2, 2), 4)], lambda x: [
                a for a in R.split(x)], ["reversed"], tag="u32")
        arrays(f, g, key)
        mean = np.array([1.0, 2])
        for cov, s in (([[1, 0], [0, 1]], (3,)), ([[4, 0], [0, 0.25]], ()),
                       ([[0.0625, 0], [0, 16]], (2, 2))):
            take(f, "random_multivariate_normal",
                 [key, (mean, "f32"), (np.array(cov), "f32")],
                 lambda k, m, c, s=s: R.multivariate_normal(m, c, s, key=k),
                 "f32", shape=s, exact=True)
        cov = np.array([[2, 0.5], [0.5, 1]])
        take(f, "random_multivariate_normal",
             [key, (mean, "f32"), (cov, "f32")],
             lambda k, m, c: R.multivariate_normal(m, c, (3,), key=k),
             "f32", shape=(3,))


FAMILIES = [random]
