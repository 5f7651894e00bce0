import Journal
import Meetings
import Testing

/// The moment from which rules count minutes: 18 November 2026, 11:06:40 UTC.
let start = Instant(milliseconds: 1_795_000_000_000)

func at(_ minutes: Int) -> Instant { start + .minutes(minutes) }

/// Returns a distinct small id for each number, in the numbers' order.
func id<Of>(_ number: Int) -> ID<Of> { ID(high: 1, low: UInt64(number)) }

/// Returns 32 bytes, which differ for each number up to 65,535.
func hash(_ number: Int) -> [UInt8] {
    (0..<32).map { UInt8(truncatingIfNeeded: $0.isMultiple(of: 2) ? number : number >> 8) }
}

func anAccount(_ number: Int) -> Account {
    Account(
        id: id(number), email: "Host\(number)@Example.org", name: "Host \(number)",
        passwordHash: "$argon2id$\(number)", createdAt: start)
}

func aToken(
    _ number: Int, of account: Int = 1, kind: Token.Kind = .access, signIn: Int = 1, created: Int = 0,
    expires: Int = 60
) -> Token {
    Token(
        hash: hash(number), accountID: id(account), kind: kind, signIn: id(signIn), createdAt: at(created),
        expiresAt: at(expires),
        client: "curl", address: "192.0.2.\(number)")
}

func aMeeting(_ number: Int) -> Meeting {
    Meeting(id: id(number), name: "Meeting \(number)", createdAt: start)
}

/// Returns a session that starts `from` minutes after `start` and ends `to` minutes after it.
func aSession(
    _ number: Int, of meeting: Int = 1, round: Int? = nil, from: Int = 0, to: Int = 60, opens: Int = 60
) -> Session {
    Session(
        id: id(number), meetingID: id(meeting), round: round ?? number, startsAt: at(from), endsAt: at(to),
        checkInOpensMinutesBefore: opens,
        joinCode: "CODE\(number)")
}

func anAttendee(
    _ number: Int, in session: Int = 1, name: String? = nil, status: RecordedStatus = .pending,
    arrival: Int64 = 0, minute: Int? = nil,
    byHost: Bool = false, walkIn: Bool = false
) -> Attendee {
    Attendee(
        id: id(number), sessionID: id(session), name: name ?? "Person \(number)",
        identity: "p\(number)@example.org", status: status,
        statusIsByHost: byHost, walkIn: walkIn, checkedInAt: minute.map(at),
        method: minute == nil ? nil : .qr, arrivalSequence: arrival)
}

func anEvent(_ sequence: Int64, in session: Int = 1, _ data: EventData = EventData()) -> Event {
    Event(
        sessionID: id(session), sequence: sequence, at: start, kind: .checkedIn, attendeeID: id(7),
        actor: .attendee, data: data)
}

func aResponse(_ number: Int, set: String = QuestionSet.feedback, of attendee: Int? = nil, minute: Int = 0)
    -> Response
{
    Response(
        id: id(number), sessionID: id(1), set: set, attendeeID: attendee.map { id($0) },
        answers: [id(1): .rating(4), id(2): .text("김 – good"), id(3): .choices(["a", "b"])], at: at(minute))
}

let questions = [
    Question(id: id(1), title: "How was it?", required: true, kind: .rating(scale: 5)),
    Question(id: id(2), title: "What else?", detail: "무엇이든", kind: .shortAnswer(maxLength: 500)),
    Question(
        id: id(3), title: "Which?",
        kind: .multipleChoice(
            choices: [.init(id: "a", label: "A"), .init(id: "b", label: "B")], minSelections: 1,
            maxSelections: 2)),
]

extension WritableRows {
    /// Runs the body in one batch.
    func batch<Result>(_ body: () throws -> Result) throws -> Result {
        try begin()
        do {
            let result = try body()
            try commit()
            return result
        } catch {
            rollBack()
            throw error
        }
    }

    /// Inserts host 1, who owns meeting 1, and its session 1.
    func plan() throws {
        try batch {
            try insert(anAccount(1))
            try insert(aMeeting(1))
            try setRole(.owner, of: id(1), in: id(1))
            try insert(aSession(1))
        }
    }
}

/// Returns all pages of a list, one after the other, up to the first empty page. The pages have no gaps or
/// duplicates if the result equals the whole list.
func pages<Item>(_ next: (Item?) throws -> [Item]) throws -> [Item] {
    var all: [Item] = []
    while true {
        let page = try next(all.last)
        guard !page.isEmpty, all.count < 1000 else { return all }
        all += page
    }
}

extension SessionRecord {
    /// The number from which the sample's id was made.
    var number: Int { Int(session.id.low) }
}

extension Attendee {
    var number: Int { Int(id.low) }
}

/// Expects that the body or the release of its savepoint fails. An engine may send statements without
/// waiting, so the failure can come late. The writer runs commands in the same way, and the batch continues.
func expectFailure(
    _ rows: any WritableRows, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
) throws {
    try rows.savepoint()
    let error = #expect(throws: JournalError.self, sourceLocation: sourceLocation) {
        try body()
        try rows.release()
    }
    #expect(error?.failure?.reason == .unstorable, sourceLocation: sourceLocation)
    try rows.rollBackToSavepoint()
}

extension JournalError {
    /// The failure of the database; nil if a rule refused the command.
    var failure: StorageFailure? { if case .failed(let failure) = self { failure } else { nil } }
}
