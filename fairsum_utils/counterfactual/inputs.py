"""Counterfactual inputs from any texts: rows to summarize, for the sensitivity measures.

Control edits change the same number of words as a swap, none of them about a person. Days, months, cities and neutral
words are replaced by others of their kind, consistently throughout a text. Summary changes caused by such edits are the
noise that a swap's effect must exceed.
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from functools import cached_property, lru_cache
from typing import Annotated, Any, NamedTuple, TypedDict

from fairsum_utils.counterfactual.documents import Document, from_rows, parse_document
from fairsum_utils.counterfactual.edits import DAYS, MONTHS, Edit, any_of, apply_edits, listed, n_words, overlaps
from fairsum_utils.counterfactual.swapping import ATTRIBUTES, LEXICON, PERSONS, Original, Unswappable, Variants, swap
from fairsum_utils.counterfactual.swapping.plain import annotate
from fairsum_utils.errors import InputError
from fairsum_utils.stats.arrays import shuffled
from fairsum_utils.text.languages import foreign_language
from fairsum_utils.text.pronouns import capitalize_like
from fairsum_utils.text.recognition import DEFAULT_PIPELINE, load_ner
from fairsum_utils.validation import check_choice, check_count, check_seed, describe

_NAME_BEFORE = re.compile(r"[^\W\d_a-z][\w’'.-]*\s+\Z")
_SENTENCE_START = re.compile(r"(?:\A|[.!?:;\n])[\s\"“”‘(]*\S+\s+\Z")
_NAME_AFTER = re.compile(r",?\s+[^\W\d_a-z]|['’-]\w")


class _Word(NamedTuple):
    """A replaceable word and its positions in a text."""

    kind: str
    spans: tuple[tuple[int, int], ...]
    others: tuple[str, ...]


def draw_control(text: str, swapped: Sequence[Edit], n: int, generator: random.Random) -> tuple[Edit, ...]:
    """Draw irrelevant edits at random until they change enough words.

    Example:
        >>> draw_control("On Monday Ann won.", [Edit(10, 13, "Tom", "first")], 1, random.Random(0))
        (Edit(start=3, end=9, after='Saturday', kind='day'),)
    """
    edits: list[Edit] = []
    changed = 0
    for word in shuffled(list(_words(text, swapped)), generator):
        if changed >= n:
            break
        other = word.others[int(generator.random() * len(word.others))]
        made = [Edit(start, end, capitalize_like(other, text[start:end]), word.kind) for start, end in word.spans]
        edits += made
        changed += sum(n_words(edit.after) for edit in made)
    return tuple(sorted(edits))


def _words(text: str, swapped: Sequence[Edit]) -> Iterator[_Word]:
    """Everything that may give way, in the order of the lists."""
    named = [("day", DAYS), ("month", MONTHS), *(("place", cities) for cities in listed("place"))]
    for kind, names in named:
        spans = _spans(any_of(names, 0), text)
        others = tuple(name for name in names if name not in text)
        for name in sorted(spans):
            within = kind == "place" and any(_is_within_name(text, *span) for span in spans[name])
            if others and not within and not any(overlaps(*span, swapped) for span in spans[name]):
                yield _Word(kind, tuple(spans[name]), others)
    neutral: dict[str, str] = dict(listed("neutral"))  # type: ignore[arg-type]  # two words each
    spans = _spans(any_of(neutral), text)
    for word in sorted(spans):
        free = tuple(span for span in spans[word] if not overlaps(*span, swapped))
        if free and neutral[word] not in spans:  # or both would be one word
            yield _Word("neutral", free, (neutral[word],))


def _spans(pattern: re.Pattern[str], text: str) -> dict[str, list[tuple[int, int]]]:
    spans: dict[str, list[tuple[int, int]]] = {}
    for match in pattern.finditer(text):
        key = match[0].lower() if pattern.flags & re.IGNORECASE else match[0]
        spans.setdefault(key, []).append(match.span())
    return spans


def _is_within_name(text: str, start: int, end: int) -> bool:
    """Return whether a city belongs to a longer name or precedes its country."""
    before = text[max(0, start - 40) : start]
    if _NAME_AFTER.match(text, end) and text[end : end + 2] not in ("'s", "’s"):
        return True
    return bool(_NAME_BEFORE.search(before)) and not _SENTENCE_START.search(before)


#: Beginning of a prompt, before the text.
PROMPT = "Please summarize the following text:\n\n"

#: Columns with annotations: those of `documents`, or clusters of coreference.
ANNOTATIONS = ("entities", "mentions", "content_words", "clusters")


# Remedy without a pipeline for plain texts.
_OTHERWISE = "name another one with --ner (pipeline in Python), or give rows with entities and mentions"
# Attributes that only templates vary.
_TEMPLATES_ONLY = ("age", "occupation")
# Attempts to draw a control edit.
_ATTEMPTS = 20


class InputRow(TypedDict):
    """One input."""

    id: Annotated[str, "name of the row"]
    article_id: Annotated[str, "original of the input; with several attributes one original each"]
    attribute: Annotated[str, "attribute that the variants differ in"]
    variant: Annotated[str, "group of all persons in the text"]
    control: Annotated[str, "number of an irrelevant edit; empty without one"]
    text: Annotated[str, "edited text"]
    sources: Annotated[list[str], "the same as a list of one, for reports that show it next to its summary"]
    prompt: Annotated[str, "request to summarize, with the text"]
    changed: Annotated[list[str], "words that differ from the original's other inputs, to be neutralized"]
    changes: Annotated[str, "JSON list of changes: kind, before, after, and start and end in the text"]


class PairedRow(InputRow):
    """One input of a pair."""

    pair_id: Annotated[str, "inputs that differ only in the variant"]


class Text(NamedTuple):
    """A text as it was read."""

    id: str
    text: str
    document: Document | None = None


def texts_of(
    rows: Iterable[Mapping[str, Any]],
    *,
    text_column: str = "text",
    id_column: str = "id",
    pipeline: str = DEFAULT_PIPELINE,
    where: str = "texts_of",
) -> Iterator[Text]:
    """Yield rows' texts, with annotations if present; a blank cell becomes empty.

    Example:
        >>> list(texts_of([{"text": "Ann won."}]))
        [Text(id='0', text='Ann won.', document=None)]
    """
    known: set[str] = set()
    for number, row in enumerate(rows):
        place = f"{where}, row {number + 1}"
        text, given = row.get(text_column), row.get(id_column)
        name = str(number if given is None else given)
        if text is not None and not isinstance(text, str):
            raise InputError(f"{place}: column {text_column!r} must contain text, found {describe(text)}; drop the row")
        if name in known:
            raise InputError(f"{place}: an earlier row has the id {name!r}; give every text its own id")
        known.add(name)
        document = None
        if text is None or not text.strip():
            yield Text(name, "")
            continue
        if row.get("entities") is not None and row.get("mentions") is not None:
            document = parse_document({**row, "id": name, "text": text}, place)
        elif row.get("clusters") is not None:
            names = None if row.get("entities") is None else "entities"
            [(document, _)] = from_rows(
                [{**row, "id": name}],
                pipeline=None if names else pipeline,
                text_column=text_column,
                entities_column=names,
                where=place,
            )
        yield Text(name, text, document)


class Input(NamedTuple):
    """One input of an original before it is made."""

    variant: str
    control: str
    swapped: tuple[Edit, ...]
    controlled: tuple[Edit, ...]


def input_rows(text: str, article: str, attribute: str, inputs: Iterable[Input], *, pairs: bool) -> Iterator[InputRow]:
    """Make the rows of an original.

    Example:
        >>> made = [Input("female", "", (Edit(0, 3, "Ann", "first"),), ())]
        >>> [row["text"] for row in input_rows("Bob won.", "a", "gender", made, pairs=False)]
        ['Ann won.']
    """
    inputs = list(inputs)
    places = sorted({edit[:2] for each in inputs for edit in each.controlled})
    for each in inputs:
        made, changes = apply_edits(text, [*each.swapped, *each.controlled])
        stands = {edit[:2]: edit.after for edit in each.controlled}
        here = (stands.get((start, end), text[start:end]) for start, end in places)
        row = InputRow(
            id=f"{article}-{each.variant}" + (f"-{each.control}" if each.control else ""),
            article_id=article,
            attribute=attribute,
            variant=each.variant,
            control=each.control,
            text=made,
            sources=[made],
            prompt=PROMPT + made,
            changed=list(dict.fromkeys([*(edit.after for edit in each.swapped if edit.after), *here])),
            changes=json.dumps([change._asdict() for change in changes], ensure_ascii=False),
        )
        yield PairedRow(**row, pair_id=f"{article}-p{each.control or 0}") if pairs else row


@dataclass
class CounterfactualInputs:
    """Inputs made from texts, each text on demand.

    Args:
        texts: texts with distinct ids.
        attributes: attributes to swap, one at a time: keys of `swapping.ATTRIBUTES`, or `swapping.LEXICON`.
        n_controls: control edits per variant.
        pairs: True draws one control edit for all variants of an original, so that inputs form pairs that differ only
            in the variant, with a common ``pair_id``. False draws a control edit for every input, so that two inputs of
            one variant differ as much as inputs of different variants if the variant has no effect; otherwise gaps
            are underestimated.
        seed: seed of all draws; a text's rows depend only on it and the text. None draws afresh.
        lexicon: a user's own words, see `swapping.check_lexicon`; needed for `swapping.LEXICON`.
        pipeline: name of a spaCy pipeline that finds the persons of plain texts.

    Attributes:
        n_texts: texts seen so far.
        skipped: attribute -> reason -> number of texts that could not be swapped.
        n_smaller: control edits that change fewer words than the swap, for lack of words that may change.
        n_missing: control edits left out, since the text has nothing to change, or they were another's again.

    Raises:
        InputError: an argument is not as described.

    Example:
        >>> texts = [Text("a", "The gay man won on Monday.")]
        >>> inputs = CounterfactualInputs(texts, ("sexual_orientation",), n_controls=1)
        >>> [(row["variant"], row["control"], row["changed"][0]) for row in inputs.rows()]
        [('gay', '', 'gay'), ('gay', '1', 'gay'), ('straight', '', 'straight'), ('straight', '1', 'straight')]
    """

    texts: Iterable[Text]
    attributes: Sequence[str]
    _: KW_ONLY
    n_controls: int = 0
    pairs: bool = False
    seed: int | None = 42
    lexicon: Mapping[str, Mapping[str, str]] | None = None
    pipeline: str = DEFAULT_PIPELINE
    n_texts: int = field(default=0, init=False)
    skipped: dict[str, Counter[str]] = field(init=False)
    n_smaller: int = field(default=0, init=False)
    n_missing: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        if not self.attributes:
            raise InputError(f"counterfactual: swap at least one of {', '.join(ATTRIBUTES)}, or give a lexicon")
        for attribute in self.attributes:
            if attribute in _TEMPLATES_ONLY:
                raise InputError(
                    f"counterfactual: {attribute} is not swapped in plain texts; use "
                    f"`fairsum data build counterfactual_templates --swap {attribute}`"
                )
            check_choice("counterfactual", "swap", attribute, (*ATTRIBUTES, LEXICON))
        if (LEXICON in self.attributes) != (self.lexicon is not None):
            raise InputError(f"counterfactual: {LEXICON!r} and a lexicon need each other; give both or neither")
        check_count("counterfactual", "controls", self.n_controls, least=0)
        check_seed("counterfactual", self.seed)
        self.skipped = {attribute: Counter() for attribute in dict.fromkeys(self.attributes)}

    def rows(self) -> Iterator[InputRow]:
        """Make the rows, text by text and attribute by attribute."""
        for text in self.texts:
            self.n_texts += 1
            for attribute in self.skipped:
                try:
                    if not text.text:
                        raise Unswappable("empty_text")
                    if attribute != LEXICON and foreign_language(text.text) is not None:
                        raise Unswappable("not_english")
                    variants = swap(self._original(text, attribute), attribute, seed=self.seed, lexicon=self.lexicon)
                except Unswappable as failure:
                    self.skipped[attribute][failure.reason] += 1
                    continue
                article = text.id if len(self.skipped) == 1 else f"{text.id}-{attribute}"
                inputs = self._inputs(text, article, variants)
                yield from input_rows(text.text, article, attribute, inputs, pairs=self.pairs)

    def _original(self, text: Text, attribute: str) -> Original:
        """Return a text with its persons; those of a plain text are guessed."""
        if text.document is not None:
            return Original(text.document)
        if attribute in PERSONS:
            return Original(annotate(text.id, text.text, self._language), guessed=True)
        return Original(Document(text.id, text.text, (), ()))

    @cached_property
    def _language(self) -> Any:
        return lru_cache(maxsize=1)(load_ner(self.pipeline, otherwise=_OTHERWISE))  # gender and race read a text alike

    def _inputs(self, text: Text, article: str, variants: Variants) -> Iterator[Input]:
        rows = [[edit.after for edit in edits] for edits in zip(*variants.values(), strict=True)]
        wanted = sum(max(map(n_words, words)) for words in rows if len(set(words)) > 1)
        for variant, swapped in variants.items():
            yield Input(variant, "", swapped, ())
            known: set[tuple[Edit, ...]] = {()}
            for number in range(1, self.n_controls + 1):
                draws = self._controls(text, article, "" if self.pairs else variant, number, swapped, wanted)
                drawn = next((each for each in draws if each not in known), None)
                if drawn is None:
                    self.n_missing += 1
                    continue
                known.add(drawn)
                self.n_smaller += sum(n_words(edit.after) for edit in drawn) < wanted
                yield Input(variant, str(number), swapped, drawn)

    def _controls(
        self, text: Text, article: str, variant: str, number: int, swapped: Sequence[Edit], wanted: int
    ) -> Iterator[tuple[Edit, ...]]:
        """Draw control edits, the first of which may be given."""
        name = f"{self.seed}\0{article}\0{variant}\0{number}"
        generator = random.Random() if self.seed is None else random.Random(name)
        for _ in range(_ATTEMPTS):
            yield draw_control(text.text, swapped, wanted, generator)
