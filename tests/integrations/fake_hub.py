"""A stand-in of the Hub: enough of its HTTP API for the real clients, with repositories in memory.

Clients find it through ``HF_ENDPOINT``. It keeps blobs, commits and branches as git does, large files as the Hub does
(Parquet and wheels; everything else is a plain blob), lists every request it got, and fails where a test tells it to.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import http.server
import json
import re
import threading
import urllib.parse
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, NamedTuple

import yaml

TOKEN = "hf_test"
OUTSIDER = "hf_outsider"
# Token -> user and the organizations that the user writes to.
USERS = {TOKEN: ("tester", ("fairsum",)), OUTSIDER: ("outsider", ())}

# Files that the Hub keeps outside git.
_LARGE = (".parquet", ".whl")

# Entries of a page of a listing, so that clients have to ask for the next one.
PAGE = 3


class Blob(NamedTuple):
    """A file at a commit."""

    data: bytes
    large: bool

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.data).hexdigest()

    @property
    def pointer(self) -> bytes:
        """What git holds in the place of a large file."""
        text = f"version https://git-lfs.github.com/spec/v1\noid sha256:{self.sha256}\nsize {len(self.data)}\n"
        return text.encode()

    @property
    def oid(self) -> str:
        """Git's SHA-1."""
        stored = self.pointer if self.large else self.data
        return hashlib.sha1(b"blob %d\0" % len(stored) + stored).hexdigest()


class Commit(NamedTuple):
    """A state of a repository."""

    oid: str
    title: str
    files: dict[str, Blob]


@dataclass
class Repo:
    """A repository."""

    private: bool
    sdk: str | None
    commits: dict[str, Commit] = field(default_factory=dict)
    branches: dict[str, str] = field(default_factory=dict)
    # Branch -> titles of its commits, the latest one last.
    history: dict[str, list[str]] = field(default_factory=dict)

    def commit(self, branch: str, title: str, files: dict[str, Blob]) -> Commit:
        known = f"{branch}{title}{len(self.commits)}{sorted((path, blob.oid) for path, blob in files.items())}"
        made = Commit(hashlib.sha1(known.encode()).hexdigest(), title, files)
        self.commits[made.oid] = made
        self.branches[branch] = made.oid
        self.history.setdefault(branch, []).append(title)
        return made

    def at(self, revision: str) -> Commit | None:
        return self.commits.get(self.branches.get(revision, revision))


class Request(NamedTuple):
    """What a client asked."""

    method: str
    path: str


@dataclass
class Failure:
    """An answer in the place of the right one."""

    method: str
    pattern: str
    status: int
    message: str
    headers: Mapping[str, str]
    times: int
    before: Callable[[], None] | None


class HubError(Exception):
    """An answer that is an error."""

    def __init__(self, status: int, message: str, code: str | None = None, **headers: str) -> None:
        super().__init__(message)
        self.status, self.message = status, message
        self.headers = {"X-Error-Message": message, **({"X-Error-Code": code} if code else {}), **headers}


class FakeHub:
    """The repositories, and what is known of the requests."""

    def __init__(self) -> None:
        self.repos: dict[tuple[str, str], Repo] = {}
        self.stored: dict[str, bytes] = {}
        """Large files that were uploaded, in a commit or not."""
        self.requests: list[Request] = []
        self.failures: list[Failure] = []
        self.url = ""

    def make(self, kind: str, name: str, files: Mapping[str, bytes] | None = None, *, private: bool = False) -> Repo:
        """A repository with a first commit, as the Hub makes it."""
        first = {".gitattributes": Blob(b"*.parquet filter=lfs diff=lfs merge=lfs -text\n", False)}
        if kind == "space":
            first["README.md"] = Blob(f"---\ntitle: {name}\nsdk: gradio\n---\n".encode(), False)
        repo = Repo(private, "gradio" if kind == "space" else None)
        first |= {path: Blob(data, path.endswith(_LARGE)) for path, data in (files or {}).items()}
        repo.commit("main", "initial commit", first)
        self.repos[kind, name] = repo
        return repo

    def files(self, kind: str, name: str, revision: str = "main") -> dict[str, bytes]:
        """Path -> contents."""
        commit = self.repos[kind, name].at(revision)
        assert commit is not None
        return {path: blob.data for path, blob in commit.files.items()}

    def commits(self, kind: str, name: str, revision: str = "main") -> list[str]:
        """Titles of the commits but for the first one, which the Hub makes itself."""
        return self.repos[kind, name].history[revision][1:]

    def fail(
        self,
        method: str,
        pattern: str,
        status: int,
        message: str = "",
        *,
        headers: Mapping[str, str] | None = None,
        times: int = 1,
        before: Callable[[], None] | None = None,
    ) -> None:
        """Answer the first `times` requests that match with an error.

        `before` runs first; with the status 0 the request then gets its right answer.
        """
        self.failures.append(Failure(method, pattern, status, message, headers or {}, times, before))

    def asked(self, method: str, pattern: str) -> list[Request]:
        """The requests that match."""
        return [one for one in self.requests if one.method == method and re.search(pattern, one.path)]


@contextlib.contextmanager
def running() -> Iterator[FakeHub]:
    """Serve a Hub on a free port of this machine."""
    hub = FakeHub()
    handler = type("Handler", (_Handler,), {"hub": hub})
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        hub.url = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield hub
        finally:
            server.shutdown()
            thread.join()


_REPO = r"(?P<kind>model|dataset|space)s/(?P<name>[^/]+/[^/]+)"
_FILES = r"/(?:(?P<kind>dataset|space)s/)?(?P<name>[^/]+/[^/]+)"


class _Handler(http.server.BaseHTTPRequestHandler):
    """Each request is matched against `_ROUTES`; a route answers, or raises a `HubError`."""

    hub: FakeHub
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # headers and body are two small packets

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def _serve(self) -> None:
        parsed = urllib.parse.urlsplit(self.path)
        self.query = dict(urllib.parse.parse_qsl(parsed.query))
        path = parsed.path
        self.body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.hub.requests.append(Request(self.command, path))
        try:
            self._fail(path)
            for methods, pattern, route in _ROUTES:
                if self.command in methods and (match := re.fullmatch(pattern, path)):
                    groups = {key: urllib.parse.unquote(entry or "") for key, entry in match.groupdict().items()}
                    route(self, **groups)
                    return
            raise HubError(404, "Not Found")
        except HubError as error:
            self._json({"error": error.message}, error.status, error.headers)

    do_GET = do_HEAD = do_POST = do_PUT = _serve

    def _fail(self, path: str) -> None:
        for failure in self.hub.failures:
            if failure.method == self.command and re.search(failure.pattern, path) and failure.times:
                failure.times -= 1
                if failure.before:
                    failure.before()
                if failure.status:
                    message = failure.message or HTTPStatus(failure.status).phrase
                    raise HubError(failure.status, message, **failure.headers)

    def _send(self, data: bytes, status: int, headers: Mapping[str, str]) -> None:
        self.send_response(status)
        for key, entry in {"Content-Length": str(len(data)), **headers}.items():
            self.send_header(key, entry)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def _json(self, document: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> None:
        self._send(json.dumps(document).encode(), status, {"Content-Type": "application/json", **(headers or {})})

    def _user(self) -> tuple[str, tuple[str, ...]] | None:
        token = (self.headers.get("Authorization") or "").removeprefix("Bearer ")
        if token and token not in USERS:
            raise HubError(401, "Invalid credentials in Authorization header")
        return USERS.get(token)

    def _may_write(self, name: str) -> None:
        user = self._user()
        if user is None:
            raise HubError(401, "Invalid username or password.")
        if name.split("/")[0] not in (user[0], *user[1]):
            raise HubError(403, "you don't have the rights to do this")

    def _repo(self, kind: str, name: str) -> Repo:
        user = self._user()
        repo = self.hub.repos.get((kind, name))
        if repo is None or (repo.private and (user is None or name.split("/")[0] not in (user[0], *user[1]))):
            raise HubError(404 if user else 401, "Repository not found", "RepoNotFound")
        return repo

    def _commit(self, kind: str, name: str, revision: str) -> Commit:
        commit = self._repo(kind, name).at(revision or "main")
        if commit is None:
            raise HubError(404, f"Invalid rev id: {revision}", "RevisionNotFound")
        return commit

    def whoami(self) -> None:
        user = self._user()
        if user is None:
            raise HubError(401, "Invalid username or password.")
        orgs = [{"type": "org", "name": org} for org in user[1]]
        self._json({"type": "user", "name": user[0], "orgs": orgs, "auth": {"type": "access_token"}})

    def create(self) -> None:
        asked = json.loads(self.body)
        user = self._user()
        if user is None:
            raise HubError(401, "Invalid username or password.")
        name, kind = f"{asked['organization'] or user[0]}/{asked['name']}", asked.get("type", "model")
        self._may_write(name)
        if (kind, name) in self.hub.repos:
            raise HubError(409, f"You already created this {kind} repo")
        private = asked.get("visibility") == "private" or asked.get("private", False)
        self.hub.make(kind, name, private=private)
        self._json({"url": f"{self.hub.url}/{'' if kind == 'model' else kind + 's/'}{name}"})

    def info(self, kind: str, name: str, revision: str = "") -> None:
        repo, commit = self._repo(kind, name), self._commit(kind, name, revision)
        document = {
            "_id": "0",
            "id": name,
            "author": name.split("/")[0],
            "sha": commit.oid,
            "private": repo.private,
            "sdk": repo.sdk,
            "tags": [],
            "downloads": 0,
            "likes": 0,
            "siblings": [{"rfilename": path} for path in commit.files],
        }
        self._json(document, headers={"X-Repo-Commit": commit.oid})

    def tree(self, kind: str, name: str, revision: str, path: str = "") -> None:
        commit = self._commit(kind, name, revision)
        below = f"{path}/" if path else ""
        entries = _entries(commit, below, recursive=self.query.get("recursive", "").lower() in ("true", "1"))
        if path and not entries:
            raise HubError(404, f"{path} does not exist", "EntryNotFound")
        start = int(self.query.get("cursor", 0))
        headers = {}
        if start + PAGE < len(entries):
            query = urllib.parse.urlencode({**self.query, "cursor": start + PAGE})
            headers["Link"] = f'<{self.hub.url}{urllib.parse.urlsplit(self.path).path}?{query}>; rel="next"'
        self._json(entries[start : start + PAGE], headers=headers)

    def paths_info(self, kind: str, name: str, revision: str) -> None:
        commit = self._commit(kind, name, revision)
        if "json" in (self.headers.get("Content-Type") or ""):
            paths = json.loads(self.body)["paths"]
        else:
            paths = urllib.parse.parse_qs(self.body.decode())["paths"]
        entries = {entry["path"]: entry for entry in _entries(commit, "", recursive=True)}
        self._json([entries[path] for path in paths if path in entries])

    def refs(self, kind: str, name: str) -> None:
        branches = self._repo(kind, name).branches
        listed = [{"name": key, "ref": f"refs/heads/{key}", "targetCommit": oid} for key, oid in branches.items()]
        self._json({"branches": listed, "tags": [], "converts": []})

    def branch(self, kind: str, name: str, revision: str) -> None:
        self._may_write(name)
        repo = self._repo(kind, name)
        if revision in repo.branches:
            raise HubError(409, "Reference already exists")
        start = json.loads(self.body or b"{}").get("startingPoint", "main")
        repo.branches[revision] = self._commit(kind, name, start).oid
        repo.history[revision] = [*repo.history[start]]
        self._json({})

    def validate(self) -> None:
        content = json.loads(self.body)["content"]
        front = re.match(r"---\n(.*?)\n---", content, re.DOTALL)
        try:
            data = yaml.safe_load(front[1]) if front else {}
        except yaml.YAMLError as error:
            self._json({"errors": [{"message": str(error)}], "warnings": []}, 400)
            return
        problems = [{"message": '"sdk" is required'}] if "app_file" in data and "sdk" not in data else []
        self._json({"errors": problems, "warnings": []}, 400 if problems else 200)

    def preupload(self, kind: str, name: str, revision: str) -> None:
        self._may_write(name)
        there = self._commit(kind, name, revision).files
        files = []
        for file in json.loads(self.body)["files"]:
            blob = there.get(file["path"])
            large = file["path"].endswith(_LARGE)
            entry = {"path": file["path"], "uploadMode": "lfs" if large else "regular", "shouldIgnore": False}
            files.append({**entry, "oid": None if blob is None else blob.sha256 if large else blob.oid})
        self._json({"files": files})

    def lfs_batch(self, kind: str, name: str) -> None:
        self._may_write(name)
        objects = []
        for one in json.loads(self.body)["objects"]:
            upload = {"upload": {"href": f"{self.hub.url}/upload/{one['oid']}"}}
            objects.append({**one, **({} if one["oid"] in self.hub.stored else {"actions": upload})})
        self._json({"transfer": "basic", "objects": objects})

    def upload(self, sha256: str) -> None:
        if hashlib.sha256(self.body).hexdigest() != sha256:
            raise HubError(400, "the contents are not those of the oid")
        self.hub.stored[sha256] = self.body
        self._send(b"", 200, {})

    def commit(self, kind: str, name: str, revision: str) -> None:
        self._may_write(name)
        repo = self._repo(kind, name)
        if revision not in repo.branches:
            raise HubError(404, f"Invalid rev id: {revision}", "RevisionNotFound")
        head = repo.commits[repo.branches[revision]]
        files, title = dict(head.files), ""
        for line in self.body.splitlines():
            item = json.loads(line)
            key, entry = item["key"], item["value"]
            if key == "header":
                title = entry["summary"]
                if entry.get("parentCommit") not in (None, head.oid):
                    raise HubError(412, "A commit has happened since. Please refresh and try again.")
            elif key == "file":
                files[entry["path"]] = Blob(base64.b64decode(entry["content"]), False)
            elif key == "lfsFile":
                if entry["oid"] not in self.hub.stored:
                    raise HubError(400, f"the large file {entry['path']} was not uploaded")
                files[entry["path"]] = Blob(self.hub.stored[entry["oid"]], True)
            else:
                raise HubError(400, f"unknown key {key}")
        made = repo.commit(revision, title, files)
        url = f"{self.hub.url}/{'' if kind == 'model' else kind + 's/'}{name}/commit/{made.oid}"
        self._json({"success": True, "commitOid": made.oid, "commitUrl": url, "hookOutput": ""})

    def resolve(self, kind: str, name: str, revision: str, path: str) -> None:
        commit = self._commit(kind or "model", name, revision)
        if path not in commit.files:
            raise HubError(404, "Entry not found", "EntryNotFound", **{"X-Repo-Commit": commit.oid})
        blob = commit.files[path]
        headers = {"X-Repo-Commit": commit.oid, "ETag": f'"{blob.oid}"'}
        if blob.large:
            headers |= {"X-Linked-Etag": f'"{blob.sha256}"', "X-Linked-Size": str(len(blob.data))}
        self._send(blob.data, 200, headers)


def _entries(commit: Commit, below: str, *, recursive: bool) -> list[dict[str, Any]]:
    """A folder of a commit, as the Hub lists it."""
    entries: dict[str, dict[str, Any]] = {}
    for path, blob in sorted(commit.files.items()):
        if not path.startswith(below):
            continue
        *parents, _ = path.removeprefix(below).split("/")
        for depth in range(1, len(parents) + 1):
            folder = below + "/".join(parents[:depth])
            entries.setdefault(folder, {"type": "directory", "path": folder, "oid": "0" * 40, "size": 0})
        entry: dict[str, Any] = {"type": "file", "path": path, "oid": blob.oid, "size": len(blob.data)}
        if blob.large:
            entry["lfs"] = {"oid": blob.sha256, "size": len(blob.data), "pointerSize": len(blob.pointer)}
        entries[path] = entry
    return [entry for path, entry in entries.items() if recursive or "/" not in path.removeprefix(below)]


_ROUTES: list[tuple[tuple[str, ...], str, Callable[..., None]]] = [
    (("GET",), "/api/whoami-v2", _Handler.whoami),
    (("POST",), "/api/repos/create", _Handler.create),
    (("POST",), "/api/validate-yaml", _Handler.validate),
    (("GET",), f"/api/{_REPO}", _Handler.info),
    (("GET",), f"/api/{_REPO}/revision/(?P<revision>[^/]+)", _Handler.info),
    (("GET",), f"/api/{_REPO}/refs", _Handler.refs),
    (("GET",), f"/api/{_REPO}/tree/(?P<revision>[^/]+)(?:/(?P<path>.+))?", _Handler.tree),
    (("POST",), f"/api/{_REPO}/paths-info/(?P<revision>[^/]+)", _Handler.paths_info),
    (("POST",), f"/api/{_REPO}/branch/(?P<revision>[^/]+)", _Handler.branch),
    (("POST",), f"/api/{_REPO}/preupload/(?P<revision>[^/]+)", _Handler.preupload),
    (("POST",), f"/api/{_REPO}/commit/(?P<revision>[^/]+)", _Handler.commit),
    (("POST",), rf"{_FILES}\.git/info/lfs/objects/batch", _Handler.lfs_batch),
    (("PUT",), r"/upload/(?P<sha256>[0-9a-f]{64})", _Handler.upload),
    (("GET", "HEAD"), f"{_FILES}/resolve/(?P<revision>[^/]+)/(?P<path>.+)", _Handler.resolve),
]
