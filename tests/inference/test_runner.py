"""The runner: once each, kept as it goes, shared, resumed, shrunk to the memory, and nothing cut in silence."""

from __future__ import annotations

import threading
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fairsum_utils.errors import InputError
from fairsum_utils.inference import InferenceSettings
from fairsum_utils.inference.models import is_out_of_memory
from fairsum_utils.inference.runner import TruncationWarning, map_ahead
from fairsum_utils.inference.tasks import SequenceClassifier

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")
pytest.importorskip("accelerate")

PAIRS = [(f"Great soup number {number}", "z" * (number % 7)) for number in range(40)]


def made(model: Path, **options: Any) -> SequenceClassifier:
    """A classifier that runs PAIRS in batches of a few."""
    defaults = {"device": "cpu", "cache": "none", "batch_tokens": 160, "module": "equal_coverage"}
    return SequenceClassifier(model, settings=InferenceSettings(**defaults | options))


@pytest.fixture(scope="module")
def model(tiny_model: Any) -> Path:
    return Path(tiny_model("classifier"))


@pytest.fixture(scope="module")
def expected(model: Path) -> np.ndarray:
    return made(model).run(PAIRS).values


def fail_after(classifier: SequenceClassifier, n_batches: int, error: BaseException) -> None:
    """Let so many forward passes through, then raise."""
    forward, calls = classifier.forward, []

    def failing(inputs: Any) -> Any:
        if len(calls) == n_batches:
            raise error
        calls.append(len(inputs))
        return forward(inputs)

    classifier.forward = failing  # type: ignore[method-assign]


def test_counts(model: Path) -> None:
    classifier = made(model)
    lengths = classifier.encode(PAIRS).lengths
    classifier.run([*PAIRS, *PAIRS[:10]])
    counts = classifier.counts
    assert (counts.inputs, counts.distinct, counts.computed, counts.truncated) == (50, 40, 40, 0)
    assert counts.tokens == sum(lengths)
    assert counts.tokens <= counts.padded_tokens <= counts.batches * 160
    classifier.run(PAIRS[:3])
    assert (counts.inputs, counts.distinct, counts.computed) == (53, 43, 40)


def test_tokenized_ahead_of_the_model(model: Path, expected: np.ndarray, monkeypatch: pytest.MonkeyPatch) -> None:
    classifier = made(model)
    classifier._is_ahead = True  # as on a GPU
    monkeypatch.setattr("fairsum_utils.inference.runner._WINDOW_AHEAD", 7)
    encode, threads = classifier.encode, []

    def noted(keys: Any) -> Any:
        threads.append(threading.current_thread())
        return encode(keys)

    monkeypatch.setattr(classifier, "encode", noted)
    np.testing.assert_allclose(classifier.run(PAIRS).values, expected, atol=1e-6)
    assert len(threads) == 6
    assert threading.current_thread() not in threads
    assert classifier.run([]).values.size == 0


def test_a_warm_run_makes_no_forward_pass_and_gives_the_same_bits(model: Path, tmp_path: Path) -> None:
    cold = made(model, cache=tmp_path).run(PAIRS)
    classifier = made(model, cache=tmp_path, batch_tokens=7)
    fail_after(classifier, 0, AssertionError("a forward pass"))
    warm = classifier.run(PAIRS[::-1])
    assert (classifier.counts.computed, classifier.counts.batches) == (0, 0)
    assert warm.values.tobytes() == cold.values[::-1].tobytes()


def test_other_weights_do_not_answer(model: Path, tiny_model: Any, tmp_path: Path) -> None:
    first = made(model, cache=tmp_path).run(PAIRS)
    other = made(tiny_model("classifier", seed=1), cache=tmp_path)
    assert np.abs(other.run(PAIRS).values - first.values).max() > 0.01
    assert other.counts.computed == len(PAIRS)


def test_an_interrupted_run_goes_on_where_it_stopped(model: Path, expected: np.ndarray, tmp_path: Path) -> None:
    first = made(model, cache=tmp_path)
    fail_after(first, 3, KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        first.run(PAIRS)
    assert (first.counts.batches, 0 < first.counts.computed < len(PAIRS)) == (3, True)
    second = made(model, cache=tmp_path)
    np.testing.assert_allclose(second.run(PAIRS).values, expected, rtol=0, atol=1e-5)
    assert second.counts.computed == len(PAIRS) - first.counts.computed


OUT_OF_MEMORY = [
    torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB."),
    RuntimeError("CUDA out of memory. Tried to allocate 2.00 GiB."),
    RuntimeError("[enforce fail at alloc_cpu.cpp:1] . DefaultCPUAllocator: can't allocate memory: you tried"),
    MemoryError(),
]


@pytest.mark.parametrize("error", OUT_OF_MEMORY, ids=lambda error: type(error).__name__)
def test_errors_that_mean_a_full_memory(error: Exception) -> None:
    assert is_out_of_memory(error)
    assert not is_out_of_memory(RuntimeError("the device is gone"))


def test_out_of_memory_halves_the_batches(model: Path, expected: np.ndarray) -> None:
    classifier = made(model, batch_tokens=100_000)
    forward, sizes = classifier.forward, []

    def small(inputs: Any) -> Any:
        sizes.append(len(inputs))
        if len(inputs) > 6:
            raise OUT_OF_MEMORY[0]
        return forward(inputs)

    classifier.forward = small  # type: ignore[method-assign]
    with pytest.warns(RuntimeWarning, match="texts of .* tokens do not fit in the memory of cpu together") as caught:
        found = classifier.run(PAIRS).values
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-5)
    assert sizes[0] == 40
    assert sum(size for size in sizes if size <= 6) == 40
    n_failed = sum(size > 6 for size in sizes)
    assert len(caught) == n_failed >= 3  # 40, about 20, about 10
    assert str(caught[0].message).startswith("equal_coverage: 40 texts of ")
    assert "; continuing with batch_tokens=" in str(caught[0].message)

    with warnings.catch_warnings():  # what was learned is remembered
        warnings.simplefilter("error")
        classifier.run([(first, second + "!") for first, second in PAIRS])
    assert max(sizes[-(len(sizes) - n_failed) // 2 :]) <= 6


def test_one_text_that_does_not_fit(model: Path) -> None:
    classifier = made(model)
    fail_after(classifier, 0, OUT_OF_MEMORY[0])
    length = classifier.encode(PAIRS[:1]).lengths[0]
    with pytest.raises(InputError) as caught:
        classifier.run(PAIRS[:1])
    message = str(caught.value)
    problem = f"{classifier.name} leaves too little memory on cpu for one text of {length} tokens"
    remedy = 'free memory, or choose a smaller model, shorter chunks or dtype="bfloat16"'
    assert message == f"equal_coverage: {problem}; {remedy}"


def test_what_is_cut_is_counted_and_said(model: Path, tmp_path: Path) -> None:
    # A pair of x and y z's has x + y + 4 tokens, of which 64 are read.
    pairs = [("z" * 61, ""), ("z" * 3000, "zz"), ("z" * 60, ""), ("z" * 3000, "zz")]
    for n_computed in (3, 0):  # a second run finds it in the cache, and says the same
        classifier = made(model, cache=tmp_path)
        with pytest.warns(TruncationWarning) as caught:
            outcome = classifier.run(pairs)
        assert outcome.cut.tolist() == [1, 3002 + 4 - 64, 0, 3002 + 4 - 64]
        assert (classifier.counts.truncated, classifier.counts.computed) == (2, n_computed)
        assert [str(warning.message) for warning in caught] == [
            "equal_coverage: 2 of 3 texts exceed the 64 tokens that "
            f"{classifier.name} reads and were cut, the longest by 2942 tokens"
        ]
        assert caught[0].filename == __file__


def test_half_a_character_is_refused_before_anything_runs(model: Path) -> None:
    classifier = made(model)
    with pytest.raises(InputError, match="equal_coverage: a text contains half a character"):
        classifier.run([*PAIRS, ("good", "\ud83d")])
    assert classifier.counts.computed == 0


@pytest.mark.parametrize(("side", "row"), [("right", [5, 1, 1]), ("left", [1, 1, 5])])
def test_padding_goes_where_the_tokenizer_says(side: str, row: list[int], model: Path) -> None:
    classifier = made(model)
    classifier.loaded.tokenizer.padding_side = side
    short = {"input_ids": [5], "attention_mask": [1], "token_type_ids": [1]}
    long = {"input_ids": [5, 6, 7], "attention_mask": [1, 1, 1], "token_type_ids": [0, 1, 1]}
    batch = classifier.pad([long, short])
    assert batch["input_ids"].tolist() == [[5, 6, 7], row]
    assert batch["attention_mask"].tolist() == [[1, 1, 1], [int(token == 5) for token in row]]
    assert batch["token_type_ids"].tolist() == [[0, 1, 1], [int(token == 5) for token in row]]


def test_closing_frees_the_model(model: Path) -> None:
    classifier = made(model)
    classifier.run(PAIRS[:2])
    classifier.close()
    assert {parameters.device.type for parameters in classifier.loaded.model.parameters()} == {"meta"}


def test_the_next_one_is_made_while_the_last_one_is_looked_at():
    made = [threading.Event() for _ in range(3)]

    def make(number):
        made[number].set()
        return number

    seen = []
    for number in map_ahead(make, range(3)):
        assert made[min(number + 1, 2)].wait(10)
        seen.append(number)
    assert seen == [0, 1, 2]


def test_no_more_than_one_ahead():
    asked = []

    def things():
        for number in range(9):
            asked.append(number)
            yield number

    mapped = map_ahead(str, things())
    assert next(mapped) == "0"
    assert asked == [0, 1]
    mapped.close()
