import Meetings
import RecordText
import Testing

struct RecordTimesTests {
    @Test func `a time in an unknown time zone is shown in UTC`() throws {
        let noon = try #require(Instant(rfc3339: "2026-11-21T12:00:05Z"))
        #expect(noon.wall(in: .named("Mars/Olympus")) == "2026-11-21 12:00")
        #expect(noon.clock(in: .named("Asia/Seoul")) == "21:00:05")
    }
}
