# SPDX-License-Identifier: MIT
# The libraries that peers.py compares with, in the same few words each, and
# how each does a case of mlxc-bench.  A new case is a line in make().
import json
import statistics
import sys
import time

SHORT = {"f16": "float16", "f32": "float32", "f64": "float64",
         "bf16": "bfloat16", "i8": "int8", "i16": "int16", "i32": "int32",
         "i64": "int64", "u8": "uint8", "u16": "uint16", "u32": "uint32",
         "u64": "uint64", "bool": "bool", "c64": "complex64"}
EINSUM = {"einsum_matmul": "ij,jk->ik", "einsum_batched": "bij,bjk->bik",
          "einsum_transposed": "ij,kj->ik",
          "einsum_attention": "bhqd,bhkd->bhqk", "einsum_outer": "i,j->ij",
          "einsum_dot": "i,i->", "einsum_rows": "ij,ij->i",
          "einsum_chain": "ij,jk,kl->il"}


# ---- peers: the same few words over each library ----

class NumPy:
    name = "numpy"

    def __init__(self):
        import numpy as np
        self.np = self.lib = np
        self.rng = np.random.default_rng(1)
        self.scipy = None
        try:
            import scipy.special
            self.scipy = scipy.special
        except ImportError:
            pass

    def version(self):
        return self.np.__version__

    def dtype(self, name):
        if name == "bfloat16":
            raise NotImplementedError("no bfloat16")
        return self.np.dtype(name)

    def array(self, v, dtype):
        return v.astype(self.dtype(dtype))

    def run(self, f):
        return f

    def fn(self, name):
        special = {"sigmoid": "expit", "erf": "erf", "erfinv": "erfinv",
                   "logsumexp": "logsumexp", "softmax": "softmax"}
        if name in special:
            if not self.scipy:
                raise NotImplementedError(name)
            return getattr(self.scipy, special[name])
        if name == "rsqrt":
            return lambda a: 1 / self.np.sqrt(a)
        return getattr(self.np, name)

    def reduce(self, name, a, axis):
        if name == "softmax":
            def f():
                e = self.np.exp(a - a.max(axis, keepdims=True))
                e /= e.sum(axis, keepdims=True)
                return e
            return f
        if name == "logsumexp":
            def f():
                m = a.max(axis, keepdims=True)
                return self.np.log(self.np.exp(a - m).sum(axis)) + \
                    m.squeeze(axis)
            return f
        f = getattr(self.np, name)
        if name in ("cumsum", "cumprod", "sort", "argsort"):
            return lambda: f(a, axis)
        return lambda: f(a, axis=axis)

    def cast(self, a, dtype):
        d = self.dtype(dtype)
        return lambda: a.astype(d)

    def transpose_copy(self, a):
        return lambda: self.np.ascontiguousarray(a.T)

    def swap(self, a):
        return a.swapaxes(-1, -2)

    def addmm(self, c, a, b):
        return lambda: a @ b + c

    def take(self, a, index):
        return lambda: a[index]

    def scatter_add(self, a, index, u):
        return lambda: self.np.add.at(a, index, u)

    def random(self, kind, shape, dtype):
        r = self.rng
        f = r.standard_normal if kind == "normal" else r.random
        return lambda: f(shape, dtype=self.dtype(dtype))

    def tiny(self, a, b):
        return lambda: float((a + b).flat[0])

    def chain(self, a, b, n):
        def f():
            x = a
            for _ in range(n):
                x = x + b
            return x
        return f

    def build(self, a, b, n):
        raise NotImplementedError("not lazy")

    def einsum(self, subscripts, v):
        return lambda: self.np.einsum(subscripts, *v, optimize=True)


class Torch(NumPy):
    name = "torch"

    def __init__(self, threads):
        super().__init__()
        import torch
        self.t = self.lib = torch
        torch.set_num_threads(threads)
        torch.manual_seed(1)
        torch.set_grad_enabled(False)

    def version(self):
        return self.t.__version__

    def dtype(self, name):
        return getattr(self.t, name)

    def array(self, v, dtype):
        return self.t.from_numpy(self.np.ascontiguousarray(v)).to(
            self.dtype(dtype))

    def fn(self, name):
        named = {"arcsin": "asin", "arccos": "acos", "arctan": "atan",
                 "arctan2": "atan2", "negative": "neg",
                 "power": "pow", "divide": "div"}
        return getattr(self.t, named.get(name, name))

    def reduce(self, name, a, axis):
        t = self.t
        if name in ("max", "min"):
            f = {"max": t.amax, "min": t.amin}[name]
            return (lambda: f(a)) if axis is None else (lambda: f(a, axis))
        if name == "var":
            return lambda: t.var(a, dim=axis, correction=0)
        if name == "std":
            return lambda: t.std(a, dim=axis, correction=0)
        f = getattr(t, name)
        if axis is None:
            if name in ("softmax", "logsumexp", "cumsum", "cumprod"):
                flat = a.reshape(-1)
                return lambda: f(flat, 0)
            return lambda: f(a)
        return lambda: f(a, dim=axis)

    def cast(self, a, dtype):
        d = self.dtype(dtype)
        return lambda: a.to(d)

    def transpose_copy(self, a):
        return lambda: a.T.contiguous()

    def swap(self, a):
        return a.transpose(-1, -2)

    def addmm(self, c, a, b):
        return lambda: self.t.addmm(c, a, b)

    def take(self, a, index):
        return lambda: self.t.index_select(a, 0, index)

    def scatter_add(self, a, index, u):
        return lambda: a.index_add_(0, index, u)

    def random(self, kind, shape, dtype):
        f = self.t.randn if kind == "normal" else self.t.rand
        return lambda: f(shape, dtype=self.dtype(dtype))

    def tiny(self, a, b):
        return lambda: (a + b).reshape(-1)[0].item()

    def einsum(self, subscripts, v):
        return lambda: self.t.einsum(subscripts, *v)


class MLX(NumPy):
    name = "mlx"

    def __init__(self):
        super().__init__()
        import mlx.core as mx
        self.mx = self.lib = mx
        mx.set_default_device(mx.cpu)
        mx.random.seed(1)

    def version(self):
        return self.mx.__version__

    def dtype(self, name):
        return getattr(self.mx, "bool_" if name == "bool" else name)

    def array(self, v, dtype):
        a = self.mx.array(v, dtype=self.dtype(dtype))
        self.mx.eval(a)
        return a

    def run(self, f):
        return lambda: self.mx.eval(f())

    def fn(self, name):
        return getattr(self.mx, name)

    def reduce(self, name, a, axis):
        f = getattr(self.mx, name)
        return lambda: f(a, axis)

    def cast(self, a, dtype):
        d = self.dtype(dtype)
        return lambda: a.astype(d)

    def transpose_copy(self, a):
        return lambda: self.mx.contiguous(a.T)

    def addmm(self, c, a, b):
        return lambda: self.mx.addmm(c, a, b)

    def take(self, a, index):
        return lambda: self.mx.take(a, index, 0)

    def scatter_add(self, a, index, u):
        held = [a]

        def f():
            # the old array is let go, so that its buffer can be taken over
            held.append(held.pop().at[index].add(u))
            return held[0]
        return f

    def random(self, kind, shape, dtype):
        f = getattr(self.mx.random, kind)
        d = self.dtype(dtype)
        return lambda: f(shape=shape, dtype=d)

    def tiny(self, a, b):
        return lambda: (a + b).reshape(-1)[0].item()

    def build(self, a, b, n):
        return self.chain(a, b, n)

    def einsum(self, subscripts, v):
        return lambda: self.mx.einsum(subscripts, *v)


# ---- cases ----

BINARY = ["add", "subtract", "multiply", "divide", "maximum", "minimum",
          "power", "arctan2", "equal", "less", "greater"]
UNARY = ["sqrt", "rsqrt", "exp", "tanh", "sigmoid", "log", "sin", "cos", "erf",
         "erfinv", "abs", "negative", "square", "floor", "expm1", "log1p",
         "log2", "tan", "sinh", "cosh", "arctan", "arcsin", "reciprocal"]
REDUCE = ["sum", "prod", "max", "min", "mean", "var", "std", "argmax",
          "argmin", "logsumexp", "softmax", "cumsum", "cumprod", "sort",
          "argsort"]
AXES = {"all": None, "rows": -1, "cols": 0}


def values(p, shape, dtype):
    """Numbers in (0.1, 0.9), at home in every function's domain."""
    if dtype.startswith(("int", "uint")):
        v = p.rng.integers(0, 100, shape)
    elif dtype == "bool":
        v = p.rng.integers(0, 2, shape) != 0
    else:
        v = 0.1 + 0.8 * p.rng.random(shape, dtype="float32")
    return p.array(v, dtype)


def ordinary(p, shape, dtype):
    return p.array(p.rng.standard_normal(shape, dtype="float32"), dtype)


def product_shapes(shape):
    """(..., m, k, n) as the shapes of a and b."""
    *batch, m, k, n = shape
    return tuple(batch) + (m, k), tuple(batch) + (k, n)


def einsum_shapes(subscripts, shape):
    letters = []
    for c in subscripts.split("->")[0]:
        if c != "," and c not in letters:
            letters.append(c)
    if subscripts == "bhqd,bhkd->bhqk" and len(shape) == 4:
        shape = [*shape[:4], shape[2]]
    size = dict(zip(letters, shape))
    return [tuple(size[c] for c in term)
            for term in subscripts.split("->")[0].split(",")]


def make(p, name, dtype, shape):
    """A function that does the case once, or NotImplementedError."""
    shape = tuple(shape)
    if name in BINARY:
        f = p.fn(name)
        a, b = values(p, shape, dtype), values(p, shape, dtype)
        return lambda: f(a, b)
    if name in UNARY:
        f = p.fn(name)
        a = values(p, shape, dtype)
        return lambda: f(a)
    if name == "where":
        c = values(p, shape, "bool")
        a, b = values(p, shape, dtype), values(p, shape, dtype)
        return lambda: p.lib.where(c, a, b)
    if name.startswith("cast_"):
        _, a, b = name.split("_")
        return p.cast(values(p, shape, SHORT[a]), SHORT[b])
    if name in ("copy",):
        a = values(p, shape, dtype)
        return lambda: a + 0
    base, _, over = name.rpartition("_")
    if base in REDUCE and over in AXES:
        return p.reduce(base, ordinary(p, shape, dtype), AXES[over])
    if name in REDUCE:
        return p.reduce(name, ordinary(p, shape, dtype), -1)
    if name in ("matmul", "matmul_batched", "matmul_transposed"):
        sa, sb = product_shapes(shape)
        a = ordinary(p, sa, dtype)
        if name == "matmul_transposed":
            b = p.swap(ordinary(p, sb[:-2] + (sb[-1], sb[-2]), dtype))
        else:
            b = ordinary(p, sb, dtype)
        return lambda: a @ b
    if name == "matvec":
        a = ordinary(p, shape[:2], dtype)
        b = ordinary(p, (shape[1],), dtype)
        return lambda: a @ b
    if name == "vecmat":
        a = ordinary(p, (shape[0],), dtype)
        b = ordinary(p, shape[:2], dtype)
        return lambda: a @ b
    if name == "addmm":
        sa, sb = product_shapes(shape)
        return p.addmm(ordinary(p, (sb[-1],), dtype), ordinary(p, sa, dtype),
                       ordinary(p, sb, dtype))
    if name == "transpose_copy":
        return p.transpose_copy(ordinary(p, shape, dtype))
    if name in ("take_rows", "scatter_add"):
        rows, width, count = shape
        a = ordinary(p, (rows, width), dtype)
        index = p.array(p.rng.integers(0, rows, count),
                        "int64" if p.name != "mlx" else "int32")
        if name == "take_rows":
            return p.take(a, index)
        return p.scatter_add(a, index, ordinary(p, (count, width), dtype))
    if name in ("random_normal", "random_uniform"):
        return p.random(name[7:], shape, dtype)
    if name == "tiny_add_eval_read":
        return p.tiny(values(p, shape, dtype), values(p, shape, dtype))
    for kind in ("chain", "build"):
        if name.startswith(kind + "_"):
            return getattr(p, kind)(values(p, shape, dtype),
                                    values(p, shape, dtype),
                                    int(name.split("_")[1]))
    if name in EINSUM:
        s = EINSUM[name]
        return p.einsum(s, [ordinary(p, x, dtype)
                            for x in einsum_shapes(s, shape)])
    raise NotImplementedError("no such case here")


# ---- worker ----

def sample(f, seconds, least):
    """Times of single runs; short ones are timed by the dozen."""
    f()
    t = time.perf_counter()
    f()
    once = max(time.perf_counter() - t, 1e-9)
    inner = max(1, min(1000, int(2e-4 / once)))
    times = []
    end = time.perf_counter() + seconds
    while len(times) < least or time.perf_counter() < end:
        t = time.perf_counter()
        for _ in range(inner):
            f()
        times.append((time.perf_counter() - t) / inner)
        if len(times) >= 200:
            break
    return statistics.median(times)


def worker(which, threads):
    p = {"numpy": NumPy, "mlx": MLX}.get(which, lambda: Torch(threads))()
    print(json.dumps({"version": str(p.version())}), flush=True)
    key, f = None, None
    for line in sys.stdin:
        c = json.loads(line)
        try:
            if key != (c["name"], c["dtype"], tuple(c["shape"])):
                key = (c["name"], c["dtype"], tuple(c["shape"]))
                f = None
                f = make(p, *key)
                # building alone leaves the graph unevaluated
                if not c["name"].startswith(("build_", "tiny_")):
                    f = p.run(f)
            answer = {"s": sample(f, c["seconds"], 3)}
        except Exception as e:
            answer = {"skip": str(e).split("\n")[0] or type(e).__name__}
        print(json.dumps(answer), flush=True)
