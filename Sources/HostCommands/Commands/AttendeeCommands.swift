internal import Client
package import CommandLine
internal import Meetings
internal import Phrases
internal import RecordText
internal import Terminal
internal import Wire

package enum AttendeeCommands {
    private typealias Help = CommandPhrases.Help
    private typealias Messages = CommandPhrases.Messages
    private typealias Fail = CommandPhrases.Fail

    package static let all = [
        CommandDeclaration(
            "checkin", Help.checkin,
            examples: [
                .init("checkin K7QX2M --name \"Lee Jun\" --email jun@example.org", Help.checkinExample),
                .init(
                    "checkin HTTP://192.168.1.5:8080/C/… --name \"Lee Jun\" --email jun@example.org",
                    Help.checkinURL),
            ], positionals: [.init("CODE", Help.code)],
            options: [
                .value("name", "NAME", Help.attendeeName), .value("email", "ADDRESS", Help.email),
                .value("number", "NUMBER", Help.number), .flag("agree", Help.agree),
                .json(of: CheckInBody.self),
            ], run: checkIn),
        CommandDeclaration(
            "respond", Help.respond,
            examples: [
                .init("respond", Help.respondExample), .init("respond --answers answers.json", Help.answers),
            ],
            positionals: [.init("SESSION", Help.respondSession, required: false)],
            options: [
                .value("answers", "FILE", Help.answers), .value("set", "SET", Help.set),
                .value("receipt-file", "FILE", Help.receipt),
                .json(of: ResponseBody.self),
            ], run: Responding.run),
        CommandDeclaration(
            "attendee list", Help.attendeeList,
            examples: [
                .init("attendee list @ --status late", Help.status),
                .init("attendee list \"Study group\" --json", Help.json),
            ],
            positionals: [.init("SESSION", Help.session, required: false)],
            options: [
                .oneOf("status", AttendanceStatus.allCases.map(\.rawValue), Help.status),
                .value("search", "TEXT", Help.search), .limit,
                .json(of: Page<AttendeeBody>.self),
            ], usesPager: true, run: list),
    ]

    private static func checkIn(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let written = call.arguments.positional("CODE") ?? ""
        guard let code = CodeText(written) else { throw .failed(Fail.notACode, ["text": written]) }
        // Check in at the server of a scanned address, unless the user named a server.
        let given = try call.givenServer()
        let client: APIClient =
            if let server = given ?? code.server { try call.client(at: server) } else { try call.client() }
        let grant = try await grant(for: code, written, client)
        let name = try await call.asked("name", Messages.name, Messages.aName)
        var checkIn = NewCheckIn(.grant(grant.grant), name: name)
        switch grant.session.identifyBy {
        case .name: break
        case .email: checkIn.email = try await call.asked("email", Messages.email, Messages.anEmail)
        case .number: checkIn.number = try await call.asked("number", Messages.number, Messages.aNumber)
        }
        if let consent = grant.consent { checkIn.consentNumber = try await agreed(to: consent, call) }
        let (asked, key) = (checkIn, APICall.randomKey())
        let holder = await holder(
            of: asked, grant.session, try call.settings()[client.server].receipts, client)
        let answer = try await calling { () async throws(APIError) in
            try await holder.checkIn(asked, idempotencyKey: key)
        }
        let meeting = TerminalEscaping.safe(answer.session.meetingName)
        if let receipt = answer.receipt, let attendee = answer.attendee {
            let saved = SavedReceipt(
                sessionId: answer.session.id, meetingName: answer.session.meetingName, name: attendee.name,
                receipt: receipt,
                savedAt: SystemTime.now)
            try call.update { $0[client.server].save(saved) }
        }
        if call.wantsJSON {
            call.json(answer)
            return .success
        }
        guard let attendee = answer.attendee else {
            call.note(Fail.alreadyIn, ["name": TerminalEscaping.safe(name)])
            return .success
        }
        let said = answer.alreadyCheckedIn ? Messages.wasCheckedIn : Messages.checkedIn
        call.out(
            said,
            [
                "name": TerminalEscaping.safe(attendee.name),
                "status": call.text(attendee.status.phrase), "meeting": meeting,
            ])
        if answer.session.feedback.questions > 0 { Following.show(call, [("respond", Messages.nextRespond)]) }
        return .success
    }

    /// Returns the number of a text after the user has agreed to it: by `--agree`, or by an answer.
    private static func agreed(to consent: Consent, _ call: Invocation) async throws(CommandFailure) -> Int {
        let text = TerminalEscaping.safe(consent.text)
        if call.arguments.has("agree") { return consent.number }
        guard call.mayAsk else { throw .said(.usage, Fail.notAgreed, ["text": text], next: "… --agree") }
        let answer = await call.console.ask(call.text(Messages.agree, ["text": text]) + " ", hidden: false)
        guard Invocation.isYes(answer) else { throw .failed(Fail.refusesConsent) }
        return consent.number
    }

    /// Exchanges the code. The server cannot know whether a code that it does not accept is mistyped or has
    /// expired, but a code that was typed cannot be scanned again.
    private static func grant(for code: CodeText, _ written: String, _ client: APIClient)
        async throws(CommandFailure) -> GrantBody
    {
        do throws(APIError) { return try await client.grant(for: code.key) } catch {
            guard error.code == .codeNotValid else { throw .api(error) }
            let isScanned = if case .code = code.key, code.server != nil { true } else { false }
            let said = isScanned ? Fail.codeExpired : Fail.codeMistyped
            throw .failed(said, ["code": TerminalEscaping.safe(written)])
        }
    }

    /// Returns a client with the saved receipt of the same person, so that the server answers a repeated
    /// check-in with this person's record. Without such a receipt, it returns `client`, because a receipt of
    /// another person on this machine would reveal that person's record.
    private static func holder(
        of asked: NewCheckIn, _ session: SessionGlimpse, _ saved: [SavedReceipt], _ client: APIClient
    ) async -> APIClient {
        for receipt in saved.reversed() where receipt.sessionId == session.id {
            let holder = client.speaking(for: .bearer(receipt.receipt))
            // Ignore a receipt that is no longer valid, so that the person can still check in.
            guard let attendee = try? await holder.ownRecord().attendee else { continue }
            let (given, own) =
                switch session.identifyBy {
                case .name: (asked.name as String?, attendee.name as String?)
                case .email: (asked.email, attendee.email)
                case .number: (asked.number, attendee.number)
                }
            if let given, let own, IdentityKey(given) == IdentityKey(own) { return holder }
        }
        return client
    }

    private static func list(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let host = try call.host()
        let session = try await Reference("SESSION", of: call, host).session(
            for: .people, telling: call)
        let (status, search) = (
            call.choice("status", of: AttendanceStatus.self), call.arguments.value("search")
        )
        let limited = host.limited(to: try call.limit())
        let people = try await calling { () async throws(APIError) in
            try await limited.attendees(of: session.id, status: status, matching: search)
        }
        if call.wantsJSON {
            call.json(Page(items: people, nextCursor: nil))
            return .success
        }
        // The unnamed people have one status: awaited, or absent after the end.
        let unnamed = Unnamed.count(in: session, with: status, matching: search)
        guard !people.isEmpty else {
            if let unnamed {
                call.out(Messages.unnamedOnly, ["count": String(unnamed)])
            } else {
                call.noteNothing(isSearch: search != nil || status != nil)
            }
            return .success
        }
        let zone = Zone.named(session.timeZone)
        let when = call.heading(call.text(Messages.headWhen), in: zone, at: session.startsAt)
        let recordsLeaving = session.checkOut != nil
        var table = Table(
            [
                call.text(Messages.headName), call.text(Messages.headStatus), when,
                call.text(Messages.headHow),
                call.text(Messages.headIdentity),
            ] + (recordsLeaving ? [Messages.headLeft, Messages.headMinutes].map { call.text($0) } : []))
        for person in people {
            let status = call.text(person.status.phrase)
            table.add(
                [
                    person.typedName.map {
                        "\(person.name) (\(call.text(Messages.typedName, ["name": $0])))"
                    } ?? person.name,
                    marked(status, person, call),
                    person.checkedInAt.map { arrival($0, of: session, in: zone) } ?? "",
                    person.method.map { call.text($0.phrase) } ?? "",
                    person.email ?? person.number ?? "",
                ]
                    + (recordsLeaving
                        ? [
                            person.leftAt.map { arrival($0, of: session, in: zone) } ?? "",
                            person.presentMinutes.map(String.init) ?? "",
                        ] : []),
                person.status.role.inColumn(1))
        }
        call.out(table)
        if let unnamed { call.out(Phrase.Export.unnamed, ["count": String(unnamed)]) }
        return .success
    }

    /// Returns the status with the words for a walk-in and a newcomer.
    private static func marked(_ status: String, _ person: AttendeeBody, _ call: Invocation) -> String {
        let marks = [
            person.walkIn == true ? Messages.walkIn : nil,
            person.firstTime == true ? Phrase.Export.firstTime : nil,
            person.partial == true ? Phrase.Export.partial : nil,
        ].compactMap { $0.map { call.text($0) } }
        return marks.isEmpty ? status : "\(status) (\(marks.joined(separator: ", ")))"
    }
}

/// The people whom a session's planned number counts and no record names.
enum Unnamed {
    /// Returns the number of the unnamed people who belong to a list of the session's attendees; nil if there
    /// are none.
    static func count(in session: SessionBody, with status: AttendanceStatus?, matching text: String?) -> Int?
    {
        let own: AttendanceStatus =
            session.phase == .ended || session.phase == .closed ? .absent : .awaited
        guard session.attendance.unnamed > 0, text == nil, status == nil || status == own else { return nil }
        return session.attendance.unnamed
    }
}

/// Returns the time of an arrival, with its date if it is not on the day of the session's start.
private func arrival(_ moment: Instant, of session: SessionBody, in zone: Zone) -> String {
    let isSameDay = moment.wall(in: zone).prefix(10) == session.startsAt.wall(in: zone).prefix(10)
    return isSameDay
        ? moment.clock(in: zone) : "\(moment.wall(in: zone).prefix(10)) \(moment.clock(in: zone))"
}

extension CommandPhrases.Help {
    static let checkin = Phrase("check in as an attendee")
    static let checkinExample = Phrase("by join code")
    static let checkinURL = Phrase("by the address in the QR code")
    static let code = Phrase("the code, its address, or the join code")
    static let respond = Phrase("answer the questions as an attendee")
    static let respondExample = Phrase("asks one question after another")
    static let respondSession = Phrase("the session (default: the last check-in from this machine)")
    static let answers = Phrase("JSON: {\"1\": [\"a\"], \"2\": \"text\", \"3\": 5}, - for standard input")
    static let receipt = Phrase("a file with the receipt, if it is not saved here; - for standard input")
    static let agree = Phrase("agree to the host's consent text")
    static let attendeeList = Phrase("list the attendees with their status")
    static let status = Phrase("only attendees with this status")
}

extension CommandPhrases.Messages {
    static let aNumber = Phrase("a number")
    static let number = Phrase("Number: ")
    static let nextRespond = Phrase("answer the questions")
    static let headStatus = Phrase("STATUS")
    static let headWhen = Phrase("WHEN")
    static let headIdentity = Phrase("E-MAIL/NUMBER")
    static let headHow = Phrase("HOW")
    static let headLeft = Phrase("LEFT")
    static let headMinutes = Phrase("MINUTES")
    static let walkIn = Phrase("walk-in")
    static let unnamedOnly = Phrase("{count} unnamed")
    static let typedName = Phrase("typed: {name}")
    static let checkedIn = Phrase("{name} is checked in: {status}, {meeting}.")
    static let agree = Phrase("“{text}” Do you agree? y/n")
    static let wasCheckedIn = Phrase("{name} was already checked in: {status}, {meeting}.")
}

extension CommandPhrases.Fail {
    static let codeExpired = Phrase("this code has expired. Scan the one on the screen now.")
    static let codeMistyped = Phrase(
        "the code {code} is not valid now. Compare it with the code on the screen.")
    static let notAgreed = Phrase("this check-in needs your consent: “{text}”")
    static let refusesConsent = Phrase("not checked in, because you did not agree. Ask the host.")
    static let alreadyIn = Phrase(
        "{name} is already checked in from another device. Only that device can show the record.")
}
