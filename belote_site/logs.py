"""Log lines: one JSON object each, so that no name or address can start a line of its own."""

import json
import logging
import traceback
from datetime import UTC, datetime
from types import TracebackType


class JsonLineFormatter(logging.Formatter):
    """Writes time, level, logger and message, and for an exception its type and where it came from.

    The message of an exception is left out: a database error quotes the row, and the row may be a deck.
    """

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": _message(record),
        }
        if record.exc_info and record.exc_info[1]:
            line |= _where(record.exc_info[1])
        # Escaping all but ASCII also disarms the control characters that terminals obey.
        return json.dumps(line, ensure_ascii=True)


class NoAbandonedPages(logging.Filter):
    """Leaves out that a browser went away while its page was made, which Django 6.1 reports as an error of the program.

    What Django tidies up then finds the thread of the request gone: django/asgiref#491. Nothing is lost by it.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        if not isinstance(error, RuntimeError) or error.__traceback__ is None:
            return True
        last = traceback.extract_tb(error.__traceback__)[-1]
        return not last.filename.endswith("asgiref/current_thread_executor.py")


def _message(record: logging.LogRecord) -> str:
    if isinstance(record.args, tuple):
        args = tuple(type(arg).__name__ if isinstance(arg, BaseException) else arg for arg in record.args)
        return str(record.msg) % args if args else str(record.msg)
    return record.getMessage()


def _where(error: BaseException) -> dict[str, object]:
    causes = []
    cause = error.__cause__ or error.__context__
    while cause is not None:
        causes.append(_type_name(cause))
        cause = cause.__cause__ or cause.__context__
    return {"error": _type_name(error), "causes": causes, "frames": _frames(error.__traceback__)}


def _type_name(error: BaseException) -> str:
    return f"{type(error).__module__}.{type(error).__qualname__}"


def _frames(trace: TracebackType | None) -> list[str]:
    return [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in traceback.extract_tb(trace)]
