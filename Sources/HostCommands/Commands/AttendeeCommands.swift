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
                .value("number", "NUMBER", Help.number),
                .json(of: CheckInBody.self),
            ], run: checkIn),
        CommandDeclaration(
            "respond", Help.respond,
            examples: [
                .init("respond", Help.respondExample), .init("respond --answers answers.json", Help.answers),
            ],
            positionals: [.init("SESSION", Help.respondSession, required: false)],
            options: [
                .value("answers", "FILE", Help.answers), .value("set", "NAME", Help.set),
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
                .value("search", "TEXT", Help.search),
                .json(of: AttendeeBody.self),
            ], run: list),
    ]

    private static func checkIn(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let written = call.arguments.positional("CODE") ?? ""
        guard let code = CodeText(written) else { throw .failed(Fail.notACode, ["text": written]) }
        // An address leads to its own server, unless another was asked for by name.
        let given = try call.givenServer()
        let client: APIClient =
            if let server = given ?? code.server { try call.client(at: server) } else { try call.client() }
        let grant = try await calling { () async throws(APIError) in try await client.grant(for: code.key) }
        let name = try await call.asked("name", Messages.name, Messages.aName)
        var checkIn = NewCheckIn(.grant(grant.grant), name: name)
        switch grant.session.identifyBy {
        case .name: break
        case .email: checkIn.email = try await call.asked("email", Messages.email, Messages.anEmail)
        case .number: checkIn.number = try await call.asked("number", Messages.number, Messages.aNumber)
        }
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
                "status": call.text(SessionText.status(attendee.status)), "meeting": meeting,
            ])
        if answer.session.feedback.questions > 0 { Following.tell(call, [("respond", Messages.nextRespond)]) }
        return .success
    }

    /// Speaks with the receipt that is saved here, where it is that of the same person: a repeat is then
    /// answered with the record. The receipts of others who checked in on this machine would be answered with
    /// theirs.
    private static func holder(
        of asked: NewCheckIn, _ session: SessionGlimpse, _ saved: [SavedReceipt], _ client: APIClient
    ) async -> APIClient {
        for receipt in saved.reversed() where receipt.sessionId == session.id {
            let holder = client.speaking(for: .bearer(receipt.receipt))
            // One that is no longer valid is of no use, and does not keep anybody from checking in.
            guard let attendee = try? await holder.ownRecord().attendee else { continue }
            let (given, kept) =
                switch session.identifyBy {
                case .name: (asked.name as String?, attendee.name as String?)
                case .email: (asked.email, attendee.email)
                case .number: (asked.number, attendee.number)
                }
            if let given, let kept, IdentityKey(given) == IdentityKey(kept) { return holder }
        }
        return client
    }

    private static func list(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let host = try call.host()
        let session = try await Reference(call.arguments.positional("SESSION") ?? "@", host).session()
        let (status, search) = (
            call.choice("status", of: AttendanceStatus.self), call.arguments.value("search")
        )
        let people = try await calling { () async throws(APIError) in
            try await host.attendees(of: session.id, status: status, matching: search)
        }
        if call.wantsJSON {
            call.json(Page(items: people, nextCursor: nil))
            return .success
        }
        guard !people.isEmpty else {
            call.note(Messages.nothing)
            return .success
        }
        let zone = Zone.named(session.timeZone)
        var table = Table(
            [
                Messages.headName, Messages.headStatus, Messages.headWhen, Messages.headHow,
                Messages.headIdentity,
            ].map { call.text($0) })
        for person in people {
            let status = call.text(SessionText.status(person.status))
            table.add([
                person.name, person.walkIn ? "\(status) (\(call.text(Messages.walkIn)))" : status,
                person.checkedInAt?.clock(in: zone) ?? "",
                person.method.map { call.text(RecordWords.method($0)) } ?? "",
                person.email ?? person.number ?? "",
            ])
        }
        call.out(table)
        return .success
    }
}
