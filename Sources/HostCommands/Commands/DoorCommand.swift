package import Client
package import CommandLine
internal import Dashboard
internal import Meetings
internal import Phrases
internal import RecordText
internal import Terminal
package import Wire

/// `qring door`: lets people in at a door of a session.
package enum DoorCommand {
    private typealias Messages = CommandPhrases.AtDoor

    /// Keeps an offline door: `qring door --of URL`. Only the program can, because it needs a server.
    package typealias KeepsOffline = @Sendable (Invocation) async throws(CommandFailure) -> ExitCode

    /// The names of the options of an offline door besides `--of`.
    private static let ofOffline = ["join", "listen", "with", "folder", "key-file", "tls-cert", "tls-key"]

    package static func declaration(keepingOffline keepsOffline: @escaping KeepsOffline) -> CommandDeclaration
    {
        CommandDeclaration(
            "door", Messages.summary,
            examples: [
                .init("door", Messages.onlyExample), .init("door \"Study group\" --door 2", Messages.second),
                .init("door --json", Messages.linesExample),
                .init("door --of https://qring.example.org --join CODE", Messages.offlineExample),
                .init("door --of https://qring.example.org", Messages.offlineAgain),
            ], positionals: [.init("SESSION", Messages.session, required: false)],
            options: [
                .value("door", "NUMBER", Messages.number), .flag("ask", Messages.ask),
                .flag("express", Messages.express), .flag("exit", Messages.exit),
                .flag("anyway", Messages.anyway),
                .oneOf("bell", DoorRun.State.Bell.allCases.map(\.rawValue), Messages.bell),
                .value("of", "URL", Messages.of), .value("join", "CODE", Messages.join),
                .value("listen", "ADDRESS:PORT", Messages.listen), .values("with", "URL", Messages.with),
                .value("folder", "DIRECTORY", Messages.folder), .value("key-file", "FILE", Messages.keyFile),
                .value("tls-cert", "FILE", Messages.tlsCertificate),
                .value("tls-key", "FILE", Messages.tlsKey),
                .json(of: DoorBody.self),
            ], notes: Messages.notes, handlesSignals: true
        ) { call throws(CommandFailure) in
            if call.arguments.value("of") != nil { return try await keepsOffline(call) }
            if let name = ofOffline.first(where: { !call.arguments.values($0).isEmpty }) {
                throw .said(.usage, Messages.onlyOffline, ["option": "--\(name)"], next: nil)
            }
            return try await run(call)
        }
    }

    private static func run(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let host = try call.host()
        let session = try await session(call, host)
        return try await keep(session, at: try call.integer("door", Door.numbers) ?? 1, call, host)
    }

    /// Keeps a door of a session: on a screen, or without a terminal by lines of standard input.
    /// - Parameter entrance: where phones reach an offline door; nil for a door of the server.
    package static func keep(
        _ session: DoorSessionBody, at door: Int, entrance: Entrance? = nil, _ call: Invocation,
        _ host: APIClient
    ) async throws(CommandFailure) -> ExitCode {
        guard call.console.outIsTerminal, call.console.inIsTerminal, !call.wantsJSON else {
            return try await Interruption.cancelling(call.console) { () async throws(CommandFailure) in
                try await admitLines(at: door, of: session, call, host)
            }
        }
        let bell = call.arguments.value("bell").flatMap { DoorRun.State.Bell(rawValue: $0) } ?? .refusals
        let state = DoorRun.State(
            session, door: door, size: Size(columns: 80, rows: 24), now: SystemTime.now, bell: bell,
            asksFirst: call.arguments.has("ask"), isExpress: call.arguments.has("express"),
            isExit: call.arguments.has("exit"),
            entrance: entrance.map { DoorRun.State.Entrance(url: $0.url, code: $0.code) })
        let screen = try await call.openScreen()
        let look = Look(
            call.language, zone: .current, isUTF8: screen.settings.isUTF8,
            isColourful: screen.settings.isColourful)
        let language = call.language
        let run = DoorRun(host: host, screen: screen, look: look) {
            CommandFailure.api($0).sentence(in: language)
        }
        let end = await run.run(state)
        await screen.close()
        return end == .interrupted ? .interrupted : .success
    }

    /// Where phones and tablets in the hall reach an offline door, and the code that signs them in.
    package struct Entrance: Sendable {
        package let url: String
        package let code: String

        package init(url: String, code: String) { (self.url, self.code) = (url, code) }
    }

    // MARK: The session

    /// Returns the session that the user named, from the list of the doors that the user may keep. Without a
    /// name, it is the only one whose check-in is open, or else the only one of the next day.
    private static func session(_ call: Invocation, _ host: APIClient) async throws(CommandFailure)
        -> DoorSessionBody
    {
        let doors = try await calling { () async throws(APIError) in try await host.doors() }
        let now = SystemTime.now
        let open = doors.filter { $0.checkInOpensAt <= now && now <= $0.checkInClosesAt }
        let named = call.arguments.positional("SESSION").flatMap { $0 == "@" ? nil : $0 }
        let found =
            if let named {
                matching(named, open).isEmpty ? matching(named, doors) : matching(named, open)
            } else {
                open.isEmpty ? doors : open
            }
        guard found.count != 1 else { return found[0] }
        if found.isEmpty {
            throw .said(
                .notFound, named == nil ? Messages.noDoor : Messages.noSuchDoor, ["name": named ?? ""],
                next: nil)
        }
        let list = found.map { "\n  \(line($0, call))" }.joined()
        throw .said(.conflict, Messages.severalDoors, ["list": list], next: nil)
    }

    /// Returns the sessions with this id or the end of it, with this join name `NAME#ROUND`, or with a
    /// meeting's name or title that contains the text.
    private static func matching(_ named: String, _ doors: [DoorSessionBody]) -> [DoorSessionBody] {
        let text = named.lowercased()
        let byID = doors.filter { $0.id.text.lowercased().hasSuffix(text) && text.count >= 4 }
        if !byID.isEmpty { return byID }
        let parts = text.split(separator: "#", maxSplits: 1).map(String.init)
        let round = parts.count == 2 ? Int(parts[1]) : nil
        let name = round == nil ? text : parts[0]
        let found = doors.filter {
            ($0.meetingName.lowercased().contains(name) || $0.title?.lowercased().contains(name) == true)
                && (round == nil || $0.round == round)
        }
        let exact = found.filter { $0.meetingName.lowercased() == name }
        return exact.isEmpty ? found : exact
    }

    private static func line(_ session: DoorSessionBody, _ call: Invocation) -> String {
        let name = TerminalEscaping.safe(session.meetingName)
        return "\(session.startsAt.wall(in: .named(session.timeZone)))  \(name)#\(session.round)"
    }

    // MARK: Without a screen

    private static func admitLines(
        at door: Int, of session: DoorSessionBody, _ call: Invocation, _ host: APIClient
    ) async throws(CommandFailure) -> ExitCode {
        call.note(
            Messages.keeping,
            [
                "door": String(door), "name": TerminalEscaping.safe(session.meetingName),
                "round": String(session.round),
            ])
        try await PassCommands.admitLines(call, host, to: session.id, in: .named(session.timeZone)) {
            var guest = NewGuest(
                scan: $0, door: door, onlyAsk: call.arguments.has("ask"), leaves: call.arguments.has("exit"),
                anyway: call.arguments.has("anyway"))
            guest.unknown = guest.anyway
            return guest
        }
        return .success
    }
}

extension CommandPhrases {
    /// The texts of `qring door`.
    enum AtDoor {
        static let summary = Phrase("let people in at a door: by passes, numbers and names")
        static let onlyExample = Phrase("the only session whose check-in is open")
        static let second = Phrase("the second door of a session")
        static let linesExample = Phrase("a line of JSON for each line of standard input")
        static let session = Phrase(
            "a part of the meeting's name, NAME#ROUND, or the end of the session's id; without it, the only "
                + "session whose check-in is open, or else the only one of the next 24 hours")
        static let number = Phrase("the number of this door, from 1 to 99 (default 1)")
        static let ask = Phrase("ask before each admission")
        static let express = Phrase("show the word and the name only")
        static let exit = Phrase("let people out instead of in, if the session records that people leave")
        static let anyway = Phrase(
            "without a screen: let people in although no seat is free, they were declined, or this offline "
                + "door does not know the pass yet")
        static let bell = Phrase("when to ring: refusals (default), all or none")
        static let of = Phrase(
            "keep a door that works without the network, for a session of this server; it needs no sign-in")
        static let join = Phrase(
            "the code of a new offline door, which a host creates by qring offline-door add")
        static let listen = Phrase(
            "where phones in the hall and other offline doors reach this one, for example 0.0.0.0:8080 "
                + "(default 127.0.0.1 and any free port)")
        static let with = Phrase(
            "another offline door of the session, with which this one exchanges entries; several are allowed")
        static let folder = Phrase(
            "where this offline door stores its data (default a folder of the server's name in "
                + "~/.local/share/qring/doors)")
        static let keyFile = Phrase(
            "the file with the key for names and numbers, or - for standard input; without it, the terminal "
                + "asks for the key")
        static let tlsCertificate = Phrase(
            "the certificate, in PEM, for HTTPS at the address of --listen; browsers need it for the camera")
        static let tlsKey = Phrase("the certificate's key, in PEM and without a password")
        static let onlyOffline = Phrase(
            "{option} belongs to an offline door. Add --of with the address of the server.")
        static let offlineExample = Phrase("the first start of an offline door, with a network")
        static let offlineAgain = Phrase("each later start, also without a network")
        static let notes = Phrase(
            "A scanner types a pass or a card and ends with Enter. Typed letters search for a name, and the "
                + "arrows choose one. Ctrl-U undoes the last step, Ctrl-O lets people out, Ctrl-K asks "
                + "before each admission, Ctrl-E shows less, and Esc closes the screen. Stewards may use "
                + "this command.")
        static let keeping = Phrase("Door {door} of {name}#{round}")
        static let noDoor = Phrase(
            "you are not on the door staff of a session in the next 24 hours. Ask an owner of the meeting to "
                + "make you a steward or a host.")
        static let noSuchDoor = Phrase(
            "\"{name}\" matches no session of the next 24 hours whose door staff you are on. Check the name, "
                + "or run qring door without a name.")
        static let severalDoors = Phrase("you are on the door staff of several sessions. Name one:{list}")
    }
}
