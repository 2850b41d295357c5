"""Units by a language model: the prompt, the reading of answers, and asking again."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from fairsum_utils.errors import InputError
from fairsum_utils.families.coverage.llm_units import LLMSplitter, parse_units, split_prompt

# The answer printed in the paper's figure 2.
PUBLISHED = """\
(1) It highlights the recent wave of restrictive abortion laws passed in several Republican-controlled states.

(2) The bills ban abortions after as early as 6-8 weeks, with limited exceptions.

(3) The bills are seen as part of a broader effort to overturn or erode legal abortion rights in the United States.
"""


class Scripted:
    """A chat model that gives each summary its answers in turn."""

    signature = "scripted"

    def __init__(self, **answers: Sequence[str]) -> None:
        self.left = {summary: list(replies) for summary, replies in answers.items()}
        self.asked: list[list[str]] = []

    def complete(self, prompts: Sequence[str]) -> list[str]:
        self.asked.append(list(prompts))
        return [self.left[prompt.rpartition("Summary: ")[2].split("\n")[0]].pop(0) for prompt in prompts]


def test_the_prompt_is_the_published_one(shared_data: Path) -> None:
    paper = (shared_data.parent / "papers" / "coverage-fairness.txt").read_text(encoding="utf-8")
    figure = paper[paper.index("Each atomic content unit contain") : paper.index("\nOutput\n")]
    summary = figure[figure.rindex("Summary: ") + len("Summary: ") : figure.rindex("Extracted Atomic")]
    assert split_prompt(summary).split() == figure.split()  # the paper's text does not keep line ends


@pytest.mark.parametrize(
    ("answer", "units"),
    [
        ("(1) It is good.\n(2) It is cheap.", ["It is good.", "It is cheap."]),
        ("1) It is good.\n2) It is cheap.", ["It is good.", "It is cheap."]),
        ("  (1)\tIt is good.\r\n\r\n\r\n  (2)   It is cheap.  \r\n", ["It is good.", "It is cheap."]),
        ("Extracted Atomic Content Units:\nfrom 2019 on\n(1) It is good.", ["It is good."]),
        ("**1.** It is good.\n**(2)** It is cheap.", ["It is good.", "It is cheap."]),
        ("1. **It is good.**\n**2. It is cheap.**", ["It is good.", "It is cheap."]),
        ("- (1) It is good.\n* (2) It is cheap.", ["It is good.", "It is cheap."]),
        ("(1) It is\ngood and\n   big.\n(2) It is cheap.", ["It is good and big.", "It is cheap."]),
        ("(1)\nIt is good.\n(2)\nIt is cheap.", ["It is good.", "It is cheap."]),
        ("(1) It costs\n3.5 euros\n(and more).\n(2) In\n2019 no.", ["It costs 3.5 euros (and more).", "In 2019 no."]),
        ("(1) It is good.\n\nLet me know if (2) I can help.", ["It is good."]),
        ("```\n1. It is good.\n```", ["It is good."]),
        ("<think>\n1. first\n3. third\n</think>\n(1) It is good.", ["It is good."]),
        (PUBLISHED, [line[4:] for line in PUBLISHED.split("\n") if line]),
        ("\n".join(f"({n}) Unit {n}." for n in range(1, 121)), [f"Unit {n}." for n in range(1, 121)]),
    ],
)
def test_answers(answer: str, units: list[str]) -> None:
    assert parse_units(answer) == units


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        ("", "it has no numbered line"),
        ("- It is good.\n- It is cheap.", "it has no numbered line"),
        ("3.5 stars\n2019 was good", "it has no numbered line"),
        ("(2) It is good.", "item 1 was expected, found item 2"),
        ("(1) It is good.\n(3) It is cheap.", "item 2 was expected, found item 3"),
        ("(1) It is good.\n(2) It is cheap.\n\n1. Again.", "item 3 was expected, found item 1"),
        ("(0) It is good.", "item 1 was expected, found item 0"),
        ("(1) It is good.\n(2)\n(3) It is cheap.", "item 2 is empty"),
        ("(1) ...", "item 1 is empty"),
    ],
)
def test_answers_that_cannot_be_read(answer: str, problem: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_units(answer)
    assert str(caught.value) == (
        f"the answer is not a numbered list of units ({problem}); it begins with {answer.strip()!r}"
    )


def test_splitting() -> None:
    chat = Scripted(A=["(1) a1\n(2) a2"], B=["(1) b1"])
    splitter = LLMSplitter(chat)
    assert splitter.split_many(["A", " ", "B", ""]) == [["a1", "a2"], [], ["b1"], []]
    assert chat.asked == [[split_prompt("A"), split_prompt("B")]]  # together, and nothing for the blank ones
    assert splitter.signature == "llm(scripted)"


def test_an_answer_that_cannot_be_read_is_asked_for_again() -> None:
    chat = Scripted(A=["junk", "(2) junk", "(1) a1"], B=["(1) b1"], C=["", "(1) c1"])
    assert LLMSplitter(chat).split_many(["A", "B", "C"]) == [["a1"], ["b1"], ["c1"]]
    assert [len(prompts) for prompts in chat.asked] == [3, 2, 1]
    to_a = [prompts[0] for prompts in chat.asked]
    assert len(set(to_a)) == 3  # an equal prompt would have an equal answer from the cache
    assert all(prompt.startswith(split_prompt("A")) for prompt in to_a)


@pytest.mark.parametrize(("indices", "index"), [(None, 1), ([4, 9], 9)])
def test_a_summary_that_no_answer_splits(indices: list[int] | None, index: int) -> None:
    splitter = LLMSplitter(Scripted(A=["(1) a1"], B=["no", "nor", "(2) not"]), module="equal_coverage")
    with pytest.raises(InputError) as caught:
        splitter.split_many(["A", "B"], indices)
    assert str(caught.value) == (
        f"equal_coverage: sample {index}: scripted gave no readable list of units for 'B' in 3 attempts. Last problem: "
        "the answer is not a numbered list of units (item 1 was expected, found item 2); it begins with '(2) not'. "
        'Give units in summary_units, use splitter="sentence", or try another model'
    )
