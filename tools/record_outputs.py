"""Record what every command and public call gives, for `tests/golden/test_outputs.py`.

    python tools/record_outputs.py                    whatever is not as recorded
    python tools/record_outputs.py --words            only what people read; numbers must be as recorded
    python tools/record_outputs.py score/text gate    these cases, or all of a group

It records sameness, not correctness: look at the difference before you commit it.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.golden.net import OUTPUTS, Net, case_names, path_of, same, written  # noqa: E402

KINDS = ("numbers", "words")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", nargs="*", help="cases or groups (default: all)")
    for kind in KINDS:
        parser.add_argument(f"--{kind}", action="store_true", help=f"record only {kind}")
    options = parser.parse_args()
    kinds = [kind for kind in KINDS if getattr(options, kind)] or list(KINDS)
    chosen = [name for name in case_names() if not options.cases or {name, name.partition("/")[0]} & {*options.cases}]
    with tempfile.TemporaryDirectory() as folder:
        net = Net(Path(folder))
        for name in chosen:
            found = net.run(name)
            for kind in kinds:
                if not same(name, kind, found):
                    _record(path_of(name, kind), written(found, kind))
        net.close()
    if not options.cases:
        _remove_others({path_of(name, kind) for name in chosen for kind in KINDS})
    return 0


def _record(path: Path, text: str) -> None:
    if not text:
        path.unlink()
        print("removed", path.relative_to(ROOT))
        return
    print("changed" if path.exists() else "new", path.relative_to(ROOT))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _remove_others(kept: set[Path]) -> None:
    for path in sorted({*OUTPUTS.rglob("*.*")} - kept):
        print("removed", path.relative_to(ROOT))
        path.unlink()


if __name__ == "__main__":
    sys.exit(main())
