import Journal
import Meetings
import Testing

extension Stage {
    /// Creates a meeting with seven sessions, three of them with presenter links.
    fileprivate func linked() async throws -> (host: AccountID, meeting: MeetingID, sessions: [SessionID]) {
        let (host, record) = try await planned()
        let added = try await perform(
            RepeatMeeting(meeting: record.meeting.id, rule: .weekly, count: 6, actor: host))
        let sessions = [record.session.id] + added.map(\.session.id)
        for (number, session) in sessions.prefix(3).enumerated() {
            try await perform(AddPresenterLink(session: session, hash: hash(900 + number), actor: host))
        }
        return (host, record.meeting.id, sessions)
    }

    fileprivate func codes(of sessions: [SessionID]) async throws -> [Session] {
        var found: [Session] = []
        for id in sessions { found.append(try #require(try await record(id)).session) }
        return found
    }

    /// Returns what a grant holds that the session's code gives now.
    fileprivate func revocation(of session: SessionID) async throws -> Instant {
        try #require(try await record(session)?.meeting.codesRevokedAt)
    }

    fileprivate func linkCount(of sessions: [SessionID]) async throws -> Int {
        try await storage.read { rows throws(JournalError) in
            var count = 0
            for session in sessions { count += try rows.presenterLinks(of: session).count }
            return count
        }
    }
}

extension CommandRule {
    /// The revocation of all codes of a meeting.
    static let codeRevocations: [CommandRule] =
        [SliceSize.adaptive, .fixed(3)].map { slices in
            CommandRule(
                "all codes of a meeting are renewed at once, with its links if requested", slices: slices
            ) { stage in
                let (host, meeting, sessions) = try await stage.linked()
                let other = try await stage.meeting(of: host, from: 100, to: 160)
                let before = try await stage.codes(of: sessions)
                let poster = try #require(try await stage.record(sessions[0])).meeting.codeVersion
                // The first session is over for good: nothing can make its codes valid again.
                stage.now = before[0].feedbackClosesAt + millisecond
                let edited = try await stage.perform(
                    EditMeeting(id: meeting, name: "New", renewsAllCodes: true, actor: host))
                #expect(edited.meeting.name == "New" && edited.meeting.codeVersion == poster + 1)
                let after = try await stage.codes(of: sessions)
                #expect(after[0] == before[0])
                for (old, new) in zip(before, after).dropFirst() {
                    #expect(new.codeVersion == old.codeVersion + 1 && new.joinCode != old.joinCode)
                    #expect(try await stage.events(of: new.id).contains { $0.data.fields == ["code"] })
                    #expect(stage.announced.last(new.id)?.isEdited == true)
                }
                #expect(try await stage.record(other.session.id) == other)
                #expect(try await stage.linkCount(of: sessions) == 3)
                _ = try await stage.perform(EditMeeting(id: meeting, revokesLinks: true, actor: host))
                #expect(try await stage.linkCount(of: sessions) == 0)
                #expect(try await stage.codes(of: sessions) == after)
                let actions = try await stage.storage.read { rows throws(JournalError) in
                    try rows.actions(in: meeting, before: nil, limit: 100)
                }
                #expect(actions.count { $0.kind == .codesRenewed && $0.actor == .account(host) } == 1)
                #expect(actions.count { $0.kind == .presenterLinkRevoked } == 3)
                #expect(try await stage.jobs().isEmpty)
            }
        } + [
            CommandRule("grants of old codes do not check in after a revocation, and check-ins stay") {
                stage in
                let (host, record) = try await stage.planned()
                let (session, meeting) = (record.session.id, record.meeting.id)
                stage.now = at(0)
                let kim = try await stage.arrive(1, in: session, moment: at(0))
                stage.now = at(1)
                _ = try await stage.perform(EditMeeting(id: meeting, renewsAllCodes: true, actor: host))
                let revoked = try await stage.revocation(of: session)
                // The old code was exchanged while the revocation was being stored, or even later.
                for moment in [at(0), at(1), at(2)] {
                    await expectRefused(.grantExpired) {
                        try await stage.checkIn(2, in: session, moment: moment)
                    }
                }
                #expect(try await stage.attendee(kim.id) == kim)
                _ = try await stage.arrive(2, in: session, moment: at(1), revocation: revoked)
                // Another revocation in the same millisecond.
                _ = try await stage.perform(EditMeeting(id: meeting, renewsAllCodes: true, actor: host))
                await expectRefused(.grantExpired) {
                    try await stage.checkIn(3, in: session, moment: at(1), revocation: revoked)
                }
                let last = try await stage.revocation(of: session)
                // A renewal of one session's code ends no grants.
                try await stage.perform(EditSession(id: session, renewsCode: true, actor: host))
                stage.now = at(2)
                _ = try await stage.arrive(3, in: session, moment: at(1), revocation: last)
            },
            CommandRule("grants that old codes gave during a revocation do not check in after it") { engine in
                let watched = WatchedEngine(engine)
                let stage = try Stage(watched, slices: .fixed(3))
                let (host, meeting, sessions) = try await stage.linked()
                stage.now = at(0)
                watched.afterCommit { [stage] commit in stage.now = at(commit) }
                _ = try await stage.perform(EditMeeting(id: meeting, renewsAllCodes: true, actor: host))
                watched.afterCommit(nil)
                // The first transaction, three slices of sessions, and the end of the work.
                #expect(stage.now == at(5))
                #expect(stage.announced.endedRights == [.grants(of: meeting, before: at(4))])
                await expectRefused(.grantExpired) {
                    try await stage.checkIn(1, in: sessions[0], moment: at(3), revocation: at(0))
                }
                _ = try await stage.arrive(
                    1, in: sessions[0], moment: at(4), revocation: try await stage.revocation(of: sessions[0])
                )
                await stage.storage.close()
            },
            CommandRule(
                "only hosts revoke codes, of the version that they saw, and not with a new kind of key"
            ) {
                stage in
                let (host, record) = try await stage.planned()
                let (session, meeting) = (record.session.id, record.meeting.id)
                let viewer = try await stage.account(2).id
                try await stage.perform(
                    Act { transaction throws(JournalError) in
                        try transaction.rows.setRole(.viewer, of: viewer, in: meeting)
                    })
                await expectRefused(.notAllowed) {
                    try await stage.perform(EditMeeting(id: meeting, renewsAllCodes: true, actor: viewer))
                }
                await expectRefused(.versionMismatch(current: 1)) {
                    try await stage.perform(
                        EditMeeting(id: meeting, renewsAllCodes: true, expected: .version(9), actor: host))
                }
                await expectRefused(
                    .invalid([FieldError("/identifyBy", .notTogether(with: "renewAllCodes"))])
                ) {
                    try await stage.perform(
                        EditMeeting(id: meeting, identifyBy: .number, renewsAllCodes: true, actor: host))
                }
                #expect(try await stage.codes(of: [session]) == [record.session])
            },
        ]
}

extension CrashRule {
    static let codeRevocation = CrashRule("a revocation of codes that a crash interrupts is completed") {
        stage in
        try await stage.linked()
    } act: { stage, prepared in
        _ = try await stage.perform(
            EditMeeting(id: prepared.meeting, renewsAllCodes: true, revokesLinks: true, actor: prepared.host))
    } expect: { stage, prepared in
        let codes = try await stage.codes(of: prepared.sessions)
        let record = try #require(try await stage.record(prepared.sessions[0]))
        let isRevoked = record.meeting.codesRevokedAt != nil
        #expect(codes.allSatisfy { $0.codeVersion == (isRevoked ? 2 : 1) })
        #expect(try await stage.linkCount(of: prepared.sessions) == (isRevoked ? 0 : 3))
    }
}
