"""`fairsum data people`: the known-people table of the name classifier."""

from __future__ import annotations

import json

from fairsum_utils._util.secrets import masked
from fairsum_utils.cli.command import Argument, Option, Options, command, in_group
from fairsum_utils.cli.options import INPUT_FORMATS, reading, reading_options
from fairsum_utils.cli.terminal import show
from fairsum_utils.io.names import with_packing


@command(
    Argument("dump", "DUMP", f".xml, .xml.bz2; of Wikidata .tsv, {INPUT_FORMATS}"),
    Option("--output", required=True, metavar="FILE", help="ends in .tsv or .tsv.gz", writes=with_packing([".tsv"])),
    Option("--from", "origin", choices=("wikipedia", "wikidata"), default="wikipedia", help="what DUMP is"),
    *in_group(
        "wikidata: with --from wikidata",
        Option("--label-column", default="itemLabel", metavar="NAME", help="names"),
        Option("--gender-column", default="genderLabel", metavar="NAME", help="sex or gender"),
        *reading_options(),
    ),
)
def people(options: Options) -> int:
    """Make a table of known people's gender from Wikipedia or Wikidata.

    The table has a line for each person: title, male, female (how many pronouns of each gender). The classifier
    of names looks people up in it before it goes by first names.

    examples:
      fairsum data people enwiki-latest-pages-articles.xml.bz2 --output people.tsv.gz
      fairsum data people query.csv --from wikidata --output people.tsv.gz
      fairsum data people export.jsonl --from wikidata --label-column name --gender-column P21 --output people.tsv

    A query for Wikidata, here of people born in 1950 (https://query.wikidata.org, then download as CSV or TSV):
      SELECT ?itemLabel ?genderLabel WHERE {
        ?item wdt:P31 wd:Q5; wdt:P21 ?gender; wdt:P569 ?born.
        FILTER(YEAR(?born) = 1950)
        SERVICE wikibase:label { bd:serviceParam wikibase:language "en". }
      }
    """
    from fairsum_utils.families.entities.people import wikidata_people, wikipedia_people, write_people

    if options.origin == "wikipedia":
        people = wikipedia_people(options.dump)
    else:
        columns = {"label_column": options.label_column, "gender_column": options.gender_column}
        people = wikidata_people(options.dump, **columns, **reading(options))
    count = write_people(people, options.output)
    show(json.dumps({"from": options.origin, "people": count, "to": masked(options.output)}))
    return 0
