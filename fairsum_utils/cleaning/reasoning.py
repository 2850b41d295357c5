"""Removal of the reasoning that models write before or between their answers.

Markers of many models are known: tags such as ``<think>``, ``[THINK]``, ``◁think▷`` and ``<|START_THINKING|>``, and the
channels of gpt-oss. A marker within code or quotes, as in a text about such tags, is part of the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple


class Answer(NamedTuple):
    """A text without reasoning.

    Attributes:
        text: remaining text.
        is_changed: something was removed.
        is_cut: the text breaks off within the reasoning.
    """

    text: str
    is_changed: bool = False
    is_cut: bool = False


_NAME = (
    r"(?:[\w-]{1,20}[:_-])?(?:think(?:ing)?|thoughts?|reason(?:ing)?|reflect(?:ion)?|scratch_?pad|analysis|"
    r"monologue|innermonologue|cot|antthinking)(?:[_-]\w{1,20})?"
)
# A slash, "end" or a bar at the end closes a block.
_MARKER = (
    rf"<\s{{0,3}}(?P<tag>/?)\s{{0,3}}{_NAME}(?:\s[^<>]*|/)?>"
    r"|◁(?P<triangle>/?)think▷"
    r"|\[(?P<bracket>/?)(?-i:THINK)\]"
    r"|<\|(?P<edge>/|start|begin|end)?(?:_of)?_?(?:think(?:ing)?|thoughts?|reasoning)\|>"
    r"|<unused9(?:4|(?P<unused>5))>"
    r"|<(?P<bar>channel\|>|\|channel>\s{0,3}(?:thought|thinking|analysis)\b)"
)
_CLOSING = ("/", "end", "5", "channel|>")
_CODE = r"(?P<code>```(?s:.*?)```|`[^`\n]*`)"
_QUOTED = r"""(?P<quoted>["'“‘«„](?:<[^<>]{1,40}>|\[/?THINK\]|◁/?think▷)["'”’»“])"""
_BLOCK = re.compile(_MARKER, re.IGNORECASE)
_OUTSIDE = re.compile(f"{_CODE}|{_QUOTED}|{_MARKER}", re.IGNORECASE)

_CHANNEL = re.compile(r"(?<!`)<\|channel\|>\s{0,3}(?P<name>\w+)[^<]{0,200}(?:<\|constrain\|>[^<]{0,200})?<\|message\|>")
_CHANNEL_HEAD = re.compile(r"(?:<\|start\|>\s{0,3}\w*\s{0,3})?<\|channel\|>")
_MESSAGE = "<|message|>"
_MESSAGE_END = re.compile(r"<\|(?:end|return|call|start|channel)\|>")
# gpt-oss decoded without its special tokens.
_PLAIN_CHANNEL = re.compile(r"\s*(?:analysis|commentary)(?=[A-Z]|.*?assistantfinal)", re.DOTALL)
_PLAIN_FINAL = "assistantfinal"

# Remains around the answer: special tokens, and a pair of tags.
_SPECIAL = re.compile(r"<[|｜]/?[A-Za-z_▁]{1,40}[|｜]>|</?s>")
_WRAPPED = re.compile(
    r"\s*<(?P<name>answer|response|final_answer|final|output|solution|summary)>(?P<inner>.*?)(?:</(?P=name)>)?\s*",
    re.DOTALL | re.IGNORECASE,
)


def without_reasoning(text: str) -> Answer:
    """Remove the reasoning from a text.

    Only the text after a closing marker without an opening one counts. A block that is not closed does not count.

    Example:
        >>> without_reasoning("<think>Cold soup?</think> Tasty soup.")
        Answer(text='Tasty soup.', is_changed=True, is_cut=False)
        >>> without_reasoning("<think>The guests say").is_cut, without_reasoning("The `<think>` tag.").is_changed
        (True, False)
    """
    if not _may_reason(text):
        return Answer(text)
    final = _final_channel(text)
    answer = _without_blocks(final.text)
    if not (final.is_changed or answer.is_changed):
        return Answer(text)
    left = _SPECIAL.sub(" ", answer.text).strip()
    wrapped = _WRAPPED.fullmatch(left)
    return Answer(wrapped["inner"].strip() if wrapped else left, True, final.is_cut or answer.is_cut)


def _may_reason(text: str) -> bool:
    """Check for a sign that every marker has; nearly all texts have none."""
    if "<" in text or "THINK]" in text or "◁" in text:
        return True
    return text.lstrip()[:10].startswith(("analysis", "commentary"))


def _final_channel(text: str) -> Answer:
    """Return the last message of the final channel, if a text has channels."""
    heads = list(_CHANNEL.finditer(text))
    if not heads:
        if not _PLAIN_CHANNEL.match(text):
            return Answer(text)
        _, final, answer = text.rpartition(_PLAIN_FINAL)
        return Answer(answer if final else "", True, not final)
    first = _CHANNEL_HEAD.search(text)
    assert first is not None  # every head has one
    before = text[: first.start()]
    finals = [head for head in heads if head["name"] == "final"]
    answer = ""
    if finals:
        start = finals[-1].end()
        end = _MESSAGE_END.search(text, start)
        answer = text[start : end.start() if end else len(text)]
    is_reasoning = _MESSAGE in before or _MESSAGE_END.search(before)  # the first head may be missing
    return Answer(answer if is_reasoning else f"{before} {answer}", True, not finals)


def _without_blocks(text: str) -> Answer:
    """Remove blocks, and all text before a lone closing marker."""
    kept: list[str] = []
    start = place = 0
    is_changed = False
    while found := _OUTSIDE.search(text, place):
        place = found.end()
        if found["code"] or found["quoted"]:
            continue
        is_changed = True
        if _closes(found):
            kept.clear()
        else:
            kept.append(text[start : found.start()])
            end = place if found[0].endswith("/>") else _end_of_block(text, place)
            if end is None:
                return Answer(_joined(kept), True, True)
            place = end
        start = place
    return Answer(_joined([*kept, text[start:]]), True) if is_changed else Answer(text)


def _closes(marker: re.Match[str]) -> bool:
    kinds = ("tag", "triangle", "bracket", "edge", "unused", "bar")
    return any((marker[kind] or "").lower() in _CLOSING for kind in kinds)


def _end_of_block(text: str, start: int) -> int | None:
    """Return the end of a block; None if nothing closes it."""
    depth, end = 1, None
    for marker in _BLOCK.finditer(text, start):
        if _closes(marker):
            depth, end = depth - 1, marker.end()
            if not depth:
                break
        elif not marker[0].endswith("/>"):
            depth += 1
    return end  # end of the last closing marker, as some are never closed


def _joined(pieces: Iterable[str]) -> str:
    """Join pieces of a text, with the line breaks that were between them."""
    parts: list[str] = []
    before = ""
    for piece in pieces:
        if inner := piece.strip():
            lead = piece[: len(piece) - len(piece.lstrip())]
            if parts:
                parts.append("\n" * min((before + lead).count("\n"), 2) or " ")
            parts.append(inner)
            before = piece[len(piece.rstrip()) :]
    return "".join(parts)
