"""Fairness and ROUGE of summaries, computed by one call.

    python examples/combine_with_rouge.py [--rouge rouge]

`fairsum_utils.combine` passes sources and values to BUR and UER, which match the texts once for both, and references
to ROUGE; each measure has its own settings. `evaluate.combine` passes every column to every module, which ROUGE refuses
unless the columns are added first, and takes only options that all modules know; it is shown for comparison. Needs
pip install . rouge-score. ROUGE itself comes from the Hub, or from the folder or script given as --rouge.
"""

from __future__ import annotations

import argparse

import evaluate

import fairsum_utils
from fairsum_utils import BUR
from fairsum_utils.reports.formats import as_text
from fairsum_utils.reports.tables import Table

SAMPLES = {
    "predictions": [
        "Guests praise the tasty soup and the kind staff.",
        "Some love the warm bread, others waited an hour for it.",
        "The rooms are clean.",
    ],
    "references": [
        "Guests praised the soup and the staff, but found the tables too close.",
        "Warm bread, but it takes an hour to come.",
        "Clean rooms; the street outside is loud at night.",
    ],
    "sources": [
        ["Tasty soup, kind staff.", "The tables are too close, and it was cold."],
        ["Warm bread!", "We waited an hour for bread.", "An hour is too long."],
        ["Very clean rooms.", "Loud street, no sleep at night."],
    ],
    "values": [["positive", "negative"], ["positive", "negative", "negative"], ["positive", "negative"]],
}


def main() -> None:
    """Score in both ways and print the numbers side by side."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rouge", default="rouge", help="name on the Hub, folder or script of a ROUGE module")
    rouge = evaluate.load(parser.parse_args().rouge)

    by_name = fairsum_utils.combine(["bur", "uer", rouge]).compute(**SAMPLES)
    stems = {"rouge": {"use_stemmer": True}}
    strict = fairsum_utils.combine([BUR(tau=1.0), "uer", rouge], options=stems).compute(**SAMPLES)

    plain = evaluate.combine([fairsum_utils.load("bur"), fairsum_utils.load("uer"), rouge])
    plain.add_batch(**SAMPLES)
    added = plain.compute()

    rows = [
        [key, *(f"{result[key]:.4f}" for result in (by_name, added, strict))]
        for key, number in by_name.items()
        if isinstance(number, float) and not key.endswith("_multi_value")
    ]
    print(as_text([Table(["", "combine", "evaluate.combine", "tau=1, stems"], rows)]))
    print("\nby value:", by_name["uer_by_value"])
    print("signature:", by_name["bur_signature"])


if __name__ == "__main__":
    main()
