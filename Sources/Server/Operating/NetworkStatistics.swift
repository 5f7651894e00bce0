import FrontDoor
import HTTPServer
import WebSockets

/// The counters of the front door, of HTTP and of the websockets, for operators.
struct NetworkCounters: Sendable {
    let door: FrontDoor
    let http: HTTPCounters
    let sockets: WebSocketChannels

    /// Returns Prometheus text, to be appended to the text of `Metrics.text`.
    func text() -> String {
        let (door, http, sockets) = (door.statistics, http.statistics, sockets.statistics)
        let metrics: [(name: String, kind: String, help: String, value: Int)] = [
            ("connections_accepted_total", "counter", "Connections accepted.", door.accepted),
            (
                "connections_turned_away_total", "counter",
                "Connections rejected by the limit for their address or for all addresses.",
                http.turnedAwayConnections
            ),
            (
                "connections_over_address_limit_total", "counter",
                "Connections rejected by the limit for their address.", door.turnedAway
            ),
            (
                "connections_silent_total", "counter", "Connections closed because they sent nothing.",
                door.silent
            ),
            ("http_connections", "gauge", "Open HTTP connections.", http.openConnections),
            ("http_in_flight", "gauge", "Requests being answered.", http.inFlight),
            (
                "http_overloads_total", "counter",
                "Requests answered with 503 because too many were being answered.",
                http.overloads
            ),
            ("http_timeouts_total", "counter", "HTTP connections ended by a deadline.", http.timeouts),
            (
                "websocket_closed_silent_total", "counter", "Websockets dropped because they said nothing.",
                sockets.closedSilent
            ),
            (
                "websocket_closed_flooding_total", "counter", "Websockets ended for a flood of frames.",
                sockets.closedFlooding
            ),
        ]
        return metrics.map {
            "# HELP qring_\($0.name) \($0.help)\n# TYPE qring_\($0.name) \($0.kind)\nqring_\($0.name) "
                + "\($0.value)\n"
        }
        .joined()
    }
}
