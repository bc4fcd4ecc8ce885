#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Writes the golden files beside this script.  It needs mlx (its CPU back
# end), numpy and scipy, and is run by hand when cases are added; the files
# it makes are committed, so the tests need none of these.
import importlib
import os
import sys

import mlx.core as mx

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
from differences import KNOWN  # noqa: E402

MODULES = ["cases_math", "cases_select", "cases_shape", "cases_reduce",
           "cases_index", "cases_matmul", "cases_views", "cases_wide",
           "cases_random"]


def main():
    mx.set_default_device(mx.cpu)
    only = set(sys.argv[1:])
    bad = total = 0
    met = set()
    for name in MODULES:
        for make in importlib.import_module(name).FAMILIES:
            family = make(KNOWN)
            if only and family.name not in only:
                continue
            family.write(HERE)
            bad += family.report()
            met |= {key for key, _ in family.odd}
            total += len(family.meta)
    print(f"{total} cases")
    if not only:
        for key in sorted(KNOWN - met):
            print("listed, but the reference agrees:", key)
    if bad:
        raise SystemExit(f"{bad} differences from the reference that "
                         "differences.py does not list")


main()
