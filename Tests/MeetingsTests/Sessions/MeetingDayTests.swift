import Meetings
import Testing

struct MeetingDayTests {
    private let seoul = Zone("Asia/Seoul") ?? .utc

    @Test func `a round stays in its day until midnight of its zone`() throws {
        let day = try #require(CivilDate("2026-11-22"))
        func at(_ hour: Int, _ minute: Int = 0) throws -> Instant {
            try #require(WallTime(date: day, hour: hour, minute: minute)).instant(in: seoul)
        }
        let (starts, ends) = (try at(19), try at(21))
        for (now, isShown) in [(0, true), (20, true), (23, true)] {
            #expect(MeetingDay.containing(try at(now)).contains(starts, ends, in: seoul) == isShown)
        }
        #expect(MeetingDay.containing(try at(23, 59)).contains(starts, ends, in: seoul))
        #expect(!MeetingDay.containing(try at(0) + .hours(24)).contains(starts, ends, in: seoul))
        #expect(!MeetingDay.containing(try at(0) - .milliseconds(1)).contains(starts, ends, in: seoul))
        #expect(MeetingDay.date(day).contains(starts, ends, in: seoul))
        // A round over midnight belongs to both days; a round until midnight only to the first.
        let next = CivilDate(daysSince1970: day.daysSince1970 + 1)
        #expect(MeetingDay.date(next).contains(try at(23), try at(0) + .hours(25), in: seoul))
        #expect(!MeetingDay.date(next).contains(try at(23), try at(0) + .hours(24), in: seoul))
    }

    @Test(arguments: ["Pacific/Kiritimati", "Etc/GMT+12", "Asia/Seoul", "America/New_York"])
    func `the longest time of a day includes the day in every zone`(name: String) throws {
        let zone = try #require(Zone(name))
        let day = try #require(CivilDate("2026-11-01"))
        let range = MeetingDay.date(day).longest
        for hour in 0..<24 {
            let moment = try #require(WallTime(date: day, hour: hour, minute: 0)).instant(in: zone)
            #expect(range.contains(moment))
            let today = MeetingDay.containing(moment).longest
            #expect(today.contains(try #require(WallTime(date: day, hour: 0, minute: 0)).instant(in: zone)))
            #expect(today.contains(try #require(WallTime(date: day, hour: 23, minute: 59)).instant(in: zone)))
        }
    }
}
