import Journal
import Meetings
import Testing

extension CommandRule {
    static let overlapRefusals: [CommandRule] = [
        CommandRule("sessions of one owner may touch, but not overlap by a millisecond") { stage in
            let (host, record) = try await stage.planned()
            _ = try await stage.meeting(of: host, name: "Before", from: -60, to: 0)
            _ = try await stage.meeting(of: host, name: "After", from: 60, to: 120)
            let way = Overlap(record.session, meetingName: "Meeting")
            await expectRefused(.sessionOverlap([way])) {
                try await stage.meeting(of: host, from: 200, to: 300) {
                    $0.startsAt = at(60) - millisecond
                    $0.endsAt = at(60)
                }
            }
            await expectRefused(.sessionOverlap([way])) {
                try await stage.meeting(of: host, from: 200, to: 300) {
                    $0.startsAt = at(0)
                    $0.endsAt = at(0) + millisecond
                }
            }
            await expectRefused(.sessionOverlap([way])) {
                try await stage.meeting(of: host, from: 20, to: 30)
            }
        },
        CommandRule("allowOverlap allows an overlap, and other owners' sessions never count as overlaps") {
            stage in
            let (host, record) = try await stage.planned()
            let track = try await stage.meeting(
                of: host, name: "Track 2", from: 30, to: 90, allowOverlap: true)
            let other = try await stage.account(2).id
            _ = try await stage.meeting(of: other)
            let both = [
                Overlap(record.session, meetingName: "Meeting"),
                Overlap(track.session, meetingName: "Track 2"),
            ]
            await expectRefused(.sessionOverlap(both)) {
                try await stage.perform(
                    ContinueMeeting(meeting: record.meeting.id, startsAt: at(20), endsAt: at(40), actor: host)
                )
            }
            await expectRefused(.sessionOverlap([both[0]])) {
                try await stage.perform(
                    ContinueMeeting(
                        meeting: record.meeting.id, startsAt: at(-30), endsAt: at(0) + millisecond,
                        actor: host))
            }
            let next = try await stage.perform(
                ContinueMeeting(
                    meeting: record.meeting.id, startsAt: at(-30), endsAt: at(0) + millisecond,
                    allowOverlap: true, actor: host)
            )
            #expect(next.session.round == 2)
        },
        CommandRule("a refused meeting stores nothing") { stage in
            let (host, _) = try await stage.planned()
            _ = try? await stage.meeting(of: host, name: "Refused")
            let names = try await stage.storage.read { rows throws(JournalError) in
                try rows.meetings(of: host, at: start, after: nil, limit: 10).map(\.meeting.name)
            }
            #expect(names == ["Meeting"])
        },
        CommandRule("an edit that causes an overlap is refused before the start, and only warned of after it")
        {
            stage in
            let (host, record) = try await stage.planned()
            let other = try await stage.meeting(of: host, name: "Next", from: 60, to: 120)
            let way = Overlap(other.session, meetingName: "Next")
            stage.now = at(0) - millisecond
            await expectRefused(.sessionOverlap([way])) {
                try await stage.edit(record.session.id, by: host, to: 61)
            }
            stage.now = at(0)
            let outcome = try await stage.edit(record.session.id, by: host, to: 61)
            #expect(outcome.overlaps == [way])
            #expect(outcome.record.session.endsAt == at(61))
        },
        CommandRule("allowOverlap suppresses the refusal and the warning of an edit") { stage in
            let (host, record) = try await stage.planned()
            _ = try await stage.meeting(of: host, name: "Next", from: 60, to: 120)
            let outcome = try await stage.perform(
                EditSession(id: record.session.id, endsAt: at(90), allowOverlap: true, actor: host))
            #expect(outcome.overlaps.isEmpty && outcome.record.session.endsAt == at(90))
        },
    ]

    static let sessionEdits: [CommandRule] = [
        CommandRule("the second of two edits of one version is refused, with the current version") { stage in
            let (host, record) = try await stage.planned()
            let id = record.session.id
            let results = try await stage.together(
                {
                    try await stage.perform(
                        EditSession(
                            id: id, settings: .init(plannedCount: 10), expected: .version(1), actor: host))
                },
                {
                    try await stage.perform(
                        EditSession(
                            id: id, settings: .init(plannedCount: 20), expected: .version(1), actor: host))
                },
            )
            #expect(try results[0].get().record.session.version == 2)
            #expect(throws: JournalError.refused(.versionMismatch(current: 2))) { try results[1].get() }
            #expect(try await stage.record(id)?.session.plannedCount == 10)
        },
        CommandRule("an edit that changes nothing adds no event and no new version") { stage in
            let (host, record) = try await stage.planned()
            let outcome = try await stage.edit(record.session.id, by: host, from: 0, to: 60, late: 10)
            #expect(outcome.record == record)
            #expect(try await stage.events(of: record.session.id).count == 1)
        },
        CommandRule("the journal names the fields that an edit changed") { stage in
            let (host, record) = try await stage.planned()
            try await stage.perform(
                EditSession(
                    id: record.session.id, startsAt: at(1), endsAt: at(61),
                    settings: .init(
                        lateAfterMinutes: 0, checkInOpensMinutesBefore: 5, feedbackClosesHoursAfter: 1,
                        plannedCount: 3,
                        codeKind: .rotating),
                    renewsCode: true, actor: host))
            let event = try #require(try await stage.events(of: record.session.id).last)
            #expect(event.kind == .edited && event.actor == .account(host) && event.attendeeID == nil)
            #expect(
                event.data.fields == [
                    "startsAt", "endsAt", "lateAfterMinutes", "checkInOpensMinutesBefore",
                    "feedbackClosesHoursAfter", "plannedCount",
                    "codeKind", "code",
                ])
            let change = try #require(stage.announced.last(record.session.id))
            #expect(change.isEdited && change.record?.session.version == 2)
        },
        CommandRule("a renewed code has a new version and a new join code") { stage in
            let (host, record) = try await stage.planned()
            let renewed = try await stage.perform(
                EditSession(id: record.session.id, renewsCode: true, actor: host)
            ).record.session
            #expect(renewed.codeVersion == 2 && renewed.joinCode != record.session.joinCode)
            let old = try await stage.storage.read { rows throws(JournalError) in
                try rows.session(joinCode: record.session.joinCode)
            }
            #expect(old == nil)
        },
        CommandRule("a host may change start and late limit up to the session's last millisecond") { stage in
            let (host, record) = try await stage.planned()
            stage.now = at(60)
            #expect(
                try await stage.edit(record.session.id, by: host, from: 5, late: 20).record.session.startsAt
                    == at(5))
            stage.now = at(60) + millisecond
            await expectRefused(.sessionOver) { try await stage.edit(record.session.id, by: host, from: 6) }
            await expectRefused(.sessionOver) { try await stage.edit(record.session.id, by: host, late: 21) }
            // An edit that does not change the start or the late limit is still accepted.
            let outcome = try await stage.perform(
                EditSession(id: record.session.id, settings: .init(plannedCount: 4), actor: host))
            #expect(outcome.record.session.plannedCount == 4)
        },
        CommandRule("a host may move the end until feedback closes, and that reopens check-in") { stage in
            let (host, record) = try await stage.planned()
            let closes = at(60 + 24 * 60)
            stage.now = closes
            let moved = try await stage.perform(
                EditSession(id: record.session.id, endsAt: closes + .minutes(1), actor: host)
            ).record
            #expect(moved.session.checkInIsOpen(at: closes))
            #expect(try await stage.arrive(1, in: record.session.id).status == .late)
            stage.now = moved.session.feedbackClosesAt + millisecond
            await expectRefused(.sessionOver) {
                try await stage.perform(EditSession(id: record.session.id, endsAt: stage.now, actor: host))
            }
        },
        CommandRule("an edit is refused if the end is before the start, or the session is too long") {
            stage in
            let (host, record) = try await stage.planned()
            await expectRefused(.invalid([FieldError("/endsAt", .endsBeforeStart)])) {
                try await stage.edit(record.session.id, by: host, to: 0)
            }
            await expectRefused(.invalid([FieldError("/endsAt", .endsBeforeStart)])) {
                try await stage.edit(record.session.id, by: host, from: 60)
            }
            let most = 14 * 24 * 60
            #expect(
                try await stage.edit(record.session.id, by: host, to: most).record.session.endsAt == at(most))
            await expectRefused(.invalid([FieldError("/endsAt", .tooLongASession(maxDays: 14))])) {
                try await stage.edit(record.session.id, by: host, to: most + 1)
            }
        },
        CommandRule("strangers and viewers cannot edit anything") { stage in
            let (host, record) = try await stage.planned(sets: [QuestionSet(questions: questions)])
            let session = record.session.id
            let other = try await stage.account(2).id
            for role in [nil, Role.viewer] {
                try await stage.perform(
                    Act { transaction throws(JournalError) in
                        try transaction.rows.setRole(role, of: other, in: record.meeting.id)
                    })
                await expectRefused(.notAllowed) { try await stage.edit(session, by: other, to: 90) }
                await expectRefused(.notAllowed) {
                    try await stage.perform(EditMeeting(id: record.meeting.id, name: "X", actor: other))
                }
                await expectRefused(.notAllowed) {
                    try await stage.perform(
                        ContinueMeeting(
                            meeting: record.meeting.id, startsAt: at(100), endsAt: at(160), actor: other))
                }
                await expectRefused(.notAllowed) {
                    try await stage.perform(
                        SetQuestions(
                            session: session, set: QuestionSet.feedback, questions: [], expected: .any,
                            actor: other))
                }
                await expectRefused(.notAllowed) {
                    try await stage.perform(
                        EditQuestionSet(
                            session: session, set: QuestionSet.feedback, .init(open: true), actor: other))
                }
                await expectRefused(.notAllowed) {
                    try await stage.perform(AddPresenterLink(session: session, hash: hash(1), actor: other))
                }
                await expectRefused(.notAllowed) {
                    try await stage.perform(DeleteSession(id: session, confirmation: nil, actor: other))
                }
                await expectRefused(.notAllowed) {
                    try await stage.perform(
                        DeleteMeeting(id: record.meeting.id, confirmation: nil, actor: other))
                }
            }
            // A host who is not an owner may edit the meeting's session, but may not delete the meeting.
            try await stage.makeHost(other, of: record.meeting.id)
            #expect(try await stage.edit(session, by: other, to: 90).record.session.endsAt == at(90))
            await expectRefused(.notAllowed) {
                try await stage.perform(DeleteMeeting(id: record.meeting.id, confirmation: nil, actor: other))
            }
            await expectRefused(.notAllowed) {
                try await stage.perform(DeleteSession(id: session, confirmation: nil, actor: other))
            }
            try await stage.perform(DeleteMeeting(id: record.meeting.id, confirmation: nil, actor: host))
        },
    ]

    static let statusRecomputes: [CommandRule] = [
        CommandRule(
            "a later start recomputes the rule's statuses in one event, but not those that a host set"
        ) {
            stage in
            let (host, record) = try await stage.planned()
            let session = record.session.id
            stage.now = at(5)
            _ = try await stage.arrive(1, in: session)
            stage.now = at(10) + millisecond
            let late = try await stage.arrive(2, in: session)
            let byHost = try await stage.arrive(3, in: session)
            try await stage.perform(
                Act { transaction throws(JournalError) in
                    var corrected = byHost
                    corrected.statusIsByHost = true
                    try transaction.rows.update(corrected)
                })
            let outcome = try await stage.edit(session, by: host, from: 1)
            #expect(outcome.record.headCount.present == 2 && outcome.record.headCount.late == 1)
            let events = try await stage.events(of: session)
            #expect(events.count == 5)
            let moved = FieldChange("startsAt", from: record.session.startsAt.rfc3339, to: at(1).rfc3339)
            #expect(events.last?.data == EventData(fields: ["startsAt"], recomputed: 1, changes: [moved]))
            #expect(stage.announced.last(session)?.changed.map(\.id) == [late.id])
            #expect(try await stage.attendee(late.id)?.status == .present)
            #expect(try await stage.attendee(byHost.id)?.status == .late)
            try await stage.expectWhole(session)
        },
        CommandRule("a shorter late limit makes exactly those attendees late who came after it") { stage in
            let (host, record) = try await stage.planned()
            let session = record.session.id
            stage.now = at(3)
            let onTime = try await stage.arrive(1, in: session)
            stage.now = at(3) + millisecond
            let late = try await stage.arrive(2, in: session)
            #expect(try await stage.edit(session, by: host, late: 3).record.headCount.late == 1)
            #expect(try await stage.attendee(onTime.id)?.status == .present)
            #expect(try await stage.attendee(late.id)?.status == .late)
            // If the start and the late limit change by opposite amounts, the late moment is unchanged and no
            // status is recomputed.
            let outcome = try await stage.edit(session, by: host, from: 1, late: 2)
            #expect(outcome.record.headCount.late == 1)
            #expect(try await stage.events(of: session).last?.data.recomputed == nil)
        },
        CommandRule("counts are right when people check in within the same batch as an edit") { stage in
            let (host, record) = try await stage.planned()
            let session = record.session.id
            stage.now = at(11)
            let results = try await stage.together(
                { _ = try await stage.arrive(1, in: session) },
                { _ = try await stage.edit(session, by: host, late: 30) },
                { _ = try await stage.arrive(2, in: session) },
                { _ = try await stage.edit(session, by: host, late: 5) },
            )
            for result in results { try result.get() }
            // The edits are planned at the same time, so either of them may be the last one.
            let last = try #require(try await stage.record(session))
            #expect(last.headCount.late == (last.session.lateAfterMinutes == 5 ? 2 : 0))
            try await stage.expectWhole(session)
        },
    ]
}
