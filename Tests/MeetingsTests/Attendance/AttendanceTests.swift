import Meetings
import Seeds
import Testing

struct AttendanceTests {
    private func count(_ statuses: [RecordedStatus]) -> HeadCount {
        var count = HeadCount()
        for status in statuses { count.add(attendee(status)) }
        return count
    }

    @Test func `an added attendee is counted once, and a removed attendee is not counted`() {
        let people = RecordedStatus.allCases.flatMap {
            [attendee($0), attendee($0, walkIn: true), attendee($0)]
        }
        var count = HeadCount()
        for person in people { count.add(person) }
        #expect((count.pending, count.present, count.late, count.absent, count.excused) == (3, 3, 3, 3, 3))
        #expect((count.known, count.walkIns) == (15, 5))
        var numbers = SeededNumbers(seed: 1)
        for person in people.shuffled(using: &numbers) { count.remove(person) }
        #expect(count == HeadCount())
    }

    @Test func `planned people without a record are awaited until the session ends, and absent afterwards`() {
        let count = count([.pending, .present, .late, .absent, .excused])
        let before = Attendance(count, planned: 8, sessionIsOver: false)
        #expect((before.awaited, before.absent, before.checkedIn, before.planned) == (1 + 3, 1, 2, 8))
        let after = Attendance(count, planned: 8, sessionIsOver: true)
        #expect((after.awaited, after.absent, after.checkedIn, after.excused) == (0, 1 + 1 + 3, 2, 1))
    }

    @Test(arguments: [0, 4, 5])
    func `no missing people are counted if at least as many have records as planned`(planned: Int) {
        let attendance = Attendance(
            count([.pending, .present, .present, .late, .excused]), planned: planned, sessionIsOver: false)
        #expect((attendance.awaited, attendance.present, attendance.late, attendance.absent) == (1, 2, 1, 0))
    }

    @Test(arguments: [false, true]) func `the counts add up to the records or the plan, whichever is larger`(
        isOver: Bool
    ) {
        var numbers = SeededNumbers(seed: 3)
        for _ in 0..<200 {
            let statuses = (0..<Int.random(in: 0...12, using: &numbers)).map { _ in
                RecordedStatus.allCases.randomElement(using: &numbers) ?? .late
            }
            let planned = Int.random(in: 0...12, using: &numbers)
            let shown = Attendance(count(statuses), planned: planned, sessionIsOver: isOver)
            #expect(
                shown.awaited + shown.present + shown.late + shown.absent + shown.excused
                    == max(planned, statuses.count))
            #expect(shown.checkedIn == statuses.filter(\.countsAsCheckedIn).count)
        }
    }

    @Test func `only pending attendees are shown differently after the session's end`() {
        #expect(RecordedStatus.pending.shown(sessionIsOver: false) == .awaited)
        #expect(RecordedStatus.pending.shown(sessionIsOver: true) == .absent)
        for status in RecordedStatus.allCases where status != .pending {
            #expect(status.shown(sessionIsOver: false).rawValue == status.rawValue)
            #expect(status.shown(sessionIsOver: true).rawValue == status.rawValue)
        }
    }
}
