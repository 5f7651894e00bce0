import Meetings
import Testing

func instant(_ text: String, _ location: SourceLocation = #_sourceLocation) throws -> Instant {
    try #require(Instant(rfc3339: text), sourceLocation: location)
}

/// Returns a session, by default from 10:00 to 12:00 UTC on 2026-11-21.
func session(
    startsAt: Instant = Instant(seconds: 1_795_255_200), endsAt: Instant = Instant(seconds: 1_795_262_400),
    lateAfterMinutes: Int = 10,
    checkInOpensMinutesBefore: Int = 60, feedbackClosesHoursAfter: Int = 24
) -> Session {
    Session(
        id: .make(at: startsAt), meetingID: .make(at: startsAt), round: 1, startsAt: startsAt, endsAt: endsAt,
        lateAfterMinutes: lateAfterMinutes, checkInOpensMinutesBefore: checkInOpensMinutesBefore,
        feedbackClosesHoursAfter: feedbackClosesHoursAfter, joinCode: "K7QX2M")
}

func attendee(_ status: RecordedStatus, walkIn: Bool = false) -> Attendee {
    Attendee(id: .makeTimeless(), sessionID: .makeTimeless(), name: "김민준", status: status, walkIn: walkIn)
}

let moment = Duration.milliseconds(1)
