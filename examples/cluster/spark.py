"""Scoring a table of Spark's: its tasks make states of their rows, and the driver adds these up.

    spark-submit spark.py summaries.parquet --metrics bur,uer

The package must be installed on all nodes. Rows stay where they are; what comes to the driver is a state a partition,
some hundred kilobytes whatever its size, one at a time. Spark begins a task again that dies. Of the measures of
entities the samples of an original must be in one partition: `frame.repartition("article_id")`.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import pyarrow
from fairsum_utils.session.state import State

from fairsum_utils.measures import get_measure
from fairsum_utils.session import Request, Session

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

COLUMNS = {"prediction": "predictions", "sources": "sources", "values": "values"}
"""Column of the table -> column of the measures."""


def score(frame: DataFrame, requests: Sequence[Request]) -> Any:
    """The results of a table with the columns of `COLUMNS`, and `id`.

    Args:
        frame: the samples, one a row.
        requests: measures and their settings.
    """

    def states(batches: Iterable[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        total = None
        with Session(requests) as session:
            for batch in batches:
                columns = {name: batch.column(column).to_pylist() for column, name in COLUMNS.items()}
                session.reset()
                session.add_rows(session.rows(columns), batch.column("id").to_pylist())
                state = session.state()
                if total is None:
                    total = state
                else:
                    total.merge(state)
        if total is not None:
            yield pyarrow.RecordBatch.from_pydict({"state": [total.to_bytes()]})

    made = frame.select("id", *COLUMNS).mapInArrow(states, "state binary").toLocalIterator()
    total = State.from_bytes(bytes(next(made).state))
    for row in made:
        total.merge(State.from_bytes(bytes(row.state)))
    with Session(requests) as session:
        return session.results(state=total)


def main() -> None:
    """Score a table and print the results."""
    from pyspark.sql import SparkSession

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", help="Parquet files that Spark reads")
    parser.add_argument("--metrics", default="bur,uer", help="measures, with commas (default: bur,uer)")
    options = parser.parse_args()
    spark = SparkSession.builder.appName("fairsum").getOrCreate()
    try:
        requests = [Request(get_measure(name)()) for name in options.metrics.split(",")]
        print(json.dumps(score(spark.read.parquet(options.table), requests), indent=2))
    finally:
        spark.stop()


if __name__ == "__main__":
    main()
