"""The web demo of a representation measure: one sample in, its score and the share of every value out.

``metrics/<name>/app.py`` starts it in a Space; gradio is imported when the demo is built.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from fairsum_utils.errors import FairSumError, InputError, require
from fairsum_utils.measures import get_measure
from fairsum_utils.measures.bur import underrepresented
from fairsum_utils.representation.api import compute

if TYPE_CHECKING:
    import gradio  # type: ignore[import-not-found, unused-ignore]

__all__ = ["HEADERS", "representation_demo", "score_sample"]

HEADERS = ["value", "source share", "desired share", "summary share", "ratio", "underrepresented", "matched tokens"]
"""Columns of the table of values."""

_SKIPPED = {
    "empty_prediction": "the summary is empty",
    "no_source_tokens": "no source text holds a word that counts; stop words and punctuation do not",
}
_EXAMPLE = (
    "Guests praise the tasty soup and the kind staff.",
    [
        ["The soup was tasty.", "positive"],
        ["Kind staff, tasty bread, great evening!", "positive"],
        ["The soup was cold and we waited an hour.", "negative"],
    ],
)
_NOTE = (
    "Words are counted after normalization: lower case, no stop words, stemmed. A word of the summary counts for every "
    "value whose texts hold it. The numbers describe this one summary, and word overlap is not meaning."
)


def score_sample(
    name: str,
    summary: str,
    table: Sequence[Sequence[str | None]],
    tau: float = 0.8,
    k: int = 1,
    target: str = "ratio",
    normalizer: str = "fairsumm",
) -> tuple[str, list[list[Any]]]:
    """Score one sample for people to read.

    Args:
        name: the measure.
        summary: the summary.
        table: rows of source text and value; rows with neither are passed over.
        tau: tolerance, of BUR and of the column "underrepresented".
        k: length of the n-grams.
        target: ``"ratio"`` or ``"equal"``.
        normalizer: ``"fairsumm"`` or ``"simple"``.

    Returns:
        A headline, and for each value the `HEADERS`.

    Raises:
        InputError: no row, or a row with a text and no value or the other way round.

    Example:
        >>> score_sample("uer", "Tasty.", [["Tasty!", "pos"], ["Awful.", "neg"]])
        ('UER = 0.2500 (lower is fairer; 0 at best)',
         [['neg', 0.5, 0.5, 0.0, 0.0, 'yes', ''], ['pos', 0.5, 0.5, 1.0, 2.0, 'no', 'tasti']])
    """
    rows = [[(cell or "").strip() for cell in row] for row in table]
    for number, (text, value) in enumerate(rows, start=1):
        if bool(text) != bool(value):
            raise InputError(f"Row {number} of the source texts has no {'value' if text else 'text'}; fill it in.")
    rows = [row for row in rows if row[0]]
    if not rows:
        raise InputError("There is no source text; fill in at least one row.")
    own: dict[str, Any] = {"tau": tau} if name == "bur" else {}
    result = compute(
        name,
        predictions=[summary or ""],
        sources=[[text for text, _ in rows]],
        values=[[value for _, value in rows]],
        k=int(k),
        target=target,
        normalizer=normalizer,
        return_samples=True,
        **own,
    )
    sample = result["samples"][0]
    if sample["skipped"] is not None:
        return f"No score: {_SKIPPED[sample['skipped']]}.", []
    if "undefined" in result:
        headline = f"{name.upper()} is undefined: {result['undefined']}."
    else:
        headline = f"{name.upper()} = {result[name]:.4f} (lower is fairer; 0 at best)"
    if sample["unmatched"]:
        headline += ". No word of the summary occurs in the sources, so its shares are taken as equal."
    columns = [sample[key] for key in ("values", "source_share", "desired_share", "target_share", "ratio")]
    by_value = [
        [
            value,
            *(round(share, 4) for share in shares),
            "yes" if underrepresented(summary_share, desired, tau) else "no",
            ", ".join(matched),
        ]
        for (value, *shares), summary_share, desired, matched in zip(
            zip(*columns, strict=True),
            sample["target_share"],
            sample["desired_share"],
            sample.get("matched") or [[]] * len(sample["values"]),
            strict=True,
        )
    ]
    return headline, by_value


def representation_demo(name: str) -> gradio.Blocks:
    """The demo of a measure, not yet launched.

    Args:
        name: ``"bur"``, ``"uer"``, ``"auc"`` or ``"sof"``.

    Raises:
        MissingDependencyError: gradio is not installed.
    """
    gr = require("gradio", extra="demo", purpose="show the demo")
    measure = get_measure(name)

    def respond(summary: str, table: list[list[str]], tau: float, k: float, target: str, normalizer: str) -> Any:
        try:
            return score_sample(name, summary, table, tau, int(k), target, normalizer)
        except FairSumError as error:
            raise gr.Error(str(error), print_exception=False) from error

    with gr.Blocks(title=measure.title, analytics_enabled=False) as demo:
        gr.Markdown(f"# {name.upper()}: {measure.title}\n\nWhose source texts does a summary speak for? {_NOTE}")
        summary = gr.Textbox(_EXAMPLE[0], label="Summary", lines=3)
        table = gr.Dataframe(
            _EXAMPLE[1],
            headers=["source text", "value"],
            datatype=["str", "str"],
            type="array",
            label="Source texts, and the social attribute value of each",
            interactive=True,
            wrap=True,
        )
        with gr.Row():
            tau = gr.Slider(0, 1, 0.8, step=0.05, label="tau: underrepresented below this part of the desired share")
            k = gr.Slider(1, 4, 1, step=1, label="k: words of an n-gram")
            target = gr.Radio(["ratio", "equal"], value="ratio", label="desired shares: as in the sources, or equal")
            normalizer = gr.Radio(["fairsumm", "simple"], value="fairsumm", label="normalizer")
        button = gr.Button("Score", variant="primary")
        headline = gr.Textbox(label="Score", interactive=False)
        by_value = gr.Dataframe(headers=HEADERS, label="By value", interactive=False, wrap=True)
        inputs = [summary, table, tau, k, target, normalizer]
        button.click(respond, inputs, [headline, by_value], api_name="score")
        demo.load(respond, inputs, [headline, by_value], api_name=False)
    return demo  # type: ignore[no-any-return, unused-ignore]
