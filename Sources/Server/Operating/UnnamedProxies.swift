import FrontDoor
import HTTPServer
import Meetings
import Synchronization
import WebSockets

/// The addresses whose requests carry `X-Forwarded-For` or `Forwarded`, although the operator has not named
/// them as trusted proxies. Behind such a proxy, all clients look like one address and share its limits.
///
/// Anybody can send these headers. So an address is reported only after `leastRequests`, at most `most`
/// addresses are remembered, and the log gets one line for each, at most one a minute. Any thread may use
/// it.
final class UnnamedProxies: Sendable {
    struct Proxy: Sendable, Equatable {
        let address: String
        var requests: Int
        var lastAt: Instant
        fileprivate var isLogged = false
    }

    static let leastRequests = 20
    static let most = 16
    /// An address is forgotten after this time without such a request.
    static let memory = Duration.hours(24)
    static let timeBetweenLines = Duration.minutes(1)

    private struct State {
        var proxies: [String: Proxy] = [:]
        var total = 0
        var loggedAt: Instant?
    }

    private let state = Mutex(State())

    /// The number of such requests since the start.
    var total: Int { state.withLock { $0.total } }

    /// Returns the reported addresses, with the most requests first.
    func reported(at now: Instant) -> [Proxy] {
        state.withLock { state in
            state.proxies.values.filter {
                $0.requests >= Self.leastRequests && now < $0.lastAt + Self.memory
            }.sorted { ($0.requests, $1.address) > ($1.requests, $0.address) }
        }
    }

    /// Counts a request with such a header. Returns the address if the log must name it now.
    func count(_ address: String, at now: Instant) -> Proxy? {
        state.withLock { state in
            state.total += 1
            if state.proxies[address] == nil, state.proxies.count >= Self.most {
                state.proxies = state.proxies.filter { now < $0.value.lastAt + Self.memory }
                // A proxy sends more requests than those who pretend to be one, so the fewest give way.
                if state.proxies.count >= Self.most,
                    let fewest = state.proxies.values.min(by: { $0.requests < $1.requests })
                {
                    state.proxies[fewest.address] = nil
                }
            }
            var proxy = state.proxies[address] ?? Proxy(address: address, requests: 0, lastAt: now)
            proxy.requests += 1
            proxy.lastAt = now
            defer { state.proxies[address] = proxy }
            guard proxy.requests >= Self.leastRequests, !proxy.isLogged,
                state.loggedAt.map({ now.since($0) >= Self.timeBetweenLines || now < $0 }) ?? true
            else { return nil }
            proxy.isLogged = true
            state.loggedAt = now
            return proxy
        }
    }

    /// Returns Prometheus text, to be appended to the other metrics.
    func text(at now: Instant) -> String {
        let name = "qring_unnamed_proxy_requests"
        var text = """
            # HELP \(name)_total Requests with X-Forwarded-For from addresses that are no trusted proxies.
            # TYPE \(name)_total counter
            \(name)_total \(total)

            """
        let reported = reported(at: now)
        guard !reported.isEmpty else { return text }
        text += "# HELP \(name) The same of the addresses that sent many.\n# TYPE \(name) gauge\n"
        for proxy in reported { text += "\(name){address=\"\(proxy.address)\"} \(proxy.requests)\n" }
        return text
    }
}

extension Services {
    /// Counts a request that claims to be forwarded, if its peer is not a trusted proxy.
    func noteForwarding(_ head: HTTPRequestHead) {
        guard head.headers.count(of: "x-forwarded-for") + head.headers.count(of: "forwarded") > 0,
            !settings.trustedProxies.contains(head.peer)
        else { return }
        noteForwarding(by: head.peer)
    }

    /// The same for an upgrade.
    func noteForwarding(_ head: UpgradeHead) {
        guard head[header: "x-forwarded-for"] != nil, !settings.trustedProxies.contains(head.peer) else {
            return
        }
        noteForwarding(by: head.peer)
    }

    private func noteForwarding(by peer: String) {
        guard let proxy = unnamedProxies.count(peer, at: clock.now) else { return }
        log.note(
            "requests carry X-Forwarded-For from \(proxy.address), which is not named as a trusted proxy: if "
                + "it is your proxy, all its clients look like one address and share one limit; give "
                + "--trusted-proxy \(proxy.address)")
    }
}
