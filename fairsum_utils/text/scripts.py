"""Scripts without spaces between words, which no word tokenizer can cut: it makes one token of a clause."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress

from fairsum_utils.errors import InputError
from fairsum_utils.text.languages import UNSPACED

HAN_AND_KANA = "Chinese or Japanese"
_SCRIPTS = {
    HAN_AND_KANA: (
        "\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f",
        3,
    ),
    "Thai": ("\u0e01-\u0e4e", 10),
    "Lao": ("\u0e81-\u0ecd", 10),
    "Burmese": ("\u1000-\u103f\u1050-\u108f", 10),
    "Khmer": ("\u1780-\u17d3", 10),
}
"""Script -> its letters, and how many of them stand together on average, at most, where someone has cut the words."""

_ANY = re.compile(f"[{''.join(letters for letters, _ in _SCRIPTS.values())}]")
_RUNS = {script: (re.compile(f"[{letters}]+"), longest) for script, (letters, longest) in _SCRIPTS.items()}
_LETTERS = re.compile(r"[^\W\d_]")


def has_unspaced_letters(text: str) -> bool:
    """Whether a text holds any letter of such a script.

    Example:
        >>> has_unspaced_letters("soup 汤"), has_unspaced_letters("Café “Zoë”")
        (True, False)
    """
    if text.isascii():
        return False
    with suppress(UnicodeEncodeError):
        text.encode("latin-1")  # several times faster than the search, and enough for most texts
        return False
    return _ANY.search(text) is not None


def unspaced_script(text: str) -> str | None:
    """The script of a text whose words are not cut; None if a word tokenizer can read it.

    That is a text of which more than half of the letters are of such a script, in runs that are longer than its words.
    Time grows linearly with the text; a text in another script costs one search.

    Args:
        text: any string.

    Example:
        >>> unspaced_script("这家餐厅的菜很好吃。"), unspaced_script("这 家 餐厅 的 菜 很 好吃。")
        ('Chinese or Japanese', None)
    """
    if not has_unspaced_letters(text):
        return None
    n_letters = len(_LETTERS.findall(text))
    for script, (pattern, longest) in _RUNS.items():
        lengths = list(map(len, pattern.findall(text)))
        if 2 * sum(lengths) > n_letters and sum(lengths) > longest * len(lengths):
            return script
    return None


def _is_cut(script: str, language: str | None) -> bool:
    """Whether the language's segmenter cuts the words of a script."""
    return script == HAN_AND_KANA and language in UNSPACED


def check_sources(module: str, index: int, sources: Sequence[str], language: str = "english") -> bool:
    """Refuse source texts most of which cannot be read, see `check_script`.

    Args:
        module: name used in the message.
        index: of the sample.
        sources: its source texts.
        language: of the settings; words of Chinese and Japanese are cut.

    Returns:
        Whether some of them cannot be read all the same.

    Raises:
        InputError: most of the text is written in a script without spaces between words.

    Example:
        >>> check_sources("bur", 0, ["The soup was tasty.", "菜很好吃"])
        True
    """
    together = " ".join(sources)
    if not has_unspaced_letters(together):
        return False
    check_script(module, index, "the text of most sources", together, language)
    return any(script is not None and not _is_cut(script, language) for script in map(unspaced_script, sources))


def check_script(module: str, index: int, what: str, text: str, language: str | None = None) -> None:
    """Refuse a text whose words nothing here can cut: nothing would match, and look fair.

    Args:
        module: name used in the message.
        index: of the sample.
        what: the text is, such as ``"the summary"``.
        text: of the sample.
        language: of the settings; words of Chinese and Japanese are cut. None for a measure that knows English only.

    Raises:
        InputError: it is written in a script without spaces between words.

    Example:
        >>> check_script("bur", 0, "the summary", "这家餐厅的菜很好吃", "english")
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.InputError: bur: sample 0: the summary is written in Chinese or Japanese, without spaces
        between words, so that no word of it can be counted; choose language='zh' or language='ja'
    """
    script = unspaced_script(text)
    if script is None or _is_cut(script, language):
        return
    if language is None:
        remedy = "this measure knows English words only"
    elif script == HAN_AND_KANA:
        remedy = "choose language='zh' or language='ja'"
    else:
        remedy = "cut its words with a segmenter, put spaces between them, and choose normalizer='simple'"
    raise InputError(
        f"{module}: sample {index}: {what} is written in {script}, without spaces between words, so that no word of "
        f"it can be counted; {remedy}"
    )
