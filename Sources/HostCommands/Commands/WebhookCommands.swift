internal import Client
package import CommandLine
internal import Meetings
internal import Phrases
internal import RecordText
internal import Terminal
internal import Wire

/// The commands for the web hooks of a meeting.
package enum WebhookCommands {
    private typealias Help = CommandPhrases.Help
    private typealias Messages = CommandPhrases.Webhooks

    private static let meeting = CommandDeclaration.Positional("MEETING", Help.meeting)
    private static let hook = CommandDeclaration.Positional("WEBHOOK", Messages.hook)
    private static let json = CommandDeclaration.Option.json(of: WebhookBody.self)

    package static let all = [
        CommandDeclaration(
            "webhook create", Messages.create,
            examples: [
                .init("webhook create @ https://example.org/events", Messages.createExample),
                .init(
                    "webhook create @ https://example.org/events --events check_in,corrected",
                    Messages.eventsExample),
            ],
            positionals: [meeting, .init("URL", Messages.url)],
            options: [.value("events", "EVENTS", Messages.events), json], notes: Messages.notes, run: create),
        CommandDeclaration(
            "webhook list", Messages.list, examples: [.init("webhook list @", Messages.listExample)],
            positionals: [.init("MEETING", Help.meeting, required: false)],
            options: [.json(of: Page<WebhookBody>.self)], run: list),
        CommandDeclaration(
            "webhook test", Messages.test,
            examples: [.init("webhook test @ https://example.org/events", Messages.test)],
            positionals: [meeting, hook], run: test),
        CommandDeclaration(
            "webhook log", Messages.log,
            examples: [.init("webhook log @ https://example.org/events", Messages.logExample)],
            positionals: [meeting, hook],
            options: [.limit, .json(of: Page<WebhookDeliveryBody>.self)], usesPager: true, run: log),
        CommandDeclaration(
            "webhook retry", Messages.retry,
            examples: [
                .init("webhook retry @ https://example.org/events", Messages.retryExample),
                .init(
                    "webhook retry @ https://example.org/events 01M7X9JCZD0KGT7Q6XKPEVTE5F",
                    Messages.retryOne),
            ],
            positionals: [meeting, hook, .init("DELIVERY", Messages.delivery, required: false)],
            options: [json], run: retry),
        CommandDeclaration(
            "webhook rotate", Messages.rotate,
            examples: [.init("webhook rotate @ https://example.org/events", Messages.rotateExample)],
            positionals: [meeting, hook], options: [json], run: rotate),
        CommandDeclaration(
            "webhook delete", Messages.delete,
            examples: [.init("webhook delete @ https://example.org/events", Messages.delete)],
            positionals: [meeting, hook], options: [.yes], run: delete),
    ]

    private static func create(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let host = try call.host()
        let meeting = try await Reference("MEETING", of: call, host).meeting()
        let events = call.arguments.value("events")?.split(separator: ",").map { String($0) }
        let words = WebhookEvent.choices.map(\.rawValue)
        if let wrong = events?.first(where: { !words.contains($0) }) {
            throw .usage(.notReadable("--events", wrong, expected: words.joined(separator: ",")))
        }
        let hook = NewWebhook(url: call.arguments.positional("URL") ?? "", events: events)
        return show(
            try await calling { () async throws(APIError) in try await host.addWebhook(hook, to: meeting) },
            Messages.created, call)
    }

    /// Prints the secret of a web hook, which is shown only once.
    private static func show(_ hook: WebhookBody, _ note: Phrase, _ call: Invocation) -> ExitCode {
        if call.wantsJSON {
            call.json(hook)
        } else {
            call.out(hook.secret ?? "")
            call.note(note, ["url": TerminalEscaping.safe(hook.url)])
        }
        return .success
    }

    private static func list(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let host = try call.host()
        let meeting = try await Reference("MEETING", of: call, host).meeting()
        let hooks = try await calling { () async throws(APIError) in try await host.webhooks(of: meeting) }
        if call.wantsJSON {
            call.json(Page(items: hooks, nextCursor: nil))
            return .success
        }
        var table = Table(
            [
                Messages.headURL, Messages.headState, Messages.headEvents, Messages.headCreator,
                CommandPhrases.Messages.headID,
            ].map { call.text($0) }, main: 0)
        for hook in hooks {
            let isWhole = hook.events.count == WebhookEvent.choices.count
            table.add(
                [
                    hook.url, call.text(Messages.state(hook.state)),
                    isWhole
                        ? call.text(Messages.allEvents)
                        : hook.events.map(\.rawValue).joined(separator: " "),
                    hook.createdBy, hook.id.text,
                ], hook.state == "active" ? [1: .good] : [1: .bad])
        }
        call.out(table)
        return .success
    }

    private static func test(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let (host, meeting, hook) = try await named(call)
        let made = try await calling { () async throws(APIError) in
            try await host.testWebhook(hook.id, of: meeting)
        }
        call.note(Messages.tested, ["url": TerminalEscaping.safe(hook.url)])
        notePause(until: made.pausedUntil, call)
        return .success
    }

    /// Says until when the receiver wants no requests, if it has asked for a pause.
    private static func notePause(until end: Instant?, _ call: Invocation) {
        guard let end else { return }
        call.note(Messages.paused, ["time": WallTime(end, in: .current).text])
    }

    private static func log(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let (host, meeting, hook) = try await named(call)
        let limited = host.limited(to: try call.limit())
        let found = try await calling { () async throws(APIError) in
            try await limited.deliveries(of: hook.id, of: meeting)
        }
        if call.wantsJSON {
            call.json(Page(items: found, nextCursor: nil))
            return .success
        }
        var table = Table(
            [
                Messages.headTime, Messages.headEvent, Messages.headState, Messages.headAttempts,
                Messages.headAnswer, CommandPhrases.Messages.headID,
            ].map { call.text($0) }, main: 1)
        for delivery in found {
            table.add(
                [
                    WallTime(delivery.at, in: .current).text, delivery.event.rawValue,
                    call.text(Messages.state(delivery.state)), String(delivery.attempts),
                    delivery.reply ?? "", delivery.id.text,
                ], delivery.state == "sent" ? [2: .good] : [:])
        }
        call.out(table)
        return .success
    }

    private static func retry(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let (host, meeting, hook) = try await named(call)
        let delivery = call.arguments.positional("DELIVERY")
        let made = try await calling { () async throws(APIError) in
            try await host.retryWebhook(hook.id, of: meeting, delivery: delivery)
        }
        if call.wantsJSON {
            call.json(made)
        } else {
            call.note(Messages.retried, ["url": TerminalEscaping.safe(made.url)])
            notePause(until: made.pausedUntil, call)
        }
        return .success
    }

    private static func rotate(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let (host, meeting, hook) = try await named(call)
        return show(
            try await calling { () async throws(APIError) in
                try await host.rotateWebhook(hook.id, of: meeting)
            }, Messages.rotated, call)
    }

    private static func delete(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let (host, meeting, hook) = try await named(call)
        let values = ["url": TerminalEscaping.safe(hook.url)]
        try await Deletion.confirm(call, hook.url, data: Messages.data)
        try await calling { () async throws(APIError) in
            try await host.deleteWebhook(hook.id, of: meeting)
        }
        call.note(Messages.deleted, values)
        return .success
    }

    /// Returns the web hook that the command names by its address, its id or the end of it.
    private static func named(_ call: Invocation) async throws(CommandFailure) -> (
        APIClient, MeetingID, WebhookBody
    ) {
        let host = try call.host()
        let meeting = try await Reference("MEETING", of: call, host).meeting()
        let written = call.arguments.positional("WEBHOOK") ?? ""
        let hooks = try await calling { () async throws(APIError) in try await host.webhooks(of: meeting) }
        let named = hooks.filter { $0.url == written || $0.id.text == written }
        let ended = hooks.filter { written.utf8.count >= 4 && $0.id.text.hasSuffix(written.uppercased()) }
        let found = try (named.isEmpty ? ended : named).only(
            meantBy: written, { "\($0.id)  \(TerminalEscaping.safe($0.url))" })
        guard let found else {
            throw .said(
                .notFound, Messages.unknown, ["text": TerminalEscaping.safe(written)],
                next: "qring webhook list")
        }
        return (host, meeting, found)
    }
}

extension CommandPhrases {
    /// The texts of `qring webhook`.
    enum Webhooks {
        static let create = Phrase("send the events of a meeting to a web address")
        static let createExample = Phrase("all events; prints the secret that signs the requests")
        static let eventsExample = Phrase("only check-ins and corrections")
        static let url = Phrase("the web address that gets the requests")
        static let events = Phrase("the wanted events, with commas: check_in, response, …")
        static let notes = Phrase(
            "The requests follow Standard Webhooks. The server shows the secret only once. The web hook ends "
                + "when you are no host of the meeting any more.")
        static let created = Phrase(
            "{url} gets the events from now on. Save the secret now: it is not shown again.")
        static let list = Phrase("list the web hooks of a meeting")
        static let listExample = Phrase("address, state and events of each")
        static let hook = Phrase("the web hook: its address, or its id")
        static let test = Phrase("send a test to a web hook")
        static let tested = Phrase("A test is on its way to {url}. See: qring webhook log")
        static let log = Phrase("list the deliveries of a web hook")
        static let logExample = Phrase("the newest first, with the receiver's answers")
        static let retry = Phrase("enable a web hook, and send its waiting events")
        static let retryExample = Phrase("all waiting deliveries are due now")
        static let retryOne = Phrase("one delivery, also one that has ended")
        static let delivery = Phrase("the id that webhook log prints")
        static let retried = Phrase("The web hook {url} is enabled, and its waiting events are due now.")
        static let paused = Phrase(
            "The receiver has asked the server to wait until {time}. The server sends it nothing before.")
        static let rotate = Phrase("replace the secret of a web hook")
        static let rotateExample = Phrase("for a day, both secrets sign")
        static let rotated = Phrase(
            "The new secret of {url}. The old one also signs for 24 hours. Save the new one now: it is not "
                + "shown again.")
        static let delete = Phrase("delete a web hook")
        static let data = Phrase("its log, and the events that wait for its receiver")
        static let deleted = Phrase("Deleted the web hook {url}.")
        static let unknown = Phrase("the meeting has no web hook \"{text}\".")
        static let headURL = Phrase("ADDRESS", context: "web")
        static let headState = Phrase("STATE")
        static let headEvents = Phrase("EVENTS")
        static let headCreator = Phrase("CREATED BY")
        static let headTime = Phrase("TIME")
        static let headEvent = Phrase("EVENT")
        static let headAttempts = Phrase("ATTEMPTS")
        static let headAnswer = Phrase("LAST ANSWER")
        static let allEvents = Phrase("all", context: "events")

        /// The word for a state of a web hook or a delivery.
        static func state(_ word: String) -> Phrase {
            switch word {
            case "active": Phrase("active")
            case "gone": Phrase("receiver gone")
            case "tooManyWaiting": Phrase("too many waiting")
            case "switchedOff": Phrase("switched off by the operator")
            case "waiting": Phrase("waiting", context: "delivery")
            case "sent": Phrase("sent", context: "delivery")
            case "expired": Phrase("failed", context: "delivery")
            case "refused": Phrase("refused", context: "delivery")
            default: Phrase("dropped", context: "delivery")
            }
        }
    }
}
