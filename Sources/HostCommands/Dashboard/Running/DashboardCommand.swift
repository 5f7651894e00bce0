internal import Client
internal import Meetings
internal import Phrases
internal import Terminal
internal import Wire

package enum DashboardCommand {
    private typealias Messages = CommandPhrases.Dashboard

    package static let all = [
        CommandDeclaration(
            "dashboard", Messages.summary,
            examples: [
                .init("dashboard", Messages.homeExample), .init("dashboard @", Messages.nearestExample),
            ],
            positionals: [.init("SESSION", Messages.session, required: false)], notes: Messages.notes,
            handlesSignals: true, run: run)
    ]

    private static func run(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let host = try call.host()
        let named = call.arguments.positional("SESSION")
        guard call.console.outIsTerminal, call.console.inIsTerminal else {
            return try await Interruption.cancelling(call.console) { () async throws(CommandFailure) in
                named == nil ? try await HomeLines.run(call, host) : try await Watching.run(call)
            }
        }
        var session: SessionBody?
        if let named { session = try await Reference(named, host).session() }
        let kind = call.environment["TERM", default: ""]
        let canMove = kind != "dumb" && !kind.isEmpty
        let look = Look(
            call.language, isUTF8: call.isUTF8 && canMove, isColourful: call.isColourful && canMove)
        let settings = ScreenSettings(isColourful: look.isColourful, isUTF8: look.isUTF8, canMove: canMove)
        guard let screen = await Screen.open(settings) else {
            throw .failed(Messages.noScreen, ["term": kind])
        }
        let end = await DashboardRun(host: host, screen: screen, look: look).run(startingWith: session)
        await screen.close()
        switch end {
        case .quit: return .success
        case .interrupted: return .interrupted
        case .room(let end): return try Watching.ended(end, at: call)
        }
    }
}
