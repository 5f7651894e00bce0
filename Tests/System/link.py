"""A network between a server and its database that a test can cut: from a TCP port to a unix socket."""
import asyncio
import threading


class Link:
    """While the link is cut, bytes wait on both sides, as with a broken cable. New connections wait, too."""

    def __init__(self, path, host="127.0.0.1"):
        self.path = path
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
        try:
            await self.passes.wait()
            there, back = await asyncio.open_unix_connection(self.path)
        except OSError:
            writer.close()
            return
        self.writers |= {writer, back}
        try:
            await asyncio.gather(self._pump(reader, back), self._pump(there, writer))
        except asyncio.CancelledError:
            # The test is over.
            return
        self.writers -= {writer, back}

    async def _pump(self, reader, writer):
        try:
            while data := await reader.read(65536):
                await self.passes.wait()
                writer.write(data)
                await writer.drain()
        except OSError:
            pass
        finally:
            writer.close()

    def cut(self):
        self.loop.call_soon_threadsafe(self.passes.clear)

    def restore(self):
        self.loop.call_soon_threadsafe(self.passes.set)

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
