# SPDX-License-Identifier: MIT
# Where the expected value is not the reference's, as "operation dtype": the
# generator accepts a disagreement only there.  README.md has the reasons.

WHOLE = ["u8", "u16", "u32", "u64", "i8", "i16", "i32", "i64"]

KNOWN = {f"{op} {d}" for op, dtypes in {
    "sign": ["f16", "f32", "f64", "bf16"],
    "sin": ["f64"],
    "cos": ["f64"],
    "nan_to_num": ["f64", "c64"],
    "round": ["f16", "bf16"],
    "isclose": ["u8"],
    "arange": ["f16", "bf16", "f32", "f64", "i32"],
    "logsumexp": ["bool", "u8", "u16", "u32", "u64"],
    "softmax": ["bool"] + WHOLE,
    "mean": ["i32", "u32", "f16"],
    "var": ["i32"],
    "cummax": ["f16", "bf16"],
    "cummin": ["f16", "bf16"],
    "matmul": ["i32", "i64"],
    "random_categorical": ["row"],
}.items() for d in dtypes}
