import Meetings
import Testing
import Wire

struct MeetingRequestTests {
    private let times = #""startsAt":"2026-11-21T10:00:00Z","endsAt":"2026-11-21T12:00:00Z""#

    @Test func `a new meeting needs a name and a session's start and end`() throws {
        let request = try read(CreateMeetingRequest.self, #"{"name":"A","place":"","session":{\#(times)}}"#)
        #expect(
            request.timeZone == .utc && request.identifyBy == .email && request.plannedCount == 0
                && request.place == "")
        #expect(request.session?.questions == nil)
        #expect(try errors(CreateMeetingRequest.self, "{}").map(\.field) == ["/name", "/session"])
        #expect(
            try errors(CreateMeetingRequest.self, #"{"name":"A","session":{}}"#).map(\.field) == [
                "/session/startsAt", "/session/endsAt",
            ])
    }

    @Test func `the server accepts a meeting at its limits, and names every field beyond them`() throws {
        func body(_ more: Int) -> String {
            let isGood = more == 0
            return #"""
                {"name":"\#(chars(100 + more))","timeZone":"\#(isGood ? "Asia/Seoul" : "Nowhere/City")",
                 "plannedCount":\#(100_000 + more),"identifyBy":"\#(isGood ? "number" : "face")",
                 "description":"\#(chars(2000 + more))","place":"\#(chars(200 + more))",
                 "session":{\#(times),"lateAfterMinutes":\#(1440 + more),
                  "checkInOpensMinutesBefore":\#(1440 + more),"feedbackClosesHoursAfter":\#(720 + more),
                  "plannedCount":\#(100_000 + more),"codeKind":"\#(isGood ? "rotating" : "rotten")",
                  "allowOverlap":\#(isGood ? "true" : "1")}}
                """#
        }
        let request = try read(CreateMeetingRequest.self, body(0))
        #expect(request.session?.settings.lateAfterMinutes == 1440 && request.session?.allowOverlap == true)
        #expect(
            try errors(CreateMeetingRequest.self, body(1)).map(\.field) == [
                "/name", "/timeZone", "/plannedCount", "/identifyBy", "/description", "/place",
                "/session/lateAfterMinutes",
                "/session/checkInOpensMinutesBefore", "/session/feedbackClosesHoursAfter",
                "/session/plannedCount", "/session/codeKind",
                "/session/allowOverlap",
            ])
    }

    @Test(
        arguments: [
            ("2026-11-21T10:00:00Z", "2026-11-21T10:00:00Z", FieldReason.endsBeforeStart),
            ("2026-11-21T10:00:00Z", "2026-11-21T19:00:00+09:00", .endsBeforeStart),
            ("2026-11-21T10:00:00Z", "2026-12-05T10:00:00Z", nil),
            ("2026-11-21T10:00:00Z", "2026-12-05T10:00:00.001Z", .tooLongASession(maxDays: 14)),
            // The first moment of the Unix epoch is a valid time.
            ("1970-01-01T00:00:00Z", "2026-11-21T10:00:00Z", .tooLongASession(maxDays: 14)),
            ("1970-01-01T02:00:00Z", "1970-01-01T00:00:00Z", .endsBeforeStart),
            ("2199-12-31T00:00:00Z", "2199-12-31T23:59:59.999Z", nil),
        ] as [(String, String, FieldReason?)])
    func `the server checks a session's end against its start and the longest duration`(
        startsAt: String, endsAt: String, reason: FieldReason?
    )
        throws
    {
        let found = try errors(SessionRequest.self, #"{"startsAt":"\#(startsAt)","endsAt":"\#(endsAt)"}"#)
        #expect(found == (reason.map { [FieldError("/endsAt", $0)] } ?? []))
        let overlap = try errors(
            OverlapRequest.self,
            #"{"startsAt":"\#(startsAt)","endsAt":"\#(endsAt)","exceptSessionId":"\#(Sample.session.id)"}"#)
        #expect(overlap == (reason == .endsBeforeStart ? [FieldError("/endsAt", .endsBeforeStart)] : []))
    }

    @Test func `an edit's fields are all optional, and an empty text clears its field`() throws {
        let meeting = try read(EditMeetingRequest.self, #"{"place":"  ","description":""}"#)
        #expect(meeting.place == "" && meeting.description == "" && meeting.name == nil && !meeting.renewCode)
        let session = try read(EditSessionRequest.self, "{}")
        #expect(session.startsAt == nil && session.settings.codeKind == nil && !session.renewCode)
        #expect(
            try errors(EditMeetingRequest.self, #"{"name":""}"#) == [
                FieldError("/name", .length(min: 1, max: 100))
            ])
    }
}
