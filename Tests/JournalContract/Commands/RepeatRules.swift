import Journal
import Meetings
import Testing

extension CommandRule {
    static let repeats: [CommandRule] = [
        CommandRule("the same grant gets the first answer again, whatever the form says, also after the end")
        { stage in
            let session = try await stage.planned().record.session
            stage.now = at(0)
            let first = try #require(try await stage.checkIn(1, in: session.id, grant: hash(1)).fresh)
            let events = try await stage.events(of: session.id)
            stage.now = at(20)
            let again = try await stage.checkIn(2, in: session.id, grant: hash(1)).again
            #expect(again == first)
            stage.now = at(500)
            #expect(try await stage.checkIn(1, in: session.id, grant: hash(1)).again == first)
            #expect(try await stage.events(of: session.id) == events)
            try await stage.expectWhole(session.id)
        },
        CommandRule("the same receipt gets the first answer again") { stage in
            let session = try await stage.planned().record.session
            stage.now = at(0)
            let first = try #require(try await stage.checkIn(1, in: session.id, grant: hash(1)).fresh)
            #expect(
                try await stage.checkIn(1, in: session.id, grant: hash(2), receipt: Receipt(for: first)).again
                    == first)
            // Nothing was stored for the second grant.
            #expect(try await stage.checkIn(2, in: session.id, grant: hash(2)).fresh?.id != nil)
        },
        CommandRule("a receipt of another session is not valid in this session") { stage in
            let (host, record) = try await stage.planned()
            let other = try await stage.meeting(of: host, allowOverlap: true)
            stage.now = at(0)
            let there = try await stage.arrive(1, in: other.session.id)
            let here = try await stage.checkIn(1, in: record.session.id, receipt: Receipt(for: there)).fresh
            #expect(here != nil && here?.id != there.id)
        },
        CommandRule("a person who checks in again from elsewhere learns only that they are checked in") {
            stage in
            let session = try await stage.planned().record.session
            stage.now = at(0)
            _ = try #require(try await stage.checkIn(1, in: session.id, grant: hash(1)).fresh)
            #expect(try await stage.checkIn(1, in: session.id, grant: hash(2)).isElsewhere)
            #expect(try await stage.checkIn(1, in: session.id, identity: " P1@EXAMPLE.org ").isElsewhere)
            try await stage.expectWhole(session.id)
            #expect(try await stage.attendees(of: session.id).count == 1)
        },
        CommandRule("identity keys are compared without letter case and in composed form") { stage in
            let session = try await stage.planned(identifyBy: .number).record.session
            stage.now = at(0)
            _ = try await stage.checkIn(1, in: session.id, identity: "가-7")
            // The same Hangul syllable, written as two letters (decomposed).
            #expect(try await stage.checkIn(2, in: session.id, identity: "\u{1100}\u{1161}-7").isElsewhere)
            #expect(try await stage.checkIn(3, in: session.id, identity: "가-8").fresh != nil)
        },
        CommandRule("a check-in needs the identity that the meeting uses, and ignores the other") {
            stage in
            let host = try await stage.account(1).id
            stage.now = at(0)
            func come(_ session: SessionID, email: String? = nil, number: String? = nil) async throws
                -> CheckIn.Outcome
            {
                try await stage.perform(
                    CheckIn(
                        session: session, moment: at(0), method: .qr, grant: nil, name: "Kim", email: email,
                        number: number))
            }
            let byEmail = try await stage.meeting(of: host).session.id
            await expectRefused(.invalid([FieldError("/email", .missing)])) {
                try await come(byEmail, number: "7")
            }
            #expect(
                try await come(byEmail, email: "a@example.org", number: "7").fresh?.identity
                    == "a@example.org")
            let byNumber = try await stage.meeting(of: host, identifyBy: .number, allowOverlap: true).session
                .id
            await expectRefused(.invalid([FieldError("/number", .missing)])) {
                try await come(byNumber, email: "a@example.org")
            }
            #expect(try await come(byNumber, email: "a@example.org", number: "7").fresh?.identity == "7")
            let byName = try await stage.meeting(of: host, identifyBy: .name, allowOverlap: true).session.id
            #expect(try await come(byName, email: "a@example.org", number: "7").fresh?.identity == "")
        },
        CommandRule("if a meeting identifies by name, each grant is one person") { stage in
            let session = try await stage.planned(identifyBy: .name).record.session
            stage.now = at(0)
            let first = try #require(
                try await stage.checkIn(1, in: session.id, grant: hash(1), identity: "", name: "Kim").fresh)
            let second = try #require(
                try await stage.checkIn(1, in: session.id, grant: hash(2), identity: "", name: "Kim").fresh)
            #expect(first.id != second.id)
            #expect(
                try await stage.checkIn(1, in: session.id, grant: hash(1), identity: "", name: "Kim").again
                    == first)
            try await stage.expectWhole(session.id)
        },
        CommandRule(
            "an awaited person checks in to their record by key, under the known name, and can repeat it"
        ) { stage in
            let session = try await stage.planned().record.session
            let awaited = Attendee(
                id: .makeTimeless(), sessionID: session.id, name: "Known", identity: "p1@example.org")
            try await stage.perform(
                Act { transaction throws(JournalError) in
                    try transaction.rows.insert(awaited, key: IdentityKey(awaited.identity), grant: nil)
                    try transaction.count(in: session.id) { $0.add(awaited) }
                    try transaction.record(.edited, in: session.id, by: .server)
                })
            stage.now = at(0)
            let came = try #require(try await stage.checkIn(1, in: session.id, grant: hash(1)).fresh)
            #expect(came.id == awaited.id && came.name == "Known" && came.status == .present)
            let event = try #require(try await stage.events(of: session.id).last)
            #expect(event.data == EventData(status: .present, before: .pending, method: .qr))
            try await stage.expectWhole(session.id)
            #expect(try await stage.checkIn(1, in: session.id, grant: hash(1)).again == came)
        },
    ]

    static let crowds: [CommandRule] = [
        CommandRule("after 200 concurrent check-ins of 150 people, 150 are checked in without a gap") {
            stage in
            let session = try await stage.planned().record.session
            stage.now = at(0)
            let outcomes = try await withThrowingTaskGroup(of: CheckIn.Outcome.self) { group in
                for number in 0..<200 {
                    group.addTask {
                        try await stage.checkIn(
                            number % 150, in: session.id, grant: ID<Session>.makeTimeless().bytes)
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(outcomes.count { $0.fresh != nil } == 150)
            #expect(outcomes.count { $0.isElsewhere } == 50)
            let events = try await stage.events(of: session.id)
            #expect(events.filter { $0.kind == .checkedIn }.count == 150)
            try await stage.expectWhole(session.id)
            let record = try #require(try await stage.record(session.id))
            #expect(record.headCount.present == 150)
            let arrivals = stage.announced.commits.filter { $0.id == session.id }.flatMap(\.arrivals)
            #expect(arrivals.map(\.arrivalSequence) == Array(2...151))
        },
        CommandRule("the same grant twice in one batch is one person") { stage in
            let session = try await stage.planned().record.session
            stage.now = at(0)
            let results = try await stage.together(
                all: (0..<5).map { number in
                    { try await stage.checkIn(number, in: session.id, grant: hash(1)) }
                })
            let outcomes = try results.map { try $0.get() }
            let first = try #require(outcomes[0].fresh)
            #expect(outcomes.dropFirst().allSatisfy { $0.again == first })
            try await stage.expectWhole(session.id)
        },
    ]

    static let ownRecords: [CommandRule] = [
        CommandRule("an attendee corrects their name, and the journal does not contain the names") { stage in
            let session = try await stage.planned().record.session
            stage.now = at(0)
            let attendee = try await stage.arrive(1, in: session.id)
            let (renamed, record) = try await stage.perform(
                CorrectOwnName(receipt: Receipt(for: attendee), name: "Other"))
            #expect(renamed.name == "Other")
            #expect(try await stage.attendee(attendee.id) == renamed)
            #expect(record.sequence == 3)
            let event = try #require(try await stage.events(of: session.id).last)
            #expect(event.kind == .renamed && event.attendeeID == attendee.id && event.data == EventData())
            #expect(stage.announced.last(session.id)?.changed == [renamed])
            // Setting the same name again creates no event.
            #expect(
                try await stage.perform(CorrectOwnName(receipt: Receipt(for: attendee), name: "Other")).1
                    .sequence == 3)
        },
        CommandRule("an attendee corrects a mistyped address, and the old one is free again") { stage in
            let session = try await stage.planned().record.session.id
            stage.now = at(0)
            let attendee = try await stage.arrive(1, in: session)
            let (corrected, record) = try await stage.perform(
                CorrectOwnAddress(receipt: Receipt(for: attendee), identity: "p7@example.org"))
            #expect(corrected.identity == "p7@example.org" && corrected.checkedInAt == attendee.checkedInAt)
            #expect(try await stage.attendee(attendee.id) == corrected)
            let event = try #require(try await stage.events(of: session).last)
            #expect(event.kind == .renamed && event.attendeeID == attendee.id && event.data == EventData())
            #expect(stage.announced.last(session)?.changed == [corrected])
            // The same address again creates no event.
            let same = try await stage.perform(
                CorrectOwnAddress(receipt: Receipt(for: attendee), identity: "p7@example.org"))
            #expect(same.1.sequence == record.sequence)
            #expect(try await stage.checkIn(7, in: session).isElsewhere)
            #expect(try await stage.checkIn(1, in: session).fresh != nil)
            try await stage.expectWhole(session)
        },
        CommandRule("an attendee cannot take the address of another attendee or of an awaited person") {
            stage in
            let (host, record) = try await stage.planned()
            let session = record.session.id
            let roster = [PersonDraft(name: "Person 8", email: "p8@example.org", number: "")]
            _ = try await stage.load(roster, to: record.meeting.id, by: host)
            stage.now = at(0)
            let attendee = try await stage.arrive(1, in: session)
            let other = try await stage.arrive(2, in: session)
            await expectRefused(.attendeeExists(other.id)) {
                try await stage.perform(
                    CorrectOwnAddress(receipt: Receipt(for: attendee), identity: other.identity))
            }
            let awaited = try #require(
                try await stage.attendees(of: session).first { $0.status == .pending })
            await expectRefused(.attendeeExists(awaited.id)) {
                try await stage.perform(
                    CorrectOwnAddress(receipt: Receipt(for: attendee), identity: awaited.identity))
            }
            #expect(try await stage.attendee(attendee.id) == attendee)
            let sequence = try await stage.record(session)?.sequence
            for number in 1...CorrectOwnName.most {
                try await stage.perform(
                    CorrectOwnAddress(receipt: Receipt(for: attendee), identity: "new\(number)@example.org"))
            }
            await expectRefused(.renamedTooOften(limit: CorrectOwnName.most)) {
                try await stage.perform(
                    CorrectOwnAddress(receipt: Receipt(for: attendee), identity: "x@example.org"))
            }
            #expect(
                try await stage.record(session)?.sequence == sequence.map { $0 + Int64(CorrectOwnName.most) })
        },
        CommandRule("the name and the address change together, or not at all") { stage in
            let session = try await stage.planned().record.session.id
            stage.now = at(0)
            let attendee = try await stage.arrive(1, in: session)
            for number in 1..<CorrectOwnName.most {
                _ = try await stage.correct(attendee, "Person 1", "new\(number)@example.org")
            }
            let before = try await stage.attendee(attendee.id)
            await expectRefused(.renamedTooOften(limit: CorrectOwnName.most)) {
                _ = try await stage.correct(attendee, "Other", "last@example.org")
            }
            #expect(try await stage.attendee(attendee.id) == before)
            let renamed = try await stage.correct(attendee, "Other", nil)
            #expect(renamed.name == "Other" && renamed.identity == before?.identity)
        },
        CommandRule("a record without a grant can try the addresses of at most five other people") { stage in
            let session = try await stage.planned().record.session.id
            stage.now = at(0)
            let attendee = try await stage.arrive(1, in: session)
            let repeats = CheckInRepeats()
            func tryAddress(of number: Int) async throws {
                try await stage.perform(
                    CorrectOwnAddress(
                        receipt: Receipt(for: attendee), identity: "p\(number)@example.org", repeats: repeats
                    ))
            }
            let most = CheckInRepeats.mostPeopleOfGrant
            for number in 2...most + 1 {
                let other = try await stage.arrive(number, in: session)
                await expectRefused(.attendeeExists(other.id)) { try await tryAddress(of: number) }
            }
            _ = try await stage.arrive(most + 2, in: session)
            await expectRefused(.grantUsedUp) { try await tryAddress(of: most + 2) }
        },
        CommandRule("an attendee changes their name twenty times, and successive changes are one correction")
        {
            stage in
            let (host, record) = try await stage.planned()
            let session = record.session.id
            stage.now = at(0)
            let attendee = try await stage.arrive(1, in: session)
            for number in 1...CorrectOwnName.most {
                try await stage.perform(
                    CorrectOwnName(receipt: Receipt(for: attendee), name: "Name \(number)"))
            }
            await expectRefused(.renamedTooOften(limit: CorrectOwnName.most)) {
                try await stage.perform(CorrectOwnName(receipt: Receipt(for: attendee), name: "Again"))
            }
            // The present name is no change.
            let same = try await stage.perform(
                CorrectOwnName(receipt: Receipt(for: attendee), name: "Name \(CorrectOwnName.most)"))
            let renames = try await stage.storage.read { rows throws(JournalError) in
                try rows.renames(of: attendee.id, in: session)
            }
            #expect(renames.count == CorrectOwnName.most)
            #expect(renames.count { $0.before != nil } == 1)
            let last = try #require(renames.last)
            let undone = try await stage.perform(
                UndoCorrection(session: session, sequence: last.sequence, actor: host))
            #expect(undone.attendee?.name == attendee.name)
            #expect(same.0.name == "Name \(CorrectOwnName.most)")
            // The journal stays whole, and another attendee is not concerned.
            let other = try await stage.arrive(2, in: session)
            try await stage.perform(CorrectOwnName(receipt: Receipt(for: other), name: "Other"))
            try await stage.expectWhole(session)
        },
        CommandRule("a change of the name after a host's correction is a correction of its own") { stage in
            let (host, record) = try await stage.planned()
            let session = record.session.id
            stage.now = at(0)
            let attendee = try await stage.arrive(1, in: session)
            try await stage.perform(CorrectOwnName(receipt: Receipt(for: attendee), name: "First"))
            try await stage.perform(CorrectAttendee(attendee: attendee.id, name: "Host's", actor: host))
            try await stage.perform(CorrectOwnName(receipt: Receipt(for: attendee), name: "Second"))
            let last = try #require(
                try await stage.storage.read { rows throws(JournalError) in
                    try rows.renames(of: attendee.id, in: session)
                }.last)
            let undone = try await stage.perform(
                UndoCorrection(session: session, sequence: last.sequence, actor: host))
            #expect(undone.attendee?.name == "Host's")
        },
        CommandRule("a withdrawn attendee is erased, may check in again, and has no valid receipt") {
            stage in
            let session = try await stage.planned().record.session
            stage.now = at(0)
            let attendee = try #require(try await stage.checkIn(1, in: session.id, grant: hash(1)).fresh)
            try await stage.perform(WithdrawCheckIn(receipt: Receipt(for: attendee)))
            #expect(try await stage.attendee(attendee.id) == nil)
            #expect(try await stage.record(session.id)?.headCount == HeadCount())
            #expect(stage.announced.last(session.id)?.removed == [attendee.id])
            let event = try #require(try await stage.events(of: session.id).last)
            #expect(event.kind == .withdrawn && event.data == EventData(before: .present))
            await expectRefused(.receiptNotValid) {
                try await stage.perform(WithdrawCheckIn(receipt: Receipt(for: attendee)))
            }
            await expectRefused(.receiptNotValid) {
                try await stage.perform(CorrectOwnName(receipt: Receipt(for: attendee), name: "X"))
            }
            let back = try #require(
                try await stage.checkIn(1, in: session.id, grant: hash(1), receipt: Receipt(for: attendee))
                    .fresh)
            #expect(back.id != attendee.id)
            try await stage.expectWhole(session.id)
        },
    ]
}

extension Stage {
    /// Corrects the attendee's own name and address. Returns the record after the correction.
    fileprivate func correct(_ attendee: Attendee, _ name: String, _ address: String?) async throws
        -> Attendee
    {
        let command = CorrectOwnDetails(receipt: Receipt(for: attendee), name: name, email: address)
        return try await perform(command).0
    }
}
