import Foundation
import Journal
import Meetings
import Testing

@testable import SQLJournal
@testable import SQLiteJournal

/// A data folder after a meeting. People checked in and answered an anonymous and a named set. One further
/// person did the same and then withdrew.
struct Hall {
    static let people = 8
    static let secret = [UInt8](repeating: 7, count: 32)

    let folder: String
    let session = SessionID.make(at: now)
    private let account = Account(
        id: .make(at: now), email: "host@example.org", name: "Host", passwordHash: "x", createdAt: now)

    var database: String { folder + "/journal.db" }

    /// Creates the folder with its data, and closes the engine.
    init(in folder: String) async throws {
        self.folder = folder
        try await open { storage in
            let rating = Question(id: .makeTimeless(), title: "How?", required: true, kind: .rating(scale: 5))
            let text = Question(id: .makeTimeless(), title: "What?", kind: .shortAnswer(maxLength: 100))
            let choice = Question(
                id: .makeTimeless(), title: "Which?",
                kind: .multipleChoice(
                    choices: [.init(id: "a", label: "A"), .init(id: "b", label: "B")], minSelections: 1,
                    maxSelections: 2))
            _ = try await storage.perform(MakeHall(account: account))
            let meeting = Meeting(id: .make(at: now), name: "M", createdAt: now)
            _ = try await storage.perform(
                CreateMeeting(
                    meeting: meeting,
                    session: Session(
                        id: session, meetingID: meeting.id, round: 1, startsAt: now, endsAt: now + .hours(1),
                        joinCode: "ABC234"),
                    sets: [
                        QuestionSet(questions: [rating, text]),
                        QuestionSet(name: "poll", questions: [choice], openByHand: true, anonymous: false),
                    ], owner: account.id, allowOverlap: false))
            for number in 0..<Self.people {
                let person = try await checkIn(number, in: storage)
                guard number < 5 else { continue }
                let feedback: Answers = [rating.id: .rating(number + 1), text.id: .text("text \(number)")]
                _ = try await storage.perform(
                    Respond(
                        receipt: Receipt(for: person, arrival: .max), session: session,
                        set: QuestionSet.feedback, answers: feedback))
                _ = try await storage.perform(
                    Respond(
                        receipt: Receipt(for: person, arrival: .max), session: session, set: "poll",
                        answers: [choice.id: .choices(["b"])]
                    ))
                if number == 2 {
                    _ = try await storage.perform(
                        WithdrawCheckIn(receipt: Receipt(for: person, arrival: .max)))
                }
            }
        }
        try PrivateFile.make(folder + "/secret", Self.secret)
    }

    /// Opens the folder as a server does, runs `body`, and closes the folder.
    @discardableResult
    func open<Result>(_ body: (Storage) async throws -> Result) async throws -> Result {
        let storage = Storage(engine: try SQLiteEngine(folder: folder)) { now + .minutes(1) }
        try storage.open()
        do {
            let result = try await body(storage)
            await storage.close()
            return result
        } catch {
            await storage.close()
            throw error
        }
    }

    @discardableResult
    func checkIn(_ number: Int, in storage: Storage) async throws -> AttendeeID {
        let command = CheckIn(
            session: session, moment: now + .minutes(1), method: .qr, grant: nil, name: "Person \(number)",
            email: "p\(number)@example.org")
        guard case .checkedIn(let attendee, _, false) = try await storage.perform(command) else {
            throw JournalError.refused(.notFound(.attendee))
        }
        return attendee.id
    }

    /// Changes the database with SQL, as a person with an SQLite shell could.
    func damage(_ text: String) throws {
        let connection = try Connection(path: database)
        defer { connection.close() }
        try connection.execute("PRAGMA foreign_keys = OFF", "test")
        try connection.execute(text, "test")
    }

    var epoch: String {
        get throws {
            let connection = try Connection(path: database, for: .looking)
            defer { connection.close() }
            return try connection.epoch()
        }
    }
}

private struct MakeHall: Command {
    let account: Account

    func run(in transaction: Transaction) throws(JournalError) { try transaction.rows.insert(account) }
}

func withHall<Result>(_ body: (Hall) async throws -> Result) async throws -> Result {
    try await withFolder { folder in try await body(try await Hall(in: folder)) }
}
