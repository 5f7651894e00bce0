import Foundation
import Meetings
import Testing

struct EventTests {
    @Test func `an actor's text parses to the same actor`() {
        for actor in [Event.Actor.attendee, .server, .account(.make(at: Instant(seconds: 1)))] {
            #expect(Event.Actor(actor.text) == actor)
        }
        #expect(Event.Actor("somebody") == nil)
        #expect(Event.Actor("") == nil)
    }

    @Test func `event data has no field that could hold a person's text`() {
        // The names of a set and of edited fields are not personal data. An engineer who adds a field must
        // confirm here that the field holds no personal data.
        let allowed = [
            "status": "Optional<RecordedStatus>", "before": "Optional<RecordedStatus>",
            "method": "Optional<CheckInMethod>",
            "walkIn": "Optional<Bool>", "codeAge": "Optional<Int>",
            "grantAge": "Optional<Int>", "set": "Optional<String>",
            "fields": "Optional<Array<String>>",
            "recomputed": "Optional<Int>", "into": "Optional<ID<Attendee>>", "undoes": "Optional<Int64>",
            // The field holds times, numbers and kinds of codes of a session. The command `admin verify`
            // checks this in files.
            "changes": "Optional<Array<FieldChange>>",
            // The field holds the id of a presenter link. The id of a link gives no access.
            "link": "Optional<ID<PresenterLink>>",
            // The fields hold ids of questions from the audience. The texts are rows of their own.
            "question": "Optional<ID<AudienceQuestion>>", "intoQuestion": "Optional<ID<AudienceQuestion>>",
        ]
        let found = Mirror(reflecting: EventData()).children.map { ($0.label ?? "", "\(type(of: $0.value))") }
        #expect(Dictionary(found) { first, _ in first } == allowed)
    }

    @Test func `an event holds only ids, numbers and kinds`() throws {
        let event = Event(
            sessionID: .makeTimeless(), sequence: 1, at: Instant(seconds: 1), kind: .checkedIn,
            attendeeID: .makeTimeless(), actor: .server,
            data: EventData())
        let found = Set(Mirror(reflecting: event).children.map { "\(type(of: $0.value))" })
        #expect(
            found == [
                "ID<Session>", "Int64", "Instant", "Kind", "Optional<ID<Attendee>>", "Actor", "EventData",
            ])
    }

    @Test func `event data round-trips through JSON, and omits nil fields`() throws {
        let data = EventData(
            status: .late, before: .pending, method: .qr, walkIn: true, codeAge: 3, set: "feedback",
            fields: ["endsAt"], recomputed: 2)
        #expect(try JSONDecoder().decode(EventData.self, from: JSONEncoder().encode(data)) == data)
        #expect(
            String(decoding: try JSONEncoder().encode(EventData(recomputed: 0)), as: UTF8.self)
                == #"{"recomputed":0}"#)
        #expect(try JSONDecoder().decode(EventData.self, from: Data("{}".utf8)) == EventData())
    }
}
