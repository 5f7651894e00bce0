internal import Client
package import CommandLine
internal import Meetings
internal import Phrases
internal import RecordText
internal import Terminal
internal import Wire

/// Implements `qring events`: prints the journal of a session, one event on a line.
package enum EventsCommand {
    private typealias Messages = CommandPhrases.Events

    package static let all = [
        CommandDeclaration(
            "events", Messages.summary,
            examples: [
                .init("events @ --follow", Messages.followExample),
                .init("events @ --since 57 --follow --jsonl", Messages.sinceExample),
                .init("events @ --jq .actorName", Messages.queryExample),
            ],
            positionals: [.init("SESSION", CommandPhrases.Help.session, required: false)],
            options: [
                .flag("follow", Messages.follow), .value("since", "N", Messages.since), .limit,
                .json(of: EventBody.self),
            ], usesPager: false, run: run)
    ]

    private static func run(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let host = try call.host()
        let (since, limit) = (try call.integer("since", 0...Int.max), try call.limit())
        let session = try await Reference("SESSION", of: call, host)
            .session(for: .people, telling: call)
        var reading = JournalReading(
            host, session, call, after: since.map { Int64($0) } ?? 0, most: limit ?? .max)
        try await reading.printNew()
        guard call.arguments.has("follow"), !reading.isComplete else { return .success }
        for await update in RoomClient(host, rooms: [.session(session.id)]).updates() {
            switch update {
            case .snapshot(_, _, let sequence): try await reading.printNew(upTo: sequence)
            case .frame(let frame): try await reading.printNew(upTo: frame.sequence)
            case .joined(let joined): try await reading.printNew(upTo: joined.sequence)
            case .reconnecting(let delay, _):
                let seconds = String((delay.wholeMilliseconds + 999) / 1000)
                call.note(CommandPhrases.Messages.reconnecting, ["time": seconds])
            case .refused(let problem): throw .api(.problem(problem))
            case .ended(let end): return try Watching.ended(end, at: call)
            case .heard, .home: continue
            }
            if reading.isComplete { return .success }
        }
        return .interrupted
    }
}

/// Reads a journal and prints each event once.
private struct JournalReading {
    private let host: APIClient
    private let session: SessionBody
    private let call: Invocation
    /// The sequence of the last printed event.
    private var last: Int64
    /// The number of events that are still wanted.
    private var rest: Int

    init(_ host: APIClient, _ session: SessionBody, _ call: Invocation, after sequence: Int64, most: Int) {
        self.host = host
        self.session = session
        self.call = call
        last = sequence
        rest = most
    }

    var isComplete: Bool { rest == 0 }

    /// Prints the events after the last printed one.
    /// - Parameter sequence: the newest sequence that the room knows. If it has been printed, this function
    ///   sends no request.
    mutating func printNew(upTo sequence: Int64? = nil) async throws(CommandFailure) {
        if let sequence, sequence <= last { return }
        while rest > 0 {
            let (host, id, after) = (host, session.id, last)
            let page: Page<EventBody>
            do throws(APIError) {
                page = try await host.journal(of: id, since: after)
            } catch {
                // While the command follows, the room client waits for the server.
                if sequence != nil, case .unreachable = error { return }
                throw .api(error)
            }
            for event in page.items.prefix(rest) {
                show(event)
                last = event.sequence
                rest -= 1
            }
            try call.checkOutput()
            if page.nextCursor == nil || page.items.isEmpty { return }
        }
    }

    private func show(_ event: EventBody) {
        if call.wantsJSON { return call.jsonLine(event) }
        let (zone, paint) = (Zone.named(session.timeZone), call.paint)
        let label = zone.label(at: event.at, for: .current).map { " \($0)" } ?? ""
        let time = "\(event.at.wall(in: zone).prefix(10)) \(event.at.clock(in: zone))\(label)"
        let parts = [
            call.text(event.kind.phrase), event.attendeeName ?? "", JournalText.what(event, call, in: zone),
            JournalText.actor(event, call) ?? "", event.note ?? "",
        ]
        let said = TerminalEscaping.safe(parts.filter { !$0.isEmpty }.joined(separator: " · "))
        let number = String(event.sequence)
        let padding = String(repeating: " ", count: max(0, 5 - number.utf8.count))
        call.out("\(padding)\(number)  \(paint.styled(time, .faint))  \(said)")
    }
}

extension CommandPhrases {
    /// The texts of `qring events`.
    enum Events {
        static let summary = Phrase("print a session's journal, one event per line")
        static let follow = Phrase("go on with new events until Ctrl-C")
        static let since = Phrase("only events after this number")
        static let followExample = Phrase("what happened, and what happens now")
        static let sinceExample = Phrase("resume after event 57, as JSON Lines")
        static let queryExample = Phrase("who caused each event")
    }
}
