"""Masking of secrets: keys, tokens, passwords and signatures become ``***``.

Errors of this package go through `masked` when they are made, output of the command when it is printed, and records of
runs when they are written. Code that quotes a server or an address needs nothing else.
"""

from __future__ import annotations

import base64
import binascii
import os
import re
import sys
from collections.abc import Iterator
from functools import cache
from urllib.parse import quote, quote_plus

HIDDEN = "***"

# Environment variables whose values this package, or a library that it asks, sends.
_SENT = frozenset({"HF_TOKEN", "HUGGING_FACE_HUB_TOKEN", "OPENAI_API_KEY"})

# Characters from which on a text counts as a secret; a shorter one would be found in every other word.
_LEAST_SENT, _LEAST = 4, 8

# Values in place of a key for servers that need none.
_PLACEHOLDERS = frozenset({"dummy", "empty", "none", "null", "test", "token", "true", "unused", "false"})

_NAMED_SECRET = re.compile(
    r"(?:^|_)(?:API_?KEY|ACCESS_KEY(?:_ID)?|KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?|PAT)(?:_\w*)?$", re.IGNORECASE
)
_NO_SECRET = re.compile(r"_(?:DIR|FILE|HOME|PATH|URL|URI|VARIABLE|APPLICATION_CREDENTIALS)$", re.IGNORECASE)

# ``?token=...`` and ``&X-Amz-Signature=...``.
_IN_QUERY = re.compile(
    r"([?&;#](?:[\w.~-]*[._-])?"
    r"(?:api_?key|(?:aws)?access_?key(?:_?id)?|access_?token|auth|authorization|credentials?|key"
    r"|passw(?:or)?d|pwd|secret|session|sig|signature|token)=)(?!\*\*\*)[^&\s\"'<>#;,]+",
    re.IGNORECASE,
)

# ``https://user:password@host``, from the colon on: to look for the scheme at every letter would take the square.
_IN_ADDRESS = re.compile(r"(?<=[a-z0-9+.-])://[^/?#\s\"'<>]*@", re.IGNORECASE)

# ``Authorization: Bearer ...``, as a server or a library quotes it.
_HEADER = re.compile(
    r"((?:proxy-)?authorization|(?:x-)?api-key|x-amz-security-token|(?:set-)?cookie)"
    r"(\s*[:=]\s*|[\\\"']+\s*[:=,]\s*[\[(]?(?:b(?=['\"]))?[\\\"']+)(?:(?:basic|bearer|token|digest|negotiate)\s+)?(?!\*\*\*)[^\s\\\"',;}\]]+",
    re.IGNORECASE,
)

# ``"access_token": "..."``, as JSON has it.
_FIELD = re.compile(
    r"([\"'](?:access|refresh|auth|id|bearer)?_?(?:token|api_?key|secret|password)\\?[\"']\s*:\s*\\?[\"'])"
    r"(?!\*\*\*)[^\"'\\]{4,}",
    re.IGNORECASE,
)

_BEARER = re.compile(r"\b(bearer)\s+[\w.~+/=-]{8,}", re.IGNORECASE)
_BASIC = re.compile(r"\b(basic)\s+([A-Za-z0-9+/]{6,}={0,2})", re.IGNORECASE)

# Keys with a recognizable form.
_SHAPES = re.compile(
    r"\b(?:hf_[A-Za-z0-9]{16,}|api_org_[A-Za-z0-9]{16,}|sk-[A-Za-z0-9_-]{16,}|gh[opusr]_[A-Za-z0-9]{20,}"
    r"|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[abprs]-[\w-]{10,}|(?:AKIA|ASIA)[A-Z0-9]{16}|AIza[\w-]{30,})"
)

# A JSON web token; without the group it is none, and neither is any that begins within it.
_WEB_TOKEN = re.compile(r"\beyJ[\w-]{8,}+(\.[\w-]{8,}+\.[\w-]*)?")


def masked(item: object) -> str:
    """Replace every recognizable secret in a text by ``***``.

    Secrets are the values of environment variables named as keys, tokens, secrets or passwords; the login of
    `huggingface_hub`; each also quoted for an address or in Base64; and texts with the place or form of a secret: user
    and password of an address, keys and signatures in its query, headers of authorization.

    Example:
        >>> masked("https://me:pass@a.org/rows.csv?page=1&X-Amz-Signature=0a1b")
        'https://***@a.org/rows.csv?page=1&X-Amz-Signature=***'
        >>> masked("401: no such key, Authorization: Bearer 12345")
        '401: no such key, Authorization: ***'
    """
    text = str(item)
    for secret in sorted(_known(), key=len, reverse=True):
        if secret in text:
            text = text.replace(secret, HIDDEN)
    if "://" in text:
        text = _IN_ADDRESS.sub(f"://{HIDDEN}@", text)
    if "=" in text:
        text = _IN_QUERY.sub(rf"\1{HIDDEN}", text)
    text = _HEADER.sub(rf"\1\2{HIDDEN}", text)
    text = _FIELD.sub(rf"\1{HIDDEN}", text)
    text = _BEARER.sub(rf"\1 {HIDDEN}", text)
    text = _BASIC.sub(_without_password, text)
    text = _WEB_TOKEN.sub(lambda match: HIDDEN if match[1] else match[0], text)
    return _SHAPES.sub(HIDDEN, text)


def without_secrets(error: BaseException) -> BaseException | None:
    """Return an error for chaining; None if its chain quotes a secret.

    Example:
        >>> without_secrets(OSError("no such host")), without_secrets(OSError("https://me:pass@host"))
        (OSError('no such host'), None)
    """
    seen: set[int] = set()
    behind: BaseException | None = error
    while behind is not None and id(behind) not in seen:
        seen.add(id(behind))
        if any(masked(text) != text for text in (str(behind), repr(behind))):
            return None
        behind = behind.__cause__ or (None if behind.__suppress_context__ else behind.__context__)
    return error


@cache
def _names_secret(variable: str) -> bool:
    return _NAMED_SECRET.search(variable) is not None and _NO_SECRET.search(variable) is None


def _is_secret(text: str, least: int) -> bool:
    return len(text) >= least and text.lower() not in _PLACEHOLDERS and not text.isspace()


def _known() -> Iterator[str]:
    """Yield every secret of this process, in each possible spelling."""
    secrets = set()
    for name, value in os.environ.items():
        value = value.strip()
        least = _LEAST_SENT if name in _SENT else _LEAST
        if (name in _SENT or _names_secret(name)) and _is_secret(value, least):
            secrets.add(value)
    hub = sys.modules.get("huggingface_hub")  # nothing here loads it: without it there is no login that is sent
    if hub is not None:
        try:
            login = hub.get_token()
        except Exception:  # a login that cannot be read is not sent either
            login = None
        if login and _is_secret(login, _LEAST_SENT):
            secrets.add(login)
    for secret in secrets:
        yield secret
        encoded = secret.encode("utf-8", "surrogateescape")
        for form in (quote(encoded, safe=""), quote_plus(encoded), repr(secret)[1:-1]):
            if form != secret:
                yield form
        if len(secret) >= _LEAST:
            yield base64.b64encode(encoded).decode().rstrip("=")


def _without_password(match: re.Match[str]) -> str:
    """Mask user and password after ``Basic``, but not an ordinary word."""
    try:
        is_pair = b":" in base64.b64decode(match[2] + "=" * (-len(match[2]) % 4))
    except (binascii.Error, ValueError):
        is_pair = False
    return f"{match[1]} {HIDDEN}" if is_pair else match[0]
