import Journal
import Meetings
import Testing

extension Stage {
    fileprivate func signUp(
        _ email: String, _ mode: SignUp, _ proof: SignUpProof = .none, isInvited: Bool = false
    ) async throws -> Account {
        try await storage.perform(
            CreateAccount(
                email: email, name: "Name", passwordHash: "$", profile: .init(), signUp: mode,
                isInvited: isInvited, proof: proof))
    }

    fileprivate func hasHadOperator() async throws -> Bool {
        try await storage.read { rows throws(JournalError) in try rows.hasHadOperator() }
    }
}

extension CommandRule {
    static let accountCommands: [CommandRule] = [
        CommandRule("the first account needs a setup proof in every mode, and becomes the operator") {
            stage in
            for mode in SignUp.allCases {
                await expectRefused(.setupTokenRequired) {
                    try await stage.signUp("stranger@example.org", mode)
                }
                await expectRefused(.setupTokenRequired) {
                    try await stage.signUp("stranger@example.org", mode, isInvited: true)
                }
            }
            #expect(try await stage.hasHadOperator() == false)
            let first = try await stage.signUp("first@example.org", .closed, .setUp)
            #expect(first.admin && first.version == 1 && first.createdAt == stage.now)
            #expect(try await stage.hasHadOperator())
        },
        CommandRule("after the first operator, the sign-up mode decides, whatever the proof") { stage in
            _ = try await stage.signUp("first@example.org", .invite, .setUp)
            for proof in [SignUpProof.none, .setUp] {
                await expectRefused(.signUpClosed) {
                    try await stage.signUp("second@example.org", .closed, proof, isInvited: true)
                }
                await expectRefused(.signUpClosed) {
                    try await stage.signUp("second@example.org", .invite, proof)
                }
            }
            #expect(try await stage.signUp("invited@example.org", .invite, isInvited: true).admin == false)
            #expect(try await stage.signUp("second@example.org", .open, .setUp).admin == false)
            #expect(try await stage.signUp("third@example.org", .open, .dataFolder).admin)
        },
        CommandRule("only one of two first accounts in one batch becomes the operator") { stage in
            let results = try await stage.together(
                { try await stage.signUp("a@example.org", .invite, .setUp) },
                { try await stage.signUp("b@example.org", .invite, .setUp) },
                { try await stage.signUp("c@example.org", .open, .setUp) },
            )
            #expect(try results[0].get().admin)
            #expect(throws: JournalError.refused(.signUpClosed)) { try results[1].get() }
            #expect(try results[2].get().admin == false)
        },
        CommandRule("if all accounts were deleted, the next account does not become the operator") { stage in
            let first = try await stage.signUp("first@example.org", .open, .setUp)
            try await stage.perform(
                Act { transaction throws(JournalError) in try transaction.rows.delete(first.id) })
            #expect(try await stage.hasHadOperator())
            #expect(try await stage.signUp("second@example.org", .open, .setUp).admin == false)
            await expectRefused(.signUpClosed) {
                try await stage.signUp("third@example.org", .closed, .setUp)
            }
        },
        CommandRule("the only operator cannot leave until another account is an operator") { stage in
            let first = try await stage.signUp("first@example.org", .open, .setUp)
            let second = try await stage.signUp("second@example.org", .open)
            let leave = DeleteAccount(id: first.id, checked: "$", confirmation: nil)
            await expectRefused(.lastOperator) { try await stage.perform(leave) }
            await expectRefused(.notFound(.account)) {
                try await stage.perform(MakeOperator(email: "nobody@example.org"))
            }
            let made = try await stage.perform(MakeOperator(email: "SECOND@example.org"))
            #expect(made.admin && made.id == second.id && made.version == 2)
            #expect(try await stage.perform(MakeOperator(email: "second@example.org")) == made)
            try await stage.perform(leave)
            await expectRefused(.lastOperator) {
                try await stage.perform(DeleteAccount(id: second.id, checked: "$", confirmation: nil))
            }
        },
        CommandRule("if two operators leave at once, one of them stays") { stage in
            let first = try await stage.signUp("first@example.org", .open, .setUp)
            let second = try await stage.signUp("second@example.org", .open, .dataFolder)
            let results = try await stage.together(
                { try await stage.perform(DeleteAccount(id: first.id, checked: "$", confirmation: nil)) },
                { try await stage.perform(DeleteAccount(id: second.id, checked: "$", confirmation: nil)) },
            )
            // Either may be first, because reading threads plan the deletions.
            let refused = results.filter { (try? $0.get()) == nil }
            #expect(refused.count == 1)
            #expect(throws: JournalError.refused(.lastOperator)) { try refused.first?.get() }
        },
        CommandRule("an address is taken in any letter case, also within one batch") { stage in
            _ = try await stage.signUp("Kim@Example.org", .open, .setUp)
            await expectRefused(.emailTaken) { try await stage.signUp(" kim@example.ORG", .open) }
            let results = try await stage.together(
                { try await stage.signUp("lee@example.org", .open) },
                { try await stage.signUp("LEE@example.org", .open) },
                { try await stage.signUp("park@example.org", .open) },
            )
            _ = try results[0].get()
            #expect(throws: JournalError.refused(.emailTaken)) { try results[1].get() }
            _ = try results[2].get()
        },
        CommandRule("an edit of an account changes only the given fields, and refuses an outdated version") {
            stage in
            let account = try await stage.account(1)
            let edit = EditAccount(
                id: account.id, name: "New", profile: .init(phone: "010"), expected: .version(1))
            let edited = try await stage.perform(edit)
            #expect(
                edited.name == "New" && edited.passwordHash == account.passwordHash && edited.version == 2)
            await expectRefused(.versionMismatch(current: 2)) { try await stage.perform(edit) }
            let again = try await stage.perform(
                EditAccount(
                    id: account.id, name: nil, password: .init(checked: account.passwordHash, hash: "$2"),
                    profile: .init(locale: "ko"),
                    expected: .any))
            #expect(again.name == "New" && again.passwordHash == "$2")
            #expect(again.profile == .init(phone: "010", locale: "ko"))
            let cleared = try await stage.perform(
                EditAccount(
                    id: account.id, name: nil, profile: .init(nickname: "Owl"), clearing: [.phone],
                    expected: .any))
            #expect(cleared.profile == .init(locale: "ko", nickname: "Owl"))
            await expectRefused(.notFound(.account)) {
                try await stage.perform(
                    EditAccount(id: .makeTimeless(), name: nil, profile: .init(), expected: .any))
            }
        },
        CommandRule("an edit or deletion is refused if the password was checked against an older hash") {
            stage in
            let account = try await stage.account(1)
            @Sendable func change(from checked: String, to hash: String) -> EditAccount {
                EditAccount(
                    id: account.id, name: "New", password: .init(checked: checked, hash: hash),
                    profile: .init(), expected: .any)
            }
            let results = try await stage.together(
                { try await stage.perform(change(from: "$1", to: "$2")) },
                { try await stage.perform(change(from: "$1", to: "$3")) },
            )
            #expect(try results[0].get().passwordHash == "$2")
            #expect(throws: JournalError.refused(.passwordChanged)) { try results[1].get() }
            await expectRefused(.passwordChanged) {
                try await stage.perform(DeleteAccount(id: account.id, checked: "$1", confirmation: nil))
            }
        },
        CommandRule("an account without meetings of its own is deleted without confirmation") { stage in
            _ = try await stage.account(9)
            let (host, record) = try await stage.planned()
            let other = try await stage.account(2).id
            try await stage.perform(
                Act { transaction throws(JournalError) in
                    try transaction.rows.setRole(.owner, of: other, in: record.meeting.id)
                })
            try await stage.perform(DeleteAccount(id: host, checked: "$1", confirmation: nil))
            #expect(try await stage.record(record.session.id) == record)
            await expectRefused(.notFound(.account)) {
                try await stage.perform(DeleteAccount(id: host, checked: "$1", confirmation: nil))
            }
        },
        CommandRule("an account's own meetings are deleted with it, if its address is given as confirmation")
        {
            stage in
            _ = try await stage.account(9)
            let (host, record) = try await stage.planned()
            let next = try await stage.perform(
                ContinueMeeting(meeting: record.meeting.id, startsAt: at(100), endsAt: at(160), actor: host))
            let viewer = try await stage.account(2).id
            try await stage.makeHost(viewer, of: record.meeting.id)
            stage.now = at(50)
            _ = try await stage.arrive(1, in: record.session.id)
            _ = try await stage.arrive(1, in: next.session.id)
            for confirmation in [nil, "host2@example.org"] {
                await expectRefused(.confirmationNeeded(name: "host1@example.org", checkIns: 2)) {
                    try await stage.perform(
                        DeleteAccount(id: host, checked: "$1", confirmation: confirmation))
                }
            }
            try await stage.perform(DeleteAccount(id: host, checked: "$1", confirmation: "HOST1@example.org"))
            #expect(try await stage.record(record.session.id) == nil)
            #expect(try #require(stage.announced.last(next.session.id)).record == nil)
            #expect(try await stage.attendees(of: next.session.id).isEmpty)
        },
    ]

    static let presenterCommands: [CommandRule] = [
        CommandRule("a presenter link can be added until the session ends, found by its hash, and revoked") {
            stage in
            let (host, record) = try await stage.planned()
            let session = record.session.id
            stage.now = at(60)
            let link = try await stage.perform(AddPresenterLink(session: session, hash: hash(1), actor: host))
            #expect(link.sessionID == session && link.createdAt == stage.now)
            let found = try await stage.storage.read { rows throws(JournalError) in
                try rows.presenterLink(hash: hash(1), for: .hall)
            }
            #expect(found == link)
            stage.now = at(60) + millisecond
            await expectRefused(.sessionOver) {
                try await stage.perform(AddPresenterLink(session: session, hash: hash(2), actor: host))
            }
            let revoke = RevokePresenterLink(session: session, link: link.id, actor: host)
            let stranger = try await stage.account(2).id
            await expectRefused(.notAllowed) {
                try await stage.perform(RevokePresenterLink(session: session, link: link.id, actor: stranger))
            }
            try await stage.perform(revoke)
            await expectRefused(.notFound(.presenterLink)) { try await stage.perform(revoke) }
        },
        CommandRule(
            "a link is revoked only through its own session, and a session has a limited number of links"
        ) {
            stage in
            let (host, record) = try await stage.planned()
            let other = try await stage.meeting(of: host, from: 100, to: 160)
            let link = try await stage.perform(
                AddPresenterLink(session: record.session.id, hash: hash(1), actor: host))
            await expectRefused(.notFound(.presenterLink)) {
                try await stage.perform(
                    RevokePresenterLink(session: other.session.id, link: link.id, actor: host))
            }
            for number in 2...AddPresenterLink.mostLinks {
                _ = try await stage.perform(
                    AddPresenterLink(session: record.session.id, hash: hash(number), actor: host))
            }
            await expectRefused(.limitReached(.presenterLink, limit: AddPresenterLink.mostLinks)) {
                try await stage.perform(
                    AddPresenterLink(session: record.session.id, hash: hash(99), actor: host))
            }
        },
        CommandRule("a withdrawal hands meetings over to their oldest host who is not suspended") { stage in
            _ = try await stage.account(9)
            let (owner, record) = try await stage.planned()
            let alone = try await stage.meeting(of: owner, from: 300, to: 360)
            let shared = try await stage.meeting(of: owner, from: 400, to: 460)
            var hosts: [AccountID] = []
            for number in 2...4 {
                hosts.append(try await stage.account(number).id)
                // Accounts of one moment have ids in any order.
                stage.now = stage.now + .seconds(1)
            }
            let (suspended, second, third) = (hosts[0], hosts[1], hosts[2])
            try await stage.perform(
                Act { transaction throws(JournalError) in
                    for host in [suspended, second, third] {
                        try transaction.rows.setRole(.host, of: host, in: record.meeting.id)
                    }
                    try transaction.rows.setRole(.owner, of: third, in: shared.meeting.id)
                    try transaction.rows.setRole(.host, of: second, in: shared.meeting.id)
                })
            _ = try await stage.perform(SuspendAccount(id: suspended))
            let email = "host1@example.org"
            await expectRefused(.confirmationNeeded(name: email, checkIns: 0)) {
                try await stage.perform(
                    DeleteAccount(id: owner, checked: "$1", confirmation: nil, meetings: .handOver))
            }
            try await stage.perform(
                DeleteAccount(id: owner, checked: "$1", confirmation: email, meetings: .handOver))
            let roles = try await stage.storage.read { rows throws(JournalError) in
                try [record, shared, alone].map { found throws(JournalError) in
                    try [owner, suspended, second, third].map { account throws(JournalError) in
                        try rows.role(of: account, in: found.meeting.id)
                    }
                }
            }
            #expect(
                roles == [[nil, .host, .owner, .host], [nil, nil, .host, .owner], [nil, nil, nil, nil]])
            #expect(try await stage.record(alone.session.id) == nil)
        },
    ]
}
