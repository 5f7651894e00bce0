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
    private let host: APIClient
    private let session: SessionBody
    private let call: Invocation

    init(
        _ report: Simulation.Report, _ view: LiveView, _ host: APIClient, _ session: SessionBody,
        _ call: Invocation
    ) {
        self.report = report
        self.view = view
        self.host = host
        self.session = session
        self.call = call
    }

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
            call.text(Messages.demoCheckIns), String(report.checkedIn), String(view.seen),
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
        if others > 0 { call.out(Messages.demoOthers, ["count": String(others)]) }
        let agrees =
            others >= 0 && view.seen == counted.attendance.checkedIn && view.responses == results.responses
            && results.responses >= report.responses
        call.out("\n" + call.text(agrees ? Messages.demoEqual : Messages.demoDiffer))
        if let failure = report.firstFailure {
            call.note(
                CommandPhrases.Fail.simulationFailed,
                ["count": String(report.failures), "all": String(report.attendees), "reason": failure])
        }
        return agrees
    }
}

extension CommandPhrases.Messages {
    static let demoSummary = Phrase("Sent, seen and stored", "보낸 수, 본 수, 저장된 수")
    static let demoSent = Phrase("sent", "보낸 수")
    static let demoSeen = Phrase("seen live", "실시간으로 본 수")
    static let demoCounted = Phrase("stored", "저장된 수")
    static let demoCheckIns = Phrase("check-ins", "체크인")
    static let demoResponses = Phrase("answers", "답변")
    static let demoEqual = Phrase("Sent, seen and stored counts all match.", "보낸 수, 본 수, 저장된 수가 모두 일치합니다.")
    static let demoDiffer = Phrase("The counts differ.", "수가 서로 다릅니다.")
    static let demoOthers = Phrase("({count} from other devices)", "(다른 기기에서 {count}명)")
}
