"""Addresses of servers: an empty one is a mistake and never means another, and what is refused is not quoted."""

from __future__ import annotations

import pytest

from fairsum_utils.errors import InputError
from fairsum_utils.io.addresses import check_address, check_hub, is_this_machine, named_address


@pytest.mark.parametrize(
    ("address", "taken"),
    [
        ("https://api.openai.com/v1", "https://api.openai.com/v1"),
        ("http://localhost:8000/v1/", "http://localhost:8000/v1"),
        ("http://[::1]:8000", "http://[::1]:8000"),
        (" https://a.org/v1\n", "https://a.org/v1"),
    ],
)
def test_addresses_that_are_taken(address: str, taken: str) -> None:
    assert check_address("x", address) == taken


@pytest.mark.parametrize("address", ["", " ", "\n", "\t"])
def test_an_empty_address_is_an_error(address: str) -> None:
    with pytest.raises(InputError, match=r"^x: base_url is empty; give an address such as .*, or leave it out$"):
        check_address("x: base_url", address)


@pytest.mark.parametrize(
    "address",
    [
        "localhost:8000", "ftp://host/v1", "file:///etc/passwd", "gopher://host", "http://", "https:///v1",
        "http://a b/",
        "http://me:secret@host/v1", "https://host/?key=secret", "https://@host", "http://host#secret", "http://host:x/",
        "http://host:99999/", "http://ho\nst/", "http://ho\x00st/", "http://[::1", "javascript:alert(1)", "//host/v1",
        3, None, b"http://host", [], "\ud800",
    ],
)  # fmt: skip
def test_what_is_no_address_is_one_line_that_quotes_no_secret(address: object) -> None:
    with pytest.raises(InputError, match=r"^x must be an address such as ") as caught:
        check_address("x", address)
    assert "secret" not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_http_is_for_this_machine() -> None:
    for address in ("http://127.0.0.1:1", "http://127.8.0.1", "http://LOCALHOST.:80/v1", "https://a.org"):
        assert check_address("x", address)
    for address in ("http://a.org", "http://10.0.0.1", "http://localhost.a.org", "http://127.0.0.1.a.org"):
        with pytest.raises(InputError, match=r"address of http on another machine, where keys and texts can be read"):
            check_address("x", address)
        assert check_address("x", address, keyless=True) == address


def test_this_machine() -> None:
    assert [is_this_machine(host) for host in ("::1", "localhost", "0.0.0.0", "a.org", "")] == [
        True, True, False, False, False,
    ]  # fmt: skip


def test_one_named_then_the_variable_then_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SOME_URL", raising=False)
    assert named_address("x", None, "SOME_URL", "https://default") == "https://default"
    monkeypatch.setenv("SOME_URL", "https://set")
    assert named_address("x", None, "SOME_URL", "https://default") == "https://set"
    assert named_address("x", "https://named", "SOME_URL", "https://default") == "https://named"
    for empty in ("", "  "):
        monkeypatch.setenv("SOME_URL", empty)
        with pytest.raises(InputError, match=r"x, from \$SOME_URL, is empty"):
            named_address("x", None, "SOME_URL", "https://default")
    with pytest.raises(InputError, match=r"x is empty"):
        named_address("x", "", "SOME_URL", "https://default")


@pytest.mark.parametrize("address", ["", "hf.co", "https://me:secret@hf.co"])
def test_the_address_of_the_hub(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", address)
    with pytest.raises(InputError, match=r"^publish: the address of the Hub, from \$HF_ENDPOINT, ") as caught:
        check_hub("publish")
    assert "secret" not in str(caught.value)
    monkeypatch.delenv("HF_ENDPOINT")
    check_hub("publish")
