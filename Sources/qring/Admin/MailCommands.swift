import CommandLine
import HostCommands
import Journal
import Meetings
import Outbound
import Phrases
import Server
import Terminal
import Wire

private typealias Messages = CommandPhrases.Mail

/// The commands `qring admin mail …`, with which an operator looks after the mails of a server.
let mailCommands = [
    CommandDeclaration(
        "admin mail test", Messages.test,
        examples: [
            .init(
                "admin mail test kim@example.org --smtp-url smtps://qring@mail.example.org "
                    + "--smtp-password-file mail.secret", Messages.testExample)
        ],
        positionals: [.init("ADDRESS", Messages.address)], options: mailOptions, hasServer: false
    ) { call throws(CommandFailure) in
        let written = call.arguments.positional("ADDRESS") ?? ""
        guard let recipient = EmailAddress.normalized(written) else {
            throw .usage(.notReadable("ADDRESS", written, expected: "kim@example.org"))
        }
        let settings = try call.serverSettings(only: ["smtp-url", "mail-from"]).mail
        guard let server = settings.server else { throw .failed(Messages.noServer) }
        let url = call.setting("public-url").flatMap { PublicAddress(url: $0) }
        let sender = settings.sender(at: url ?? PublicAddress(listening: "127.0.0.1", port: 80))
        let writer = MailWriter(sender: .init(name: "QRing", address: sender), origin: url?.url ?? "")
        let transport = SMTPTransport(
            server, sender: sender, parallel: 1, environment: call.environment)
        do throws(TransportError) {
            try await transport.send(
                writer.test(to: recipient, in: call.language, at: SystemClock().now))
        } catch {
            let reason =
                switch error {
                case .unreachable(let detail): detail
                case .mailNotTaken(let failure): failure.reply
                case .timedOut: call.text(Messages.timedOut)
                default: String(describing: error)
                }
            throw .failed(Messages.notSent, ["server": server.url, "reason": TerminalEscaping.safe(reason)])
        }
        call.out(Messages.sent, ["server": server.url, "address": recipient])
        return .success
    },
    CommandDeclaration(
        "admin mail queue", Messages.queue,
        examples: [
            .init("admin mail queue --data /var/lib/qring", Messages.queueExample),
            .init("admin mail queue --state refused --json", Messages.queueRefusedExample),
        ],
        options: [
            .oneOf("state", MailDelivery.State.allCases.map(\.word) + ["all"], Messages.state), .data,
            .database, .json(fields: ["items", "counts"]),
        ], hasServer: false
    ) { call throws(CommandFailure) in
        let wanted = call.arguments.value("state")
        let states = MailDelivery.State.allCases.filter { state in
            wanted == "all" || state.word == wanted || (wanted == nil && state.keepsContent)
        }
        let listing = try await call.reading { queries throws(JournalError) in
            guard let queries else { return MailQueue() }
            return try queries.mailQueue(in: Set(states))
        }
        if call.wantsJSON {
            call.json(QueueAnswer(listing))
            return .success
        }
        for mail in listing.mails {
            call.out(
                Messages.line,
                [
                    "id": mail.id.text, "state": mail.delivery.state.word, "kind": mail.kind.word,
                    "address": TerminalEscaping.safe(mail.recipient),
                    "count": "\(mail.delivery.attempts)",
                    "reply": TerminalEscaping.safe(mail.delivery.reply),
                ])
        }
        call.out(
            Messages.counts,
            Dictionary(
                uniqueKeysWithValues: MailDelivery.State.allCases.map {
                    ($0.word, "\(listing.counts[$0] ?? 0)")
                }))
        return .success
    },
]

/// The commands that change the queue of mails.
func mailChanges(on data: OperatorData) -> [CommandDeclaration] {
    [
        CommandDeclaration(
            "admin mail retry", Messages.retry,
            examples: [.init("admin mail retry 01JD… --data /var/lib/qring", Messages.retryExample)],
            positionals: [.init("MAIL", Messages.mail)], options: [.data, .database, .json(fields: ["id"])],
            notes: CommandPhrases.Admin.userNotes, hasServer: false
        ) { call throws(CommandFailure) in
            try await call.change(on: data, Messages.retried) { RetryMail(id: $0) }
        },
        CommandDeclaration(
            "admin mail drop", Messages.drop,
            examples: [.init("admin mail drop 01JD… --data /var/lib/qring", Messages.dropExample)],
            positionals: [.init("MAIL", Messages.mail)], options: [.data, .database, .json(fields: ["id"])],
            notes: CommandPhrases.Admin.userNotes, hasServer: false
        ) { call throws(CommandFailure) in
            try await call.change(on: data, Messages.dropped) { DropMail(id: $0) }
        },
    ]
}

/// The options of `serve` that say how mails are sent.
let mailOptions = serveOptions.filter {
    ["smtp-url", "smtp-password-file", "mail-from", "public-url"].contains($0.name)
}

extension Invocation {
    /// Changes the mail that the command line names.
    fileprivate func change<C: Command>(
        on data: OperatorData, _ done: Phrase, _ command: @Sendable (MailID) -> C
    ) async throws(CommandFailure) -> ExitCode where C.Answer == Bool {
        let written = arguments.positional("MAIL") ?? ""
        guard let id = MailID(written) else {
            throw .usage(.notReadable("MAIL", written, expected: "01JD…"))
        }
        guard try await withStorage(on: data, { storage in try await storage.perform(command(id)) }) else {
            throw .failed(Messages.unchanged, ["mail": id.text])
        }
        if wantsJSON { json(["id": id.text]) } else { out(done, ["mail": id.text]) }
        return .success
    }
}

private struct QueueAnswer: Encodable {
    struct Item: Encodable {
        let id: MailID
        let kind: String
        let state: String
        let recipient: String
        let queuedAt: Instant
        let expiresAt: Instant
        let nextAttemptAt: Instant?
        let attempts: Int
        let reply: String
    }

    let items: [Item]
    let counts: [String: Int]

    init(_ listing: MailQueue) {
        items = listing.mails.map { mail in
            let delivery = mail.delivery
            return Item(
                id: mail.id, kind: mail.kind.word, state: delivery.state.word, recipient: mail.recipient,
                queuedAt: mail.queuedAt, expiresAt: mail.expiresAt,
                nextAttemptAt: delivery.state == .waiting ? delivery.nextAttempt : nil,
                attempts: delivery.attempts, reply: delivery.reply)
        }
        counts = Dictionary(
            uniqueKeysWithValues: MailDelivery.State.allCases.map { ($0.word, listing.counts[$0] ?? 0) })
    }
}

extension CommandPhrases {
    enum Mail {
        static let test = Phrase("send a test mail")
        static let testExample = Phrase("shows the mail server's answer")
        static let address = Phrase("an e-mail address")
        static let noServer = Phrase("No mail server is set. Add --smtp-url smtps://USER@HOST.")
        static let timedOut = Phrase("no answer in time")
        static let notSent = Phrase("{server} did not take the mail: {reason}")
        static let sent = Phrase("{server} took the mail to {address}.")
        static let queue = Phrase("list the mails that wait or were refused")
        static let queueExample = Phrase("while the server runs or is stopped")
        static let queueRefusedExample = Phrase("for a script")
        static let state = Phrase("only mails in this state")
        static let line = Phrase(
            "{id}  {state}  {kind}  {address}  {count} {count|attempt|attempts}  {reply}")
        static let counts = Phrase(
            "{waiting} waiting, {sent} sent, {refused} refused, {expired} expired, {dropped} dropped")
        static let retry = Phrase("send a mail again")
        static let retryExample = Phrase("after its receiver's fault is corrected")
        static let retried = Phrase("Mail {mail} will be sent again.")
        static let drop = Phrase("delete a mail without sending it")
        static let dropExample = Phrase("the list shows the ids")
        static let dropped = Phrase("Mail {mail} was deleted.")
        static let mail = Phrase("the id of a mail, from the list")
        static let unchanged = Phrase(
            "There is no mail {mail} that can still be sent. See qring admin mail queue --state all.")
    }
}
