"""A room on uWebSockets, from the Python package socketify. It sends each published body to all watchers.

usage: uwebsockets_service.py PORT
"""
import sys

from socketify import App, AppListenOptions, CompressOptions, OpCode


def main():
    app = App()

    def publish(response, request):
        # The body arrives in one piece.
        def send(response, body, is_last):
            if body:
                app.publish("room", body, OpCode.TEXT)
            if is_last:
                response.end("")

        response.on_data(send)

    app.ws("/watch", {"compression": CompressOptions.DISABLED, "idle_timeout": 120,
        "open": lambda watcher: watcher.subscribe("room")})
    app.post("/publish", publish)
    app.listen(AppListenOptions(port=int(sys.argv[1]), host="127.0.0.1"))
    # `app.run()` would run Python's own event loop too, which takes a whole processor while anything arrives.
    while True:
        app.loop.uv_loop.run_once()


if __name__ == "__main__":
    main()
