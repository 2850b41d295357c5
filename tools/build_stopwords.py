"""Build stopwords.txt.gz from NLTK's stop-word lists.

python tools/build_stopwords.py path/to/stopwords.zip
"""

from __future__ import annotations

import sys
import zipfile

from _common import write_table


def main(path: str) -> None:
    """Write `language<TAB>word` lines, every list in its published order."""
    lines = []
    with zipfile.ZipFile(path) as archive:
        for name in sorted(archive.namelist()):
            language = name.rsplit("/", 1)[-1]
            if language and language != "README":
                words = archive.read(name).decode("utf-8").splitlines()
                lines += [f"{language}\t{word}" for word in words if word.strip()]
    write_table("stopwords.txt.gz", lines)


if __name__ == "__main__":
    main(sys.argv[1])
