import Journal
import Meetings
import Testing

/// A meeting of host 1 with four sessions of an hour, a day apart, and Kim and Lee on its roster.
private struct Term {
    let stage: Stage
    let owner: Account
    let meeting: MeetingID
    let sessions: [SessionRecord]
    let kim, lee: Person

    init(_ stage: Stage, rule: AbsenceRuleChange? = AbsenceRuleChange(inARow: .value(2))) async throws {
        self.stage = stage
        owner = try await stage.verified(1)
        let first = try await stage.meeting(of: owner.id)
        meeting = first.meeting.id
        kim = try await stage.add("Kim", email: "p1@example.org", to: meeting, by: owner.id)
        lee = try await stage.add("Lee", email: "p2@example.org", to: meeting, by: owner.id)
        var sessions = [first]
        for day in 1...3 {
            sessions.append(
                try await stage.perform(
                    ContinueMeeting(
                        meeting: meeting, startsAt: at(day * 1440), endsAt: at(day * 1440 + 60),
                        actor: owner.id)))
        }
        self.sessions = sessions
        if let rule {
            try await stage.perform(EditMeeting(id: meeting, absences: rule, actor: owner.id))
        }
    }

    /// Lets these people check in to a session, and ends it.
    func hold(_ index: Int, with numbers: [Int] = []) async throws {
        let session = sessions[index].session
        stage.now = session.startsAt
        for number in numbers { _ = try await stage.arrive(number, in: session.id) }
        stage.now = session.endsAt + .milliseconds(1)
    }

    func mark(_ person: Person, _ status: AttendanceStatus, in index: Int) async throws {
        let session = sessions[index].session.id
        let slot = try #require(
            try await stage.storage.read { rows throws(JournalError) in
                try rows.attendee(of: person.id, in: session)
            })
        try await stage.perform(CorrectAttendee(attendee: slot.id, status: status, actor: owner.id))
    }

    func past(_ person: Person, limit: Int = 2_000) async throws -> [PastAttendance] {
        let (meeting, now) = (meeting, stage.now)
        return try await stage.storage.read { rows throws(JournalError) in
            guard let found = try rows.meeting(meeting) else { return [] }
            return try rows.pastAttendance(of: person, in: found, until: now - millisecond, limit: limit)
        }
    }

    /// Looks for the people who newly meet the rule in a session, as the server does, one at a time.
    func found(in index: Int) async throws -> NewAbsences {
        let session = sessions[index].session.id
        return try await stage.storage.read { rows throws(JournalError) in
            var (found, position): (NewAbsences, RosterPosition?) = (NewAbsences(), nil)
            guard let record = try rows.session(session) else { return found }
            repeat {
                position = try rows.addNewAbsences(in: record, after: position, limit: 1, to: &found)
            } while position != nil
            return found
        }
    }

    func names(in index: Int) async throws -> [PersonID] { try await found(in: index).people.map(\.id) }

    func due() async throws -> [SessionID] {
        try await stage.storage.read { [now = stage.now] rows throws(JournalError) in
            try rows.sessionsToMail(
                .absences, in: Mailing.Kind.absences.due(at: now), after: nil, limit: 9
            ).map(\.id)
        }
    }

    func mail(about index: Int) async throws -> MailingProgress {
        try await stage.perform(
            MailAbsences(in: sessions[index].session.id, of: try await found(in: index)))
    }

    func leased() async throws -> LeaseMails.Outcome {
        try await stage.perform(LeaseMails(process: id(1), limit: 100))
    }
}

extension Stage {
    fileprivate func verified(_ number: Int) async throws -> Account {
        var account = try await account(number)
        account.verified = true
        let verified = account
        try await perform(
            Act { transaction throws(JournalError) in try transaction.rows.update(verified) })
        return verified
    }
}

extension CommandRule {
    static let absences: [CommandRule] = [
        CommandRule("past attendance has the sessions that are over, the latest first, with their statuses") {
            stage in
            let term = try await Term(stage, rule: nil)
            try await term.hold(0, with: [1])
            try await term.hold(1)
            try await term.mark(term.kim, .excused, in: 1)
            try await term.hold(2)
            let kim = try await term.past(term.kim)
            #expect(kim.map(\.session) == [2, 1, 0].map { term.sessions[$0].session.id })
            #expect(kim.map(\.status) == [.pending, .excused, .present])
            #expect(kim.map(\.startsAt) == [2, 1, 0].map { term.sessions[$0].session.startsAt })
            #expect(try await term.past(term.lee).map(\.status) == [.pending, .pending, .pending])
            #expect(try await term.past(term.kim, limit: 1).count == 1)
            // The session is over after its end, and not at it.
            stage.now = term.sessions[3].session.endsAt
            #expect(try await term.past(term.kim).count == 3)
            stage.now = stage.now + millisecond
            #expect(try await term.past(term.kim).count == 4)
            // A walk-in before the roster counts by the address, as in the totals.
            let walkIn = try await stage.meeting(of: term.owner.id, from: 9000, to: 9060)
            stage.now = at(9000)
            _ = try await stage.arrive(7, in: walkIn.session.id)
            stage.now = at(9061)
            let seven = try await stage.add(
                "Seven", email: "p7@example.org", to: walkIn.meeting.id, by: term.owner.id)
            let found = try await stage.storage.read { [now = stage.now] rows throws(JournalError) in
                guard let meeting = try rows.meeting(walkIn.meeting.id) else { return [PastAttendance]() }
                return try rows.pastAttendance(of: seven, in: meeting, until: now)
            }
            #expect(found.map(\.status) == [.present])
        },
        CommandRule("a rule is stored with its meeting, edited in parts, and refused without a number") {
            stage in
            let term = try await Term(stage, rule: AbsenceRuleChange(inAll: .value(4), mail: false))
            func rule() async throws -> AbsenceRule? {
                try await stage.storage.read { rows throws(JournalError) in
                    try rows.meeting(term.meeting)?.absenceRule
                }
            }
            func edit(_ change: AbsenceRuleChange) async throws {
                try await stage.perform(
                    EditMeeting(id: term.meeting, absences: change, actor: term.owner.id))
            }
            #expect(try await rule() == AbsenceRule(inAll: 4, mail: false))
            let day = CivilDate("2026-11-21")
            try await edit(AbsenceRuleChange(inARow: .value(2), since: day.map { .value($0) }, mail: true))
            let full = AbsenceRule(inARow: 2, inAll: 4, since: day, mail: true)
            #expect(try await rule() == full)
            try await stage.perform(EditMeeting(id: term.meeting, name: "Other", actor: term.owner.id))
            #expect(try await rule() == full)
            try await edit(.removed)
            #expect(try await rule() == nil)
            await expectRefused(.invalid([FieldError("/absenceRule/inARow", .missing)])) {
                try await edit(AbsenceRuleChange(mail: true))
            }
            let stranger = try await stage.account(2).id
            await expectRefused(.notAllowed) {
                try await stage.perform(
                    EditMeeting(
                        id: term.meeting, absences: AbsenceRuleChange(inARow: .value(1)), actor: stranger))
            }
        },
        CommandRule("people newly meet a rule in one session only, and archived people never do") { stage in
            let term = try await Term(stage)
            try await term.hold(0, with: [2])
            #expect(try await term.names(in: 0) == [])
            try await term.hold(1)
            #expect(try await term.names(in: 1) == [term.kim.id])
            try await term.hold(2)
            #expect(try await term.names(in: 2) == [term.lee.id])
            // A later look at an earlier session sees what was true at its end.
            #expect(try await term.names(in: 1) == [term.kim.id])
            let numbers = try await term.found(in: 2).people.first
            #expect(numbers?.inARow == 2 && numbers?.inAll == 2)
            // A correction after the session counts.
            try await term.mark(term.kim, .excused, in: 0)
            #expect(try await term.names(in: 1) == [])
            #expect(try await term.names(in: 2) == [term.kim.id, term.lee.id])
            _ = try await stage.perform(
                EditPerson(meeting: term.meeting, id: term.kim.id, archived: true, actor: term.owner.id))
            #expect(try await term.names(in: 2) == [term.lee.id])
        },
        CommandRule("a total counts since the rule's first day, and a row skips excused sessions") { stage in
            let term = try await Term(stage)
            try await term.hold(0)
            for index in [1, 2] {
                try await term.hold(index)
                try await term.mark(term.kim, .excused, in: index)
            }
            try await term.hold(3)
            #expect(try await term.names(in: 3) == [term.kim.id])
            let second = WallTime(term.sessions[1].session.startsAt, in: .utc).date
            try await stage.perform(
                EditMeeting(
                    id: term.meeting,
                    absences: AbsenceRuleChange(inARow: .removed, inAll: .value(3), since: .value(second)),
                    actor: term.owner.id))
            #expect(try await term.past(term.lee).count == 3)
            #expect(try await term.names(in: 3) == [term.lee.id])
            #expect(try await term.names(in: 0) == [])
        },
        CommandRule("the hosts of a meeting get one mail about a session, and nobody else gets one") {
            stage in
            let term = try await Term(stage)
            // A host, a viewer, a steward, a host without a verified address, and a host who wants no mails.
            let host = try await stage.verified(2)
            let viewer = try await stage.verified(3)
            let steward = try await stage.verified(6)
            let unverified = try await stage.account(4)
            var silent = try await stage.verified(5)
            silent.profile.notifications = false
            let quiet = silent
            try await stage.perform(
                Act { transaction throws(JournalError) in
                    try transaction.rows.update(quiet)
                    for account in [host.id, unverified.id, quiet.id] {
                        try transaction.rows.setRole(.host, of: account, in: term.meeting)
                    }
                    try transaction.rows.setRole(.viewer, of: viewer.id, in: term.meeting)
                    try transaction.rows.setRole(.steward, of: steward.id, in: term.meeting)
                })
            try await term.hold(0)
            #expect(try await term.due() == [term.sessions[0].session.id])
            // Nobody meets the rule, so that the session is done without a mail.
            #expect(try await term.mail(about: 0) == .done)
            #expect(try await term.due() == [])
            try await term.hold(1, with: [2])
            #expect(try await term.due() == [term.sessions[1].session.id])
            for _ in 0..<2 { #expect(try await term.mail(about: 1) == .done) }
            #expect(try await term.due() == [])
            let outcome = try await term.leased()
            #expect(Set(outcome.leased.map(\.recipient)) == [term.owner.email, host.email])
            #expect(outcome.leased.count == 2 && outcome.names == [term.kim.id: "Kim"])
            let expected = NewAbsences(people: [
                NewAbsences.Person(term.kim.id, Absences(try await term.past(term.kim)))
            ])
            for mail in outcome.leased {
                #expect(
                    mail.content
                        == .absences(people: expected, path: "/host#/meetings/\(term.meeting)"))
                #expect(outcome.sessions[term.sessions[1].session.id] != nil)
            }
        },
        CommandRule("a mail about absences has no name in the queue, and the present names when it leaves") {
            stage in
            let term = try await Term(stage, rule: AbsenceRuleChange(inARow: .value(1)))
            try await term.hold(0)
            _ = try await term.mail(about: 0)
            _ = try await stage.perform(
                EditPerson(meeting: term.meeting, id: term.kim.id, name: "Kimberly", actor: term.owner.id))
            try await stage.perform(
                RemovePerson(meeting: term.meeting, id: term.lee.id, actor: term.owner.id))
            let outcome = try await term.leased()
            #expect(outcome.leased.count == 1 && outcome.names == [term.kim.id: "Kimberly"])
            // An erasure deletes the mails that have left, because their files may name the person.
            let mail = try #require(outcome.leased.first).id
            func isStored() async throws -> Bool {
                try await stage.storage.read { rows throws(JournalError) in try rows.mail(mail) != nil }
            }
            _ = try await stage.perform(FinishMail(id: mail, process: id(1), outcome: .delivered))
            #expect(try await isStored())
            try await stage.perform(
                RemovePerson(meeting: term.meeting, id: term.kim.id, actor: term.owner.id))
            #expect(try await !isStored())
        },
        CommandRule("a mail about absences is dropped with its reason") { stage in
            let term = try await Term(stage, rule: AbsenceRuleChange(inARow: .value(1)))
            let host = try await stage.verified(2)
            try await stage.makeHost(host.id, of: term.meeting)
            for index in 0...3 {
                try await term.hold(index)
                #expect(try await term.mail(about: index) == .done)
                switch index {
                case 0:
                    // The host's right has ended, and the owner wants no more mails.
                    try await stage.perform(
                        Act { transaction throws(JournalError) in
                            try transaction.rows.setRole(nil, of: host.id, in: term.meeting)
                        })
                    let mailed = try await term.leased()
                    #expect(mailed.leased.map(\.recipient) == [term.owner.email] && mailed.unwanted == 1)
                    try await stage.perform(
                        EditMeeting(
                            id: term.meeting, absences: AbsenceRuleChange(inARow: .value(2)),
                            actor: term.owner.id))
                case 1:
                    try await stage.perform(
                        EditMeeting(
                            id: term.meeting, absences: AbsenceRuleChange(mail: false),
                            actor: term.owner.id))
                    let mailed = try await term.leased()
                    #expect(mailed.leased.isEmpty && mailed.unwanted == 1)
                    #expect(try await term.due() == [])
                    try await stage.perform(
                        EditMeeting(
                            id: term.meeting, absences: AbsenceRuleChange(inARow: .value(3), mail: true),
                            actor: term.owner.id))
                case 2:
                    try await stage.perform(
                        RemovePerson(meeting: term.meeting, id: term.kim.id, actor: term.owner.id))
                    try await stage.perform(
                        RemovePerson(meeting: term.meeting, id: term.lee.id, actor: term.owner.id))
                    let mailed = try await term.leased()
                    #expect(mailed.leased.isEmpty && mailed.unwanted == 1)
                default: #expect(try await term.leased().leased.isEmpty)
                }
            }
        },
        CommandRule("a session that ended long ago, or that is not over, causes no mail about absences") {
            stage in
            let term = try await Term(stage, rule: AbsenceRuleChange(inARow: .value(1)))
            let end = term.sessions[0].session.endsAt
            for moment in [end - millisecond, end + .hours(6)] {
                stage.now = moment
                #expect(try await term.due() == [])
                #expect(try await term.mail(about: 0) == .done)
                #expect(try await term.leased().leased.isEmpty)
            }
            stage.now = end + .hours(6) - millisecond
            #expect(try await term.due() == [term.sessions[0].session.id])
        },
        CommandRule(
            "a mail about absences waits for the daily limit of the owner",
            limits: AccountLimits(mostMailsPerDay: 1)
        ) { stage in
            let term = try await Term(stage, rule: AbsenceRuleChange(inARow: .value(1)))
            let host = try await stage.verified(2)
            try await stage.makeHost(host.id, of: term.meeting)
            try await term.hold(0)
            #expect(try await term.mail(about: 0) == .limited(term.owner.id))
            #expect(try await term.leased().leased.isEmpty)
            #expect(try await term.due() == [term.sessions[0].session.id])
        },
    ]
}
