"""A store that speaks S3 on this machine, as moto's server does, which counts what is fetched and can refuse."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Iterable
from typing import Any

from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import WSGIRequestHandler, make_server

REFUSAL = (
    b'<?xml version="1.0" encoding="UTF-8"?><Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>'
)


class _Silent(WSGIRequestHandler):
    def log(self, *_: Any) -> None:
        pass


class ObjectStore:
    """A server on the loopback.

    Attributes:
        url: of the server, for ``AWS_ENDPOINT_URL``.
        refused: methods that get "access denied".
        fetched: bytes that were sent in answer to GET.
        requests: method and path of each request.
    """

    def __init__(self) -> None:
        self.refused: set[str] = set()
        self.fetched = 0
        self.requests: list[tuple[str, str]] = []
        self._buckets = itertools.count()
        self._turn = threading.Lock()
        self._app = DomainDispatcherApplication(create_backend_app)
        self._server = make_server("127.0.0.1", 0, self._answer, threaded=True, request_handler=_Silent)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def _answer(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        method = environ["REQUEST_METHOD"]
        self.requests.append((method, environ["PATH_INFO"]))
        if method in self.refused:
            start_response(
                "403 Forbidden", [("Content-Type", "application/xml"), ("Content-Length", str(len(REFUSAL)))]
            )
            return [REFUSAL] if method != "HEAD" else []

        def start(status: str, headers: list[tuple[str, str]], *more: Any) -> Any:
            if method == "GET":
                self.fetched += int(dict(headers).get("Content-Length", 0))
            return start_response(status, headers, *more)

        with self._turn:  # as a store does, whose conditional writes are one step
            answer: Iterable[bytes] = self._app(environ, start)
        return answer

    def bucket(self) -> str:
        """The address of a new bucket."""
        import fsspec

        name = f"bucket-{next(self._buckets)}"
        fsspec.filesystem("s3").mkdir(name)
        return f"s3://{name}"

    def stop(self) -> None:
        """End it."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
