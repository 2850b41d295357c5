"""Scoring a large file in the tasks of Spark.

    spark-submit spark.py s3://bucket/summaries.parquet s3://bucket/rows --parts 64 --metrics bur,uer

Each task scores one of the parts, as a task of an array does, and the driver makes the results from the rows of all.
The package must be installed on all nodes, which must see the file and the folder. Spark begins a task again that
dies, and finished rows are not scored again. Write a table of Spark's as Parquet first, with a column `id`.
"""

from __future__ import annotations

import argparse
import sys

from fairsum_utils.cli import main as fairsum


def main() -> int:
    """Score a file in parts and print the results."""
    from pyspark.sql import SparkSession

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", help="samples, as fairsum score reads them")
    parser.add_argument("rows", help="folder of the rows, with no other run in it")
    parser.add_argument("--parts", type=int, default=64, help="tasks (default: 64)")
    options, more = parser.parse_known_args()

    def score(number: int) -> None:
        part = f"{number}/{options.parts}"
        if fairsum(["score", options.file, "--rows", options.rows, "--only", part, *more]):
            raise RuntimeError(f"part {part} failed; the log of this task says why")

    spark = SparkSession.builder.appName("fairsum").getOrCreate()
    try:
        spark.sparkContext.parallelize(range(1, options.parts + 1), options.parts).foreach(score)
    finally:
        spark.stop()
    return fairsum(["score", options.rows, "--format", "json"])


if __name__ == "__main__":
    sys.exit(main())
