import Foundation
import Journal
import Meetings
import Testing

private let lifetime = Duration.hours(24 * 28)

extension Stage {
    /// Deletes the names of all sessions that are due, a few attendees at a time. Returns the number of
    /// commands.
    @discardableResult
    func forgetNames(mostRows: Int = 2) async throws -> Int {
        let now = now
        let due = try await storage.read { rows throws(JournalError) in
            try rows.sessionsWithNames(endedBefore: now - lifetime, closedBefore: now, limit: 9)
        }
        var commands = 0
        for session in due {
            var place: AttendeeID?
            repeat {
                commands += 1
                guard
                    case .more(let next) = try await perform(
                        ForgetNames(of: session, after: place, lifetime: lifetime, mostRows: mostRows))
                else { break }
                place = next
            } while true
        }
        return commands
    }

    fileprivate func roster(of meeting: MeetingID) async throws -> [String] {
        try await storage.read { rows throws(JournalError) in
            try rows.people(of: meeting, archived: false, text: nil, after: nil, limit: 1_000)
        }.map(\.name)
    }

    /// Edits a meeting so that attendees must agree to a text. Returns the consent.
    fileprivate func require(_ text: String?, in meeting: MeetingID, by host: AccountID) async throws
        -> Consent?
    {
        try await perform(
            EditMeeting(
                id: meeting, consent: text.map { .value($0) } ?? .removed, actor: host)
        ).meeting.consent
    }
}

extension CommandRule {
    static let nameRetention: [CommandRule] = [
        CommandRule("names are deleted after their time, and statuses, times and counts stay") {
            stage in
            let (host, record) = try await stage.planned()
            let session = record.session.id
            stage.now = at(0)
            for number in 1...5 { _ = try await stage.arrive(number, in: session) }
            let noted = try #require(try await stage.attendees(of: session).first)
            try await stage.perform(
                CorrectAttendee(attendee: noted.id, note: "is Kim's sister", status: .late, actor: host))
            let before = try await stage.attendees(of: session)
            // The last moment at which the names are stored.
            stage.now = record.session.endsAt + lifetime
            try await stage.forgetNames()
            #expect(try await stage.attendees(of: session) == before)
            stage.now = stage.now + millisecond
            // Three pages of at most two attendees.
            #expect(try await stage.forgetNames() == 3)
            let after = try await stage.attendees(of: session)
            let nameless = before.map { attendee in
                var copy = attendee.withoutName
                copy.version += 1
                return copy
            }
            #expect(after == nameless)
            #expect(after.allSatisfy { $0.name == "—" && $0.identity.isEmpty && $0.note.isEmpty })
            #expect(after.map(\.status) == before.map(\.status))
            let stored = try #require(try await stage.record(session))
            #expect(stored.session.namesDeletedAt == stage.now)
            #expect(stored.headCount.checkedIn == 5)
            for number in 1...5 {
                let found = try await stage.storage.read { rows throws(JournalError) in
                    try rows.attendee(in: session, key: IdentityKey("p\(number)@example.org"))
                }
                #expect(found == nil)
            }
            let corrections = try await stage.storage.read { rows throws(JournalError) in
                try rows.newestCorrections(of: session, attendee: nil, limit: 9)
            }
            #expect(corrections.isEmpty)
            // Another pass finds nothing, and one entry of the action log is the proof.
            #expect(try await stage.forgetNames() == 0)
            let actions = try await stage.storage.read { rows throws(JournalError) in
                try rows.actions(in: record.meeting.id, before: nil, limit: 9)
            }
            #expect(actions.map(\.kind).count { $0 == .namesDeleted } == 1)
            try await stage.expectWhole(session)
        },
        CommandRule("a session keeps its names until its feedback closes") { stage in
            let (host, record) = try await stage.planned()
            stage.now = at(0)
            let kim = try await stage.arrive(1, in: record.session.id)
            try await stage.perform(
                EditSession(
                    id: record.session.id, settings: SessionSettings(feedbackClosesHoursAfter: 720),
                    actor: host))
            stage.now = record.session.endsAt + .hours(720)
            try await stage.forgetNames()
            #expect(try await stage.attendee(kim.id)?.name == kim.name)
            stage.now = stage.now + millisecond
            try await stage.forgetNames()
            #expect(try await stage.attendee(kim.id)?.name == Attendee.deletedName)
        },
        CommandRule("nobody can name, add, correct or keep an attendee after the names were deleted") {
            stage in
            let (host, record) = try await stage.planned()
            let session = record.session.id
            stage.now = at(0)
            let kim = try await stage.arrive(1, in: session)
            let lee = try await stage.arrive(2, in: session)
            try await stage.perform(CorrectAttendee(attendee: kim.id, status: .late, actor: host))
            let correction = try #require(try await stage.record(session)).sequence
            stage.now = record.session.endsAt + lifetime + millisecond
            try await stage.forgetNames()
            await expectRefused(.namesDeleted) {
                try await stage.perform(CorrectAttendee(attendee: kim.id, name: "Kim", actor: host))
            }
            await expectRefused(.namesDeleted) {
                try await stage.perform(
                    AddAttendee(session: session, name: "New", status: .present, actor: host))
            }
            await expectRefused(.namesDeleted) {
                try await stage.perform(MergeAttendees(attendee: kim.id, into: lee.id, actor: host))
            }
            await expectRefused(.namesDeleted) {
                try await stage.perform(CorrectOwnName(receipt: Receipt(for: kim), name: "Kim"))
            }
            await expectRefused(.namesDeleted) {
                try await stage.perform(KeepEverybody(meeting: record.meeting.id, actor: host))
            }
            await expectRefused(.namesDeleted) {
                try await stage.perform(
                    AddWalkInToRoster(meeting: record.meeting.id, attendee: kim.id, actor: host))
            }
            await expectRefused(.cannotBeUndone) {
                try await stage.perform(
                    UndoCorrection(session: session, sequence: correction, actor: host))
            }
            await expectRefused(.namesDeleted) {
                try await stage.perform(
                    EditSession(
                        id: session, settings: SessionSettings(feedbackClosesHoursAfter: 720), actor: host))
            }
            // An erasure needs no name.
            try await stage.perform(RemoveAttendee(attendee: lee.id, erases: true, actor: host))
            // A title has nothing to do with names.
            try await stage.perform(
                EditSession(id: session, settings: SessionSettings(title: "First"), actor: host))
            #expect(try await stage.record(session)?.session.namesDeletedAt != nil)
        },
        CommandRule(
            "links to the roster are deleted with the names, and so are people whom only check-ins added"
        ) {
            stage in
            let (host, record) = try await stage.planned()
            let meeting = record.meeting.id
            try await stage.perform(EditMeeting(id: meeting, regulars: .everybody, actor: host))
            try await stage.perform(
                AddPerson(
                    meeting: meeting, draft: PersonDraft(name: "Kept", email: "p9@example.org"), actor: host))
            stage.now = at(0)
            for number in 1...3 { _ = try await stage.arrive(number, in: record.session.id) }
            stage.now = at(61)
            let second = try await stage.perform(
                ContinueMeeting(meeting: meeting, startsAt: at(100), endsAt: at(160), actor: host)
            ).session
            stage.now = at(100)
            _ = try await stage.arrive(1, in: second.id)
            stage.now = record.session.endsAt + lifetime + millisecond
            try await stage.forgetNames()
            // Person 1 came to the second session, whose names are still stored.
            #expect(try await stage.roster(of: meeting) == ["Kept", "Person 1"])
            // Past sessions keep their counts and, until their own time, their names.
            let absent = try await stage.attendees(of: second.id).filter { $0.status == .pending }
            #expect(Set(absent.map(\.name)) == ["Kept", "Person 2", "Person 3"])
            stage.now = second.endsAt + lifetime + millisecond
            try await stage.forgetNames()
            #expect(try await stage.roster(of: meeting) == ["Kept"])
            for session in [record.session.id, second.id] {
                for attendee in try await stage.attendees(of: session) {
                    #expect(attendee.name == Attendee.deletedName)
                    let person = try await stage.storage.read { rows throws(JournalError) in
                        try rows.person(inSlotOf: attendee.id)
                    }
                    #expect(person == nil)
                }
                try await stage.expectWhole(session)
            }
            // Nobody is a newcomer, because nobody knows who came to the previous round.
            let third = try await stage.perform(
                ContinueMeeting(
                    meeting: meeting, startsAt: stage.now, endsAt: stage.now + .hours(1), actor: host)
            ).session
            #expect(try await !stage.arrive(2, in: third.id, moment: stage.now).firstTime)
        },
        CommandRule("everything about a person who is called — is deleted, too") { stage in
            let (host, record) = try await stage.planned(identifyBy: .name)
            stage.now = at(0)
            let added = try await stage.perform(
                AddAttendee(
                    session: record.session.id, name: Attendee.deletedName, note: "Kim's brother",
                    status: .present, actor: host)
            ).0
            stage.now = record.session.endsAt + lifetime + millisecond
            try await stage.forgetNames()
            let nameless = try #require(try await stage.attendee(added.id))
            #expect(nameless.note.isEmpty && nameless.version == added.version + 1)
            let keys = try await stage.storage.read { rows throws(JournalError) in
                try rows.keys(of: added.id)
            }
            #expect(keys == AttendeeKeys())
        },
        CommandRule("a removal before the deletion of the names cannot bring a name back") { stage in
            let (host, record) = try await stage.planned()
            let session = record.session.id
            stage.now = at(0)
            for number in 1...3 { _ = try await stage.arrive(number, in: session) }
            stage.now = record.session.endsAt + lifetime
            let kim = try #require(try await stage.attendees(of: session).first)
            try await stage.perform(CorrectAttendee(attendee: kim.id, note: "Kim's note", actor: host))
            try await stage.perform(RemoveAttendee(attendee: kim.id, actor: host))
            let removal = try #require(try await stage.record(session)).sequence
            stage.now = stage.now + millisecond
            // The first command marks the session, before all names are deleted.
            let first = try await stage.perform(
                ForgetNames(of: session, lifetime: lifetime, mostRows: 1))
            #expect(first != .done)
            await expectRefused(.namesDeleted) {
                try await stage.perform(UndoCorrection(session: session, sequence: removal, actor: host))
            }
            await expectRefused(.namesDeleted) {
                try await stage.perform(
                    AddAttendee(session: session, name: "New", status: .present, actor: host))
            }
            // The deletion is completed, even if the operator has switched it off meanwhile.
            var place: AttendeeID?
            while case .more(let next) = try await stage.perform(
                ForgetNames(of: session, after: place, lifetime: nil, mostRows: 1))
            { place = next }
            let corrections = try await stage.storage.read { rows throws(JournalError) in
                try rows.corrections(of: session, in: 1...Int64.max)
            }
            #expect(corrections.isEmpty)
            await expectRefused(.cannotBeUndone) {
                try await stage.perform(UndoCorrection(session: session, sequence: removal, actor: host))
            }
        },
        CommandRule("past sessions keep the counts of people whose last name was deleted in another session")
        {
            stage in
            let (host, record) = try await stage.planned()
            let meeting = record.meeting.id
            try await stage.perform(EditMeeting(id: meeting, regulars: .everybody, actor: host))
            stage.now = at(0)
            for number in 1...3 { _ = try await stage.arrive(number, in: record.session.id) }
            stage.now = at(61)
            let next = try await stage.perform(
                ContinueMeeting(meeting: meeting, startsAt: at(100), endsAt: at(160), actor: host)
            ).session
            let key = IdentityKey("p1@example.org")
            let person = try await stage.storage.read { rows throws(JournalError) in
                try rows.person(of: meeting, email: key)
            }
            try await stage.perform(Unsubscribe(.person(try #require(person).id), at: key))
            stage.now = record.session.endsAt + lifetime + millisecond
            try await stage.forgetNames()
            #expect(try await stage.roster(of: meeting).isEmpty)
            // Nobody came to the second session, which has not reached its time.
            let names = try await stage.attendees(of: next.id).map(\.name).sorted()
            #expect(names == ["Person 1", "Person 2", "Person 3"])
            #expect(try await stage.attendance(of: next.id).absent == 3)
            let wishes = try await stage.storage.read { rows throws(JournalError) in
                try rows.unsubscriptions(of: key)
            }
            #expect(wishes == [meeting])
            try await stage.expectWhole(next.id)
        },
        CommandRule("a merge keeps the consent of the check-in, and a record that is awaited again loses it")
        {
            stage in
            let (host, record) = try await stage.planned()
            let session = record.session.id
            _ = try await stage.require("I agree.", in: record.meeting.id, by: host)
            stage.now = at(0)
            let added = try await stage.perform(
                AddAttendee(session: session, name: "Kim", status: .present, actor: host)
            ).0
            let outcome = try await stage.perform(
                CheckIn(
                    session: session, moment: at(0), method: .qr, grant: nil, name: "Kim",
                    email: "k@example.org", consentNumber: 1))
            guard case .checkedIn(let own, _, _) = outcome else {
                Issue.record("no check-in")
                return
            }
            let merged = try await stage.perform(
                MergeAttendees(attendee: own.id, into: added.id, actor: host)
            ).0
            #expect(merged.consentNumber == 1)
            let awaited = try await stage.perform(
                CorrectAttendee(attendee: merged.id, status: .awaited, actor: host)
            ).0
            #expect(awaited.consentNumber == nil)
        },
        CommandRule("a check-in needs the present text of the consent, and stores its number") { stage in
            let (host, record) = try await stage.planned()
            let (meeting, session) = (record.meeting.id, record.session.id)
            func come(_ number: Int, agreeing consent: Int?) async throws -> Attendee? {
                let outcome = try await stage.perform(
                    CheckIn(
                        session: session, moment: at(0), method: .qr, grant: nil, name: "P \(number)",
                        email: "p\(number)@example.org", consentNumber: consent))
                guard case .checkedIn(let attendee, _, _) = outcome else { return nil }
                return attendee
            }
            stage.now = at(0)
            #expect(try await come(1, agreeing: 7)?.consentNumber == nil)
            let first = try await stage.require("I agree.", in: meeting, by: host)
            #expect(first == Consent(number: 1, text: "I agree."))
            await expectRefused(.invalid([FieldError("/consentNumber", .notAgreed)])) {
                _ = try await come(2, agreeing: nil)
            }
            #expect(try await come(2, agreeing: 1)?.consentNumber == 1)
            #expect(try await stage.require("I agree to all.", in: meeting, by: host)?.number == 2)
            await expectRefused(.invalid([FieldError("/consentNumber", .otherConsent)])) {
                _ = try await come(3, agreeing: 1)
            }
            #expect(try await come(3, agreeing: 2)?.consentNumber == 2)
            // An earlier text has its number again, and no consent is needed after its end.
            #expect(try await stage.require("I agree.", in: meeting, by: host)?.number == 1)
            #expect(try await stage.require(nil, in: meeting, by: host) == nil)
            #expect(try await come(4, agreeing: nil)?.consentNumber == nil)
            let texts = try await stage.storage.read { rows throws(JournalError) in
                try rows.consents(of: meeting)
            }
            #expect(texts.map(\.consent.text) == ["I agree.", "I agree to all."])
            #expect(texts.map(\.since) == [at(0), at(0)])
            let edits = try await stage.events(of: session).filter { $0.kind == .edited }
            #expect(edits.last?.data.fields == ["consent"])
        },
        CommandRule("a meeting has at most fifty texts of the consent, and each can be chosen again") {
            stage in
            let (host, record) = try await stage.planned()
            for number in 1...Consent.most {
                let consent = try await stage.require("Text \(number)", in: record.meeting.id, by: host)
                #expect(consent?.number == number)
            }
            await expectRefused(.limitReached(.consentText, limit: Consent.most)) {
                _ = try await stage.require("One more", in: record.meeting.id, by: host)
            }
            #expect(try await stage.require("Text 3", in: record.meeting.id, by: host)?.number == 3)
        },
    ]
}
