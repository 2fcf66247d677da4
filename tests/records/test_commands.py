"""`export_match`, `verify_record` and `import_record`: files in, files out, exit status, and what they say."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import tracemalloc
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.core.management import CommandError, call_command

from accounts.models import User
from games import archive, record
from games.engine.seats import Seat
from games.models import GameEvent, Match, MatchSeat, Room
from games.record import Record
from games.services import records
from tests.records.given import TEXT, changed, rechained, stored, text_of
from tests.records.mutations import drop, put, swapped
from tests.services.past import running_match
from tests.site_process import ROOT

pytestmark = pytest.mark.django_db

MATCH = stored().match


def run(name: str, *args: object, **options: Any) -> tuple[str, str]:
    """Return what a command printed, and what it failed with."""
    out = io.StringIO()
    try:
        call_command(name, *[str(arg) for arg in args], stdout=out, **options)
    except CommandError as error:
        return out.getvalue(), str(error)
    return out.getvalue(), ""


def known_here(sound: Record) -> Match:
    """The match of a record as if it had been played here."""
    records.take_in(sound)
    Match.objects.filter(pk=sound.match).update(is_imported=False)
    return Match.objects.get(pk=sound.match)


def file_of(folder: Path, *forged: Record) -> Path:
    path = folder / "records.jsonl"
    path.write_bytes(b"".join(map(text_of, forged)))
    return path


def test_given_a_match_known_here_then_its_record_goes_out_and_verifies(tmp_path: Path) -> None:
    # given
    known_here(stored())
    path = tmp_path / "match.json"
    # when
    printed, _ = run("export_match", MATCH)
    assert run("export_match", MATCH, output=str(path)) == ("", "")
    # then
    assert record.read(path.read_bytes()) == record.read(printed.encode()) == stored()
    assert run("verify_record", path) == (f"{path}, line 1: match {MATCH}: verified\n", "")
    assert run("verify_record", path, "--quiet") == ("", "")


def test_given_several_matches_then_all_that_are_over_go_out_one_a_line() -> None:
    # given
    known_here(stored())
    other = Match.objects.create(room=Room.objects.create(), status=Match.Status.VOID)
    GameEvent.objects.create(match=other, sequence=1, schema=1, payload={"type": "match_ended", "winner": None})
    running = running_match({Seat.SOUTH: User.objects.create_guest()})
    # when
    printed, _ = run("export_match", "--all-finished")
    # then
    assert str(running.pk) not in printed
    assert {json.loads(line)["match"] for line in printed.splitlines()} == {str(MATCH), str(other.pk)}


def test_given_a_match_that_runs_or_is_none_then_nothing_goes_out(tmp_path: Path) -> None:
    # given
    match = known_here(stored())
    Match.objects.filter(pk=match.pk).update(status=Match.Status.RUNNING)
    path = tmp_path / "match.json"
    # then
    for match_id in (MATCH, uuid4()):
        out, error = run("export_match", match_id, output=str(path))
        assert out == ""
        assert error == f"There is no match {match_id} that is over. Nothing was written."
        assert not path.exists()
    assert run("export_match", "--all-finished") == ("", "")
    assert run("export_match")[1] == "Give the ids of matches, or --all-finished."
    # and of a record of it only that much is said
    out, _ = run("verify_record", file_of(tmp_path, stored()))
    assert "not the match that is known here: the match with this id is still being played here" in out
    assert "event" not in out


def test_given_a_file_that_cannot_be_written_then_it_is_told(tmp_path: Path) -> None:
    known_here(stored())
    assert "cannot be written" in run("export_match", MATCH, output=str(tmp_path))[1]


def test_given_records_of_every_kind_then_each_gets_a_line(tmp_path: Path) -> None:
    # given
    known_here(stored())
    elsewhere = rechained(Record(UUID(int=1), stored().events[:1], ""))
    path = file_of(
        tmp_path,
        stored(),
        rechained(changed(stored(), put("match_started", 0, "rules.litige", "fail"))),
        rechained(changed(stored(), put("deal_started", 1, "deck", swapped))),
        changed(stored(), drop("card_played", 9)),
        elsewhere,
    )
    # when
    out, error = run("verify_record", path)
    # then
    lines = [line.removeprefix(f"{path}, ") for line in out.splitlines()]
    departs = "it differs from the match that is known here at event"
    assert lines[0] == f"line 1: match {MATCH}: verified"
    assert lines[1] == f"line 2: match {MATCH}: not the match that is known here: {departs} 1"
    assert lines[2].startswith(f"line 3: match {MATCH}: faulty: event 54, deal 2: the deck does not follow from")
    assert lines[2].endswith(f"; {departs} 54")
    assert lines[3].startswith(f"line 4: match {MATCH}: faulty: event 22, deal 1, trick 3: the chain breaks here")
    assert lines[3].endswith(f"West moves, and South is on turn (R2.1); {departs} 22")
    assert lines[4] == f"line 5: match {UUID(int=1)}: faulty: event 1: the record ends, and the match is not over"
    assert error == "4 of 5 records did not verify."
    assert len(run("verify_record", path, "--quiet")[0].splitlines()) == 4


def test_given_a_record_that_nobody_here_knows_then_its_origin_is_unproven(tmp_path: Path) -> None:
    # given
    path = tmp_path / "match.json"
    path.write_bytes(TEXT)
    # then
    expected = (f"{path}: match {MATCH}: consistent, origin unproven\n", "")
    assert run("verify_record", path) == expected
    # and an import of it proves nothing
    run("import_record", path)
    assert "consistent, origin unproven: it was imported here, which proves nothing" in run("verify_record", path)[0]


def test_given_records_that_come_in_then_they_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\n" + text_of(stored()) + b" \n{}\n")))
    out, _ = run("verify_record", "-")
    assert out.splitlines()[0] == f"standard input, line 2: match {MATCH}: consistent, origin unproven"
    assert out.splitlines()[1].startswith("standard input, line 4: faulty: this is no record of a match")


def test_given_files_that_are_damaged_or_not_there_then_each_is_told_and_nothing_breaks(tmp_path: Path) -> None:
    # given
    contents = {
        "empty": b"",
        "blank": b"\n\n  \n",
        "cut": text_of(stored())[:-1000],
        "deep": b"[" * 200_000,
        "binary": bytes(range(256)) * 40,
        "digits": b'{"version": ' + b"9" * 6000 + b"}",
    }
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    names = [tmp_path / name for name in (*contents, "a" * 300, "missing")]
    # when
    command = [sys.executable, "manage.py", "verify_record", *map(str, names), str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    # then
    assert done.returncode == 1
    assert "Traceback" not in done.stdout + done.stderr
    lines = done.stdout.splitlines()
    assert [line.split(": ")[0].removesuffix(", line 1") for line in lines] == [*map(str, names), str(tmp_path)]
    assert all(": faulty: " in line for line in lines)
    assert "No such file" in lines[-2]
    assert "File name too long" in lines[-3]
    assert "9 of 9 records did not verify." in done.stderr


def test_given_no_database_or_nobody_who_reads_on_then_that_is_told(tmp_path: Path) -> None:
    # given
    path = file_of(tmp_path, stored())
    nowhere = {**os.environ, "BELOTE_DB": str(tmp_path / "none.sqlite3"), "DATABASE_URL": ""}
    command = [sys.executable, "manage.py", "verify_record", str(path)]
    # when
    done = subprocess.run(command, cwd=ROOT, env=nowhere, capture_output=True, text=True)
    # then
    assert done.returncode == 1
    assert "run manage.py migrate" in done.stderr
    assert "Traceback" not in done.stderr
    # when its output, which is long, goes into a pipe that is closed at its other end
    path.write_bytes(b"{}\n" * 5000)
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(command, cwd=ROOT, env=nowhere, stdout=writer, stderr=subprocess.PIPE, text=True)
    os.close(writer)
    # then
    assert done.returncode == 1
    assert "Nobody reads on" in done.stderr
    assert "Traceback" not in done.stderr


def test_given_a_line_without_end_then_it_is_passed_over_in_little_memory(tmp_path: Path) -> None:
    # given a hole of 100 MB, which takes no room on the disk
    path = tmp_path / "records.jsonl"
    with path.open("wb") as file:
        file.truncate(100_000_000)
        file.seek(0, io.SEEK_END)
        file.write(b"\n" + text_of(stored()))
    # when
    tracemalloc.start()
    out, _ = run("verify_record", path)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    # then
    assert out.splitlines()[0].endswith("line 1: faulty: a record has at most 4 MiB, this is longer.")
    assert out.splitlines()[1].endswith(
        "line 2: match 00010203-0405-0607-0809-0a0b0c0d0e0f: consistent, origin unproven"
    )
    assert most < 40_000_000


def test_given_a_long_file_then_a_bar_shows_how_far_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    # given
    path = tmp_path / "records.jsonl"
    path.write_bytes((b'{"format": "' + b"x" * 2000 + b'"}\n') * 1000)
    # when
    out, error = run("verify_record", path, "--quiet")
    # then
    assert error == "1000 of 1000 records did not verify."
    assert len(out.splitlines()) == 1000
    bar = capsys.readouterr().err.splitlines()
    assert len(bar) == 10
    assert bar[-1] == f"{path.stat().st_size}/{path.stat().st_size} bytes, 1000 records"


def test_given_a_sound_record_then_the_match_is_here_marked_and_counts_nowhere(tmp_path: Path) -> None:
    # given
    path = tmp_path / "match.json"
    path.write_bytes(TEXT)
    # when
    out, error = run("import_record", path)
    # then
    assert out == f"{path}: match {MATCH}: imported, /replay/{MATCH}/\n1 imported, 0 here already.\n"
    assert error == ""
    match = Match.objects.get(pk=MATCH)
    assert match.is_imported
    assert (match.status, match.version, match.record_head) == (Match.Status.WON, 273, stored().head)
    assert match.ended_at is not None
    assert match.room.closed_at is not None
    assert not match.room.has_spectators
    assert match.room.rules.target == 501
    seats = MatchSeat.objects.filter(match=match).order_by("seat")
    assert [seat.level for seat in seats] == ["", "easy", "", "normal"]
    assert not seats.exclude(user=None, person=None, outcome="", is_playing=False).exists()
    # and its record is the one that was brought
    assert archive.record_of(MATCH) == stored()


def test_given_a_record_that_is_here_already_then_nothing_changes(tmp_path: Path) -> None:
    # given
    path = file_of(tmp_path, stored(), stored())
    # when
    out, error = run("import_record", path)
    # then
    assert [line.partition(f"{MATCH}: ")[2] for line in out.splitlines()[:2]] == [
        f"imported, /replay/{MATCH}/",
        "here already",
    ]
    assert error == ""
    assert Match.objects.count() == Room.objects.count() == 1


def test_given_records_that_are_faulty_or_differ_then_they_are_refused_and_others_come_in(tmp_path: Path) -> None:
    # given
    match = known_here(stored())
    Match.objects.filter(pk=match.pk).update(record_head="0" * 64)
    path = file_of(tmp_path, changed(stored(), drop("card_played", 9)), stored())
    # when
    out, error = run("import_record", path, "--quiet")
    # then
    lines = out.splitlines()
    assert "refused: faulty: event 22, deal 1, trick 3" in lines[0]
    assert "refused: not the match that is known here: its events are those" in lines[1]
    assert error == "2 of 2 records were refused."
    assert not Match.objects.get(pk=MATCH).is_imported
    # and a file that is none at all is one refused record
    path.write_bytes(b"no record")
    assert run("import_record", path)[1] == "1 of 1 records were refused."
