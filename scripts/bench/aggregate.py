"""The summary that `pqsig-audit summarize` makes of pqsig's trial logs, made with pandas: for scripts/bench.nu only.

usage: aggregate.py FOLDER SUMMARY.CSV
"""

import json
import math
import sys
from pathlib import Path

import pandas as pd

# The mean number of repetitions of an ML-DSA signature: FIPS 204, Table 1.
REPETITIONS = {"ML-DSA-44": 4.25, "ML-DSA-65": 5.1, "ML-DSA-87": 3.85}
KEY = ["source", "algorithm", "backend", "operation"]


def samples(path):
    """A row per phase of one log."""
    trial = int(path.stem.removeprefix("trial-"))
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            if record["type"] == "run":
                threads = record["options"]["threads"]
            elif record["type"] == "phase" and record["failure"] is None:
                operations, elapsed_ns = record["operations"], record["elapsed_ns"]
                yield {
                    "source": "pqsig-speed",
                    "trial": trial,
                    "algorithm": record["algorithm"],
                    "backend": record["backend"],
                    "operation": record["operation"],
                    "operations": operations,
                    "ms_per_op": elapsed_ns * threads / operations / 1e6,
                    "ops_per_s": operations * 1e9 / elapsed_ns,
                }


def standard_error_pct(row):
    repetitions = REPETITIONS.get(row["algorithm"])
    if repetitions is None or row["operation"] != "sign":
        return None
    return 100 * math.sqrt(1 - 1 / repetitions) / math.sqrt(row["operations"])


def main(folder, out):
    frame = pd.DataFrame.from_records(row for path in Path(folder).glob("trial-*.jsonl") for row in samples(path))
    summary = frame.groupby(KEY, as_index=False).agg(
        trials=("trial", "size"),
        median_ms=("ms_per_op", "median"),
        min_ms=("ms_per_op", "min"),
        max_ms=("ms_per_op", "max"),
        median_ops_per_s=("ops_per_s", "median"),
        operations=("operations", "sum"),
    )
    summary["standard_error_pct"] = summary.apply(standard_error_pct, axis=1)
    summary.drop(columns="operations").to_csv(out, index=False, float_format="%.7g")


main(*sys.argv[1:])
