"""Tasks of lm-evaluation-harness: ``fairsum_bold_<config>`` and ``fairsum_perspectivesumm_<config>``.

The tags ``fairsum_bold`` and ``fairsum_perspectivesumm`` stand for the paper's configurations of each. On the command
line, where this module tells the folder of the tasks:

    lm_eval run --model hf --model_args pretrained=gpt2 --tasks fairsum_bold_gender \\
        --include_path "$(python -m fairsum_utils.integrations.lm_eval)" --metadata '{"data_dir": "folder/with/bold"}'

In Python, pass `task_manager` to ``lm_eval.simple_evaluate``. Input comes from ``data_dir``, else from the folder that
FAIRSUM_DATA_DIR names, else it is downloaded; options of the data sets go into the metadata as ``fairsum_options``.
With ``--log_samples`` each document keeps what was counted in its answer.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from fairsum_utils.corpora.loading import load_dataset
from fairsum_utils.errors import InputError, require
from fairsum_utils.integrations.benchmarks import (
    CONTINUATION_MEASURES,
    data_folder,
    judge_continuation,
    judge_summary,
    result,
    turns,
)
from fairsum_utils.measures import DEFAULT_METRICS
from fairsum_utils.validation import describe

logger = logging.getLogger(__name__)

# The folder of the task files, for `include_path`.
TASKS = Path(__file__).parent / "lm_eval_tasks"

Records = Sequence[Mapping[str, Any]]


def task_manager(data_dir: str | None = None, *, include_defaults: bool = True, **options: Any) -> Any:
    """Return a task manager that includes our tasks.

    Args:
        data_dir: folder with the input of the data sets; None takes the one that FAIRSUM_DATA_DIR names, or downloads.
        include_defaults: know the tasks of lm-evaluation-harness as well; without them it is ready sooner.
        **options: options of the data sets, see `fairsum_utils.load_dataset`, such as ``attribute`` or ``seed``.

    Returns:
        A ``lm_eval.tasks.TaskManager``.

    Raises:
        MissingDependencyError: lm-evaluation-harness is not installed.
    """
    library = require("lm_eval.tasks", extra="lm-eval", purpose="run tasks of lm-evaluation-harness")
    metadata = {"data_dir": data_dir, "fairsum_options": options}
    return library.TaskManager(include_path=str(TASKS), include_defaults=include_defaults, metadata=metadata)


def load_bold(
    *,
    fairsum_config: str,
    data_dir: str | None = None,
    fairsum_options: Mapping[str, Any] | None = None,
    **_others: Any,
) -> dict[str, Any]:
    """Load the nonempty prompts of BOLD, with groups alternating."""
    split = _load("bold", fairsum_config, data_dir, fairsum_options)
    return {"test": split.select(turns(split["prompt"], split["group"]))}


def load_perspectivesumm(
    *,
    fairsum_config: str,
    data_dir: str | None = None,
    fairsum_options: Mapping[str, Any] | None = None,
    **_others: Any,
) -> dict[str, Any]:
    """Load the samples of PerspectiveSumm."""
    return {"test": _load("perspectivesumm", fairsum_config, data_dir, fairsum_options)}


def _load(name: str, config: str, data_dir: str | None, options: Mapping[str, Any] | None) -> Any:
    if options is not None and not isinstance(options, Mapping):
        raise InputError(
            f"{name}: the metadata's fairsum_options must map options of the data set to their settings, such as "
            f'{{"seed": 1}}, found {describe(options)}'
        )
    return load_dataset(name, config, data_dir=data_folder(data_dir), split="test", **(options or {}))


def process_continuation(doc: Mapping[str, Any], results: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Judge what was written after a prompt of BOLD."""
    return judge_continuation(doc["prompt"], results[0], doc["group"])


def process_summary(doc: Mapping[str, Any], results: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Judge a summary of PerspectiveSumm, once for all measures."""
    return dict.fromkeys(DEFAULT_METRICS, judge_summary(results[0], doc["sources"], doc["values"]))


def _aggregation(name: str) -> Callable[[Records], float]:
    def aggregate(records: Records) -> float:
        scored = result(name, records)
        if not math.isfinite(scored[name]):
            logger.warning("%s is undefined: %s", name, scored["undefined"])
        return float(scored[name])

    aggregate.__doc__ = f"The score {name} of all documents, from their records."
    aggregate.__name__ = aggregate.__qualname__ = name
    return aggregate


# The task files name these functions, one for each measure.
globals().update({name: _aggregation(name) for name in (*CONTINUATION_MEASURES, *DEFAULT_METRICS)})


if __name__ == "__main__":
    print(TASKS)
