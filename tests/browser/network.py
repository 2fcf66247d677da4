"""A way to the site that can be cut, for one browser alone."""

from __future__ import annotations

import socket
import threading

PATIENCE_SECONDS = 60


class Network:
    """Carries connections to a port of this machine until it is cut.

    While it is cut, nobody is told: what was sent is held back, and whoever tries to connect gets no answer. When it is
    back, what was held back arrives late, and the tries of that time are lost.
    """

    def __init__(self, port: int) -> None:
        self._site = ("127.0.0.1", port)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self._is_up = threading.Event()
        self._is_up.set()
        self._tries = threading.Semaphore(0)
        self._lost: list[socket.socket] = []
        self._ends: list[socket.socket] = []
        self._threads: list[threading.Thread] = []
        self._run(self._accept)

    def cut(self) -> None:
        self._is_up.clear()

    def wait_for_a_try(self) -> None:
        """Until somebody has tried in vain to connect."""
        assert self._tries.acquire(timeout=PATIENCE_SECONDS), "nobody has tried to connect"

    def restore(self) -> None:
        self._is_up.set()
        while self._lost:
            self._lost.pop().close()

    def close(self) -> None:
        self.restore()
        for end in (self._listener, *self._ends):
            _hang_up(end)
        for thread in self._threads:
            thread.join(PATIENCE_SECONDS)
        for end in (self._listener, *self._ends):
            end.close()

    def _run(self, target: object, *arguments: socket.socket) -> None:
        thread = threading.Thread(target=target, args=arguments, daemon=True)  # type: ignore[arg-type]
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            if not self._is_up.is_set():
                self._lost.append(client)
                self._tries.release()
                continue
            server = socket.create_connection(self._site)
            self._ends += [client, server]
            self._run(self._carry, client, server)
            self._run(self._carry, server, client)

    def _carry(self, source: socket.socket, target: socket.socket) -> None:
        try:
            while data := source.recv(1 << 16):
                self._is_up.wait()
                target.sendall(data)
        except OSError:
            _hang_up(source)
        _hang_up(target)


def _hang_up(end: socket.socket) -> None:
    try:
        end.shutdown(socket.SHUT_RDWR)
    except OSError:
        # The other side was faster.
        return
