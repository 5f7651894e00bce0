import Journal
import Meetings
import Testing

extension CommandRule {
    /// The server closes connections for the ended rights that a commit lists. Each command that ends a right
    /// must therefore list the right.
    static let endedRights: [CommandRule] = [
        CommandRule("a withdrawal or removal ends the receipts of the record and of records merged into it") {
            stage in
            let (host, record) = try await stage.planned()
            let session = record.session.id
            stage.now = at(0)
            for erases in [nil, false, true] {
                let (kept, gone) = (
                    try await stage.arrive(1, in: session), try await stage.arrive(2, in: session)
                )
                #expect(stage.announced.endedRights.isEmpty)
                try await stage.perform(MergeAttendees(attendee: gone.id, into: kept.id, actor: host))
                #expect(stage.announced.endedRights.isEmpty)
                if let erases {
                    try await stage.perform(RemoveAttendee(attendee: kept.id, erases: erases, actor: host))
                } else {
                    try await stage.perform(WithdrawCheckIn(receipt: Receipt(for: gone)))
                }
                #expect(stage.announced.endedRights == [.attendee(kept.id), .attendee(gone.id)])
                #expect(stage.announced.last(session)?.removed == [kept.id])
            }
        },
        CommandRule(
            "a receipt ends if a host sets the attendee back to awaited, and an undo makes it valid again"
        ) {
            stage in
            let (host, record) = try await stage.planned()
            let session = record.session.id
            stage.now = at(0)
            let gone = try #require(try await stage.checkIn(1, in: session, grant: hash(1)).fresh)
            let first = try #require(try await stage.checkIn(2, in: session, grant: hash(2)).fresh)
            try await stage.perform(MergeAttendees(attendee: gone.id, into: first.id, actor: host))
            func setBack() async throws -> Int64 {
                let (_, after) = try await stage.perform(
                    CorrectAttendee(attendee: first.id, status: .awaited, actor: host))
                #expect(stage.announced.endedRights == [.attendee(first.id), .attendee(gone.id)])
                return after.sequence
            }
            func holders(_ people: Attendee...) async throws -> [Bool] {
                try await stage.storage.read { rows throws(JournalError) in
                    try people.map { person throws(JournalError) in
                        try rows.attendee(holding: Receipt(for: person)) != nil
                    }
                }
            }
            let sequence = try await setBack()
            #expect(try await holders(first, gone) == [false, false])
            try await stage.perform(UndoCorrection(session: session, sequence: sequence, actor: host))
            #expect(try await holders(first, gone) == [true, true])
            let last = try await setBack()
            // The merged record's grant reveals the next person's record as little as its receipt does.
            let second = try #require(try await stage.checkIn(2, in: session, grant: hash(3)).fresh)
            #expect(second.id == first.id)
            #expect(try await holders(first, gone, second) == [false, false, true])
            for grant in [hash(1), hash(2)] {
                let again = try await stage.checkIn(
                    2, in: session, grant: grant, receipt: Receipt(for: first))
                guard case .elsewhere = again else {
                    Issue.record("an ended receipt or grant leads to \(again)")
                    return
                }
            }
            await expectRefused(.receiptNotValid) {
                try await stage.perform(WithdrawCheckIn(receipt: Receipt(for: first)))
            }
            await expectRefused(.receiptNotValid) {
                try await stage.perform(CorrectOwnName(receipt: Receipt(for: gone), name: "X"))
            }
            await expectRefused(.changedSince) {
                try await stage.perform(UndoCorrection(session: session, sequence: last, actor: host))
            }
            try await stage.expectWhole(session)
        },
        CommandRule("a merge does not make an ended receipt valid") { stage in
            let (host, record) = try await stage.planned()
            let session = record.session.id
            stage.now = at(0)
            let one = try await stage.arrive(1, in: session)
            try await stage.perform(CorrectAttendee(attendee: one.id, status: .awaited, actor: host))
            let again = try await stage.arrive(1, in: session)
            let other = try await stage.arrive(2, in: session)
            try await stage.perform(MergeAttendees(attendee: one.id, into: other.id, actor: host))
            let valid = try await stage.storage.read { rows throws(JournalError) in
                try [one, again, other].map { person throws(JournalError) in
                    try rows.attendee(holding: Receipt(for: person)) != nil
                }
            }
            #expect(valid == [false, true, true])
        },
        CommandRule(
            "an undo of an addition ends the receipt, but its retry under a key does not end it again"
        ) { stage in
            let (host, record) = try await stage.planned()
            let session = record.session.id
            let (added, after) = try await stage.perform(
                AddAttendee(session: session, name: "Kim", actor: host))
            let key = RetryKey(id: hash(1), fingerprint: hash(2))
            let undo = Keyed(
                UndoCorrection(session: session, sequence: after.sequence, actor: host), key: key
            ) { _ in ((), [1]) }
            try await stage.perform(undo)
            #expect(stage.announced.endedRights == [.attendee(added.id)])
            try await stage.perform(undo)
            #expect(stage.announced.endedRights.isEmpty)
        },
        CommandRule("several removals in one batch end all their receipts, and a refused one ends none") {
            stage in
            let (host, record) = try await stage.planned()
            let session = record.session.id
            stage.now = at(0)
            let (one, two) = (try await stage.arrive(1, in: session), try await stage.arrive(2, in: session))
            _ = try await stage.together(
                { try await stage.perform(RemoveAttendee(attendee: one.id, actor: host)) },
                {
                    try await stage.perform(
                        Act { transaction throws(JournalError) in
                            // The command writes before it is refused, so the batch runs a second time.
                            try WithdrawCheckIn(receipt: Receipt(for: two)).run(in: transaction)
                            throw .refused(.notAllowed)
                        })
                },
                { try await stage.perform(WithdrawCheckIn(receipt: Receipt(for: two))) },
                { try await stage.perform(RemoveAttendee(attendee: two.id, actor: host)) },
            )
            #expect(stage.announced.endedRights == [.attendee(one.id), .attendee(two.id)])
        },
        CommandRule("a revoked link ends, and a removed membership ends with the links that it made") {
            stage in
            let (owner, record) = try await stage.planned()
            let (meeting, session) = (record.meeting.id, record.session.id)
            let helper = try await stage.account(2)
            let (invitation, _) = try await stage.perform(
                InviteMember(meeting: meeting, email: helper.email, role: .host, actor: owner))
            try await stage.perform(
                AcceptInvitation(invitation: invitation.id, hasLink: true, actor: helper.id))
            func link(_ number: Int) async throws -> PresenterLinkID {
                try await stage.perform(
                    AddPresenterLink(session: session, hash: hash(number), actor: helper.id)
                ).id
            }
            let revoked = try await link(1)
            try await stage.perform(RevokePresenterLink(session: session, link: revoked, actor: owner))
            #expect(stage.announced.endedRights == [.presenterLink(revoked)])
            let left = try await link(2)
            try await stage.perform(RemoveMember(meeting: meeting, account: helper.id, actor: helper.id))
            #expect(
                stage.announced.endedRights == [.presenterLink(left), .member(helper.id, of: meeting)])
        },
        CommandRule(
            "moved times are announced for rights that end with them, also by an undo"
        ) { stage in
            let (host, record) = try await stage.planned()
            let session = record.session.id
            let edited = try await stage.edit(session, by: host, to: 90).record
            #expect(stage.announced.endedRights == [.session(session)])
            _ = try await stage.edit(session, by: host, late: 3)
            #expect(stage.announced.endedRights.isEmpty)
            try await stage.perform(
                EditSession(id: session, settings: .init(feedbackClosesHoursAfter: 1), actor: host))
            #expect(stage.announced.endedRights == [.session(session)])
            _ = try await stage.edit(session, by: host, to: 90)
            #expect(stage.announced.endedRights.isEmpty)
            let last = try #require(try await stage.record(session))
            #expect(last.sequence == edited.sequence + 2)
            try await stage.perform(
                UndoCorrection(session: session, sequence: last.sequence, actor: host))
            #expect(stage.announced.endedRights == [.session(session)])
        },
        CommandRule("a new password, a sign-out, a reused token and a deleted account end sign-ins") {
            stage in
            let account = try await stage.account(1)
            let signIn = ID<Token>.makeTimeless()
            try await stage.perform(
                EditAccount(
                    id: account.id, name: nil,
                    password: .init(checked: account.passwordHash, hash: "$new", keeping: signIn),
                    profile: .init(), expected: .any))
            #expect(stage.announced.endedRights == [.account(account.id, except: signIn)])
            try await stage.perform(
                EditAccount(id: account.id, name: "Other", profile: .init(), expected: .any))
            #expect(stage.announced.endedRights.isEmpty)

            func token(_ number: Int, _ kind: Token.Kind) -> Token {
                Token(
                    hash: hash(number), accountID: account.id, kind: kind, signIn: signIn,
                    createdAt: stage.now, expiresAt: stage.now + .hours(24), client: "")
            }
            try await stage.perform(
                BeginSignIn(access: token(1, .access), refresh: token(2, .refresh), checked: "$new"))
            func renew(by client: Int) async throws -> RenewSignIn.Outcome {
                try await stage.perform(
                    RenewSignIn(
                        presented: hash(2), nextAccess: hash(3), nextRefresh: hash(4), client: hash(client),
                        accessLifetime: .hours(1), refreshLifetime: .hours(24)))
            }
            _ = try await renew(by: 7)
            #expect(stage.announced.endedRights.isEmpty)
            #expect(try await renew(by: 8) == .reused(signIn))
            #expect(stage.announced.endedRights == [.signIn(signIn)])
            for _ in 1...2 {
                try await stage.perform(EndSignIn(signIn: signIn))
                #expect(stage.announced.endedRights == [.signIn(signIn)])
            }
            try await stage.perform(
                CreateAccount(
                    email: "b@example.org", name: "B", passwordHash: "$", profile: .init(), signUp: .open,
                    proof: .dataFolder))
            try await stage.perform(DeleteAccount(id: account.id, checked: "$new", confirmation: nil))
            #expect(stage.announced.endedRights == [.account(account.id)])
        },
        CommandRule("a deleted session has no record in its commit, alone or with its meeting") { stage in
            let (host, record) = try await stage.planned()
            let next = try await stage.perform(
                ContinueMeeting(
                    meeting: record.meeting.id, startsAt: at(100), endsAt: at(160), actor: host))
            #expect(stage.announced.last(next.session.id)?.record == next)
            try await stage.perform(DeleteSession(id: next.session.id, confirmation: nil, actor: host))
            #expect(try #require(stage.announced.last(next.session.id)).record == nil)
            try await stage.perform(DeleteMeeting(id: record.meeting.id, confirmation: nil, actor: host))
            #expect(try #require(stage.announced.last(record.session.id)).record == nil)
        },
    ]
}
