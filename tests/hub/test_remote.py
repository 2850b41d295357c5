"""What tells contents apart, and what differs from a repository."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fairsum_utils.hub.publishing import Publisher, PublishingError
from fairsum_utils.hub.remote import Remote, Repository, compare, digest

ABC = (
    3,
    "f2ba8f84ab5c1bce84a7b441cb1959cfc7093b7f",  # printf abc | git hash-object --stdin
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",  # printf abc | sha256sum
)


def test_bytes_and_files_have_the_same_digests(tmp_path: Path) -> None:
    (tmp_path / "abc").write_bytes(b"abc")
    assert digest(b"abc") == digest(tmp_path / "abc") == ABC


def test_what_publishing_makes_of_each_file() -> None:
    repository = Repository("fairsum/bold", "dataset")
    remote = Remote(repository, files={"a": ABC[1], "b.parquet": ABC[2], "c": "other", "old": "other"})
    contents = {"old": None, "new": b"", **dict.fromkeys(("a", "b.parquet", "c"), b"abc")}
    states = {"a": "unchanged", "b.parquet": "unchanged", "c": "changed", "new": "new", "old": "removed"}
    assert {file.path: file.state for file in compare(contents, remote)} == states
    unknown = compare({"a": b"abc"}, Remote(repository, is_known=False))
    assert unknown == (("a", "unknown", ABC[0], ABC[2]),)
    assert str(remote.taken("no card of fairsum")) == (
        "publish: the name fairsum/bold is taken by something else: the data set fairsum/bold holds a, b.parquet, c, "
        "old, but no card of fairsum; remove it, or name another namespace. Nothing was sent"
    )


def unreachable(hub: Any, patch: pytest.MonkeyPatch) -> None:
    patch.setattr("huggingface_hub.constants.ENDPOINT", "http://127.0.0.1:1")  # a port that nobody listens at


def no_token(hub: Any, patch: pytest.MonkeyPatch) -> None:
    patch.delenv("HF_TOKEN")


def broken_token(hub: Any, patch: pytest.MonkeyPatch) -> None:
    patch.setenv("HF_TOKEN", "hf_secret one")


def wrong_token(hub: Any, patch: pytest.MonkeyPatch) -> None:
    patch.setenv("HF_TOKEN", "hf_secret")


def outsider(hub: Any, patch: pytest.MonkeyPatch) -> None:
    patch.setenv("HF_TOKEN", "hf_outsider")


def outsider_of_a_space(hub: Any, patch: pytest.MonkeyPatch) -> None:
    patch.setenv("HF_TOKEN", "hf_outsider")
    hub.make("space", "fairsum/bur")


def with_echo(hub: Any, patch: pytest.MonkeyPatch) -> None:
    hub.fail("POST", "/commit/", 400, "cannot read Bearer hf_test of you")


def invalid_card(hub: Any, patch: pytest.MonkeyPatch) -> None:
    hub.fail("POST", "/validate-yaml", 400, "no such color")


@pytest.mark.parametrize(
    ("prepare", "message"),
    [
        (no_token, "there is no token of the Hub; log in with `hf auth login`, or set HF_TOKEN"),
        (broken_token, "the token of the Hub holds a blank"),
        (wrong_token, r"the Hub does not know the token \(401\); log in again .* nothing was sent"),
        (outsider, r"may not write to the Space fairsum/bur \(403\); use one with write permission in fairsum"),
        (outsider_of_a_space, r"may not write to the Space fairsum/bur \(403\).* stays as it was"),
        (unreachable, r"cannot reach the Hub at http://127.* \(Connect.*check the network"),
        (lambda hub, _: hub.fail("POST", "create", 409), r"the name of the Space fairsum/bur is taken .*\(409\)"),
        (lambda hub, _: hub.fail("POST", "create", 402), r"wants a paid plan for the Space fairsum/bur \(402\)"),
        (lambda hub, _: hub.fail("GET", "spaces", 500), r"the Hub failed \(500\); run the same command again"),
        (
            lambda hub, _: hub.fail("POST", "/commit/", 429, headers={"Retry-After": "55"}),
            r"no more requests for now \(429\); run the same command again in 55 seconds",
        ),
        (lambda hub, _: hub.fail("POST", "/commit/", 429), r"\(429\); run the same command again in a few minutes"),
        (with_echo, r"the Hub refuses \(400\): cannot read Bearer \*\*\* of you; the Space fairsum/bur was made but"),
        (invalid_card, "the Hub refuses: Invalid metadata in README.md"),
    ],
)
def test_errors_say_what_to_do_in_one_line_without_the_token(
    hub: Any,
    prepare: Callable[[Any, pytest.MonkeyPatch], None],
    message: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    prepare(hub, monkeypatch)
    for logger in ("fairsum_utils", "huggingface_hub"):
        caplog.set_level(logging.DEBUG, logger)
    with pytest.raises(PublishingError, match=message) as caught:
        Publisher().metrics(["bur"], package="https://example.org/fairsum.whl")
    text = str(caught.value)
    assert "\n" not in text
    assert text.startswith("publish: ")
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__ or caught.value.__context__ is None
    printed = "".join(capfd.readouterr())
    for secret in ("hf_test", "hf_secret", "hf_outsider"):
        assert secret not in text + caplog.text + printed
    if ("space", "fairsum/bur") in hub.repos:
        assert hub.commits("space", "fairsum/bur") == []
