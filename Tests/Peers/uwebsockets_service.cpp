/* A room on uWebSockets. It sends each published body to all watchers, as uwebsockets_service.py does through
 * socketify, but without Python and on epoll.
 * usage: uwebsockets PORT */
#include <cstdlib>

#include "App.h"

struct Watcher {};

int main(int, char **arguments) {
    uWS::App app;
    app.ws<Watcher>("/watch", {
        .compression = uWS::DISABLED,
        .idleTimeout = 120,
        .open = [](auto *watcher) { watcher->subscribe("room"); },
    });
    app.post("/publish", [&app](auto *response, auto *) {
        // The body arrives in one piece.
        response->onData([&app, response](std::string_view body, bool isLast) {
            if (!body.empty()) app.publish("room", body, uWS::OpCode::TEXT);
            if (isLast) response->end();
        });
        response->onAborted([] {});
    });
    app.listen("127.0.0.1", std::atoi(arguments[1]), [](auto *socket) {
        if (!socket) std::exit(1);
    });
    app.run();
}
