"""Get the released bundles of the page from npm: `python -m tests.web.vendor [PACKAGE[@VERSION]]..`.

Without a package it gets all of them in the versions of the tables in the `README.md` of both folders: `FOLDER` for the
table in the browser, `REPORTS` for report pages.
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

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "cli" / "serve" / "static" / "vendor"
REPORTS = ROOT / "interpreter" / "simulate" / "vendor"
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


def bundles(folder: Path = FOLDER) -> list[Bundle]:
    return [Bundle(**found.groupdict()) for found in _ROW.finditer((folder / "README.md").read_text("utf-8"))]


def hash_of(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def update(bundle: Bundle, version: str, folder: Path = FOLDER) -> Bundle:
    """Write a version of a bundle, and its licence where the archive has it, into a folder."""
    with tempfile.TemporaryDirectory() as made:
        command = ["npm", "pack", "--silent", f"{bundle.package}@{version}"]
        subprocess.run(command, cwd=made, check=True, stdout=subprocess.DEVNULL)
        (archive,) = Path(made).glob("*.tgz")
        with tarfile.open(archive) as packed:
            for name, target in ((bundle.source, bundle.file), ("LICENSE", bundle.text)):
                if name == "LICENSE" and f"package/{name}" not in packed.getnames():
                    assert (folder / target).exists(), target
                    continue
                found = packed.extractfile(f"package/{name}")
                assert found is not None, name
                (folder / target).write_bytes(found.read())
    return attrs.evolve(bundle, version=version, sha256=hash_of(folder / bundle.file))


def main(wanted: list[str]) -> None:
    versions = dict(name.rpartition("@")[::2] if "@" in name[1:] else (name, "") for name in wanted)
    for folder in (FOLDER, REPORTS):
        page = (folder / "README.md").read_text("utf-8")
        for bundle in bundles(folder):
            if not wanted or bundle.package in versions:
                version = versions.get(bundle.package) or bundle.version
                page = page.replace(bundle.row(), update(bundle, version, folder).row())
        (folder / "README.md").write_text(page, "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
