internal import Client
internal import CommandLine
internal import Meetings
internal import Phrases
internal import Wire

/// `qr --follow`: the code as the room tells it, drawn again whenever there is another one, until the room's
/// end or Ctrl-C.
enum FollowingCode {
    static func run(_ call: Invocation, _ host: APIClient, _ session: SessionID) async throws(CommandFailure)
        -> ExitCode
    {
        let client = RoomClient(host, rooms: [.presenter(session)])
        var shown: CodeBody?
        for await update in client.updates() {
            switch update {
            case .snapshot(let snapshot, _, _): show(snapshot.code, &shown, call)
            case .frame(let frame): show(frame.code, &shown, call)
            case .ended(let end): return try Watching.ended(end, at: call)
            case .refused(let problem): throw .api(.problem(problem))
            case .joined, .home, .reconnecting: break
            }
        }
        return .interrupted
    }

    /// On a terminal each code takes the place of the one before; elsewhere they follow each other.
    private static func show(_ code: CodeBody?, _ shown: inout CodeBody?, _ call: Invocation) {
        guard let code, code.url != shown?.url || code.joinCode != shown?.joinCode else { return }
        shown = code
        if call.wantsJSON { return call.json(code) }
        if call.console.outIsTerminal { call.console.out("\u{1B}[H\u{1B}[2J") }
        SessionSummary.drawCode(call, code.url)
        call.out("\(call.text(CommandPhrases.Messages.joinCode)): \(code.joinCode)")
        call.out(code.url)
    }
}
