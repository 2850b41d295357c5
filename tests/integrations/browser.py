"""A page in headless Chromium, driven over a pipe by the DevTools protocol: what a person would see and do."""

from __future__ import annotations

import base64
import fcntl
import json
import os
import select
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

__all__ = ["Page", "browser", "find_browser"]

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
NO_NETWORK = "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
PATIENCE = 30
"""Seconds to wait for anything."""


def find_browser() -> str | None:
    """Where Chromium is, if it is installed."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class Page:
    """A tab.

    Args:
        send: writes a message to the browser.
        receive: its next message; None if the time is up.

    Attributes:
        asked: hosts that the page asked for anything, other than by ``data:`` and ``blob:`` addresses.
        errors: exceptions in the page that nothing caught.
    """

    def __init__(
        self, send: Callable[[dict[str, Any]], None], receive: Callable[[float], dict[str, Any] | None]
    ) -> None:
        self._send, self._receive = send, receive
        self._session: str | None = None
        self._number = 0
        self.asked: set[str] = set()
        self.errors: list[str] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **parameters: Any) -> Any:
        """The answer to a command."""
        self._number += 1
        session = {"sessionId": self._session} if self._session else {}
        self._send({"id": self._number, "method": method, "params": parameters, **session})
        end = time.monotonic() + PATIENCE
        while (message := self._receive(end)) is not None:
            if message.get("id") == self._number:
                assert "result" in message, message
                return message["result"]
            self._note(message)
        raise AssertionError(f"the browser does not answer {method}")

    def evaluate(self, script: str) -> Any:
        """The value of a JavaScript expression."""
        return self.call("Runtime.evaluate", expression=script, returnByValue=True)["result"].get("value")

    def text(self) -> str:
        """What a person can read."""
        # Text that is typed in is no text of the document.
        typed = "[...document.querySelectorAll('input, textarea')].map(field => field.value)"
        return str(self.evaluate(f"[document.body.innerText, ...{typed}].join('\\n')"))

    def wait_for(self, text: str, press: str | None = None) -> str:
        """What can be read once `text` is in it; until then a button is pressed, for it may not be ready at first."""
        end = time.monotonic() + PATIENCE
        button = f"[...document.querySelectorAll('button')].find(button => button.innerText === {press!r})"
        while text not in (found := self.text()):
            assert time.monotonic() < end, f"{text!r} is not on the page: {found}; {self.errors}"
            if press:
                self.evaluate(f"{button}?.click()")
            time.sleep(1 if press else 0.1)
        return found

    def screenshot(self, path: Path) -> None:
        """Save the whole page as PNG."""
        picture = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True)
        path.write_bytes(base64.b64decode(picture["data"]))

    def _note(self, event: dict[str, Any]) -> None:
        if event.get("method") == "Network.requestWillBeSent":
            address = urlsplit(event["params"]["request"]["url"])
            if address.scheme not in ("data", "blob"):
                self.asked.add(address.hostname or "")
        elif event.get("method") == "Runtime.exceptionThrown":
            self.errors.append(str(event["params"]["exceptionDetails"]))


@contextmanager
def browser(program: str, profile: Path) -> Iterator[Page]:
    """A browser that reaches 127.0.0.1 and nothing else.

    Args:
        program: the browser.
        profile: folder that it may fill.
    """
    # Chromium reads commands from file 3 and answers on file 4. Ends of those numbers would get in each other's way, so
    # copies are handed over; both pipes stay open until then, so that 3 and 4 are taken and nobody else gets them.
    to_browser, answers = os.pipe(), os.pipe()
    theirs = [fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in (to_browser[0], answers[1])]

    def connect() -> None:
        for number, end in enumerate(theirs, start=3):
            os.dup2(end, number)

    arguments = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--no-first-run",
        "--remote-debugging-pipe",
        "--window-size=1200,900",
        f"--host-resolver-rules={NO_NETWORK}",
        "--no-proxy-server",
        f"--user-data-dir={profile}",
    ]
    process = subprocess.Popen(
        [program, *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        pass_fds=(3, 4),
        preexec_fn=connect,
    )
    for end in (*theirs, to_browser[0], answers[1]):
        os.close(end)
    held = b""

    def send(message: dict[str, Any]) -> None:
        os.write(to_browser[1], json.dumps(message).encode() + b"\0")

    def receive(end: float) -> dict[str, Any] | None:
        nonlocal held
        while b"\0" not in held:
            ready, _, _ = select.select([answers[0]], [], [], max(0.0, end - time.monotonic()))
            if not ready or not (read := os.read(answers[0], 1 << 20)):
                return None
            held += read
        message, _, held = held.partition(b"\0")
        parsed: dict[str, Any] = json.loads(message)
        return parsed

    try:
        yield Page(send, receive)
    finally:
        process.kill()
        process.wait()
        os.close(to_browser[1])
        os.close(answers[0])
