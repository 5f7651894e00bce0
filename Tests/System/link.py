"""A network that a test can cut: from a TCP port to a unix socket, or to another TCP port."""
import asyncio
import threading


class Link:
    """While the link is cut, bytes wait on both sides, as with a broken cable. New connections wait, too."""

    def __init__(self, target, host="127.0.0.1"):
        """`target` is the path of a unix socket, or a TCP port."""
        self.target = target
        self.host = host
        self.port = None
        self.passes = None
        self.writers = set()
        self.loop = asyncio.new_event_loop()
        started = threading.Event()
        self.thread = threading.Thread(target=self._run, args=(started,), daemon=True)
        self.thread.start()
        started.wait()

    def _run(self, started):
        asyncio.set_event_loop(self.loop)

        async def open_port():
            self.passes = asyncio.Event()
            self.passes.set()
            server = await asyncio.start_server(self._serve, self.host, 0)
            self.port = server.sockets[0].getsockname()[1]

        self.loop.run_until_complete(open_port())
        started.set()
        self.loop.run_forever()

    async def _serve(self, reader, writer):
        passes = self.passes
        try:
            await passes.wait()
            there, back = await (asyncio.open_connection(self.host, self.target)
                if isinstance(self.target, int) else asyncio.open_unix_connection(self.target))
        except OSError:
            writer.close()
            return
        self.writers |= {writer, back}
        try:
            await asyncio.gather(self._pump(reader, back, passes), self._pump(there, writer, passes))
        except asyncio.CancelledError:
            # The test is over.
            return
        self.writers -= {writer, back}

    async def _pump(self, reader, writer, passes):
        try:
            while True:
                data = await reader.read(65536)
                # Neither bytes nor an end passes a cut link.
                await passes.wait()
                if not data:
                    break
                writer.write(data)
                await writer.drain()
        except OSError:
            pass
        finally:
            writer.close()

    def cut(self):
        self.loop.call_soon_threadsafe(lambda: self.passes.clear())

    def restore(self):
        self.loop.call_soon_threadsafe(lambda: self.passes.set())

    def strand(self):
        """Forgets all connections without a word to either side, as a router does. New ones pass."""
        def replace():
            self.passes.clear()
            self.passes = asyncio.Event()
            self.passes.set()
        self.loop.call_soon_threadsafe(replace)

    def sever(self):
        """Ends all connections at once."""
        def abort():
            for writer in list(self.writers):
                writer.transport.abort()
        self.loop.call_soon_threadsafe(abort)

    def close(self):
        async def end():
            tasks = asyncio.all_tasks() - {asyncio.current_task()}
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            self.loop.stop()
        asyncio.run_coroutine_threadsafe(end(), self.loop)
        self.thread.join()
