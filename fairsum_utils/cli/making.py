"""Inputs made by `fairsum data build counterfactual`, `counterfactual_templates` and `orders`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairsum_utils._util.secrets import masked
from fairsum_utils.cli.command import Option, Options, in_group
from fairsum_utils.cli.options import READING_OPTIONS, reading
from fairsum_utils.cli.settings import read_plain, split_item
from fairsum_utils.cli.terminal import show
from fairsum_utils.errors import InputError
from fairsum_utils.settings.base import unknown_setting
from fairsum_utils.validation import count

if TYPE_CHECKING:
    from fairsum_utils.corpora.counterfactual_templates import TemplateInputs
    from fairsum_utils.counterfactual.inputs import CounterfactualInputs

_FOR_VARIANTS = in_group(
    "counterfactual and counterfactual_templates",
    Option(
        "--swap",
        metavar="NAMES",
        help="Attributes, separated by commas: gender, race, religion, nationality, sexual_orientation, disability; "
        "for templates also age, occupation and attributes of your file",
    ),
    Option("--controls", type=int, metavar="N", help="Control edits of each variant (default: 0)"),
    Option("--pairs", help="Use the same controls for all variants, and pair_id for inputs that differ in the variant"),
)
_FOR_COUNTERFACTUAL = in_group(
    "counterfactual",
    Option("--lexicon", metavar="FILE.json", help="Your own words to swap"),
    Option("--ner", metavar="NAME", help="Pipeline of spaCy that finds persons in texts (default: en_core_web_sm)"),
    Option("--text-column", metavar="NAME", help="Column of the texts (default: text)"),
    Option("--id-column", metavar="NAME", help="Column of their ids (default: id)"),
)
_FROM = in_group(
    "counterfactual, counterfactual_templates and orders",
    Option("--from", "source", metavar="FILE", help="Texts or sets in any file of rows, or templates in TOML"),
)
_FOR_ROWS = in_group("counterfactual and orders", *READING_OPTIONS)
# Options for making inputs; empty if they are not given.
MAKING_OPTIONS = (*_FROM, *_FOR_ROWS, *_FOR_VARIANTS, *_FOR_COUNTERFACTUAL)


def refuse_making(args: Options, *others: str) -> None:
    """Refuse options of the makers that `args.name` does not take, and others.

    Args:
        args: options of the command.
        *others: names of further options that it does not take.

    Raises:
        InputError: Such an option was given.
    """
    taken = {
        "counterfactual": (*_FROM, *_FOR_ROWS, *_FOR_VARIANTS, *_FOR_COUNTERFACTUAL),
        "counterfactual_templates": (*_FROM, *_FOR_VARIANTS),
        "orders": (*_FROM, *_FOR_ROWS),
    }
    foreign = [str(option.name) for option in MAKING_OPTIONS if option not in taken.get(args.name, ())]
    for name in (*foreign, *others):
        if getattr(args, name, None):
            flag = "from" if name == "source" else name.replace("_", "-")
            raise InputError(f"--{flag} is not for {args.name}; leave it out")


def _rows(args: Options, **how: Any) -> Iterator[dict[str, Any]]:
    from fairsum_utils.io.reading import read_rows

    return read_rows(args.source, **how, **reading(args))


def _counterfactual_inputs(args: Options) -> CounterfactualInputs:
    from fairsum_utils.counterfactual.documents import mini_news
    from fairsum_utils.counterfactual.inputs import ANNOTATIONS, CounterfactualInputs, Text, texts_of
    from fairsum_utils.counterfactual.swapping import LEXICON, check_lexicon
    from fairsum_utils.io.objects import read_json
    from fairsum_utils.text.recognition import DEFAULT_PIPELINE

    pipeline = args.ner or DEFAULT_PIPELINE
    if args.source is None:
        texts: Iterator[Text] = (Text(document.id, document.text, document) for document in mini_news())
    else:
        column = args.text_column or "text"
        texts = texts_of(
            _rows(args, needed={column: "--text-column"}, lists=ANNOTATIONS),
            text_column=column,
            id_column=args.id_column or "id",
            pipeline=pipeline,
            where=args.source,
        )
    lexicon = None if args.lexicon is None else check_lexicon(args.lexicon, read_json(Path(args.lexicon)))
    attributes = [*_attributes(args), *([] if lexicon is None else [LEXICON])]
    return CounterfactualInputs(texts, attributes, lexicon=lexicon, pipeline=pipeline, **_controls(args))


def _attributes(args: Options) -> list[str]:
    return (args.swap or "").replace(",", " ").split()


def _controls(args: Options) -> dict[str, Any]:
    seed = {} if args.seed is None else {"seed": args.seed}
    return {"n_controls": args.controls or 0, "pairs": bool(args.pairs), **seed}


def _template_inputs(args: Options) -> TemplateInputs:
    from fairsum_utils.corpora.counterfactual_templates import TemplateInputs, read_templates

    return TemplateInputs(read_templates(args.source), _attributes(args), domain=args.config, **_controls(args))


def _counterfactual(args: Options) -> dict[str, Any]:
    _settings(args)
    inputs = _counterfactual_inputs(args)
    n_rows = _write_variants(args, inputs)
    return {**_counts(n_rows, inputs), "smaller_controls": inputs.n_smaller, "missing_controls": inputs.n_missing}


def _counterfactual_templates(args: Options) -> dict[str, Any]:
    _settings(args)
    inputs = _template_inputs(args)
    return _counts(_write_variants(args, inputs), inputs)


def _write_variants(args: Options, inputs: CounterfactualInputs | TemplateInputs) -> int:
    from fairsum_utils.corpora.corpus import column_kinds
    from fairsum_utils.counterfactual.inputs import InputRow, PairedRow
    from fairsum_utils.io.writing import write_rows

    def why() -> str:
        counts = {name: sorted(of.items()) for name, of in inputs.skipped.items()}
        reasons = "; ".join(f"{name}: {', '.join(f'{n} {reason}' for reason, n in of)}" for name, of in counts.items())
        return f"none of {count(inputs.n_texts, 'text')} could be swapped ({reasons})"

    columns = column_kinds(PairedRow if args.pairs else InputRow)
    return write_rows(_shown(inputs.rows(), args.name, why), args.output, columns)


def _counts(n_rows: int, inputs: CounterfactualInputs | TemplateInputs) -> dict[str, Any]:
    skipped = {name: dict(sorted(counts.items())) for name, counts in inputs.skipped.items()}
    return {"rows": n_rows, "texts": inputs.n_texts, "not_swapped": skipped}


def _orders(args: Options) -> dict[str, Any]:
    from fairsum_utils.corpora.orders import Orders
    from fairsum_utils.io.writing import write_rows

    if args.source is None:
        raise InputError("orders: give the sets with --from, rows with sources and values")
    settings = _settings(args, "orders", "mode")
    given = {"n_orders": settings.get("orders"), "mode": settings.get("mode"), "seed": args.seed}
    orders = Orders(
        _rows(args, needed={"sources": "sources"}, lists=("sources", "values")),
        where=args.source,
        **{name: value for name, value in given.items() if value is not None},
    )

    def why() -> str:
        return f"none of {count(orders.n_sets, 'set')} has two orders"

    n_rows = write_rows(_shown(orders.rows(), args.name, why), args.output)
    return {"rows": n_rows, "sets": orders.n_sets, "left_out": orders.n_fixed, "fewer_orders": orders.n_fewer}


def _settings(args: Options, *known: str) -> dict[str, Any]:
    """Read the settings that ``--set`` gives to a maker."""
    given = dict(split_item(args.name, item) for item in args.settings_of_source)
    for name in given:
        if name not in known:
            raise unknown_setting(args.name, name, known)
    return {name: read_plain(text) for name, text in given.items()}


def _shown(rows: Iterator[Any], title: str, why: Callable[[], str]) -> Iterator[Any]:
    """Yield the rows with a progress bar; raise if there are none."""
    from fairsum_utils._util.terminal import bar

    made = False
    for row in bar(rows, title=title, unit="rows", leave=True):
        made = True
        yield row
    if not made:
        raise InputError(f"{title}: {why()}; nothing was written")


def _made(make: Callable[[Options], dict[str, Any]], *more: str) -> Callable[[Options], int]:
    def run(args: Options) -> int:
        refuse_making(args, *more, "data_dir", "origin", "attribute")
        show(json.dumps({"name": args.name, **make(args), "output": masked(args.output)}))
        return 0

    return run


# Makers of inputs from a user's own rows, by name for `fairsum data build`.
MAKERS: Mapping[str, Callable[[Options], int]] = {
    "counterfactual": _made(_counterfactual, "config"),
    "counterfactual_templates": _made(_counterfactual_templates),
    "orders": _made(_orders, "config"),
}
