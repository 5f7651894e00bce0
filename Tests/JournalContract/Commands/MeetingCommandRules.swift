import Journal
import Meetings
import Testing

extension Stage {
    /// Edits a meeting, and returns its language for attendees.
    fileprivate func language(after edit: EditMeeting) async throws -> String? {
        try await perform(edit).meeting.language
    }
}

extension CommandRule {
    static let meetingEdits: [CommandRule] = [
        CommandRule("an edited meeting has a new version, and its latest session's journal has an event") {
            stage in
            let (host, record) = try await stage.planned()
            let seoul = try #require(Zone("Asia/Seoul"))
            let edited = try await stage.perform(
                EditMeeting(
                    id: record.meeting.id, name: "New", description: "D", venue: "P", timeZone: seoul,
                    identifyBy: .number,
                    renewsCode: true,
                    expected: .version(1), actor: host))
            #expect(
                edited.meeting.name == "New" && edited.meeting.timeZone == seoul
                    && edited.meeting.codeVersion == 2)
            #expect(edited.meeting.version == 2)
            #expect(try await stage.record(record.session.id) == edited)
            let event = try await stage.events(of: record.session.id).last
            #expect(event?.data.fields == ["name", "description", "place", "timeZone", "identifyBy", "code"])
            await expectRefused(.versionMismatch(current: 2)) {
                try await stage.perform(
                    EditMeeting(id: record.meeting.id, name: "Newer", expected: .version(1), actor: host))
            }
            #expect(stage.announced.last(record.session.id)?.isEdited == true)
        },
        CommandRule("an edit sets, keeps and removes the language for attendees, and the journal names it") {
            stage in
            let (host, record) = try await stage.planned()
            let id = record.meeting.id
            #expect(record.meeting.language == nil)
            #expect(
                try await stage.language(after: EditMeeting(id: id, language: .value("de"), actor: host))
                    == "de")
            #expect(try await stage.events(of: record.session.id).last?.data.fields == ["language"])
            #expect(try await stage.language(after: EditMeeting(id: id, name: "Neu", actor: host)) == "de")
            #expect(
                try await stage.language(after: EditMeeting(id: id, language: .removed, actor: host))
                    == nil)
        },
        CommandRule("an edit sets, keeps and removes the colour, and the journal names it") { stage in
            let (host, record) = try await stage.planned()
            let id = record.meeting.id
            #expect(record.meeting.accent == nil)
            let set = try await stage.perform(EditMeeting(id: id, accent: .value(.teal), actor: host))
            #expect(set.meeting.accent == .teal)
            #expect(try await stage.events(of: record.session.id).last?.data.fields == ["accent"])
            let kept = try await stage.perform(EditMeeting(id: id, name: "Neu", actor: host))
            #expect(kept.meeting.accent == .teal)
            let removed = try await stage.perform(EditMeeting(id: id, accent: .removed, actor: host))
            #expect(removed.meeting.accent == nil)
        },
        CommandRule(
            "an account owns at most as many meetings as the limit, and meetings of others do not count",
            limits: AccountLimits(mostMeetings: 3)
        ) { stage in
            let (host, record) = try await stage.planned()
            let other = try await stage.account(2).id
            try await stage.perform(
                Act { transaction throws(JournalError) in
                    let meeting = Meeting(id: .makeTimeless(), name: "M", createdAt: at(0))
                    try transaction.rows.insert(meeting)
                    try transaction.rows.setRole(.owner, of: host, in: meeting.id)
                    let shared = Meeting(id: .makeTimeless(), name: "M", createdAt: at(0))
                    try transaction.rows.insert(shared)
                    try transaction.rows.setRole(.host, of: host, in: shared.id)
                })
            _ = try await stage.meeting(of: host, from: 100, to: 160)
            await expectRefused(.limitReached(.meeting, limit: 3)) {
                try await stage.meeting(of: host, from: 200, to: 260)
            }
            _ = try await stage.meeting(of: other, from: 200, to: 260)
            try await stage.perform(DeleteMeeting(id: record.meeting.id, confirmation: nil, actor: host))
            _ = try await stage.meeting(of: host, from: 200, to: 260)
        },
        CommandRule("an edit of a meeting is announced to the rooms of all its sessions") { stage in
            let (host, record) = try await stage.planned()
            let next = try await stage.perform(
                ContinueMeeting(meeting: record.meeting.id, startsAt: at(100), endsAt: at(160), actor: host))
            try await stage.perform(EditMeeting(id: record.meeting.id, name: "New", actor: host))
            for id in [record.session.id, next.session.id] {
                let change = try #require(stage.announced.last(id))
                #expect(change.isEdited && change.record?.meeting.name == "New")
            }
        },
        CommandRule("how a meeting identifies people cannot change while a session has attendees") { stage in
            let (host, record) = try await stage.planned()
            stage.now = at(0)
            _ = try await stage.arrive(1, in: record.session.id)
            await expectRefused(.sessionHasAttendees) {
                try await stage.perform(EditMeeting(id: record.meeting.id, identifyBy: .name, actor: host))
            }
            // An edit to the current value is accepted, because it changes nothing.
            _ = try await stage.perform(EditMeeting(id: record.meeting.id, identifyBy: .email, actor: host))
            stage.now = at(60)
            await expectRefused(.sessionHasAttendees) {
                try await stage.perform(EditMeeting(id: record.meeting.id, identifyBy: .name, actor: host))
            }
            stage.now = at(60) + millisecond
            let edited = try await stage.perform(
                EditMeeting(id: record.meeting.id, identifyBy: .name, actor: host))
            #expect(edited.meeting.identifyBy == .name)
        },
        CommandRule("a command about something that does not exist is refused as not found") { stage in
            let host = try await stage.account(1).id
            await expectRefused(.notFound(.meeting)) {
                try await stage.perform(EditMeeting(id: .makeTimeless(), actor: host))
            }
            await expectRefused(.notFound(.meeting)) {
                try await stage.perform(
                    ContinueMeeting(meeting: .makeTimeless(), startsAt: at(0), endsAt: at(1), actor: host))
            }
            await expectRefused(.notFound(.meeting)) {
                try await stage.perform(DeleteMeeting(id: .makeTimeless(), confirmation: nil, actor: host))
            }
            await expectRefused(.notFound(.session)) {
                try await stage.edit(.makeTimeless(), by: host, to: 1)
            }
            await expectRefused(.notFound(.session)) {
                try await stage.perform(DeleteSession(id: .makeTimeless(), confirmation: nil, actor: host))
            }
            await expectRefused(.notFound(.account)) { try await stage.meeting(of: .makeTimeless()) }
        },
    ]

    static let continuing: [CommandRule] = [
        CommandRule(
            "the next session copies the settings, and the sets with new ids, unshared, without answers"
        ) {
            stage in
            let host = try await stage.account(1).id
            let poll = Question(id: .makeTimeless(), title: "Poll", kind: .rating(scale: 3))
            let sets = [
                QuestionSet(questions: questions, openByHand: true, shared: true, anonymous: true),
                QuestionSet(name: "poll", questions: [poll], anonymous: false),
            ]
            let first = try await stage.meeting(of: host, sets: sets) {
                $0.lateAfterMinutes = 7
                $0.checkInOpensMinutesBefore = 30
                $0.feedbackClosesHoursAfter = 48
                $0.plannedCount = 12
                $0.codeKind = .rotating
            }
            stage.now = at(1)
            let attendee = try await stage.arrive(1, in: first.session.id)
            try await stage.respond(attendee, [questions[0].id: .rating(3)])
            let next = try await stage.perform(
                ContinueMeeting(meeting: first.meeting.id, startsAt: at(100), endsAt: at(160), actor: host))
            let session = next.session
            #expect(session.round == 2 && session.version == 1 && session.codeVersion == 1)
            #expect(
                session.lateAfterMinutes == 7 && session.checkInOpensMinutesBefore == 30
                    && session.feedbackClosesHoursAfter == 48)
            #expect(session.plannedCount == 12 && session.codeKind == .rotating)
            #expect(session.joinCode != first.session.joinCode)
            #expect(next.headCount == HeadCount() && next.sequence == 1)
            let copied = try #require(try await stage.set(of: session.id))
            #expect(
                copied.openByHand == nil && !copied.shared && copied.anonymous && copied.responses == 0
                    && copied.version == 1)
            #expect(copied.questions.map(\.title) == questions.map(\.title))
            #expect(copied.questions.map(\.kind) == questions.map(\.kind))
            #expect(copied.questions.map(\.required) == questions.map(\.required))
            #expect(Set(copied.questions.map(\.id)).isDisjoint(with: questions.map(\.id)))
            #expect(try await stage.set("poll", of: session.id)?.anonymous == false)
            // The first session's questions are unchanged.
            #expect(try await stage.set(of: first.session.id)?.questions == questions)
        },
        CommandRule("given values replace the latest session's values") { stage in
            let (host, first) = try await stage.planned(sets: [QuestionSet(questions: questions)])
            let own = [Question(id: .makeTimeless(), title: "Own", kind: .rating(scale: 4))]
            let next = try await stage.perform(
                ContinueMeeting(
                    meeting: first.meeting.id, startsAt: at(100), endsAt: at(160),
                    settings: .init(
                        lateAfterMinutes: 1, checkInOpensMinutesBefore: 2, feedbackClosesHoursAfter: 3,
                        plannedCount: 4,
                        codeKind: .rotating),
                    questions: own, actor: host))
            #expect(next.session.lateAfterMinutes == 1 && next.session.checkInOpensMinutesBefore == 2)
            #expect(
                next.session.feedbackClosesHoursAfter == 3 && next.session.plannedCount == 4
                    && next.session.codeKind == .rotating)
            #expect(try await stage.set(of: next.session.id)?.questions.map(\.title) == ["Own"])
            let third = try await stage.perform(
                ContinueMeeting(meeting: first.meeting.id, startsAt: at(200), endsAt: at(260), actor: host))
            #expect(third.session.round == 3 && third.session.plannedCount == 4)
        },
        CommandRule("given questions are stored if the latest session has no questions") { stage in
            let (host, first) = try await stage.planned(sets: [])
            let own = [Question(id: .makeTimeless(), title: "Own", kind: .rating(scale: 4))]
            let next = try await stage.perform(
                ContinueMeeting(
                    meeting: first.meeting.id, startsAt: at(100), endsAt: at(160), questions: own, actor: host
                ))
            #expect(try await stage.set(of: next.session.id)?.questions.map(\.title) == ["Own"])
        },
    ]

    static let deletions: [CommandRule] = [
        CommandRule("a session with check-ins is deleted only if its meeting's name is given") { stage in
            let (host, record) = try await stage.planned()
            let next = try await stage.perform(
                ContinueMeeting(meeting: record.meeting.id, startsAt: at(100), endsAt: at(160), actor: host))
            stage.now = at(0)
            _ = try await stage.arrive(1, in: record.session.id)
            for confirmation in [nil, "", "meeting"] {
                await expectRefused(.confirmationNeeded(name: "Meeting", checkIns: 1)) {
                    try await stage.perform(
                        DeleteSession(id: record.session.id, confirmation: confirmation, actor: host))
                }
            }
            try await stage.perform(
                DeleteSession(id: record.session.id, confirmation: "Meeting", actor: host))
            #expect(try await stage.record(record.session.id) == nil)
            #expect(try await stage.events(of: record.session.id).isEmpty)
            #expect(try await stage.attendees(of: record.session.id).isEmpty)
            let change = try #require(stage.announced.last(record.session.id))
            #expect(change.record == nil)
            // Deleting the only remaining session deletes the meeting, too. No confirmation is needed,
            // because nobody checked in.
            try await stage.perform(DeleteSession(id: next.session.id, confirmation: nil, actor: host))
            let meeting = try await stage.storage.read { rows throws(JournalError) in
                try rows.meeting(record.meeting.id)
            }
            #expect(meeting == nil)
        },
        CommandRule("a meeting is deleted with all its sessions, by its name if any of them has check-ins") {
            stage in
            let (host, record) = try await stage.planned()
            let next = try await stage.perform(
                ContinueMeeting(meeting: record.meeting.id, startsAt: at(100), endsAt: at(160), actor: host))
            stage.now = at(50)
            _ = try await stage.arrive(1, in: record.session.id)
            _ = try await stage.arrive(1, in: next.session.id)
            let delete = DeleteMeeting(id: record.meeting.id, confirmation: nil, actor: host)
            await expectRefused(.confirmationNeeded(name: "Meeting", checkIns: 2)) {
                try await stage.perform(delete)
            }
            try await stage.perform(
                DeleteMeeting(id: record.meeting.id, confirmation: "Meeting", actor: host))
            for id in [record.session.id, next.session.id] {
                #expect(try await stage.record(id) == nil)
                #expect(try #require(stage.announced.last(id)).record == nil)
                await expectRefused(.notFound(.session)) { try await stage.checkIn(2, in: id) }
            }
        },
        CommandRule("a check-in after a deletion in the same batch is refused") { stage in
            let (host, record) = try await stage.planned()
            stage.now = at(0)
            let results = try await stage.together(
                {
                    try await stage.perform(
                        DeleteSession(id: record.session.id, confirmation: nil, actor: host))
                },
                { _ = try await stage.checkIn(1, in: record.session.id) },
            )
            try results[0].get()
            #expect(throws: JournalError.refused(.notFound(.session))) { try results[1].get() }
            #expect(stage.storage.statistics.failures == 0)
        },
    ]
}
