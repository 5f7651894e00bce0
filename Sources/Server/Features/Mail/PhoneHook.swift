import FoundationEssentials
import Meetings
import Outbound
package import Secrets
import Wire

/// An operator's service that delivers codes to phones or messages to devices, and the secret that it shares
/// with this server.
package struct PhoneHookSettings: Sendable {
    /// The absolute URL: `https`, or `http` on this machine.
    package let url: String
    package let secret: Redacted<String>

    /// The shortest secret, in bytes.
    package static let shortestSecret = 16

    /// Reads the URL. Returns nil if it is malformed, has a user or a fragment, or would send codes over a
    /// network without TLS.
    package init?(url written: String, secret: String) {
        guard let parts = URLComponents(string: written), let host = parts.host, !host.isEmpty,
            parts.user == nil, parts.password == nil, parts.fragment == nil
        else { return nil }
        let isHere = ["localhost", "127.0.0.1", "[::1]", "::1"].contains(host.lowercased())
        guard parts.scheme == "https" || (parts.scheme == "http" && isHere) else { return nil }
        url = written
        self.secret = Redacted(secret)
    }
}

/// Posts codes for phones, and messages for devices, to the operator's service. A redirect is not followed.
struct PhoneHook: Sendable {
    private let settings: PhoneHookSettings
    private let transport: HTTPTransport

    /// The longest time for one message, from the connection to the last byte of the answer.
    static let timeout = Duration.seconds(10)
    static let signatureHeader = "QRing-Signature"

    init(_ settings: PhoneHookSettings, parallel: Int, environment: [String: String]) {
        self.settings = settings
        transport = HTTPTransport(parallel: parallel, userAgent: "QRing", environment: environment)
    }

    /// The body of the request. `id` stays the same if a message is sent again.
    struct Message: Encodable {
        let id: String
        let to: String
        let language: String
        let code: String
        let text: String
    }

    /// Sends the message. Returns the status of the answer.
    func send(_ message: Message, at now: Instant) async throws(TransportError) -> Int {
        try await post(message, at: now).status
    }

    /// Posts the message with a signature. Returns the answer.
    func post(_ message: some Encodable, at now: Instant) async throws(TransportError) -> OutboundResponse {
        let bytes = WireJSON.bytes(message)
        let seconds = now.milliseconds / 1000
        let signature = HookSignature.text(
            of: bytes, at: seconds, secret: Array(settings.secret.revealed.utf8))
        let request = OutboundRequest(
            "POST", settings.url,
            headers: [
                ("Content-Type", "application/json"),
                (Self.signatureHeader, "t=\(seconds),v1=\(signature)"),
            ], body: bytes, timeout: Self.timeout)
        return try await transport.send(request)
    }
}
