internal import CCurl
internal import FoundationEssentials

/// A mail server that takes the mails of this program.
package struct SMTPServer: Sendable, Hashable {
    /// The URL without user and password, such as `smtps://mail.example.org:465`.
    package let url: String
    package let user: String?
    package var password: String?
    /// Whether a connection without TLS is an error. Only a mail server on this machine may do without.
    package let requiresTLS: Bool

    /// Reads a URL such as `smtps://user@mail.example.org` (TLS from the first byte) or
    /// `smtp://user@mail.example.org:587` (STARTTLS). Special characters of the user are percent-encoded.
    /// Returns nil if it is malformed or contains a password, which other users of the machine could read.
    package init?(url text: String) {
        guard let parts = URLComponents(string: text), let host = parts.host, !host.isEmpty,
            let scheme = parts.scheme?.lowercased(), scheme == "smtp" || scheme == "smtps",
            parts.password == nil, parts.path.isEmpty || parts.path == "/", parts.query == nil,
            parts.fragment == nil
        else { return nil }
        let bracketed = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        url = "\(scheme)://\(bracketed)" + (parts.port.map { ":\($0)" } ?? "")
        user = parts.user.flatMap { $0.isEmpty ? nil : $0 }
        let isHere = ["localhost", "127.0.0.1", "[::1]", "::1"].contains(host.lowercased())
        requiresTLS = scheme == "smtps" || !isHere
    }
}

/// The mail that one request hands over.
struct SMTPRequest: Sendable {
    let server: SMTPServer
    let sender: String
    let recipient: String
    let bytes: [UInt8]
}

/// The reason why an SMTP server did not take a mail.
package struct SMTPFailure: Error, Hashable, Sendable {
    /// The subject of the failure, which decides who can correct it.
    package enum Kind: Hashable, Sendable {
        /// The receiver refuses this mail or this recipient for ever (5xx).
        case refused
        /// The receiver asks for a later attempt (4xx).
        case deferred
        /// The mail server refuses this program: its password, its sender or its connection.
        case misconfigured
    }

    package let kind: Kind
    /// The text of the last reply, on one line.
    package let reply: String

    package init(_ kind: Kind, reply: String) {
        self.kind = kind
        self.reply = reply
    }
}

/// The commands and replies between libcurl and an SMTP server, as far as they explain a failure. Passwords
/// and mails are not stored.
struct SMTPDialogue {
    /// The last command that can be refused because of the mail or its recipient.
    private(set) var isAboutMail = false
    private var lines: [String] = []
    private var isComplete = true
    /// Whether libcurl has sent QUIT. The reply to it explains no failure.
    private var isOver = false

    /// Takes a command that libcurl has sent.
    mutating func sent(_ command: String) {
        let verb = command.prefix(4).uppercased()
        if verb == "QUIT" { isOver = true }
        guard !isOver else { return }
        isAboutMail = verb == "RCPT" || verb == "DATA"
    }

    /// Takes one line of a reply. The last line of a reply has a space behind its number (RFC 5321 §4.2.1).
    mutating func received(_ line: String) {
        guard !isOver else { return }
        if isComplete { lines = [] }
        // Line ends and other control characters. PostgreSQL stores no NUL.
        let text = String(line.unicodeScalars.filter { $0.properties.generalCategory != .control })
        // A server can send any number of lines.
        if lines.count < 10 { lines.append(String(text.prefix(500))) }
        isComplete = text.dropFirst(3).first != "-"
    }

    /// The failure that the last reply means; nil if it was no refusal.
    var failure: SMTPFailure? {
        guard let code = lines.last.flatMap({ Int($0.prefix(3)) }), code >= 400 else { return nil }
        let reply = lines.joined(separator: " ")
        if code < 500 { return SMTPFailure(.deferred, reply: reply) }
        return SMTPFailure(isAboutMail ? .refused : .misconfigured, reply: reply)
    }
}

/// Hands mails over to a mail server with libcurl. Connections are reused.
package final class SMTPTransport: Sendable {
    private let transport: HTTPTransport
    private let server: SMTPServer
    private let sender: String
    /// The longest time for one mail, from the connection to the last reply.
    package static let timeout = Duration.seconds(60)

    /// - Parameters:
    ///   - sender: the address of the envelope, to which other mail servers send reports.
    ///   - environment: the environment variables that define the trusted certificates (see `HTTPTransport`).
    package init(_ server: SMTPServer, sender: String, parallel: Int, environment: [String: String]) {
        self.server = server
        self.sender = sender
        transport = HTTPTransport(parallel: parallel, userAgent: "", environment: environment)
    }

    /// Hands over one mail. Returns when the server has answered that it takes it.
    /// - Throws: `.mailNotTaken` if the server refused it; another error if the connection failed, so that
    ///   nobody knows whether the server took the mail.
    package func send(_ message: MailMessage) async throws(TransportError) {
        // The path is the name with which libcurl introduces itself (EHLO).
        let name = sender.split(separator: "@").last.map(String.init) ?? "localhost"
        var request = OutboundRequest("GET", "\(server.url)/\(name)", timeout: Self.timeout)
        request.mail = SMTPRequest(
            server: server, sender: sender, recipient: message.recipient, bytes: message.bytes)
        _ = try await transport.send(request)
    }
}

/// The callback that gives libcurl the next bytes of a mail (CURLOPT_READFUNCTION(3)).
nonisolated func giveMailBytes(
    _ room: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let room, let context else { return 0 }
    let exchange = Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
    guard let bytes = exchange.request.mail?.bytes else { return 0 }
    let given = min(size * count, bytes.count - exchange.sentBytes)
    bytes.withUnsafeBytes { source in
        UnsafeMutableRawPointer(room).copyMemory(
            from: source.baseAddress! + exchange.sentBytes, byteCount: given)
    }
    exchange.sentBytes += given
    return given
}

/// The callback that receives libcurl's commands (CURLOPT_DEBUGFUNCTION(3)).
nonisolated func takeDebugText(
    _ handle: UnsafeMutableRawPointer?, _ type: curl_infotype, _ bytes: UnsafeMutablePointer<CChar>?,
    _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int32 {
    guard type == CURLINFO_HEADER_OUT, let bytes, let context, count >= 4 else { return 0 }
    let exchange = Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
    bytes.withMemoryRebound(to: UInt8.self, capacity: count) {
        // Only the first four letters, because the rest can be a password.
        exchange.dialogue.sent(String(decoding: UnsafeBufferPointer(start: $0, count: 4), as: UTF8.self))
    }
    return 0
}
