import Client
package import CommandLine
import Meetings
import Phrases
import QRCodes
import RecordText
import Terminal
import Wire

package enum CodeCommands {
    private typealias Help = CommandPhrases.Help
    private typealias Messages = CommandPhrases.Messages

    package static let all = [
        CommandDeclaration(
            "qr", Help.qr,
            examples: [
                .init("qr", Help.qrExample), .init("qr \"Study group\" --png code.png", Help.png),
                .init("qr \"Study group\" --poster --svg poster.svg", Help.qrPoster),
                .init("qr @ --follow", Help.follow),
            ], positionals: [.init("SESSION|MEETING", Help.qrWhat, required: false)],
            options: [
                .value("png", "FILE", Help.png), .value("svg", "FILE", Help.svg),
                .value("size", "PIXELS", Help.size),
                .flag("poster", Help.poster), .flag("follow", Help.follow),
                .json(fields: ["url", "joinCode"]),
            ], run: draw),
        CommandDeclaration(
            "present", Help.present,
            examples: [
                .init("present @", Help.present), .init("present @ --list", Help.presentList),
                .init("present @ --revoke all", Help.revokeLinks),
            ],
            positionals: [.init("SESSION", Help.session, required: false)],
            options: [
                .flag("list", Help.presentList), .value("revoke", "LINK", Help.presentRevoke),
                .json(fields: [
                    "id", "url", "token", "expiresAt", "createdBy", "createdByName", "createdAt", "purpose",
                ]),
            ], run: present),
    ]

    /// The permitted sizes of an image in pixels; the API has the same limits.
    private static let sizes = 64...2048

    private static func draw(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let host = try call.host()
        let written = call.arguments.positional("SESSION|MEETING") ?? "@"
        if call.arguments.has("follow") {
            for other in ["poster", "png", "svg"]
            where call.arguments.has(other) || call.arguments.value(other) != nil {
                throw .usage(.together("--follow", "--\(other)"))
            }
            return try await FollowingCode.run(call, host, try await Reference(written, host).session().id)
        }
        let size = try call.integer("size", sizes) ?? 1024
        let url: String?
        let joinCode: String?
        if call.arguments.has("poster") {
            let id = try await Reference(written, host).meeting()
            url = try await calling { () async throws(APIError) in try await host.meeting(id) }.body
                .meetingUrl
            joinCode = nil
        } else {
            let session = try await Reference(written, host).session()
            (url, joinCode) = (session.checkInUrl, session.joinCode)
        }
        guard let url else {
            throw .said(
                .notFound, CommandPhrases.Fail.notFound, ["text": written], next: "qring meeting list")
        }
        if call.wantsJSON {
            call.json(Printed(url: url, joinCode: joinCode))
            return .success
        }
        if let path = call.arguments.value("png") {
            try call.write(
                try drawing { () throws(QRCodeError) in try QRCode.encode(url).png(size: size) }, to: path)
        }
        if let path = call.arguments.value("svg") {
            try call.write(
                try drawing { () throws(QRCodeError) in Array(try QRCode.encode(url).svg().utf8) }, to: path)
        }
        if call.arguments.value("png") == nil, call.arguments.value("svg") == nil {
            SessionSummary.drawCode(call, url)
            if let joinCode { call.out(SessionSummary.joinCode(joinCode, at: url, call)) }
            call.out(url)
        }
        SessionSummary.adviseOnReach(call, url)
        return .success
    }

    private struct Printed: Encodable {
        let url: String
        let joinCode: String?
    }

    static func drawing<Drawn>(_ draw: () throws(QRCodeError) -> Drawn) throws(CommandFailure) -> Drawn {
        do throws(QRCodeError) { return try draw() } catch {
            throw .failed(CommandPhrases.Fail.codeTooLong, ["reason": error.description])
        }
    }

    private static func present(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let host = try call.host()
        let revoked = call.arguments.value("revoke")
        if revoked != nil, call.arguments.has("list") { throw .usage(.together("--list", "--revoke")) }
        let session = try await Reference("SESSION", of: call, host).session()
        if let revoked { return try await revoke(revoked, of: session, call, host) }
        if call.arguments.has("list") { return try await list(session, call, host) }
        let link = try await calling { () async throws(APIError) in
            try await host.createPresenterLink(session.id)
        }
        if call.wantsJSON {
            call.json(link)
        } else {
            call.out(link.url)
            call.note(
                Messages.presenterLink,
                ["time": link.expiresAt.labelledWall(in: .named(session.timeZone), for: .current)])
        }
        return .success
    }

    private static func list(_ session: SessionBody, _ call: Invocation, _ host: APIClient)
        async throws(CommandFailure) -> ExitCode
    {
        let links = try await calling { () async throws(APIError) in
            try await host.presenterLinks(of: session.id)
        }
        if call.wantsJSON {
            call.json(Page(items: links, nextCursor: nil))
            return .success
        }
        guard !links.isEmpty else {
            call.note(Messages.nothing)
            return .success
        }
        var table = Table(
            [Messages.headID, Messages.headScreen, Messages.headCreatedBy, Messages.headCreated].map {
                call.text($0)
            })
        for link in links {
            table.add([
                link.id.text, call.text(link.purpose == .kiosk ? Messages.kiosk : Messages.hall),
                TerminalEscaping.safe(link.createdByName),
                link.createdAt.labelledWall(in: .named(session.timeZone), for: .current),
            ])
        }
        call.out(table)
        return .success
    }

    private static func revoke(
        _ written: String, of session: SessionBody, _ call: Invocation, _ host: APIClient
    ) async throws(CommandFailure) -> ExitCode {
        var links: [PresenterLinkID] = []
        if written == "all" {
            links = try await calling { () async throws(APIError) in
                try await host.presenterLinks(of: session.id)
            }.map(\.id)
        } else if let id = PresenterLinkID(written) {
            links = [id]
        } else {
            throw .usage(.notReadable("--revoke", written, expected: "all, 01M7X9G8BNMZXT5QT5Q59Y1TCE"))
        }
        for link in links {
            try await calling { () async throws(APIError) in try await host.revoke(link, of: session.id) }
        }
        call.note(Messages.linksRevoked, ["count": String(links.count)])
        return .success
    }
}

extension CommandPhrases.Help {
    static let follow = Phrase("draw the code again whenever it changes")
    static let presentList = Phrase("list the presenter links of the session")
    static let presentRevoke = Phrase("revoke a presenter link by its ID, or all")
    static let qr = Phrase("draw a check-in code")
    static let qrExample = Phrase("the nearest session's code, in the terminal")
    static let qrPoster = Phrase("the meeting's permanent code, for a poster")
    static let qrWhat = Phrase("a session, or a meeting with --poster")
    static let poster = Phrase("draw the meeting's code instead of a session's")
    static let png = Phrase("write the code as PNG to this file (- means standard output)")
    static let svg = Phrase("write the code as SVG to this file (- means standard output)")
    static let size = Phrase("pixels per side of the PNG, 64–2048 (default 1024); for larger codes use SVG")
    static let present = Phrase("create a link for the hall's screen: code and counts, no names")
}

extension CommandPhrases.Messages {
    static let presenterLink = Phrase("Open this link on the hall's screen. It is valid until {time}.")
    static let linksRevoked = Phrase("{count} presenter {count|link|links} revoked.")
    static let headScreen = Phrase("SCREEN")
    static let hall = Phrase("hall")
    static let kiosk = Phrase("kiosk")
    static let headCreatedBy = Phrase("CREATED BY")
    static let headCreated = Phrase("CREATED")
}

extension CommandPhrases.Fail {
    static let codeTooLong = Phrase("the code cannot be drawn: {reason}.")
}

/// The text that an attendee types to check in: a code, the address that contains the code, or a join code.
struct CodeText: Equatable {
    let key: CheckInKey
    /// The server of the address; nil if the text is not an address.
    let server: ServerAddress?

    /// Returns nil if the text is an address without a code.
    init?(_ text: String) {
        if let scheme = text.firstRange(of: "://") {
            let rest = text[scheme.upperBound...]
            let parts = rest.split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count >= 3, parts[1].lowercased() == "c", !parts[2].isEmpty,
                let server = ServerAddress("\(text[..<scheme.lowerBound])://\(parts[0])")
            else { return nil }
            key = .code(String(parts[2].prefix { $0 != "?" && $0 != "#" }))
            self.server = server
            return
        }
        guard !text.isEmpty, !text.contains("/") else { return nil }
        key = JoinCode.normalized(text).map { .joinCode($0) } ?? .code(text)
        server = nil
    }
}
