"""Get the released bundles of the page from npm: `python -m tests.web.vendor [PACKAGE[@VERSION]]..`.

Without a package it gets all of them in the versions of the table in `cli/serve/static/vendor/README.md`.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

import attrs

FOLDER = Path(__file__).parents[2] / "cli" / "serve" / "static" / "vendor"
_ROW = re.compile(
    r"^\| `(?P<file>[^`]+)` \| `(?P<source>[^`]+)` \| `(?P<package>[^`]+)` \| (?P<version>\S+) \| "
    r"(?P<licence>[^,|]+), `(?P<text>[^`]+)` \| `(?P<sha256>[0-9a-f]{64})` \|$",
    re.MULTILINE,
)


@attrs.frozen
class Bundle:
    """A row of the table: the file here and in the archive of the package, the licence with its text, and the hash."""

    file: str
    source: str
    package: str
    version: str
    licence: str
    text: str
    sha256: str

    def row(self) -> str:
        return (
            f"| `{self.file}` | `{self.source}` | `{self.package}` | {self.version} | {self.licence}, `{self.text}` | "
            f"`{self.sha256}` |"
        )


def bundles() -> list[Bundle]:
    return [Bundle(**found.groupdict()) for found in _ROW.finditer((FOLDER / "README.md").read_text("utf-8"))]


def hash_of(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def update(bundle: Bundle, version: str) -> Bundle:
    """Write a version of a bundle and its licence into the folder."""
    with tempfile.TemporaryDirectory() as made:
        command = ["npm", "pack", "--silent", f"{bundle.package}@{version}"]
        subprocess.run(command, cwd=made, check=True, stdout=subprocess.DEVNULL)
        (archive,) = Path(made).glob("*.tgz")
        with tarfile.open(archive) as packed:
            for name, target in ((bundle.source, bundle.file), ("LICENSE", bundle.text)):
                found = packed.extractfile(f"package/{name}")
                assert found is not None, name
                (FOLDER / target).write_bytes(found.read())
    return attrs.evolve(bundle, version=version, sha256=hash_of(FOLDER / bundle.file))


def main(wanted: list[str]) -> None:
    versions = dict(name.rpartition("@")[::2] if "@" in name[1:] else (name, "") for name in wanted)
    page = (FOLDER / "README.md").read_text("utf-8")
    for bundle in bundles():
        if not wanted or bundle.package in versions:
            page = page.replace(bundle.row(), update(bundle, versions.get(bundle.package) or bundle.version).row())
    (FOLDER / "README.md").write_text(page, "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
