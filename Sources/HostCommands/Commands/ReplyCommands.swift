internal import Client
package import CommandLine
internal import Meetings
internal import Phrases
internal import RecordText
internal import Terminal
internal import Wire

/// The host's commands for the seats of a session, and for replies (RSVP).
package enum ReplyCommands {
    private typealias Texts = CommandPhrases.Replies
    private typealias Declared = CommandDeclaration

    private static let session = Declared.Positional("SESSION", CommandPhrases.Help.session)
    private static let anySession = Declared.Positional(
        "SESSION", CommandPhrases.Help.session, required: false)
    private static let person = Declared.Positional("REPLY", Texts.person)
    private static let json = Declared.Option.json(of: ReplyBody.self)

    package static let all = [
        CommandDeclaration(
            "rsvp", Texts.show, examples: [.init("rsvp @", Texts.show)], positionals: [anySession],
            options: [.json(of: ReplySettingsBody.self)], notes: Texts.notes, run: show),
        CommandDeclaration(
            "rsvp set", Texts.set,
            examples: [
                .init("rsvp set @ --replies open --seats 60", Texts.setExample),
                .init("rsvp set @ --replies approval --guests 2", Texts.approvalExample),
            ],
            positionals: [anySession], changesSession: true,
            options: [
                .oneOf("replies", ReplySettings.Mode.allCases.map(\.rawValue), Texts.mode),
                .value("seats", "NUMBER", Texts.seats), .value("guests", "NUMBER", Texts.mostGuests),
                .flag("new-link", Texts.newLink), .json(of: ReplySettingsBody.self),
            ], run: set),
        CommandDeclaration(
            "rsvp list", Texts.list,
            examples: [
                .init("rsvp list @", Texts.list), .init("rsvp list @ --status waiting", Texts.listWaiting),
            ],
            positionals: [anySession],
            options: [
                .oneOf("status", Reply.Status.allCases.map(\.rawValue), Texts.status),
                .json(of: Page<ReplyBody>.self),
            ], usesPager: true, run: list),
        CommandDeclaration(
            "rsvp approve", Texts.approve, examples: [.init("rsvp approve @ kim@example.org", Texts.approve)],
            positionals: [session, person], changesSession: true,
            options: [.flag("beyond-capacity", Texts.beyond), json], run: approve),
        CommandDeclaration(
            "rsvp decline", Texts.decline, examples: [.init("rsvp decline @ kim@example.org", Texts.decline)],
            positionals: [session, person], changesSession: true, options: [json], run: decline),
        CommandDeclaration(
            "rsvp remove", Texts.remove, examples: [.init("rsvp remove @ kim@example.org", Texts.remove)],
            positionals: [session, person], changesSession: true, run: remove),
        CommandDeclaration(
            "rsvp mail", Texts.mail,
            examples: [
                .init("rsvp mail @", Texts.mailExample), .init("rsvp mail @ kim@example.org", Texts.mailOne),
            ],
            positionals: [session, Declared.Positional("PERSON", Texts.rosterPerson, required: false)],
            changesSession: true, options: [.json(of: ReplyLinksMailedBody.self)], run: mail),
        CommandDeclaration(
            "rsvp export", Texts.export, examples: [.init("rsvp export @ > replies.csv", Texts.export)],
            positionals: [anySession],
            options: [.value("output", "FILE", CommandPhrases.Forms.output)] + Declared.Option.table,
            run: export),
    ]

    // MARK: Settings

    private static func show(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let (host, session) = try await target(call)
        let settings = try await calling { () async throws(APIError) in
            try await host.replySettings(of: session.id)
        }
        print(settings, call)
        return .success
    }

    private static func set(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        var change = ReplySettingsChange(
            mode: call.choice("replies", of: ReplySettings.Mode.self),
            mostGuests: try call.integer("guests", ReplySettings.guests),
            renewLink: call.arguments.has("new-link") ? true : nil)
        if call.arguments.value("seats") == "none" {
            change.capacity = .some(nil)
        } else if let seats = try call.integer("seats", ReplySettings.capacities) {
            change.capacity = .some(seats)
        }
        guard change != ReplySettingsChange() else { throw call.nothingToChange }
        let (host, session) = try await target(call)
        let settings = try await calling { [change] () async throws(APIError) in
            try await host.editReplies(of: session.id, change)
        }
        print(settings, call)
        return .success
    }

    private static func print(_ settings: ReplySettingsBody, _ call: Invocation) {
        if call.wantsJSON { return call.json(settings) }
        let counts = settings.counts
        switch settings.mode {
        case .off: call.out(Texts.isOff)
        case .open: call.out(Texts.isOpen)
        case .approval: call.out(Texts.isApproval)
        }
        if let capacity = settings.capacity {
            call.out(
                Phrase.Reply.seats, ["taken": String(counts.seats), "capacity": String(capacity)])
        } else {
            call.out(Phrase.Reply.taken, ["taken": String(counts.seats)])
        }
        if settings.mostGuests > 0 {
            call.out(Texts.saidGuests, ["count": String(settings.mostGuests)])
        }
        let parts: [(Int, Phrase)] = [
            (counts.accepted, Phrase.Reply.accepted), (counts.waiting, Phrase.Reply.waiting),
            (counts.requested, Phrase.Reply.requested), (counts.maybe, Phrase.Reply.maybe),
            (counts.no, Phrase.Reply.no), (counts.declined, Phrase.Reply.declined),
            (counts.invited, Phrase.Reply.invited),
        ]
        let shown = parts.filter { $0.0 > 0 }.map { "\($0.0) \(call.text($0.1))" }
        if !shown.isEmpty { call.out(shown.joined(separator: " · ")) }
        guard let url = settings.url, settings.mode != .off else { return }
        SessionSummary.drawCode(call, url)
        call.out(url)
    }

    // MARK: Replies

    private static func list(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let (host, session) = try await target(call)
        let status = call.choice("status", of: Reply.Status.self)
        let replies = try await calling { () async throws(APIError) in
            try await host.replies(to: session.id, status: status)
        }
        if call.wantsJSON {
            call.json(Page(items: replies, nextCursor: nil))
            return .success
        }
        guard !replies.isEmpty else {
            call.note(CommandPhrases.Messages.nothing)
            return .success
        }
        var table = Table(
            [Texts.headName, Texts.headIdentity, Texts.headReply, Texts.headGuests, Texts.headID].map {
                call.text($0)
            }, main: 0)
        for reply in replies {
            table.add([
                reply.name, reply.identity ?? "", call.text(reply.status.phrase),
                reply.guests == 0 ? "" : "+\(reply.guests)", String(reply.id.text.suffix(6)),
            ])
        }
        call.out(table)
        return .success
    }

    private static func approve(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let (host, session) = try await target(call)
        let reply = try await named(call, host, session.id)
        let decided = try await calling { () async throws(APIError) in
            try await host.decide(
                reply.id, of: session.id, approve: true,
                beyondCapacity: call.arguments.has("beyond-capacity"))
        }
        say(decided, decided.status == .accepted ? Texts.saidApproved : Texts.saidWaiting, call)
        return .success
    }

    private static func decline(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let (host, session) = try await target(call)
        let reply = try await named(call, host, session.id)
        let decided = try await calling { () async throws(APIError) in
            try await host.decide(reply.id, of: session.id, approve: false)
        }
        say(decided, Texts.saidDeclined, call)
        return .success
    }

    private static func remove(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let (host, session) = try await target(call)
        let reply = try await named(call, host, session.id)
        try await calling { () async throws(APIError) in
            try await host.removeReply(reply.id, of: session.id)
        }
        call.out(Texts.saidRemoved, ["name": TerminalEscaping.safe(reply.name)])
        return .success
    }

    private static func say(_ reply: ReplyBody, _ said: Phrase, _ call: Invocation) {
        if call.wantsJSON {
            call.json(reply)
        } else {
            call.out(said, ["name": TerminalEscaping.safe(reply.name)])
        }
    }

    /// Returns the reply that the user named: by the address or number, the name, or the end of the id.
    private static func named(_ call: Invocation, _ host: APIClient, _ session: SessionID)
        async throws(CommandFailure) -> ReplyBody
    {
        let written = call.arguments.positional("REPLY") ?? ""
        let replies = try await calling { () async throws(APIError) in try await host.replies(to: session) }
        let key = IdentityKey(written)
        var found = replies.filter { reply in
            IdentityKey(reply.name) == key || reply.identity.map { IdentityKey($0) == key } ?? false
        }
        if found.isEmpty, written.utf8.count >= 4 {
            found = replies.filter { $0.id.text.hasSuffix(written.uppercased()) }
        }
        guard let reply = found.first, found.count == 1 else {
            throw .said(
                .notFound, found.isEmpty ? Texts.noReply : Texts.severalReplies,
                ["text": TerminalEscaping.safe(written)], next: "qring rsvp list @")
        }
        return reply
    }

    // MARK: Mails and files

    private static func mail(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let (host, session) = try await target(call)
        var person: PersonID?
        if call.arguments.positional("PERSON") != nil {
            person = try await RosterCommands.person(archived: false, call, host, session.meetingId).id
        }
        let mailed = try await calling { [person] () async throws(APIError) in
            try await host.mailReplyLinks(of: session.id, to: person)
        }
        if call.wantsJSON {
            call.json(mailed)
            return .success
        }
        call.out(Phrase.Reply.mailed, ["count": String(mailed.queued)])
        if mailed.mailedBefore > 0 { call.note(Texts.mailedBefore, ["count": String(mailed.mailedBefore)]) }
        if mailed.withoutAddress > 0 {
            call.note(Texts.withoutAddress, ["count": String(mailed.withoutAddress)])
        }
        if mailed.limitReached { call.note(Texts.limitReached) }
        return .success
    }

    private static func export(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let (host, session) = try await target(call)
        let file = try await calling { () async throws(APIError) in
            try await host.replyFile(of: session.id, call.table)
        }
        try call.write(file, to: call.arguments.value("output") ?? "-")
        return .success
    }

    private static func target(_ call: Invocation) async throws(CommandFailure) -> (APIClient, SessionBody) {
        let host = try call.host()
        return (host, try await Reference("SESSION", of: call, host).session())
    }
}

extension CommandPhrases {
    fileprivate enum Replies {
        static let show = Phrase("show the seats of a session, and how many people come")
        static let notes = Phrase(
            "People reply on a page, and change their reply by their own link. If all seats are taken, a yes "
                + "goes on the waiting list. A seat that becomes free goes to the person who waits longest.")
        static let set = Phrase("set the seats of a session, and ask people whether they come")
        static let setExample = Phrase("a yes takes one of 60 seats at once")
        static let approvalExample = Phrase("the host decides about each yes, with up to two guests")
        static let mode = Phrase("who can reply: off, open, or approval by a host")
        static let seats = Phrase("the number of seats, from 1 to 100000, or none for no limit")
        static let mostGuests = Phrase("how many guests a person may bring, from 0 to 20")
        static let newLink = Phrase("give the page another address; the present one ends")
        static let list = Phrase("list the replies: the waiting list in its order")
        static let listWaiting = Phrase("the waiting list only")
        static let status = Phrase("only replies of this kind")
        static let person = Phrase("the person's address, number or name, or the end of the reply's id")
        static let approve = Phrase("accept a person")
        static let beyond = Phrase("give a seat even if none is free")
        static let decline = Phrase("decline a person")
        static let remove = Phrase("delete a reply, so that the person can reply again")
        static let mail = Phrase("mail people on the roster their own links")
        static let mailExample = Phrase("everybody on the roster who was not mailed before")
        static let mailOne = Phrase("one person, again if necessary")
        static let rosterPerson = Phrase("a person on the roster; without it, everybody")
        static let export = Phrase("export the replies as CSV")
        static let isOff = Phrase("Nobody can reply now.")
        static let isOpen = Phrase("Everybody with the link can reply.")
        static let isApproval = Phrase(
            "Everybody with the link can reply, and a host decides about each yes.")
        static let saidGuests = Phrase("Each person may bring {count} {count|guest|guests}.")
        static let headName = Phrase("NAME")
        static let headIdentity = Phrase("ADDRESS OR NUMBER")
        static let headReply = Phrase("REPLY")
        static let headGuests = Phrase("GUESTS")
        static let headID = Phrase("ID")
        static let saidApproved = Phrase("{name} has a seat.")
        static let saidWaiting = Phrase(
            "No seat is free, so {name} is on the waiting list. To give a seat anyway, add --beyond-capacity."
        )
        static let saidDeclined = Phrase("{name} was declined.")
        static let saidRemoved = Phrase("The reply of {name} was deleted.")
        static let noReply = Phrase("no reply matches \"{text}\".")
        static let severalReplies = Phrase("several replies match \"{text}\". Name one by the end of its id.")
        static let mailedBefore = Phrase(
            "{count} {count|person was|people were} mailed before, or {count|has|have} replied.")
        static let withoutAddress = Phrase(
            "{count} {count|person has|people have} no address, or {count|wants|want} no mails.")
        static let limitReached = Phrase("A limit of a day was reached. Repeat the command tomorrow.")
    }
}
