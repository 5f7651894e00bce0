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
