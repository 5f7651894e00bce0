import Journal
import Meetings
import Synchronization
import Testing

extension CommandRule {
    /// The ends of accounts and roles, and the changes of one person, that are too long for one transaction.
    static let endingJobs: [CommandRule] = [
        CommandRule("a removed host's many links open nothing at once, and are all deleted later") { engine in
            let watched = WatchedEngine(engine)
            let stage = try Stage(watched, slices: .fixed(40))
            let (owner, record) = try await stage.planned()
            let (meeting, session) = (record.meeting.id, record.session.id)
            let host = try await stage.account(2).id
            let own = try await stage.perform(
                AddPresenterLink(session: session, hash: hash(999), actor: owner))
            try await stage.link(host, to: meeting, sessions: [session], count: 60)
            // No command invites a member.
            let invitation = MeetingInvitation(
                id: .makeTimeless(), meetingID: meeting, email: "host2@example.org", role: .host,
                accountID: host, invitedBy: owner, createdAt: at(0), expiresAt: at(600))
            try await stage.perform(
                Act { transaction throws(JournalError) in try transaction.rows.insert(invitation) })
            let shown = Mutex<[Task<Bool, any Error>]>([])
            let again = Mutex<Task<Void, any Error>?>(nil)
            watched.afterCommit { [stage] commit in
                let task = Task.immediate { try await stage.shows(hash(1000)) }
                shown.withLock { $0.append(task) }
                guard commit == 1 else { return }
                let task2 = Task.immediate {
                    _ = try await stage.perform(
                        AcceptInvitation(invitation: invitation.id, hasLink: false, actor: host))
                }
                again.withLock { $0 = task2 }
            }
            try await stage.perform(RemoveMember(meeting: meeting, account: host, actor: owner))
            for _ in 0..<20 where try await !stage.jobs().isEmpty { try await stage.perform(Act { _ in }) }
            watched.afterCommit(nil)
            for task in shown.withLock({ $0 }) { #expect(try await !task.value) }
            // The role comes back only after all links are deleted.
            await expectRefused(.meetingIsBusy) { try await again.withLock { $0 }?.value }
            try await stage.perform(
                AcceptInvitation(invitation: invitation.id, hasLink: false, actor: host))
            #expect(try await !stage.shows(hash(1000)))
            let links = try await stage.storage.read { rows throws(JournalError) in
                try rows.presenterLinks(of: session)
            }
            #expect(links.map(\.id) == [own.id])
            let ended = stage.announced.batches.flatMap(\.endedRights)
            #expect(ended.contains(.member(host, of: meeting)) && ended.contains(.presenters(of: meeting)))
            #expect(
                ended.count { if case .presenterLink = $0 { true } else { false } } == 60)
            let revoked = try await stage.events(of: session).count { $0.kind == .presenterLinkRevoked }
            #expect(revoked == 60)
            #expect(try await stage.shows(hash(999)))
            try await stage.expectNoJobs()
            await stage.storage.close()
        },
        CommandRule("the ends of roles, links and invitations do not wait for a job in the meeting") {
            engine in
            let watched = WatchedEngine(engine)
            let stage = try Stage(watched, slices: .fixed(4))
            let (owner, record) = try await stage.planned()
            let (meeting, session) = (record.meeting.id, record.session.id)
            let host = try await stage.account(2).id
            let lowered = try await stage.account(3).id
            try await stage.link(host, to: meeting, sessions: [session], count: 2)
            try await stage.link(lowered, to: meeting, sessions: [], count: 0)
            let link = try await stage.perform(
                AddPresenterLink(session: session, hash: hash(999), actor: owner))
            let (invitation, _) = try await stage.perform(
                InviteMember(meeting: meeting, email: "viewer@example.org", role: .viewer, actor: owner))
            let ends = Mutex<[Task<Void, any Error>]>([])
            let before = stage.announced.batches.count
            watched.afterCommit { [stage] commit in
                guard commit == 2 else { return }
                let commands: [@Sendable () async throws -> Void] = [
                    { try await stage.perform(RemoveMember(meeting: meeting, account: host, actor: owner)) },
                    {
                        _ = try await stage.perform(
                            ChangeRole(meeting: meeting, account: lowered, role: .viewer, actor: owner))
                    },
                    {
                        try await stage.perform(
                            RevokePresenterLink(session: session, link: link.id, actor: owner))
                    },
                    {
                        try await stage.perform(
                            RevokeInvitation(invitation: invitation.id, meeting: meeting, actor: owner))
                    },
                ]
                ends.withLock { $0 = commands.map { command in Task.immediate { try await command() } } }
            }
            // The host began the import before the removal, so it is completed.
            let loaded = try await stage.load(people(0..<40), to: meeting, by: host)
            watched.afterCommit(nil)
            #expect(loaded.added == 40)
            for end in ends.withLock({ $0 }) { try await end.value }
            let batches = stage.announced.batches.dropFirst(before)
            let ended = try #require(
                batches.firstIndex { $0.endedRights.contains(.member(host, of: meeting)) })
            #expect(batches.contains { $0.endedRights.contains(.presenterLink(link.id)) })
            let published = try #require(
                batches.firstIndex { $0.sessions.contains { $0.record?.headCount.known == 40 } })
            #expect(ended < published)
            for _ in 0..<20 where try await !stage.jobs().isEmpty { try await stage.perform(Act { _ in }) }
            #expect(
                try await stage.storage.read { rows throws(JournalError) in
                    try rows.presenterLinks(of: session)
                }.isEmpty)
            try await stage.expectWhole(session)
            try await stage.expectNoJobs()
            await stage.storage.close()
        },
        CommandRule("a deleted account vanishes at once, then its meetings; others' meetings lose the member")
        {
            engine in
            let watched = WatchedEngine(engine)
            let stage = try Stage(watched, slices: .fixed(12))
            let other = try await stage.account(1).id
            let account = try await stage.account(2)
            var own: [SessionRecord] = []
            for number in 0..<25 {
                own.append(try await stage.meeting(of: account.id, from: number * 100, to: number * 100 + 60))
            }
            let shared = try await stage.meeting(of: other, from: 0, to: 60, allowOverlap: true)
            try await stage.link(account.id, to: shared.meeting.id, sessions: [shared.session.id], count: 20)
            stage.now = at(0)
            _ = try await stage.arrive(1, in: own[0].session.id)
            await expectRefused(.confirmationNeeded(name: account.email, checkIns: 1)) {
                try await stage.perform(DeleteAccount(id: account.id, checked: "$2", confirmation: nil))
            }
            let found = Mutex<[Task<Bool, any Error>]>([])
            let created = Mutex<Task<Void, any Error>?>(nil)
            watched.afterCommit { [stage] commit in
                let task = Task.immediate {
                    try await stage.storage.read { rows throws(JournalError) -> Bool in
                        if try rows.account(account.id) != nil { return true }
                        guard let link = try rows.presenterLink(hash: hash(1000), for: .hall) else {
                            return false
                        }
                        return try rows.session(shownBy: link) != nil
                    }
                }
                found.withLock { $0.append(task) }
                guard commit == 2 else { return }
                let task2 = Task.immediate {
                    // Another person may have the address at once, and the old account can begin nothing.
                    _ = try await stage.account(2)
                    await expectRefused(.notFound(.account)) {
                        try await stage.meeting(of: account.id, from: 9000, to: 9060)
                    }
                }
                created.withLock { $0 = task2 }
            }
            try await stage.perform(
                DeleteAccount(id: account.id, checked: "$2", confirmation: account.email))
            watched.afterCommit(nil)
            for task in found.withLock({ $0 }) { #expect(try await !task.value) }
            try await created.withLock { $0 }?.value
            for record in own {
                #expect(try await stage.record(record.session.id) == nil)
                #expect(stage.announced.last(record.session.id)?.record == nil)
            }
            let members = try await stage.storage.read { rows throws(JournalError) in
                try rows.members(of: shared.meeting.id).map(\.account)
            }
            #expect(members == [other])
            try await stage.expectWhole(shared.session.id)
            #expect(stage.announced.batches.flatMap(\.endedRights).contains(.account(account.id)))
            for _ in 0..<40 { try await stage.perform(Act { _ in }) }
            try await stage.expectNoJobs()
            await stage.storage.close()
        },
        CommandRule("an account that is being deleted does not count as another owner, and invites nobody") {
            engine in
            let watched = WatchedEngine(engine)
            let stage = try Stage(watched, slices: .fixed(12))
            _ = try await stage.account(1)
            let leaving = try await stage.account(2)
            let owner = try await stage.account(3)
            let guest = try await stage.account(4)
            for number in 0..<25 {
                _ = try await stage.meeting(of: leaving.id, from: number * 100, to: number * 100 + 60)
            }
            var shared: [SessionRecord] = []
            for _ in 0..<4 {
                let record = try await stage.meeting(of: leaving.id, allowOverlap: true)
                shared.append(record)
                try await stage.perform(
                    Act { transaction throws(JournalError) in
                        try transaction.rows.setRole(.owner, of: owner.id, in: record.meeting.id)
                    })
            }
            var invitations: [MeetingInvitationID] = []
            for record in shared {
                invitations.append(
                    try await stage.perform(
                        InviteMember(
                            meeting: record.meeting.id, email: guest.email, role: .viewer, actor: leaving.id)
                    ).0.id)
            }
            stage.now = at(0)
            _ = try await stage.arrive(1, in: shared[0].session.id)
            let tried = Mutex<[Task<Void, Never>]>([])
            watched.afterCommit { [stage, shared, invitations] commit in
                guard commit == 2 else { return }
                let task = Task.immediate {
                    for (record, invitation) in zip(shared, invitations) {
                        await expectRefused(.lastOwner) {
                            try await stage.perform(
                                RemoveMember(meeting: record.meeting.id, account: owner.id, actor: owner.id))
                        }
                        await expectRefused(.invitationNotValid) {
                            try await stage.perform(
                                AcceptInvitation(invitation: invitation, hasLink: true, actor: guest.id))
                        }
                    }
                }
                let other = Task.immediate {
                    await expectRefused(.confirmationNeeded(name: owner.email, checkIns: 1)) {
                        try await stage.perform(
                            DeleteAccount(id: owner.id, checked: "$3", confirmation: nil))
                    }
                }
                tried.withLock { $0 = [task, other] }
            }
            try await stage.perform(
                DeleteAccount(id: leaving.id, checked: "$2", confirmation: leaving.email))
            watched.afterCommit(nil)
            let tasks = tried.withLock { $0 }
            #expect(tasks.count == 2)
            for task in tasks { await task.value }
            for record in shared {
                let members = try await stage.storage.read { rows throws(JournalError) in
                    try rows.members(of: record.meeting.id)
                }
                #expect(members.map(\.account) == [owner.id])
            }
            try await stage.expectWhole(shared[0].session.id)
            await stage.storage.close()
        },
        CommandRule("a change of one person runs in slices if many sessions follow it, with the same outcome")
        {
            engine in
            let watched = WatchedEngine(engine)
            let stage = try Stage(watched, slices: .fixed(30))
            let (host, record) = try await stage.planned()
            let meeting = record.meeting.id
            try await stage.perform(
                RepeatMeeting(meeting: meeting, rule: .weekly, count: 45, actor: host))
            stage.now = at(0)
            let guest = try await stage.arrive(7, in: record.session.id)
            let commits = watched.happened.count
            let person = try await stage.perform(
                AddWalkInToRoster(meeting: meeting, attendee: guest.id, actor: host))
            #expect(watched.happened.count - commits > 3)
            #expect(try await stage.known(in: meeting) == Array(repeating: 1, count: 46))
            let kim = try await stage.add("Kim", email: "kim@example.org", to: meeting, by: host)
            #expect(try await stage.known(in: meeting) == Array(repeating: 2, count: 46))
            let edited = try await stage.perform(
                EditPerson(meeting: meeting, id: kim.id, name: "Kim Minji", archived: true, actor: host))
            #expect(edited.isArchived && edited.name == "Kim Minji")
            #expect(try await stage.known(in: meeting) == Array(repeating: 1, count: 46))
            try await stage.perform(RemovePerson(meeting: meeting, id: person.id, actor: host))
            // The record of the attended session stays.
            #expect(try await stage.known(in: meeting) == [1] + Array(repeating: 0, count: 45))
            #expect(try await stage.roster(of: meeting).isEmpty)
            try await stage.expectWhole(record.session.id)
            try await stage.expectNoJobs()
            await stage.storage.close()
        },
    ]
}

extension CrashRule {
    /// The ends of accounts and roles, and the deletion of one person.
    static let endings = [
        CrashRule("the deletion of an account that a crash interrupts is complete after the restart") {
            stage in
            let other = try await stage.account(1).id
            let account = try await stage.account(2)
            for number in 0..<25 {
                _ = try await stage.meeting(of: account.id, from: number * 100, to: number * 100 + 60)
            }
            let shared = try await stage.meeting(of: other, allowOverlap: true)
            try await stage.link(account.id, to: shared.meeting.id, sessions: [shared.session.id], count: 20)
            return (account: account, other: other, shared: shared)
        } act: { stage, prepared in
            try await stage.perform(
                DeleteAccount(
                    id: prepared.account.id, checked: "$2", confirmation: prepared.account.email))
        } expect: { stage, prepared in
            let (members, found, memberships) = try await stage.storage.read { rows throws(JournalError) in
                (
                    try rows.members(of: prepared.shared.meeting.id).map(\.account),
                    try rows.account(prepared.account.id) != nil,
                    try rows.memberships(of: prepared.account.id, limit: 10)
                )
            }
            #expect(members == [prepared.other] && !found && memberships.isEmpty)
            #expect(try await !stage.shows(hash(1000)))
            try await stage.expectWhole(prepared.shared.session.id)
            // The address is free.
            _ = try await stage.account(2)
        },
        CrashRule("the links of a removed host are all revoked after a crash and a restart") { stage in
            let (owner, record) = try await stage.planned()
            let host = try await stage.account(2).id
            try await stage.link(host, to: record.meeting.id, sessions: [record.session.id], count: 60)
            return (owner: owner, host: host, record: record)
        } act: { stage, prepared in
            try await stage.perform(
                RemoveMember(
                    meeting: prepared.record.meeting.id, account: prepared.host, actor: prepared.owner))
            for _ in 0..<60 where try await !stage.jobs().isEmpty { try await stage.perform(Act { _ in }) }
        } expect: { stage, prepared in
            let session = prepared.record.session.id
            let (links, members) = try await stage.storage.read { rows throws(JournalError) in
                (
                    try rows.presenterLinks(of: session).count,
                    try rows.members(of: prepared.record.meeting.id).map(\.account)
                )
            }
            #expect(links == 0 && members == [prepared.owner])
            let revoked = try await stage.events(of: session).count { $0.kind == .presenterLinkRevoked }
            #expect(revoked == 60)
            try await stage.expectWhole(session)
        },
        CrashRule("a person who withdraws leaves all rounds, also after a crash and a restart") { stage in
            let (host, record) = try await stage.planned(identifyBy: .name)
            let meeting = record.meeting.id
            try await stage.perform(EditMeeting(id: meeting, regulars: .everybody, actor: host))
            stage.now = at(0)
            let came = try await stage.arrive(1, in: record.session.id)
            _ = try await stage.arrive(2, in: record.session.id)
            try await stage.perform(RepeatMeeting(meeting: meeting, rule: .weekly, count: 45, actor: host))
            return (meeting: meeting, came: came)
        } act: { stage, prepared in
            try await stage.perform(WithdrawCheckIn(receipt: Receipt(for: prepared.came)))
            for _ in 0..<60 where try await !stage.jobs().isEmpty { try await stage.perform(Act { _ in }) }
        } expect: { stage, prepared in
            let (people, sessions) = try await stage.storage.read { rows throws(JournalError) in
                (
                    try rows.people(of: prepared.meeting, archived: false, text: nil, after: nil, limit: 10)
                        + rows.people(of: prepared.meeting, archived: true, text: nil, after: nil, limit: 10),
                    try rows.sessionIDs(of: prepared.meeting)
                )
            }
            #expect(people.map(\.name) == ["Person 2"] && sessions.count == 46)
            for session in sessions {
                #expect(try await stage.attendees(of: session).map(\.name) == ["Person 2"])
                try await stage.expectWhole(session)
            }
        },
        CrashRule("the deletion of a person that a crash interrupts is complete after the restart") { stage in
            let (host, record) = try await stage.planned()
            let meeting = record.meeting.id
            try await stage.perform(RepeatMeeting(meeting: meeting, rule: .weekly, count: 45, actor: host))
            let kim = try await stage.add("Kim", email: "kim@example.org", to: meeting, by: host)
            return (host: host, meeting: meeting, person: kim.id)
        } act: { stage, prepared in
            try await stage.perform(
                RemovePerson(meeting: prepared.meeting, id: prepared.person, actor: prepared.host))
        } expect: { stage, prepared in
            let found = try await stage.storage.read { rows throws(JournalError) in
                try rows.person(prepared.person)
            }
            #expect(found == nil)
            #expect(try await stage.known(in: prepared.meeting) == Array(repeating: 0, count: 46))
        },
    ]
}

extension Stage {
    /// Makes the account a host of the meeting, with links to these sessions. The first link has hash 1000.
    fileprivate func link(
        _ account: AccountID, to meeting: MeetingID, sessions: [SessionID], count: Int
    ) async throws {
        try await perform(
            Act { transaction throws(JournalError) in
                try transaction.rows.setRole(.host, of: account, in: meeting)
                for number in 0..<count {
                    try transaction.rows.insert(
                        PresenterLink(
                            id: .makeTimeless(), sessionID: sessions[number % sessions.count],
                            hash: hash(1000 + number), createdAt: at(0), createdBy: account))
                }
            })
    }

    /// Whether the link with this hash shows a session.
    fileprivate func shows(_ hash: [UInt8]) async throws -> Bool {
        try await storage.read { rows throws(JournalError) in
            guard let link = try rows.presenterLink(hash: hash, for: .hall) else { return false }
            return try rows.session(shownBy: link) != nil
        }
    }

    /// Returns the number of attendees in each session of the meeting, in the order of the rounds.
    fileprivate func known(in meeting: MeetingID) async throws -> [Int] {
        try await storage.read { rows throws(JournalError) in
            try rows.sessions(of: meeting, before: nil, limit: 100).reversed().map(\.headCount.known)
        }
    }

    fileprivate func expectNoJobs(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let jobs = try await storage.read { rows throws(JournalError) in try rows.jobs() }
        #expect(jobs.isEmpty, sourceLocation: sourceLocation)
    }
}
