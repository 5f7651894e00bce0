internal import Client
internal import CommandLine
internal import Meetings
internal import Phrases
internal import Wire

/// Implements `qr --follow`: draws the code, and draws it again whenever the room publishes a new code. It
/// ends when the room closes, or on Ctrl-C.
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

    /// Prints the code if it has changed. On a terminal, it replaces the previous code; otherwise codes
    /// follow one another.
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
