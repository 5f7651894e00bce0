import Meetings
import Testing
import Wire

enum Sample {
    static let startsAt = Instant(seconds: 1_795_255_200)
    static let meeting = Meeting(
        id: MeetingID(high: 1, low: 1), name: "독서 모임", description: "\"Books\"", venue: "Room 3",
        timeZone: Zone("Asia/Seoul") ?? .utc,
        createdAt: startsAt - .hours(24))
    static let session = Session(
        id: SessionID(high: 1, low: 2), meetingID: meeting.id, round: 2, startsAt: startsAt,
        endsAt: startsAt + .hours(2), plannedCount: 30,
        joinCode: "K7QX2M")
    static let attendee = Attendee(
        id: AttendeeID(high: 1, low: 3), sessionID: session.id, name: "김민준", identity: "kim@example.org",
        status: .late, walkIn: true,
        checkedInAt: startsAt + .minutes(11), method: .qr, arrivalSequence: 4)
    static let account = Account(
        id: AccountID(high: 1, low: 4), email: "ada@example.org", name: "Ada",
        passwordHash: "$argon2id$secret",
        profile: .init(birthDate: "2001-05-20", interests: ["Go", "체스"]), createdAt: startsAt)

    static let choice = Question(
        id: QuestionID(high: 2, low: 1), title: "Which?", required: true,
        kind: .multipleChoice(
            choices: ["a", "b", "c"].map { .init(id: $0, label: $0.uppercased()) }, minSelections: 1,
            maxSelections: 2))
    static let stars = Question(id: QuestionID(high: 2, low: 2), title: "How?", kind: .rating(scale: 5))
    static let text = Question(
        id: QuestionID(high: 2, low: 3), title: "Why?", kind: .shortAnswer(maxLength: 500))

    static func set(published: Int = 3, anonymous: Bool = true, shared: Bool = false) -> QuestionSet {
        QuestionSet(
            questions: [choice, stars, text], shared: shared, anonymous: anonymous, responses: published,
            publishedResponses: published)
    }

    static func count(_ question: Question, _ answers: [Answer]) -> TallyCount {
        var count = TallyCount(for: question)
        for answer in answers { count.add(answer, to: question) }
        return count
    }

    static var sessionBody: SessionBody {
        SessionBody(session, of: meeting, headCount: HeadCount(), feedback: set().summary, at: startsAt)
    }
    static var attendeeBody: AttendeeBody {
        AttendeeBody(forMembers: attendee, identifyBy: .email, sessionIsOver: false)
    }
    static var tallies: [TallyBody] {
        // The set is named, because an anonymous set hides the text of a single answer.
        let set = set(anonymous: false)
        return [
            TallyBody(
                choice, in: set,
                count: count(choice, [.choices(["b"]), .choices(["a", "b"]), .choices(["c"])]), latest: []),
            TallyBody(stars, in: set, count: count(stars, [.rating(4), .rating(5), .rating(5)]), latest: []),
            TallyBody(
                text, in: set, count: count(text, [.text("x")]),
                latest: [TextAnswerBody(text: "x\n\"y\"", at: startsAt)]),
        ]
    }
}

func json(_ value: some Encodable) -> String { String(decoding: WireJSON.bytes(value), as: UTF8.self) }

func document(_ text: String) throws -> JSONDocument { try JSONDocument(Array(text.utf8)) }

func read<Request: Readable>(_ type: Request.Type, _ text: String) throws -> Request {
    try Fields.read(type, from: try document(text))
}

/// Returns the errors of a body as `pointer` and reason, in the order in which the server reports them.
func errors<Request: Readable>(_ type: Request.Type, _ text: String) throws -> [FieldError] {
    let document = try document(text)
    do {
        _ = try Fields.read(type, from: document)
        return []
    } catch .invalid(let errors) {
        return errors
    }
}

func chars(_ count: Int, _ character: String = "가") -> String { String(repeating: character, count: count) }
