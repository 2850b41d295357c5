"""`fairsum people`: the known-people table of the name classifier."""

from __future__ import annotations

import argparse
import json

from fairsum_utils._util.secrets import masked
from fairsum_utils.cli.options import INPUT_FORMATS, add_reading_options, check_outputs, reading

HELP = "make a table of known people from Wikipedia or Wikidata"
DESCRIPTION = "Make the table that tells the gender of known people, from a Wikipedia dump or a Wikidata export."
EPILOG = """\
The table has a line for each person: title, male, female (how many pronouns of each gender). The classifier of names
looks people up in it before it goes by first names.

examples:
  fairsum people enwiki-latest-pages-articles.xml.bz2 --output people.tsv.gz
  fairsum people query.csv --from wikidata --output people.tsv.gz
  fairsum people export.jsonl --from wikidata --label-column name --gender-column P21 --output people.tsv

A query for Wikidata, here of people born in 1950 (https://query.wikidata.org, then download as CSV or TSV):
  SELECT ?itemLabel ?genderLabel WHERE {
    ?item wdt:P31 wd:Q5; wdt:P21 ?gender; wdt:P569 ?born.
    FILTER(YEAR(?born) = 1950)
    SERVICE wikibase:label { bd:serviceParam wikibase:language "en". }
  }
"""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("dump", metavar="DUMP", help=f".xml, .xml.bz2; of Wikidata .tsv, {INPUT_FORMATS}")
    parser.add_argument("--output", required=True, metavar="FILE", help="ends in .tsv or .tsv.gz")
    parser.add_argument(
        "--from",
        dest="origin",
        choices=("wikipedia", "wikidata"),
        default="wikipedia",
        help="what DUMP is (default: %(default)s)",
    )
    group = parser.add_argument_group("wikidata: with --from wikidata")
    group.add_argument("--label-column", default="itemLabel", metavar="NAME", help="names (default: %(default)s)")
    group.add_argument(
        "--gender-column", default="genderLabel", metavar="NAME", help="sex or gender (default: %(default)s)"
    )
    add_reading_options(group)


def run(options: argparse.Namespace) -> int:
    """Write the table and print what was done."""
    from fairsum_utils.families.entities.people import ENDINGS, wikidata_people, wikipedia_people, write_people

    check_outputs(options, output=ENDINGS)
    if options.origin == "wikipedia":
        people = wikipedia_people(options.dump)
    else:
        columns = {"label_column": options.label_column, "gender_column": options.gender_column}
        people = wikidata_people(options.dump, **columns, **reading(options))
    count = write_people(people, options.output)
    print(json.dumps({"from": options.origin, "people": count, "to": masked(options.output)}))
    return 0
