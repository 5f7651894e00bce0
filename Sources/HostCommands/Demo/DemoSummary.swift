internal import Client
internal import CommandLine
internal import Meetings
internal import Phrases
internal import Terminal
internal import Wire

/// A table of three counts side by side: sent by the simulation, seen in the room, and stored by the server.
struct DemoSummary {
    private typealias Messages = CommandPhrases.Messages
    private let report: Simulation.Report
    private let view: LiveView
    /// Whether the user could correct attendees meanwhile, so that fewer people can be checked in than the
    /// simulation sent.
    private let allowsCorrections: Bool
    private let host: APIClient
    private let session: SessionBody
    private let call: Invocation

    init(
        _ report: Simulation.Report, _ view: LiveView, allowsCorrections: Bool = false, _ host: APIClient,
        _ session: SessionBody, _ call: Invocation
    ) {
        self.report = report
        self.view = view
        self.allowsCorrections = allowsCorrections
        self.host = host
        self.session = session
        self.call = call
    }

    /// The number of check-ins that the room has shown. Corrections change the room's count, and not the
    /// number of announced names.
    private var seen: Int { allowsCorrections ? view.attendance?.checkedIn ?? 0 : view.seen }

    /// Prints the summary. Returns whether the counts agree. The server may have stored more records than the
    /// simulation sent, because real people may have scanned the code.
    func show() async throws(CommandFailure) -> Bool {
        let counted = try await calling { () async throws(APIError) in try await host.session(session.id) }
            .body
        let results = try await calling { () async throws(APIError) in try await host.results(of: session.id)
        }
        var table = Table(
            [""] + [Messages.demoSent, Messages.demoSeen, Messages.demoCounted].map { call.text($0) })
        table.add([
            call.text(Messages.demoCheckIns), String(report.checkedIn), String(seen),
            String(counted.attendance.checkedIn),
        ])
        table.add([
            call.text(Messages.demoResponses), String(report.responses), String(view.responses),
            String(results.responses),
        ])
        call.out("\n" + call.text(Messages.demoSummary))
        call.out(table)
        LiveCommands.show(report, call)
        ResultCommands.tellTallies(results, call)
        let others = counted.attendance.checkedIn - report.checkedIn
        if others > 0 {
            let said = allowsCorrections ? Messages.demoAdded : Messages.demoOthers
            call.out(said, ["count": String(others)])
        } else if others < 0, allowsCorrections {
            call.out(Messages.demoCorrected, ["count": String(-others)])
        }
        let isAllStored = others >= 0 && results.responses >= report.responses
        let agrees =
            seen == counted.attendance.checkedIn && view.responses == results.responses
            && (isAllStored || allowsCorrections)
        let equal = allowsCorrections && others != 0 ? Messages.demoEqualOtherwise : Messages.demoEqual
        call.out("\n" + call.text(agrees ? equal : Messages.demoDiffer))
        if let failure = report.firstFailure {
            call.note(
                CommandPhrases.Fail.simulationFailed,
                ["count": String(report.failures), "all": String(report.attendees), "reason": failure])
        }
        return agrees
    }
}

extension CommandPhrases.Messages {
    static let demoSummary = Phrase("Sent, seen and stored")
    static let demoSent = Phrase("sent", context: "count")
    static let demoSeen = Phrase("seen live")
    static let demoCounted = Phrase("stored")
    static let demoCheckIns = Phrase("check-ins")
    static let demoResponses = Phrase("answers")
    static let demoEqual = Phrase("Sent, seen and stored counts all match.")
    static let demoEqualOtherwise = Phrase("Apart from this, sent, seen and stored counts all match.")
    static let demoDiffer = Phrase("The counts differ.")
    static let demoAdded = Phrase("({count} added by you or from other devices)")
    static let demoCorrected = Phrase("({count} fewer after your corrections)")
    static let demoOthers = Phrase("({count} from other devices)")
}
