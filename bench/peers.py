#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Times the cases of mlxc-bench on MLX (CPU), PyTorch and NumPy in the same
# run and prints the ratios.  Each peer is a process of its own, so that each
# has the environment it is best with; between the peers' turns mlxc-bench runs
# again, so that all see the same machine.  See README.md beside this file for
# what the names and shapes of cases mean.
import argparse
import json
import os
import statistics
import subprocess
import sys

from peer_cases import worker

HERE = os.path.dirname(os.path.abspath(__file__))
PEERS = ["mlx", "torch", "numpy"]


class Peer:
    """One peer's process."""

    def __init__(self, name, threads):
        env = dict(os.environ)
        env["OMP_NUM_THREADS"] = env["OPENBLAS_NUM_THREADS"] = str(threads)
        env["OMP_WAIT_POLICY"] = "passive"  # idle peers must not spin
        if name == "numpy":
            # set for older builds; they slow a current NumPy
            for k in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE"):
                env.pop(k, None)
        self.name = name
        self.p = subprocess.Popen(
            [sys.executable, os.path.abspath(__file__), "--worker", name,
             "--threads", str(threads)], env=env, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        line = self.p.stdout.readline()
        self.version = json.loads(line)["version"] if line else None

    def time(self, case, seconds):
        if not self.version:
            return None
        ask = {k: case[k] for k in ("name", "dtype", "shape")}
        try:
            self.p.stdin.write(json.dumps({**ask, "seconds": seconds}) + "\n")
            self.p.stdin.flush()
            return json.loads(self.p.stdout.readline()).get("s")
        except (OSError, ValueError):
            self.version = None
            return None

    def close(self):
        self.p.stdin.close()
        self.p.wait()


# ---- the run ----

def bench(path, threads, only=None):
    env = {**os.environ, "MLXC_NUM_THREADS": str(threads)}
    args = [path, "--json"] + (["--only", only] if only else [])
    return json.loads(subprocess.run(args, env=env, check=True, text=True,
                                     stdout=subprocess.PIPE).stdout)


def key_of(c):
    return f"{c['name']} {c['dtype']} {'x'.join(map(str, c['shape']))}"


def human(s):
    if s is None:
        return "-"
    for unit, scale in (("s", 1), ("ms", 1e3), ("us", 1e6)):
        if s * scale >= 1:
            return f"{s * scale:.3g} {unit}"
    return f"{s * 1e9:.3g} ns"


def run(args):
    peers = [Peer(n, args.threads) for n in args.peers]
    names = args.only or [None]
    first = [bench(args.bench, args.threads, n) for n in names]
    cases = [c for f in first for c in f["cases"]]
    groups = {}
    for c in cases:
        c["mlxc"] = [c["median_s"]]
        c["peers"] = {p.name: [] for p in peers}
        groups.setdefault(c["name"], []).append(c)
    for name, group in groups.items():
        for turn in range(args.rounds):
            if turn:
                again = bench(args.bench, args.threads, name)["cases"]
                found = {key_of(x): x["median_s"] for x in again}
                for c in group:
                    if key_of(c) in found:
                        c["mlxc"].append(found[key_of(c)])
            for p in peers:
                for c in group:
                    s = p.time(c, args.seconds)
                    if s is not None:
                        c["peers"][p.name].append(s)
        print(".", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    result = {"ceilings": first[0].get("ceilings"), "threads": args.threads,
              "versions": {p.name: p.version for p in peers}, "cases": []}
    for p in peers:
        p.close()
    for c in cases:
        times = {n: statistics.median(t) if t else None
                 for n, t in c["peers"].items()}
        ours = statistics.median(c["mlxc"])
        known = [t for t in times.values() if t]
        fraction = c.get("floor_fraction")
        if fraction:
            fraction *= c["median_s"] / ours
        result["cases"].append({
            "name": c["name"], "dtype": c["dtype"], "shape": c["shape"],
            "mlxc_s": ours, "peers_s": times, "floor_fraction": fraction,
            "ratios": {n: t / ours if t else None for n, t in times.items()},
            "best_ratio": min(known) / ours if known else None})
    return result


def table(result):
    names = list(result["versions"])
    rows = [["case", "mlxc", "of floor"] + names +
            [f"{n}/mlxc" for n in names] + ["best/mlxc"]]
    for c in result["cases"]:
        f = c["floor_fraction"]
        rows.append([key_of(c), human(c["mlxc_s"]),
                     f"{100 * f:.0f} %" if f else "-"] +
                    [human(c["peers_s"][n]) for n in names] +
                    [f"{r:.2f}" if r else "-"
                     for r in (*[c["ratios"][n] for n in names],
                               c["best_ratio"])])
    width = [max(len(r[i]) for r in rows) for i in range(len(rows[0]))]
    for r in rows:
        print("  ".join(x.ljust(w) if i == 0 else x.rjust(w)
                        for i, (x, w) in enumerate(zip(r, width))))
    if result["ceilings"]:
        print("ceilings:", ", ".join(
            f"{k} {v:.1f}" for k, v in result["ceilings"].items()
            if isinstance(v, (int, float))))
    print("versions:", ", ".join(f"{n} {v or 'missing'}"
                                 for n, v in result["versions"].items()),
          f"; {result['threads']} threads; ratios above 1: mlxc is faster")


def compare(result, path, slack):
    """Warns of cases whose ratio to the best peer fell."""
    with open(path) as f:
        old = json.load(f)
    worse = 0
    for c in result["cases"]:
        was = old.get(key_of(c))
        if was and c["best_ratio"] and c["best_ratio"] < was * (1 - slack):
            print(f"warning: {key_of(c)}: best peer / mlxc fell from "
                  f"{was:.2f} to {c['best_ratio']:.2f}")
            worse += 1
    print(f"{worse} cases fell by more than {100 * slack:.0f} %")


def main():
    a = argparse.ArgumentParser(description="mlxc-bench beside its peers")
    a.add_argument("--bench", default=os.path.join(HERE, "mlxc-bench"))
    a.add_argument("--only", action="append", help="case name; repeatable")
    a.add_argument("--peers", default=",".join(PEERS),
                   type=lambda s: [x for x in s.split(",") if x])
    a.add_argument("--threads", type=int, default=2)
    a.add_argument("--rounds", type=int, default=3)
    a.add_argument("--seconds", type=float, default=0.2,
                   help="for one peer, case and round")
    a.add_argument("--json", metavar="FILE")
    a.add_argument("--baseline", metavar="FILE", help="warn of regressions")
    a.add_argument("--slack", type=float, default=0.3)
    a.add_argument("--write-baseline", metavar="FILE")
    a.add_argument("--worker", choices=PEERS, help=argparse.SUPPRESS)
    args = a.parse_args()
    if args.worker:
        return worker(args.worker, args.threads)
    result = run(args)
    table(result)
    if args.json:
        with open(args.json, "w") as f:
            json.dump(result, f, indent=1)
    if args.write_baseline:
        with open(args.write_baseline, "w") as f:
            json.dump({key_of(c): round(c["best_ratio"], 3)
                       for c in result["cases"] if c["best_ratio"]}, f,
                      indent=1)
            f.write("\n")
    if args.baseline:
        compare(result, args.baseline, args.slack)
    return 0


if __name__ == "__main__":
    sys.exit(main())
