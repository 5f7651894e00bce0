internal import Client
package import CommandLine
internal import Meetings
internal import Phrases
internal import Terminal
internal import Wire

/// The commands that open the product's pages, and that copy its links.
package enum LinkCommands {
    private typealias Messages = CommandPhrases.Links

    private static let session = CommandDeclaration.Positional(
        "SESSION", CommandPhrases.Help.session, required: false)

    package static let all = [
        CommandDeclaration(
            "open", Messages.open,
            examples: [
                .init("open", Messages.openHost), .init("open @ present", Messages.openPresent),
                .init("open @ kiosk", Messages.openKiosk), .init("open form", Messages.openForm),
            ],
            positionals: [
                session,
                .init(
                    "PAGE", Messages.page, required: false, choices: ["host", "present", "kiosk", "form"]),
            ], earlierOrder: ["PAGE", "SESSION"], notes: Messages.openNotes, run: open),
        CommandDeclaration(
            "copy", Messages.copy,
            examples: [.init("copy @ link", Messages.copyLink), .init("copy @ code", Messages.copyPipe)],
            positionals: [
                session, .init("WHAT", Messages.what, choices: ["link", "code", "present", "kiosk"]),
            ],
            earlierOrder: ["WHAT", "SESSION"],
            notes: Messages.copyNotes, run: copy),
    ]

    private static func named(_ call: Invocation, _ host: APIClient) async throws(CommandFailure)
        -> SessionBody
    {
        try await Reference("SESSION", of: call, host).session()
    }

    private static func presenterLink(
        for purpose: PresenterLink.Purpose, _ call: Invocation, _ host: APIClient
    ) async throws(CommandFailure) -> String {
        let id = try await named(call, host).id
        return try await calling { () async throws(APIError) in
            try await host.createPresenterLink(id, for: purpose)
        }.url
    }

    private static func checkInLink(_ session: SessionBody) throws(CommandFailure) -> String {
        guard let url = session.checkInUrl else { throw .said(.notFound, Messages.noCode, [:], next: nil) }
        return url
    }

    // MARK: Opening

    private static func open(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let host = try call.host()
        let url: String
        switch call.arguments.positional("PAGE") ?? "host" {
        case "present": url = try await presenterLink(for: .hall, call, host)
        case "kiosk": url = try await presenterLink(for: .kiosk, call, host)
        case "form": url = try checkInLink(try await named(call, host))
        default:
            let session = call.arguments.positional("SESSION")
            url =
                session == nil
                ? "\(host.server.url)/host"
                : "\(host.server.url)/host#/sessions/\(try await named(call, host).id)"
        }
        guard call.console.outIsTerminal, let browser = browser(call.environment) else {
            call.out(url)
            return .success
        }
        call.note(Messages.opening, ["url": url])
        let program = ChildProcess(
            shell: "\(browser) \"$1\" >/dev/null", [url], environment: call.environment)
        guard let code = program?.wait(), code == 0 else {
            throw .failed(Messages.noBrowser, ["browser": browser, "url": url])
        }
        return .success
    }

    /// Returns the command line of the user's browser; nil if there is no screen to show it on.
    static func browser(_ environment: [String: String]) -> String? {
        if let chosen = environment["BROWSER"], !chosen.isEmpty {
            // The variable may be a list of commands (environ(7)); the first one is the favourite.
            return chosen.split(separator: ":").first.map(String.init)
        }
        if environment["WSL_DISTRO_NAME"] != nil { return "wslview" }
        let hasScreen = environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil
        return hasScreen ? "xdg-open" : nil
    }

    // MARK: Copying

    private static func copy(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let host = try call.host()
        let text: String
        switch call.arguments.positional("WHAT") ?? "" {
        case "present": text = try await presenterLink(for: .hall, call, host)
        case "kiosk": text = try await presenterLink(for: .kiosk, call, host)
        case "code":
            guard let code = try await named(call, host).joinCode else {
                throw .said(.notFound, Messages.noCode, [:], next: nil)
            }
            text = code
        default: text = try checkInLink(try await named(call, host))
        }
        if call.console.outIsTerminal {
            call.console.out(Clipboard.sequence(for: text))
            call.note(CommandPhrases.Messages.copied, ["text": text])
        } else {
            call.out(text)
        }
        return .success
    }
}

extension CommandPhrases {
    /// The texts of `qring open` and `qring copy`.
    enum Links {
        static let open = Phrase("open a page in the browser")
        static let openHost = Phrase("your meetings on the host's page")
        static let openPresent = Phrase("the hall's screen, by a new presenter link")
        static let openForm = Phrase("the check-in page, as attendees see it")
        static let openKiosk = Phrase("a kiosk for guests, by a new link")
        static let page = Phrase("host (default), present, kiosk or form")
        static let openNotes = Phrase(
            "BROWSER chooses the browser. Without a terminal or a screen, the command prints the address.")
        static let opening = Phrase("Opening {url}")
        static let noBrowser = Phrase(
            "the browser \"{browser}\" did not start. Open this address yourself: {url}")
        static let copy = Phrase("copy a link or the join code to the clipboard")
        static let copyLink = Phrase("the check-in link of the nearest session")
        static let copyPipe = Phrase("without a terminal, prints the text")
        static let what = Phrase(
            "link (check-in), code (to type), present (a new presenter link) or kiosk (a new kiosk link)")
        static let copyNotes = Phrase(
            "The terminal puts the text into the clipboard (OSC 52), over ssh, too. In tmux, this needs "
                + "set -g set-clipboard on.")
        static let noCode = Phrase("the session has no code now.")
    }
}
