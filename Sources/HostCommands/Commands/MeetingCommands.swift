internal import Client
package import CommandLine
internal import Meetings
internal import Phrases
internal import RecordText
internal import Terminal
internal import Wire

package enum MeetingCommands {
    private typealias Help = CommandPhrases.Help
    private typealias Messages = CommandPhrases.Messages
    private typealias Absent = CommandPhrases.Absences
    private static let meeting = CommandDeclaration.Positional("MEETING", Help.meeting)
    private static let described: [CommandDeclaration.Option] = [
        .value("zone", "ZONE", Help.zone),
        .oneOf("identify-by", IdentifyBy.allCases.map(\.rawValue), Help.identifyBy),
        .value("place", "TEXT", Help.place), .value("description", "TEXT", Help.description),
    ]
    private static let regulars = CommandDeclaration.Option.oneOf(
        "regulars", Regulars.allCases.map(\.rawValue), Help.regulars)
    private static func language(_ help: Phrase, or others: [String] = []) -> CommandDeclaration.Option {
        .oneOf("language", Language.allCases.map(\.rawValue) + others, help)
    }
    private static func accent(_ help: Phrase, or others: [String] = []) -> CommandDeclaration.Option {
        .oneOf("accent", Accent.allCases.map(\.rawValue) + others, help)
    }
    /// The value of `--language` and `--accent` that removes what was chosen.
    private static let none = "none"
    /// Returns the value of an option that can also be `none`; nil if it was not given.
    private static func replacement<Choice: RawRepresentable<String> & Encodable & Hashable & Sendable>(
        _ option: String, of type: Choice.Type, _ call: Invocation
    ) -> Replacement<Choice>? {
        call.arguments.value(option) == none ? .removed : call.choice(option, of: type).map { .value($0) }
    }
    /// The options of a new session, of a new meeting and of the next round alike.
    private static let round: [CommandDeclaration.Option] =
        [
            .flag("now", Help.now), .value("starts", "TIME", Help.starts), .value("ends", "TIME", Help.ends),
            .value("for", "DURATION", Help.duration), .value("title", "TEXT", Help.roundTitle),
            .value("planned", "N", Help.planned), .values("question", "TEXT", Help.question),
            .flag("sample-questions", Help.sampleQuestions), .value("late-after", "MINUTES", Help.lateAfter),
            .oneOf("anonymous", ["yes", "no"], CommandPhrases.Forms.anonymous),
            .flag("rotating", Help.rotating), .flag("allow-overlap", Help.allowOverlap),
        ] + PresenceOptions.all

    private static let start = CommandDeclaration.Need.one(of: "now", "starts")

    package static let all = [
        CommandDeclaration(
            "meeting create", Help.meetingCreate,
            examples: [
                .init("meeting create \"Study group\" --now --for 2h", Help.meetingCreateNow),
                .init(
                    "meeting create \"Study group\" --starts \"2026-11-21 19:00\" --ends 21:00 --zone "
                        + "Asia/Seoul --planned 30",
                    Help.meetingCreatePlanned),
            ], positionals: [.init("NAME", Help.meetingName)],
            options: round + [
                regulars, language(Help.language), accent(Help.accent),
                .value("consent", "TEXT", Help.consent),
                .json(of: NewMeetingBody.self),
            ]
                + described,
            needs: [start], run: create),
        CommandDeclaration(
            "meeting continue", Help.meetingContinue,
            examples: [
                .init("meeting continue \"Study group\" --now --for 2h", Help.meetingCreateNow),
                .init(
                    "meeting continue \"Study group\" --starts \"2026-11-28 19:00\" --ends 21:00",
                    Help.meetingContinueExample),
            ], positionals: [meeting],
            options: round + [.json(of: SessionBody.self)] + described.filter { $0.name != "zone" },
            needs: [start], run: `continue`),
        CommandDeclaration(
            "meeting list", Help.meetingList,
            examples: [
                .init("meeting list", Help.meetingList), .init("meeting list --json id,name", Help.jsonSome),
            ],
            options: [
                .value("search", "TEXT", CommandPhrases.Roster.searchMeetings), .limit,
                .json(of: Page<MeetingBody>.self),
            ], usesPager: true, run: list),
        CommandDeclaration(
            "meeting show", Help.meetingShow,
            examples: [.init("meeting show \"Study group\"", Help.meetingShow)], positionals: [meeting],
            options: [.json(of: MeetingBody.self)], run: show),
        CommandDeclaration(
            "meeting edit", Help.meetingEdit,
            examples: [.init("meeting edit @ --name \"Reading circle\"", Help.newName)],
            positionals: [meeting],
            options: [
                .value("name", "NAME", Help.newName), regulars,
                language(Help.newLanguage, or: [none]), accent(Help.newAccent, or: [none]),
                .value("consent", "TEXT", Help.newConsent),
                .oneOf("reminders", Reminders.allCases.map(\.rawValue), Help.reminders),
                .value("absent-in-a-row", "N", Absent.inARow), .value("absent-in-all", "N", Absent.inAll),
                .value("absent-since", "DATE", Absent.since),
                .oneOf("absence-mail", ["on", "off"], Absent.mail),
                .value("planned", "N", Help.plannedNext), .flag("renew-code", Help.renewCode),
                .flag("renew-all-codes", Help.renewAllCodes),
                .flag("revoke-presenter-links", Help.revokeAllLinks), .ifVersion,
                .json(of: MeetingBody.self),
            ]
                + described,
            run: edit),
        CommandDeclaration(
            "meeting delete", Help.meetingDelete,
            examples: [.init("meeting delete \"Study group\" --confirm \"Study group\"", Help.confirm)],
            positionals: [meeting], options: [.value("confirm", "NAME", Help.confirm), .yes], run: delete),
    ]

    private static func create(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let zone = try call.zone() ?? .current
        let session = try session(call, in: zone)
        var meeting = NewMeeting(name: call.arguments.positional("NAME") ?? "", session: session)
        meeting.timeZone = zone.name
        meeting.plannedCount = session.plannedCount
        meeting.regulars = call.choice("regulars", of: Regulars.self) ?? .everybody
        meeting.language = call.choice("language", of: Language.self)
        meeting.accent = call.choice("accent", of: Accent.self)
        meeting.consentText = call.arguments.value("consent")
        meeting.identifyBy = call.choice("identify-by", of: IdentifyBy.self)
        meeting.place = call.arguments.value("place")
        meeting.description = call.arguments.value("description")
        let host = try call.host()
        try await SessionTimesOption.check(call, session.startsAt, session.endsAt, in: zone)
        let (asked, key) = (meeting, APICall.randomKey())
        let made = try await calling { () async throws(APIError) in
            try await host.createMeeting(asked, idempotencyKey: key)
        }
        if call.wantsJSON {
            call.json(made)
            return .success
        }
        let name = Following.quoted(made.meeting.name)
        var next = [("watch \(name)", Messages.nextWatch)]
        if let code = made.session.joinCode {
            next.append(("checkin \(code) --name NAME --email ADDRESS", Messages.nextCheckIn))
        }
        next.append(("present \(name)", Messages.nextPresent))
        next.append(
            session.questions == nil
                ? ("question set \(name) FILE", Messages.nextQuestions)
                : ("results \(name)", Messages.nextResults))
        SessionSummary.print(new: made.session, call, name: name, next: next)
        return .success
    }

    private static func session(_ call: Invocation, in zone: Zone) throws(CommandFailure) -> NewSession {
        let (starts, ends) = try SessionTimesOption.newTimes(call, in: zone)
        var session = NewSession(startsAt: starts, endsAt: ends)
        session.title = call.arguments.value("title")
        session.plannedCount = try call.integer("planned", 0...100_000)
        session.lateAfterMinutes = try call.integer("late-after", 0...1440)
        session.checkOut = call.choice("check-out", of: CheckOut.self)
        (session.minimumMinutes, session.minimumPercent) = try PresenceOptions.minimum(call)
        var questions = call.arguments.has("sample-questions") ? SampleQuestions.all(in: call.language) : []
        questions += call.arguments.values("question").map { QuestionDraft(.shortAnswer, $0) }
        if !questions.isEmpty { session.questions = questions }
        if call.arguments.has("rotating") { session.codeKind = .rotating }
        session.anonymous = call.arguments.value("anonymous").map { $0 == "yes" }
        if call.arguments.has("allow-overlap") { session.allowOverlap = true }
        return session
    }

    private static func `continue`(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        // Reject a malformed time before the command requests the meeting. The time is then read again in the
        // meeting's time zone.
        _ = try session(call, in: .current)
        let host = try call.host()
        let id = try await Reference("MEETING", of: call, host).meeting()
        let meeting = try await calling { () async throws(APIError) in try await host.meeting(id) }.body
        var round = try session(call, in: .named(meeting.timeZone))
        round.identifyBy = call.choice("identify-by", of: IdentifyBy.self)
        round.place = call.arguments.value("place")
        round.description = call.arguments.value("description")
        let asked = round
        try await SessionTimesOption.check(call, asked.startsAt, asked.endsAt, in: .named(meeting.timeZone))
        let named = Following.quoted(call.arguments.positional("MEETING") ?? "@")
        let change = LongChange(call, Messages.addingSession, seenBy: "session list \(named)")
        let made = try await change.sent { (follower) async throws(APIError) in
            try await host.continueMeeting(id, asked, following: follower)
        }
        if call.wantsJSON {
            call.json(made)
            return .success
        }
        let name = Following.quoted("\(made.meetingName)#\(made.round)")
        SessionSummary.print(
            new: made, call, name: name,
            next: [("watch \(name)", Messages.nextWatch), ("present \(name)", Messages.nextPresent)])
        return .success
    }

    private static func list(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let host = try call.host()
        let all = try await calling { () async throws(APIError) in try await host.meetings() }
        let ordered = MeetingList.ordered(all, matching: call.arguments.value("search"))
        let meetings = Array(ordered.prefix(try call.limit() ?? .max))
        if call.wantsJSON {
            call.json(Page(items: meetings, nextCursor: nil))
            return .success
        }
        guard !meetings.isEmpty else {
            call.noteNothing(isSearch: !all.isEmpty)
            if all.isEmpty {
                Following.show(call, [("meeting create NAME --now", Messages.nextCreate)])
            }
            return .success
        }
        MeetingList.print(call, meetings, at: SystemTime.now)
        return .success
    }

    private static func show(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let host = try call.host()
        let found = try await Reference("MEETING", of: call, host).meeting()
        let meeting = try await calling { () async throws(APIError) in try await host.meeting(found) }.body
        if call.wantsJSON {
            call.json(meeting)
            return .success
        }
        call.out(TerminalEscaping.safe(meeting.name))
        for text in [meeting.place, meeting.description].compactMap(\.self) {
            call.out(TerminalEscaping.safe(text))
        }
        if let language = meeting.language {
            call.out("\(call.text(Messages.attendeeLanguage)): \(language.ownName)")
        }
        if let consent = meeting.consent {
            call.out("\(call.text(Messages.consent)): \(TerminalEscaping.safe(consent.text))")
        }
        if let rule = meeting.absenceRule {
            call.out("\(call.text(Absent.rule)): \(AbsenceCommands.text(of: rule, call))")
        }
        if let url = meeting.meetingUrl { call.out("\(call.text(Messages.address)): \(url)") }
        call.out("ID: \(meeting.id)\n")
        let sessions = try await calling { () async throws(APIError) in try await host.sessions(of: found) }
        call.out(SessionCommands.table(sessions, call))
        return .success
    }

    private static func edit(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        var change = MeetingChange()
        change.name = call.arguments.value("name")
        change.place = call.arguments.value("place")
        change.description = call.arguments.value("description")
        change.timeZone = try call.zone()?.name
        change.identifyBy = call.choice("identify-by", of: IdentifyBy.self)
        change.regulars = call.choice("regulars", of: Regulars.self)
        change.reminders = call.choice("reminders", of: Reminders.self)
        change.language = replacement("language", of: Language.self, call)
        change.accent = replacement("accent", of: Accent.self, call)
        change.consentText = call.arguments.value("consent").map { $0 == none ? .removed : .value($0) }
        change.absenceRule = try AbsenceCommands.edit(call)
        if call.arguments.has("renew-code") { change.renewCode = true }
        if call.arguments.has("renew-all-codes") { change.renewAllCodes = true }
        if call.arguments.has("revoke-presenter-links") { change.revokePresenterLinks = true }
        let planned = try call.integer("planned", 0...100_000)
        guard change != MeetingChange() || planned != nil else { throw call.nothingToChange }
        let (host, asked) = (try call.host(), change)
        let id = try await Reference("MEETING", of: call, host).meeting()
        if let planned {
            try await plan(planned, for: id, call, host)
            if change == MeetingChange() {
                if call.wantsJSON {
                    call.json(
                        try await calling { () async throws(APIError) in try await host.meeting(id) }.body)
                }
                return .success
            }
        }
        let old = try await calling { () async throws(APIError) in try await host.meeting(id) }.body
        let seen = try call.seen(old.version)
        let named = Following.quoted(call.arguments.positional("MEETING") ?? "@")
        let long =
            if change.renewAllCodes ?? change.revokePresenterLinks ?? false {
                LongChange(call, Messages.renewingCodes, seenBy: "meeting show \(named)")
            } else {
                LongChange(
                    call, Messages.identifying, seenBy: "meeting show \(named) --json identifyBy")
            }
        let changed = try await long.sent { (follower) async throws(APIError) in
            try await host.edit(id, asked, seen: seen, following: follower)
        }
        ChangedFields.show(
            call,
            [
                ("name", old.name, changed.name), ("place", old.place, changed.place),
                ("description", old.description, changed.description),
                ("timeZone", old.timeZone, changed.timeZone),
                ("identifyBy", old.identifyBy.rawValue, changed.identifyBy.rawValue),
                ("regulars", old.regulars.rawValue, changed.regulars.rawValue),
                ("language", old.language?.rawValue, changed.language?.rawValue),
                ("accent", old.accent?.rawValue, changed.accent?.rawValue),
                ("consent", old.consent?.text, changed.consent?.text),
                ("reminders", old.reminders.rawValue, changed.reminders.rawValue),
                (
                    "absenceRule", old.absenceRule.map { AbsenceCommands.text(of: $0, call) },
                    changed.absenceRule.map { AbsenceCommands.text(of: $0, call) }
                ),
            ])
        if call.wantsJSON { call.json(changed) } else { call.note(Messages.changed) }
        return .success
    }

    /// Sets the planned count of the meeting's running or next session, because each session has its own
    /// count.
    private static func plan(
        _ count: Int, for id: MeetingID, _ call: Invocation, _ host: APIClient
    ) async throws(CommandFailure) {
        let meeting = try await calling { () async throws(APIError) in try await host.meeting(id) }.body
        guard let session = meeting.nearestSession ?? meeting.latestSession else {
            throw .said(.notFound, CommandPhrases.Fail.noneToCome, [:], next: nil)
        }
        var change = SessionChange()
        change.plannedCount = count
        let (asked, seen) = (change, Seen.version(session.version))
        let changed = try await calling { () async throws(APIError) in
            try await host.edit(session.id, asked, seen: seen)
        }
        ChangedFields.show(
            call,
            [("plannedCount", String(session.attendance.planned), String(changed.attendance.planned))])
        if !call.wantsJSON {
            call.note(
                Messages.plannedFor,
                ["name": TerminalEscaping.safe(changed.meetingName), "round": String(changed.round)])
        }
    }

    private static func delete(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let host = try call.host()
        let written = call.arguments.positional("MEETING") ?? "@"
        let id = try await Reference(written, host).meeting()
        let meeting = try await calling { () async throws(APIError) in try await host.meeting(id) }.body
        try await Deletion.confirmed(
            call, meeting.name, data: Deletion.ofMeeting, name: meeting.name,
            again: "meeting delete \(Following.quoted(written))"
        ) {
            (confirmation) async throws(APIError) in
            try await host.deleteMeeting(id, confirmation: confirmation)
        }
        return .success
    }
}

extension CommandPhrases.Help {
    static let meetingCreate = Phrase("create a meeting with its first session")
    static let meetingCreateNow = Phrase("start the session now and show its QR code")
    static let meetingCreatePlanned = Phrase(
        "plan for 30 people; if the end is before the start, it means the next day")
    static let meetingName = Phrase("1–100 characters")
    static let now = Phrase("start now")
    static let starts = Phrase(
        "2026-11-21 19:00, \"tomorrow 7pm\", \"Nov 28 7pm\", \"Fri 19:00\", +2h or now, in the "
            + "meeting's time zone")
    static let zone = Phrase("IANA time zone (default: this machine's)")
    static let identifyBy = Phrase("how attendees are identified (default email)")
    static let regulars = Phrase(
        "whom the next session expects: everybody who came (the default for new meetings), the people kept "
            + "on the roster, or nobody")
    static let reminders = Phrase(
        "mails to the people on the roster (a day and an hour before, changes, feedback): off, on (in the "
            + "language for attendees), or their language")
    static let language = Phrase(
        "language of the hall's screen, posters, mails, and of phones in a language that QRing lacks")
    static let newLanguage = Phrase(
        "language of the hall's screen, posters, mails, and of phones in a language that QRing lacks; none "
            + "removes it")
    static let accent = Phrase("colour of the meeting on phones and in the hall")
    static let consent = Phrase("a text that attendees must agree to when they check in")
    static let newConsent = Phrase(
        "a text that attendees must agree to when they check in; none removes it")
    static let newAccent = Phrase(
        "colour of the meeting on phones and in the hall; none restores QRing's own")
    static let roundTitle = Phrase("a title for this session, beside its number")
    static let question = Phrase("an optional question with a short answer; can be repeated")
    static let sampleQuestions = Phrase("add one question of each kind")
    static let place = Phrase("the venue")
    static let description = Phrase("the description")
    static let rotating = Phrase("a code that changes every 10 s")
    static let meetingContinue = Phrase("create the next session of a meeting")
    static let meetingContinueExample = Phrase("a week later, in the meeting's time zone")
    static let meetingList = Phrase("list your meetings")
    static let meetingShow = Phrase("show a meeting and its sessions")
    static let meetingEdit = Phrase("change a meeting")
    static let renewAllCodes = Phrase(
        "renew the meeting's code and the codes of all its sessions; check-ins stay")
    static let revokeAllLinks = Phrase("revoke the presenter links of all sessions; open screens end at once")
    static let plannedNext = Phrase("the number of people expected in the running or next session")
    static let newName = Phrase("the new name")
    static let meetingDelete = Phrase("delete a meeting and all its sessions")
}

extension CommandPhrases.Messages {
    static let plannedFor = Phrase("Saved the planned count of {name}, session {round}.")
    static let nextWatch = Phrase("follow the arrivals live")
    static let nextPresent = Phrase("create a link for the hall's screen")
    static let nextCheckIn = Phrase("check in from here")
    static let nextResults = Phrase("show the answers")
    static let nextQuestions = Phrase("add questions")
}

extension CommandPhrases.Roster {
    static let searchMeetings = Phrase(
        "only meetings whose name contains this text, or with a session on this date (2026-11, 2026-11-21)")
}
