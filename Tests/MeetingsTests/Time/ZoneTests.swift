import Meetings
import Testing

struct ZoneTests {
    @Test(arguments: ["Asia/Seoul", "Europe/Berlin", "America/Argentina/Buenos_Aires", "UTC", "Etc/GMT-9"])
    func `IANA names are valid zones`(name: String) {
        #expect(Zone(name)?.name == name)
    }

    @Test(arguments: [
        "", "KST", "GMT", "GMT+9", "+09:00", "Asia/Nowhere", "Nowhere/Seoul", "/", "Asia/", "/Asia/Seoul",
        "Asia/Seoul/", "../etc/passwd",
        "Asia/../Asia/Seoul", "Asia/Seoul ", "Asia/Se\u{0}oul", "서울/서울",
    ])
    func `a name that is not in the zone database is refused`(name: String) {
        #expect(Zone(name) == nil)
    }

    @Test func `a name of more than 64 bytes is refused without a lookup`() {
        #expect(Zone("Asia/" + String(repeating: "x", count: 100)) == nil)
    }

    @Test func `the machine's zone can be found by its name`() {
        #expect(Zone(Zone.current.name) == Zone.current)
    }

    @Test(arguments: [
        // One ordinary day in each half of the year.
        ("Europe/Berlin", "2026-01-15 12:00", "2026-01-15T11:00:00Z"),
        ("Europe/Berlin", "2026-07-15 12:00", "2026-07-15T10:00:00Z"),
        ("Asia/Seoul", "2026-03-29 02:30", "2026-03-28T17:30:00Z"),
        ("Asia/Seoul", "2026-11-01 01:30", "2026-10-31T16:30:00Z"),
        // Times shortly before and after a time that clocks skip.
        ("Europe/Berlin", "2026-03-29 01:59", "2026-03-29T00:59:00Z"),
        ("Europe/Berlin", "2026-03-29 03:00", "2026-03-29T01:00:00Z"),
        ("America/New_York", "2026-03-08 01:59", "2026-03-08T06:59:00Z"),
        ("America/New_York", "2026-03-08 03:00", "2026-03-08T07:00:00Z"),
        // Times shortly before and after a time that clocks show twice.
        ("Europe/Berlin", "2026-10-25 01:59", "2026-10-24T23:59:00Z"),
        ("Europe/Berlin", "2026-10-25 03:00", "2026-10-25T02:00:00Z"),
        ("America/New_York", "2026-11-01 00:59", "2026-11-01T04:59:00Z"),
        ("America/New_York", "2026-11-01 02:00", "2026-11-01T07:00:00Z"),
        // Times in the southern hemisphere, where January is in summer.
        ("Australia/Sydney", "2026-01-15 12:00", "2026-01-15T01:00:00Z"),
        ("Pacific/Auckland", "2026-07-15 12:00", "2026-07-15T00:00:00Z"),
        ("America/Santiago", "2026-01-15 12:00", "2026-01-15T15:00:00Z"),
        // Zones whose offsets are not whole hours.
        ("Asia/Kathmandu", "2026-05-01 00:00", "2026-04-30T18:15:00Z"),
        ("Australia/Lord_Howe", "2026-07-01 12:00", "2026-07-01T01:30:00Z"),
        ("Australia/Lord_Howe", "2026-12-01 12:00", "2026-12-01T01:00:00Z"),
    ])
    func `a time that clocks show once round-trips through its moment`(
        zone: String, reading: String, moment: String
    )
        throws
    {
        let zone = try #require(Zone(zone))
        let wall = try wallTime(reading)
        #expect(wall.instant(in: zone) == (try instant(moment)))
        #expect(WallTime(try instant(moment), in: zone) == wall)
        #expect(wall.text == reading)
    }

    @Test(arguments: [
        ("Europe/Berlin", "2026-03-29 02:00", "2026-03-29T01:00:00Z", "2026-03-29 03:00"),
        ("Europe/Berlin", "2026-03-29 02:30", "2026-03-29T01:30:00Z", "2026-03-29 03:30"),
        ("America/New_York", "2026-03-08 02:59", "2026-03-08T07:59:00Z", "2026-03-08 03:59"),
        ("Australia/Sydney", "2026-10-04 02:30", "2026-10-03T16:30:00Z", "2026-10-04 03:30"),
        ("Pacific/Auckland", "2026-09-27 02:30", "2026-09-26T14:30:00Z", "2026-09-27 03:30"),
        ("Australia/Lord_Howe", "2026-10-04 02:15", "2026-10-03T15:45:00Z", "2026-10-04 02:45"),
        // Clocks skip this midnight.
        ("Africa/Cairo", "2026-04-24 00:30", "2026-04-23T22:30:00Z", "2026-04-24 01:30"),
        // Clocks skip this whole day.
        ("Pacific/Apia", "2011-12-30 12:00", "2011-12-30T22:00:00Z", "2011-12-31 12:00"),
    ])
    func `a time that clocks skip moves forward by the gap`(
        zone: String, reading: String, moment: String, shown: String
    ) throws {
        let zone = try #require(Zone(zone))
        #expect(try wallTime(reading).instant(in: zone) == (try instant(moment)))
        #expect(WallTime(try instant(moment), in: zone).text == shown)
    }

    @Test(arguments: [
        ("Europe/Berlin", "2026-10-25 02:00", "2026-10-25T00:00:00Z", 60),
        ("Europe/Berlin", "2026-10-25 02:59", "2026-10-25T00:59:00Z", 60),
        ("America/New_York", "2026-11-01 01:30", "2026-11-01T05:30:00Z", 60),
        ("Australia/Sydney", "2026-04-05 02:30", "2026-04-04T15:30:00Z", 60),
        ("Australia/Lord_Howe", "2026-04-05 01:45", "2026-04-04T14:45:00Z", 30),
    ])
    func `a time that clocks show twice is the first moment`(
        zone: String, reading: String, first: String, minutes: Int
    ) throws {
        let zone = try #require(Zone(zone))
        let first = try instant(first)
        #expect(try wallTime(reading).instant(in: zone) == first)
        #expect(WallTime(first, in: zone).text == reading)
        #expect(WallTime(first + .minutes(minutes), in: zone).text == reading)
    }

    @Test func `each quarter of an hour of a year round-trips, unless clocks show it twice`() throws {
        for name in ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Seoul"] {
            let zone = try #require(Zone(name))
            var seconds = 0
            var moment = try instant("2026-01-01T00:00:00Z")
            for _ in 0..<(365 * 96) {
                let back = WallTime(moment, in: zone).instant(in: zone)
                if back != moment {
                    #expect(moment.since(back) == .minutes(name == "Australia/Lord_Howe" ? 30 : 60))
                    seconds += 1
                }
                moment = moment + .minutes(15)
            }
            #expect(seconds == ["Asia/Seoul": 0, "Australia/Lord_Howe": 2][name, default: 4], "\(name)")
        }
    }

    @Test(arguments: ["Europe/Dublin", "Europe/Berlin", "America/New_York"])
    func `daylight saving time is the summer's, also where the winter's is the deviation`(
        name: String
    ) throws {
        let zone = try #require(Zone(name))
        let (winter, summer) = (try instant("2026-01-15T12:00:00Z"), try instant("2026-07-15T12:00:00Z"))
        #expect(!zone.observance(at: winter).isDaylight)
        #expect(zone.observance(at: summer).isDaylight)
        let next = try instant("2027-01-15T12:00:00Z")
        #expect(zone.transitions(from: winter, to: next).map(\.isDaylight) == [true, false])
    }

    @Test func `a zone without daylight saving time never has it`() throws {
        let zone = try #require(Zone("Asia/Seoul"))
        #expect(!zone.observance(at: try instant("2026-07-15T12:00:00Z")).isDaylight)
    }

    @Test func `moments before 1970 are rounded down to their minute`() throws {
        #expect(WallTime(Instant(milliseconds: -1), in: .utc).text == "1969-12-31 23:59")
    }

    @Test func `impossible hours and minutes are refused`() throws {
        let date = try #require(CivilDate("2026-11-21"))
        #expect(WallTime(date: date, hour: 24, minute: 0) == nil)
        #expect(WallTime(date: date, hour: -1, minute: 0) == nil)
        #expect(WallTime(date: date, hour: 0, minute: 60) == nil)
        #expect(WallTime(date: date, hour: 0, minute: -1) == nil)
        #expect(WallTime(date: date, hour: 23, minute: 59) != nil)
    }

    private func wallTime(_ text: String) throws -> WallTime {
        let date = try #require(CivilDate(String(text.prefix(10))))
        let hour = try #require(Int(text.dropFirst(11).prefix(2)))
        let minute = try #require(Int(text.dropFirst(14)))
        return try #require(WallTime(date: date, hour: hour, minute: minute))
    }
}
