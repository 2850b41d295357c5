"""`fairsum data build counterfactual` and `orders`: inputs made from texts of one's own."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairsum_utils.cli.options import add_reading_options, check_outputs, reading
from fairsum_utils.errors import InputError
from fairsum_utils.validation import count

if TYPE_CHECKING:
    from fairsum_utils.counterfactual.inputs import CounterfactualInputs

EXAMPLES = """\
inputs from texts of your own, with the columns article_id, variant, control and what was changed:
  fairsum data build counterfactual --from news.jsonl --swap gender,race,age --controls 2 --output inputs.jsonl
  fairsum data build counterfactual --from records.csv --text-column note --lexicon words.json --output inputs.jsonl
  fairsum data build orders --from sets.jsonl --orders 6 --mode by_value --output orders.jsonl

What cannot be swapped whole is left out, and counted by reason. Without --from, counterfactual takes the short articles
that are shipped. A lexicon is JSON: {"term": {"variant": "term", "another": "term"}}.
"""

_OF_COUNTERFACTUAL: Mapping[str, Mapping[str, Any]] = {
    "swap": {"metavar": "NAMES", "help": "gender, race, age, occupation, or several, separated by commas"},
    "controls": {"type": int, "metavar": "N", "help": "edits of each input that should not matter (0)"},
    "pairs": {
        "action": "store_const",
        "const": True,
        "help": "the same control edits for all variants, and pair_id for inputs that differ in the variant alone",
    },
    "lexicon": {"metavar": "FILE.json", "help": "words of your own to be swapped"},
    "ner": {"metavar": "NAME", "help": "spaCy pipeline that finds the persons of plain texts (en_core_web_sm)"},
    "text_column": {"metavar": "NAME", "help": "column of texts (text)"},
    "id_column": {"metavar": "NAME", "help": "column of their names (id)"},
}
_OF_ORDERS: Mapping[str, Mapping[str, Any]] = {
    "orders": {"type": int, "metavar": "K", "help": "orders of each set (6)"},
    "mode": {
        "choices": ("random", "by_value", "rotate"),
        "help": "how they are found: drawn, the sources of each value first in turn, or begun at other places (random)",
    },
}


def add_making_options(parser: argparse.ArgumentParser) -> None:
    """Add what makes inputs, with defaults left open so that what is given can be told."""
    group = parser.add_argument_group("counterfactual and orders")
    group.add_argument("--from", dest="source", metavar="FILE", help="texts or sets; any file of rows")
    add_reading_options(group)
    for title, options in (("counterfactual", _OF_COUNTERFACTUAL), ("orders", _OF_ORDERS)):
        group = parser.add_argument_group(title)
        for name, how in options.items():
            group.add_argument(f"--{name.replace('_', '-')}", **how)


def refuse_making(args: argparse.Namespace, *others: str) -> None:
    """Refuse options of the makers that `args.name` does not take.

    Args:
        args: of the command.
        *others: options besides, that it does not take.

    Raises:
        InputError: such an option was given.
    """
    taken = {"counterfactual": _OF_COUNTERFACTUAL, "orders": _OF_ORDERS}.get(args.name, {})
    foreign = [name for name in (*_OF_COUNTERFACTUAL, *_OF_ORDERS) if name not in taken]
    if args.name not in MAKERS:
        foreign += ["source", "encoding", "split", "input_format", "max_row_bytes"]
    for name in (*foreign, *others):
        if getattr(args, name, None):
            flag = "from" if name == "source" else name.replace("_", "-")
            raise InputError(f"--{flag} is not for {args.name}; leave it out")


def _rows(args: argparse.Namespace, **how: Any) -> Iterator[dict[str, Any]]:
    from fairsum_utils.io.reading import read_rows

    return read_rows(args.source, **how, **reading(args))


def _counterfactual_inputs(args: argparse.Namespace) -> CounterfactualInputs:
    from fairsum_utils.counterfactual.documents import mini_news
    from fairsum_utils.counterfactual.inputs import ANNOTATIONS, CounterfactualInputs, Text, texts_of
    from fairsum_utils.counterfactual.swapping import LEXICON, check_lexicon
    from fairsum_utils.io.tables import read_json
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
    attributes = [*(args.swap or "").replace(",", " ").split(), *([] if lexicon is None else [LEXICON])]
    seed = {} if args.seed is None else {"seed": args.seed}
    return CounterfactualInputs(
        texts,
        attributes,
        n_controls=args.controls or 0,
        pairs=bool(args.pairs),
        lexicon=lexicon,
        pipeline=pipeline,
        **seed,
    )


def _counterfactual(args: argparse.Namespace) -> dict[str, Any]:
    from fairsum_utils.corpora.corpus import column_kinds
    from fairsum_utils.counterfactual.inputs import InputRow, PairedRow
    from fairsum_utils.io.writing import write_rows

    inputs = _counterfactual_inputs(args)

    def why() -> str:
        counts = {name: sorted(of.items()) for name, of in inputs.skipped.items()}
        told = "; ".join(f"{name}: {', '.join(f'{n} {reason}' for reason, n in of)}" for name, of in counts.items())
        return f"none of {count(inputs.n_texts, 'text')} could be swapped ({told})"

    columns = column_kinds(PairedRow if args.pairs else InputRow)
    n_rows = write_rows(_shown(inputs.rows(), args.name, why), args.output, columns)
    return {
        "rows": n_rows,
        "texts": inputs.n_texts,
        "not_swapped": {name: dict(sorted(counts.items())) for name, counts in inputs.skipped.items()},
        "smaller_controls": inputs.n_smaller,
        "missing_controls": inputs.n_missing,
    }


def _orders(args: argparse.Namespace) -> dict[str, Any]:
    from fairsum_utils.corpora.orders import Orders
    from fairsum_utils.io.writing import write_rows

    if args.source is None:
        raise InputError("orders: give the sets with --from, rows with sources and values")
    given = {"n_orders": args.orders, "mode": args.mode, "seed": args.seed}
    orders = Orders(
        _rows(args, needed={"sources": "sources"}, lists=("sources", "values")),
        where=args.source,
        **{name: value for name, value in given.items() if value is not None},
    )

    def why() -> str:
        return f"none of {count(orders.n_sets, 'set')} has two orders"

    n_rows = write_rows(_shown(orders.rows(), args.name, why), args.output)
    return {"rows": n_rows, "sets": orders.n_sets, "left_out": orders.n_fixed, "fewer_orders": orders.n_fewer}


def _shown(rows: Iterator[Any], title: str, why: Callable[[], str]) -> Iterator[Any]:
    """The rows, with a bar; refused at the end where there are none, so that no empty file is left."""
    from fairsum_utils._util.terminal import bar

    made = False
    for row in bar(rows, title=title, unit="rows", leave=True):
        made = True
        yield row
    if not made:
        raise InputError(f"{title}: {why()}; nothing was written")


def _made(make: Callable[[argparse.Namespace], dict[str, Any]]) -> Callable[[argparse.Namespace], int]:
    def run(args: argparse.Namespace) -> int:
        from fairsum_utils.io.writing import ENDINGS

        refuse_making(args, "config", "data_dir", "origin", "attribute", "settings")
        check_outputs(args, output=ENDINGS)
        print(json.dumps({"name": args.name, **make(args), "output": str(args.output)}))
        return 0

    return run


MAKERS: Mapping[str, Callable[[argparse.Namespace], int]] = {
    "counterfactual": _made(_counterfactual),
    "orders": _made(_orders),
}
"""What `fairsum data build` makes from a user's own rows, by name."""
