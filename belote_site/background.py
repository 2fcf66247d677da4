"""Background tasks inside the server process: for one machine with SQLite."""

import threading

from dj_queue.runtime.supervisor import AsyncSupervisor


class EmbeddedTasks:
    """The queue's worker, dispatcher and scheduler as threads of this process.

    What still runs when they are stopped has `shutdown_timeout` (settings.TASKS) to end; a job is only a prompt, so
    one that is cut off costs nothing.
    """

    def __init__(self) -> None:
        self._supervisor = AsyncSupervisor.from_backend_config(standalone=False)
        self._housekeeping = threading.Thread(target=self._supervisor.run_poll_loop, name="tasks-housekeeping")

    def start(self) -> None:
        """Raises a database error when the tables are not there yet."""
        self._supervisor.start()
        self._housekeeping.start()

    def stop(self) -> None:
        """Does nothing the second time."""
        self._supervisor.stop()
        if self._housekeeping.ident is not None:
            self._housekeeping.join()
