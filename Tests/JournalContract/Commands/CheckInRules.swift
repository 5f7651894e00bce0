import Journal
import Meetings
import Testing

extension CommandRule {
    static let windowsOfCheckIn: [CommandRule] = [
        CommandRule("check-in opens exactly at its first millisecond") { stage in
            let session = try await stage.planned().record.session
            stage.now = at(-60) - millisecond
            await expectRefused(.checkInNotOpen(opensAt: at(-60))) {
                try await stage.checkIn(1, in: session.id)
            }
            stage.now = at(-60)
            #expect(try await stage.arrive(1, in: session.id).status == .present)
            try await stage.expectWhole(session.id)
        },
        CommandRule("check-in closes exactly after its last millisecond") { stage in
            let session = try await stage.planned().record.session
            stage.now = at(60)
            #expect(try await stage.arrive(1, in: session.id).status == .late)
            stage.now = at(60) + millisecond
            await expectRefused(.checkInClosed(closedAt: at(60))) {
                try await stage.checkIn(2, in: session.id)
            }
            try await stage.expectWhole(session.id)
        },
        CommandRule("an attendee is late from one millisecond after the limit") { stage in
            let session = try await stage.planned().record.session
            stage.now = at(10)
            #expect(try await stage.arrive(1, in: session.id).status == .present)
            stage.now = at(10) + millisecond
            #expect(try await stage.arrive(2, in: session.id).status == .late)
            let count = try #require(try await stage.record(session.id)).headCount
            #expect(count.present == 1 && count.late == 1)
        },
        CommandRule("the time of the code exchange decides the status, not the time of the form") { stage in
            let session = try await stage.planned().record.session
            stage.now = at(14)
            let attendee = try await stage.arrive(1, in: session.id, moment: at(10))
            #expect(attendee.status == .present)
            #expect(attendee.checkedInAt == at(10))
            let event = try #require(try await stage.events(of: session.id).last)
            #expect(event.at == at(14))
            #expect(event.kind == .checkedIn && event.attendeeID == attendee.id && event.actor == .attendee)
            #expect(event.data == EventData(status: .present, method: .qr))
            #expect(attendee.arrivalSequence == event.sequence)
        },
        CommandRule("a grant of the last moment is valid for exactly ten minutes") { stage in
            let session = try await stage.planned().record.session
            stage.now = at(70)
            #expect(try await stage.arrive(1, in: session.id, moment: at(60)).checkedInAt == at(60))
            stage.now = at(70) + millisecond
            await expectRefused(.checkInClosed(closedAt: at(60))) {
                try await stage.checkIn(2, in: session.id, moment: at(60))
            }
            // A grant whose code was exchanged earlier lives until check-in closes, or for ten minutes if ten
            // minutes are longer.
            await expectRefused(.checkInClosed(closedAt: at(60))) {
                try await stage.checkIn(2, in: session.id, moment: at(30))
            }
            stage.now = at(65)
            #expect(try await stage.arrive(2, in: session.id, moment: at(55)).status == .late)
            stage.now = at(65) + millisecond
            await expectRefused(.checkInClosed(closedAt: at(60))) {
                try await stage.checkIn(3, in: session.id, moment: at(55))
            }
        },
        CommandRule("a grant lives exactly ten minutes if codes rotate") { stage in
            let (host, record) = try await stage.planned()
            let session = record.session.id
            try await stage.perform(
                EditSession(id: session, settings: .init(codeKind: .rotating), actor: host))
            stage.now = at(10)
            let here = try await stage.arrive(1, in: session, moment: at(0))
            #expect(here.checkedInAt == at(0))
            #expect(try await stage.events(of: session).last?.data.grantAge == 600)
            stage.now = at(10) + millisecond
            await expectRefused(.grantExpired) { try await stage.checkIn(2, in: session, moment: at(0)) }
            // The attendee scans again. A repeat of the earlier check-in still gets its answer.
            #expect(try await stage.arrive(2, in: session, moment: at(9)).status == .present)
            #expect(
                try await stage.checkIn(1, in: session, moment: at(0), receipt: Receipt(for: here)).again?.id
                    == here.id)
            stage.now = at(62)
            _ = try await stage.arrive(3, in: session, moment: at(55))
            await expectRefused(.checkInClosed(closedAt: at(60))) {
                try await stage.checkIn(4, in: session, moment: at(51))
            }
        },
        CommandRule("a code that was exchanged outside the window is refused inside the window") { stage in
            let session = try await stage.planned().record.session
            stage.now = at(0)
            await expectRefused(.checkInNotOpen(opensAt: at(-60))) {
                try await stage.checkIn(1, in: session.id, moment: at(-60) - millisecond)
            }
        },
        CommandRule("a check-in to a session that does not exist is refused") { stage in
            await expectRefused(.notFound(.session)) { try await stage.checkIn(1, in: .makeTimeless()) }
        },
        CommandRule("a session accepts a limited number of people") { stage in
            let session = try await stage.planned().record.session
            stage.now = at(0)
            try await stage.perform(
                Act { transaction throws(JournalError) in
                    try transaction.count(in: session.id) { $0.pending = CheckIn.mostAttendees - 1 }
                    try transaction.record(.edited, in: session.id, by: .server)
                })
            _ = try await stage.arrive(1, in: session.id)
            await expectRefused(.limitReached(.attendee, limit: CheckIn.mostAttendees)) {
                try await stage.checkIn(2, in: session.id)
            }
        },
    ]
}
