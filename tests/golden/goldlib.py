# SPDX-License-Identifier: MIT
# What the golden case files share: the fourteen dtypes, layouts, comparison,
# the collector of cases and the safetensors writer.
#
# A value is a pair (numpy array, dtype name).  bfloat16 is held as float32
# numbers that bfloat16 can represent.
import json
import os
import re
import struct
import sys

import mlx.core as mx
import numpy as np

np.seterr(all="ignore")

SHORT = {
    "bool": "bool", "uint8": "u8", "uint16": "u16", "uint32": "u32",
    "uint64": "u64", "int8": "i8", "int16": "i16", "int32": "i32",
    "int64": "i64", "float16": "f16", "float32": "f32", "float64": "f64",
    "bfloat16": "bf16", "complex64": "c64",
}
LONG = {s: n for n, s in SHORT.items()}
NP = {s: np.dtype(n if n != "bfloat16" else "float32")
      for n, s in SHORT.items()}
MX = {s: getattr(mx, "bool_" if n == "bool" else n)
      for n, s in SHORT.items()}
TAG = {s: {"bf16": "BF16", "c64": "C64", "bool": "BOOL"}.get(s, s.upper())
       for s in LONG}
ALL = list(LONG)
UINTS = ["u8", "u16", "u32", "u64"]
INTS = ["i8", "i16", "i32", "i64"]
FLOATS = ["f16", "f32", "f64", "bf16"]
HALVES = ["f16", "bf16"]
KIND = {"B": ["bool"], "U": UINTS, "I": INTS, "F": FLOATS, "C": ["c64"]}


def kinds(letters):
    return [d for d in ALL if any(d in KIND[k] for k in letters)]


def is_float(d):
    return d in FLOATS


def is_int(d):
    return d in UINTS or d in INTS


def size_of(d):
    return 2 if d == "bf16" else NP[d].itemsize


def bf16_bits(v):
    """Bits of float32 numbers rounded to bfloat16, ties to even."""
    u = np.ascontiguousarray(v, np.float32).reshape(np.shape(v))
    u = u.view(np.uint32).astype(np.uint64)
    r = ((u + 0x7FFF + ((u >> 16) & 1)) >> 16).astype(np.uint16)
    return np.where(np.isnan(v), np.uint16(0x7FC0), r)


def cast(v, d):
    """Numbers as dtype d holds them."""
    v = np.asarray(v)
    if d == "bf16":
        bits = bf16_bits(v.real.astype(np.float32))
        return np.asarray(bits.astype(np.uint32) << 16).view(np.float32)
    if d == "bool":
        return v != 0
    if v.dtype.kind == "c" and d != "c64":
        v = v.real
    return v.astype(NP[d])


def to_mx(v, d):
    v = np.array(v, order="C")  # a copy: keeps rank 0
    if d == "f64":
        return mx.array(v, dtype=mx.float64)
    a = mx.array(v)
    return a if a.dtype == MX[d] else a.astype(MX[d])


def from_mx(a):
    d = SHORT[str(a.dtype).rsplit(".", 1)[-1].rstrip("_")]
    if d == "bf16":
        a = a.astype(mx.float32)
    return np.array(a), d


def raw(v, d):
    if d == "bf16":
        return bf16_bits(v).astype("<u2").tobytes()
    return np.ascontiguousarray(v, NP[d].newbyteorder("<")).tobytes()


# ---- layouts ----

def layout_fits(layout, v):
    if layout == "transposed":
        return v.ndim >= 2
    if layout in ("step2", "reversed"):
        return v.ndim >= 1
    if layout.startswith("broadcast0"):
        return v.ndim >= 1 and v.shape[0] > 0
    return True


def lay_out(layout, v):
    """The base to store, the array that the recipe makes of it, its name."""
    if layout == "transposed":
        return v.swapaxes(-1, -2), v, layout
    if layout == "reversed":
        return v[..., ::-1], v, layout
    if layout == "step2":
        base = np.empty(v.shape[:-1] + (2 * v.shape[-1],), v.dtype)
        base[..., ::2] = v
        base[..., 1::2] = np.roll(v, 1).reshape(v.shape)
        return base, v, layout
    if layout == "broadcast0":
        row = v[:1]
        return row, np.repeat(row, v.shape[0], 0), f"broadcast0:{v.shape[0]}"
    return v, v, "contiguous"


LAYOUTS = ["contiguous", "transposed", "step2", "reversed", "broadcast0"]


# ---- comparison, by the bounds that the C runner has too ----

HERE = os.path.dirname(os.path.abspath(__file__))
BOUNDS = {}
with open(f"{HERE}/bounds.def", encoding="ascii") as table:
    for op, measure, *units in re.findall(
            r"^BOUND\((\w+), (\w+), ([\d.]+), ([\d.]+), ([\d.]+), "
            r"([\d.]+)\)", table.read(), re.M):
        half, single, full, cplx = map(float, units)
        BOUNDS[op] = {"f16": half, "bf16": half, "f32": single, "f64": full,
                      "c64": cplx}


def bounded(op, d):
    """Whether the results of an operation are rounded."""
    return BOUNDS.get(op, {}).get(d, 0) > 0


def same(got, want):
    """Where numbers are equal or both NaN."""
    return (got == want) | ((got != got) & (want != want))


def near(got, want, d, bound):
    """Where numbers are within what the reference's own errors need."""
    rel, least = bound or {"f16": (4e-3, 2e-3), "bf16": (4e-2, 2e-2),
                           "f32": (2e-6, 3e-7), "f64": (4e-6, 1e-6),
                           "c64": (1e-5, 1e-6)}[d]
    g, w = got.astype(np.complex128), want.astype(np.complex128)
    finite = np.isfinite(g) & np.isfinite(w)
    return same(got, want) | (
        finite & (np.abs(g - w) <= rel * np.abs(w) + least))


# ---- cases ----

def text(x):
    if isinstance(x, bool):
        return str(int(x))
    if isinstance(x, float):
        return repr(x)
    if isinstance(x, (list, tuple)):
        return ",".join(text(i) for i in x)
    return str(x)


class Family:
    """The cases of one file."""

    def __init__(self, name, known):
        self.name = name
        self.known = known      # "op dtype" that README.md explains
        self.meta = {}
        self.tensors = []
        self.count = {}
        self.odd = []           # differences met
        self.sources = {"mlx": 0, "both": 0, "numpy": 0}

    def case(self, op, ins, truth=None, ref=None, layout=None, tag=None,
             loose=None, exact=False, **params):
        """One case.

        ins     list of (values, dtype)
        truth   function of the NumPy inputs giving [(values, dtype), ...],
                or None: then the reference's answer is taken as it is
        ref     function of the reference's arrays, or None
        loose   relative and absolute bound that the reference must keep,
                where its own errors are large
        exact   bit for bit, though bounds.def has a bound
        """
        names, logical, bases = [], [], []
        layout = layout or []
        for i, (v, d) in enumerate(ins):
            v = cast(v, d)
            want = layout[i] if i < len(layout) else "contiguous"
            if not layout_fits(want, v):
                want = "contiguous"
            base, v, name = lay_out(want, v)
            names.append(name)
            logical.append((v, d))
            bases.append((base, d))
        src = "mlx"
        got = None
        if ref:
            try:
                got = ref(*[to_mx(v, d) for v, d in logical])
                got = got if isinstance(got, (list, tuple)) else [got]
                got = [from_mx(a) for a in got]
            except Exception as e:
                got = str(e).split("\n")[0]
        outs = got
        if truth:
            outs = truth(*[v for v, _ in logical])
            outs = outs if isinstance(outs, list) else [outs]
            outs = [(cast(v, d), d) for v, d in outs]
            src = "numpy"
            if ref:
                src, why = self.judge(got, outs, op, loose, exact)
                if why:
                    d = tag or (ins[0][1] if ins else outs[0][1])
                    self.odd.append((f"{op} {d}", why))
        elif isinstance(got, str):
            raise SystemExit(f"{op}: the reference fails: {got}")
        n = self.count.get(op, 0)
        self.count[op] = n + 1
        key = f"{op}.{tag or (ins[0][1] if ins else outs[0][1])}.{n}"
        line = [f"op={op}"]
        if any(x != "contiguous" for x in names):
            line.append("layout=" + ",".join(names))
        line += [f"{k}={text(x)}" for k, x in params.items() if x is not None]
        if exact:
            line.append("exact=1")
        if src != "mlx":
            line.append(f"src={src}")
        self.sources[src] += 1
        self.meta[key] = ";".join(line)
        for i, (v, d) in enumerate(bases):
            self.tensors.append((f"{key}/in{i}", v, d))
        for i, (v, d) in enumerate(outs):
            self.tensors.append((f"{key}/out{i}", v, d))

    @staticmethod
    def judge(got, outs, op, loose, exact):
        """Whose value it is, and how the reference's differs, if it does."""
        if isinstance(got, str):
            return "numpy", "error: " + got
        src = "mlx"
        for (g, gd), (w, wd) in zip(got, outs):
            if gd != wd:
                return "numpy", f"dtype {gd} for {wd}"
            if g.shape != w.shape:
                return "numpy", f"shape {g.shape} for {w.shape}"
            fits = same(g, w)
            if fits.all():
                continue
            src = "both"
            if bounded(op, wd) and not exact:
                fits = near(g, w, wd, loose)
            if not fits.all():
                i = np.flatnonzero(~fits.ravel())[0]
                return "numpy", (f"{np.sum(~fits)} values, such as "
                                 f"{g.ravel()[i]} for {w.ravel()[i]}")
        return src, None

    def write(self, folder):
        """Widest dtypes first, so that every tensor is aligned."""
        order = sorted(self.tensors, key=lambda t: -size_of(t[2]))
        header = {"__metadata__": self.meta}
        data = []
        at = 0
        for name, v, d in order:
            b = raw(v, d)
            header[name] = {"dtype": TAG[d], "shape": list(np.shape(v)),
                            "data_offsets": [at, at + len(b)]}
            data.append(b)
            at += len(b)
        h = json.dumps(header, separators=(",", ":")).encode()
        h += b" " * (-len(h) % 8)
        path = f"{folder}/{self.name}.safetensors"
        with open(path, "wb") as f:
            f.write(struct.pack("<Q", len(h)) + h + b"".join(data))
        print(f"{self.name}: {len(self.meta)} cases, {8 + len(h) + at} bytes,"
              f" {self.sources}")

    def report(self):
        """Differences met that nobody explained."""
        bad = 0
        for key, why in self.odd:
            if key not in self.known:
                print(f"  {self.name}: {key}: {why}", file=sys.stderr)
                bad += 1
        return bad


# ---- values ----

class Values:
    """Seeded numbers of each dtype."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)

    def normal(self, d, shape, scale=2.0):
        v = self.rng.standard_normal(shape) * scale
        if d == "c64":
            v = v + 1j * self.rng.standard_normal(shape) * scale
        return cast(v, d)

    def span(self, d, shape, lo, hi):
        v = self.rng.uniform(lo, hi, shape)
        if d == "c64":
            v = v + 1j * self.rng.uniform(lo, hi, shape)
        return cast(v, d)

    def ints(self, d, shape, lo, hi):
        return cast(self.rng.integers(lo, hi, shape, endpoint=True), d)

    def any(self, d, shape, small=6):
        """Ordinary numbers of any dtype."""
        if d == "bool":
            return self.rng.integers(0, 2, shape) != 0
        if d in UINTS:
            return self.ints(d, shape, 0, 2 * small)
        if d in INTS:
            return self.ints(d, shape, -small, small)
        return self.normal(d, shape)

    def distinct(self, d, shape):
        """Different numbers in a random order."""
        n = int(np.prod(shape))
        v = self.rng.permutation(n).reshape(shape)
        if d in INTS or is_float(d):
            v = v - n // 2
        return cast(v * (0.5 if is_float(d) else 1), d)


def promote(a, b):
    return SHORT[str(mx.result_type(MX[a], MX[b])).rsplit(".", 1)[-1]
                 .rstrip("_")] if a != b else a


def at_least_float(d):
    return d if is_float(d) or d == "c64" else "f32"
