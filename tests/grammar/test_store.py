"""What is kept under the cache folder is the user's own, whole, and not too much; and nothing there ever fails."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from threading import Thread

import pytest

from grammar import store
from grammar.fingerprint import stamps_of

pytestmark = pytest.mark.skipif(not store.KNOWS_OWNERS, reason="files have no owners here")


def test_what_is_written_is_read(cache: Path) -> None:
    assert store.read("one.x") is None
    store.write("one.x", b"first", 4)
    store.write("one.x", b"second", 4)
    assert store.read("one.x") == b"second"
    assert [path.name for path in cache.iterdir()] == ["one.x"]


def test_nobody_else_can_read_or_write_it(cache: Path) -> None:
    store.write("one.x", b"mine", 4)
    assert cache.stat().st_mode & 0o777 == 0o700
    assert (cache / "one.x").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
def test_a_file_that_others_can_write_is_not_read(cache: Path, mode: int) -> None:
    store.write("one.x", b"mine", 4)
    (cache / "one.x").chmod(mode)
    assert store.read("one.x") is None
    store.write("one.x", b"mine again", 4)
    assert store.read("one.x") == b"mine again"


@pytest.mark.parametrize("mode", [0o770, 0o707, 0o777])
def test_a_folder_that_others_can_write_is_left_alone(cache: Path, mode: int) -> None:
    store.write("one.x", b"mine", 4)
    cache.chmod(mode)
    assert store.read("one.x") is None
    store.write("two.x", b"mine", 4)
    assert not (cache / "two.x").exists()


def test_a_folder_of_another_user_is_left_alone(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store.write("one.x", b"another's", 4)
    other = os.geteuid() + 1
    monkeypatch.setattr(os, "geteuid", lambda: other)
    assert store.read("one.x") is None
    store.write("two.x", b"mine", 4)
    assert not (cache / "two.x").exists()


def test_a_file_of_another_user_in_the_users_own_folder_is_not_read(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.write("one.x", b"another's", 4)
    number = (cache / "one.x").stat().st_ino
    asked = os.fstat

    def given_away(handle: int) -> os.stat_result:
        status = list(asked(handle))
        status[4] += status[1] == number
        return os.stat_result(status)

    monkeypatch.setattr(os, "fstat", given_away)
    assert store.read("one.x") is None


def test_a_link_is_not_followed(cache: Path, tmp_path: Path) -> None:
    store.write("one.x", b"mine", 4)
    aside = tmp_path / "aside"
    (cache / "one.x").rename(aside)
    (cache / "one.x").symlink_to(aside)
    assert store.read("one.x") is None
    store.write("one.x", b"new", 4)
    assert (store.read("one.x"), aside.read_bytes()) == (b"new", b"mine"), "the link is replaced, not what it leads to"


def test_a_file_without_an_end_is_read_no_further_than_any_that_is_kept(cache: Path) -> None:
    store.write("one.x", b"mine", 4)
    os.truncate(cache / "one.x", 40_000_000_000)
    assert store.read("one.x") is None


def test_a_folder_that_is_a_link_is_left_alone(cache: Path, tmp_path: Path) -> None:
    store.write("one.x", b"mine", 4)
    cache.rename(tmp_path / "aside")
    cache.symlink_to(tmp_path / "aside")
    assert store.read("one.x") is None
    store.write("two.x", b"mine", 4)
    assert not (tmp_path / "aside" / "two.x").exists()


def test_what_is_no_file_is_not_read(cache: Path) -> None:
    store.write("one.x", b"mine", 4)
    (cache / "two.x").mkdir()
    os.mkfifo(cache / "three.x")
    assert (store.read("two.x"), store.read("three.x")) == (None, None)


def test_a_file_where_the_folder_should_be_is_no_mishap(cache: Path) -> None:
    cache.parent.mkdir()
    cache.write_text("in the way")
    store.write("one.x", b"mine", 4)
    assert store.read("one.x") is None
    assert cache.read_text() == "in the way"


@pytest.mark.parametrize("call", ["replace", "open", "mkdir", "listdir"])
@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EACCES])
def test_where_nothing_can_be_written_nothing_is_left(
    cache: Path, monkeypatch: pytest.MonkeyPatch, call: str, number: int
) -> None:
    def refuse(*_args: object, **_more: object) -> None:
        raise OSError(number, os.strerror(number))

    with monkeypatch.context() as patch:
        patch.setattr(os, call, refuse)
        store.write("one.x", b"mine", 4)
    assert [path.name for path in cache.glob("*")] in ([], ["one.x"]), "nothing is half written"
    store.write("one.x", b"mine", 4)
    assert store.read("one.x") == b"mine"


def test_a_disk_that_is_full_in_the_middle_of_a_file_leaves_the_old_one(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.write("one.x", b"old", 4)

    class Full:
        def __init__(self, handle: int) -> None:
            self.handle = handle

        def __enter__(self) -> Full:
            return self

        def __exit__(self, *_error: object) -> None:
            pass

        def write(self, data: bytes) -> None:
            os.write(self.handle, data[:2])
            raise OSError(errno.ENOSPC, "no space is left")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fdopen", lambda handle, _mode, **_rest: Full(handle))
        store.write("one.x", b"newer", 4)
    assert [path.name for path in cache.iterdir()] == ["one.x"]
    assert store.read("one.x") == b"old"


def test_several_that_write_at_once_leave_one_of_their_files_whole(cache: Path) -> None:
    texts = [bytes([letter]) * 50_000 for letter in b"abcd"]

    def write_often(text: bytes) -> None:
        for _ in range(20):
            store.write("one.x", text, 4)

    writers = [Thread(target=write_often, args=(text,)) for text in texts]
    store.write("one.x", texts[0], 4)
    for writer in writers:
        writer.start()
    seen = [store.read("one.x") for _ in range(200)]
    for writer in writers:
        writer.join()
    assert {*seen, store.read("one.x")} <= set(texts)
    assert [path.name for path in cache.iterdir()] == ["one.x"]


def test_the_least_recently_used_entries_are_removed(cache: Path) -> None:
    for number in range(4):
        store.write(f"{number}.x", b"x", 4)
        os.utime(cache / f"{number}.x", (number, number))
    store.write("other.y", b"y", 4)
    assert store.read("0.x") == b"x"
    store.write("new.x", b"x", 3)
    assert sorted(path.name for path in cache.iterdir()) == ["0.x", "3.x", "new.x", "other.y"]


def test_what_unfinished_writing_has_left_goes_after_a_while(cache: Path) -> None:
    store.write("one.x", b"x", 4)
    (cache / ".new-1-left").write_bytes(b"half")
    (cache / ".new-2-young").write_bytes(b"half")
    os.utime(cache / ".new-1-left", (1, 1))
    store.write("one.x", b"x", 4)
    assert sorted(path.name for path in cache.iterdir()) == [".new-2-young", "one.x"]


def test_storing_can_be_turned_off(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store.write("one.x", b"x", 4)
    monkeypatch.setenv("CARDGAME_CACHE", "off")
    assert store.read("one.x") is None
    store.write("two.x", b"x", 4)
    assert [path.name for path in cache.iterdir()] == ["one.x"]


def test_a_place_that_is_relative_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CARDGAME_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", "here")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert store.cache_folder() == tmp_path / ".cache" / "cardgame"


def test_tests_keep_nothing_where_their_user_does() -> None:
    place = store.cache_folder()
    assert place is not None
    assert place.parent.name.startswith("cardgame-tests-")


def test_a_source_that_is_changed_in_any_way_has_another_stamp(tmp_path: Path) -> None:
    (tmp_path / "inside").mkdir()
    file = tmp_path / "inside" / "one.py"
    file.write_text("a = 1\n")
    (tmp_path / "notes.txt").write_text("no source")
    before = stamps_of([str(tmp_path)])
    assert [stamp[0] for stamp in before] == [str(file)]
    assert stamps_of([str(tmp_path)]) == before
    status = file.stat()
    other = tmp_path / "other"
    other.write_text("a = 2\n")
    os.utime(other, ns=(status.st_atime_ns, status.st_mtime_ns))
    other.replace(file)
    assert stamps_of([str(tmp_path)]) != before, "also with the same size and the same time"


def test_sources_that_cannot_be_looked_at_have_no_stamps(tmp_path: Path) -> None:
    assert stamps_of([str(tmp_path / "not_there")]) == ()
