import Client
import Foundation
import Meetings
import Phrases
import Terminal
import Testing
import Wire

@testable import Dashboard

/// The screen at a door: keys of a scanner and of people, verdicts, and the undo.
struct DoorTests {
    private static let id = AttendeeID(high: 3, low: 1)

    private static func session(_ identifyBy: IdentifyBy = .number) -> DoorSessionBody {
        let start = Scene.startsAt
        let meeting = Meeting(
            id: MeetingID(high: 1, low: 1), name: "Study group", identifyBy: identifyBy, createdAt: start)
        let session = Session(
            id: SessionID(high: 1, low: 2), meetingID: meeting.id, round: 4, startsAt: start,
            endsAt: start + .seconds(7200), joinCode: "ABCDEF")
        var record = SessionRecord(session: session, meeting: meeting)
        record.headCount.pending = 88
        record.headCount.present = 212
        return DoorSessionBody(record, counts: DoorCounts(record.attendance(at: start), atDoor: 56))
    }

    /// A door with a hand-moved clock.
    private struct Door {
        var state: DoorState
        private var moment = ContinuousClock.now

        init(_ columns: Int = 80, _ rows: Int = 24, bell: DoorState.Bell = .none, asksFirst: Bool = false) {
            state = DoorState(
                session(), door: 2, size: Size(columns: columns, rows: rows), now: Scene.startsAt,
                bell: bell, asksFirst: asksFirst)
        }

        @discardableResult mutating func press(_ key: Key, after pause: Duration = .milliseconds(300))
            -> [DoorState.Action]
        {
            moment += pause
            return state.take(.key(key, at: moment))
        }

        /// Types a text as a person does.
        @discardableResult mutating func type(_ text: String) -> [DoorState.Action] {
            text.map { press(.character($0)) }.last ?? []
        }

        /// Types a text as a scanner does, which ends with Enter.
        @discardableResult mutating func scan(_ text: String) -> [DoorState.Action] {
            for character in text { press(.character(character), after: .milliseconds(2)) }
            return press(.enter, after: .milliseconds(2))
        }

        @discardableResult mutating func answer(
            _ verdict: DoorVerdict, _ name: String? = "Kim", sequence: Int64? = nil, note: String = ""
        ) -> [DoorState.Action] {
            let attendee = name.map {
                Attendee(
                    id: id, sessionID: state.session.id, name: $0, status: .present,
                    checkedInAt: Scene.startsAt, note: note)
            }
            let counts = DoorCounts(
                {
                    var count = HeadCount()
                    count.present = 213
                    count.pending = 87
                    return count
                }().seen)
            return state.take(
                .answered(DoorBody(verdict, of: nil, attendee, sequence: sequence, counts: counts)))
        }

        func text(_ language: Language = .english, isUTF8: Bool = true) -> String {
            DoorLayout(state, .inSeoul(language, isUTF8: isUTF8)).grid.text
        }
    }

    /// The session at an offline door whose server has the entries up to `sent`.
    private static func offline(sent: Int64, unsent: Int, doubles: Int = 0) -> DoorSessionBody {
        var record = SessionRecord(
            session: Session(
                id: SessionID(high: 1, low: 2), meetingID: MeetingID(high: 1, low: 1), round: 4,
                startsAt: Scene.startsAt, endsAt: Scene.startsAt + .seconds(7200), joinCode: "ABCDEF"),
            meeting: Meeting(id: MeetingID(high: 1, low: 1), name: "Choir", createdAt: Scene.startsAt))
        record.headCount.pending = 9
        return DoorSessionBody(
            record, counts: DoorCounts(record.attendance(at: Scene.startsAt), atDoor: 0),
            offline: OfflineDoorBody(
                sent: sent, unsent: unsent, seenAt: Scene.startsAt, doubles: doubles))
    }

    @Test func `an offline door says that it has stored an entry, and In after the server has it`() {
        var state = DoorState(
            Self.offline(sent: 4, unsent: 0), door: 1, size: Size(columns: 80, rows: 24), now: Scene.startsAt,
            entrance: .init(url: "http://10.0.0.5:8080/door", code: "7KX2-9QMT"))
        func text() -> String { DoorLayout(state, .inSeoul(.english)).grid.text }
        #expect(text().contains("the server has all entries") && text().contains("code 7KX2-9QMT"))
        _ = state.take(.key(.character("1"), at: .now))
        for character in "234" { _ = state.take(.key(.character(character), at: .now)) }
        #expect(!state.take(.key(.enter, at: .now)).isEmpty)
        let attendee = Attendee(
            id: Self.id, sessionID: state.session.id, name: "—", status: .present, checkedInAt: Scene.startsAt
        )
        _ = state.take(
            .answered(
                DoorBody(
                    .admitted, of: nil, attendee, sequence: 9, offline: .init(name: "Kim", stored: 5),
                    counts: state.session.counts)))
        #expect(text().contains("S T O R E D") && !text().contains("  I N") && text().contains("Kim"))
        _ = state.take(.refreshed(Self.offline(sent: 4, unsent: 1, doubles: 2)))
        #expect(text().contains("the server lacks 1 entry") && text().contains("2 double entries"))
        _ = state.take(.refreshed(Self.offline(sent: 5, unsent: 0)))
        #expect(text().contains("  I N") && !text().lowercased().contains("stored"))
    }

    @Test func `the staff of an offline door decides about a pass that it does not know`() {
        var state = DoorState(
            Self.offline(sent: 0, unsent: 0), door: 1, size: Size(columns: 80, rows: 24), now: Scene.startsAt)
        for character in "1234" { _ = state.take(.key(.character(character), at: .now)) }
        _ = state.take(.key(.enter, at: .now))
        _ = state.take(
            .answered(DoorBody(.unknownHere, of: nil, nil, sequence: nil, counts: state.session.counts)))
        #expect(DoorLayout(state, .inSeoul(.english)).grid.text.contains("Enter lets in"))
        var accepted = NewGuest(scan: "1234", door: 1)
        accepted.unknown = true
        #expect(state.take(.key(.enter, at: .now)) == [.send(accepted)])
    }

    private static func found(_ names: [String], hasMore: Bool = false) -> DoorPeopleBody {
        DoorPeopleBody(
            names.enumerated().map { index, name in
                Attendee(
                    id: AttendeeID(high: 3, low: UInt64(index)), sessionID: session().id, name: name,
                    identity: "2026\(40 + index)")
            }, hasMore: hasMore)
    }

    @Test func `a scan is sent at Enter, and a typed name is searched after a pause`() {
        var door = Door()
        let pass = "HTTPS://QRING.EXAMPLE.ORG/P/0ABC"
        #expect(door.scan(pass) == [.send(NewGuest(scan: pass, door: 2))])
        door.answer(.admitted, sequence: 7)
        #expect(door.scan("kimm") == [.send(NewGuest(scan: "kimm", door: 2))])
        door.answer(.notAPass, nil)
        #expect(door.type("k") == [])
        guard case .pause(let number) = door.type("im").last else {
            Issue.record("no pause")
            return
        }
        #expect(door.state.take(.paused(number - 1)) == [])
        #expect(door.state.take(.paused(number)) == [.search("kim")])
        _ = door.state.take(.found(Self.found(["Kim", "Kimball"]), by: "kim"))
        #expect(door.text().contains("▸ Kim") && door.text().contains("let in \"kim\" as a walk-in"))
        door.press(.down)
        #expect(
            door.press(.enter)
                == [.send(NewGuest(attendee: AttendeeID(high: 3, low: 1), door: 2))])
        #expect(door.state.input.isEmpty && door.state.people == nil)
    }

    @Test func `a typed number or address is checked like a scan, and an unfinished search at Enter is made`()
    {
        var door = Door()
        door.type("2026-41")
        #expect(door.press(.enter) == [.send(NewGuest(scan: "2026-41", door: 2))])
        door.answer(.notAPass, nil)
        door.type("jisoo@example.org")
        #expect(door.press(.enter) == [.send(NewGuest(scan: "jisoo@example.org", door: 2))])
        door.answer(.notAPass, nil)
        door.type("Lee")
        #expect(door.press(.enter) == [.search("Lee")])
        // The answer to an earlier search changes nothing.
        _ = door.state.take(.found(Self.found(["Kim"]), by: "kim"))
        #expect(door.state.people == nil)
        _ = door.state.take(.found(Self.found([]), by: "Lee"))
        #expect(door.press(.enter) == [.send(NewGuest(name: "Lee", door: 2))])
    }

    @Test func `scans wait for the server in their order, and none is lost without a message`() {
        var door = Door(bell: .refusals)
        #expect(door.scan("1000") == [.send(NewGuest(scan: "1000", door: 2))])
        for number in 1001...1020 { #expect(door.scan(String(number)) == []) }
        #expect(door.state.waiting.count == 20)
        #expect(door.scan("1021") == [.ring])
        #expect(door.text().contains("This scan was not taken"))
        for number in 1001...1020 {
            #expect(door.answer(.admitted) == [.send(NewGuest(scan: String(number), door: 2))])
        }
        #expect(door.answer(.admitted) == [])
        // A failure goes on with the next one, and says that nobody came in.
        door.scan("2000")
        door.scan("2001")
        #expect(door.state.take(.failed("no answer from the server", isLost: true)) == [.ring])
        #expect(door.text().contains("no answer from the server"))
        #expect(door.text().contains("The answer was lost."))
        #expect(door.text().contains("no connection"))
        // The failure stays until a key goes on, so that nobody passes unseen.
        #expect(door.press(.enter) == [.send(NewGuest(scan: "2001", door: 2))])
        door.answer(.admitted)
        #expect(!door.text().contains("no connection"))
    }

    @Test func `a door that asks first lets nobody in before Enter, and Esc refuses`() {
        var door = Door(bell: .all, asksFirst: true)
        #expect(door.scan("1000") == [.send(NewGuest(scan: "1000", door: 2, onlyAsk: true))])
        door.scan("1001")
        #expect(door.answer(.expected) == [.ring])
        #expect(door.text().contains("L E T   I N ?") && door.text().contains("Enter lets in"))
        // The next guest waits for the decision.
        #expect(door.press(.enter) == [.send(NewGuest(scan: "1000", door: 2))])
        #expect(
            door.answer(.admitted, sequence: 3)
                == [.ring, .send(NewGuest(scan: "1001", door: 2, onlyAsk: true))])
        door.answer(.expected)
        // No other key changes what the question is about.
        let question = door.state.shown
        #expect(door.press(.control("u")) == [] && door.press(.control("o")) == [])
        #expect(door.state.shown == question && door.state.asked != nil)
        #expect(door.press(.escape) == [])
        #expect(door.state.shown == .ready && door.press(.enter) == [])
    }

    @Test func `the counts follow the door, and an undo takes back the last admission of this screen`() {
        var door = Door()
        #expect(door.text().contains("56 at this door · 212 in all · 88 expected"))
        #expect(door.press(.control("u")) == [])
        #expect(door.text().contains("There is nothing to undo."))
        door.scan("1000")
        door.answer(.admitted, sequence: 9)
        #expect(door.text().contains("57 at this door · 213 in all · 87 expected"))
        #expect(door.press(.control("u")) == [.undo(sequence: 9)])
        // A second press waits for the answer.
        #expect(door.press(.control("u")) == [])
        _ = door.state.take(.undone(sequence: 9))
        #expect(door.text().contains("U N D O N E") && door.state.admissions.isEmpty)
        _ = door.state.take(.refreshed(nil))
        #expect(door.text().contains("no connection"))
        _ = door.state.take(.refreshed(Self.session()))
        #expect(door.text().contains("56 at this door · 212 in all"))
    }

    @Test func `a scanner behind a Korean keyboard layout gets a sentence instead of a search`() {
        var door = Door(bell: .refusals)
        #expect(door.scan("ㅗㅅㅅㅔㄴ") == [.ring])
        #expect(door.text().contains("Switch the keyboard to English"))
    }

    @Test func `Esc clears the line, then the verdict, and leaves only after Enter`() {
        var door = Door()
        door.scan("1000")
        door.answer(.alreadyIn)
        door.type("ki")
        door.press(.escape)
        #expect(door.state.input.isEmpty && door.state.shown != .ready)
        door.press(.escape)
        #expect(door.state.shown == .ready)
        door.press(.escape)
        #expect(door.state.asksToLeave && door.text().contains("Close this screen?"))
        #expect(door.press(.character("x")) == [])
        #expect(!door.state.asksToLeave && door.state.input.isEmpty)
        door.press(.escape)
        #expect(door.press(.enter) == [.leave])
    }

    @Test(arguments: DoorVerdict.allCases) func `every verdict has a word, and fits on a small screen`(
        verdict: DoorVerdict
    ) {
        for language in [Language.english, .korean] {
            var door = Door(40, 12)
            door.scan("1000")
            door.answer(verdict, note: "needs help")
            let lines = door.text(language).split(separator: "\n", omittingEmptySubsequences: false)
            #expect(lines.count == 13 && lines.allSatisfy { DisplayWidth.of(String($0)) <= 40 })
            #expect(lines[2].contains { !$0.isWhitespace })
            #expect(!door.text(.english, isUTF8: false).unicodeScalars.contains { !$0.isASCII })
        }
    }

    @Test(arguments: [(80, 24), (40, 12)], [Language.english, .korean])
    func `the door looks as approved`(size: (Int, Int), language: Language) throws {
        var door = Door(size.0, size.1)
        var text = ""
        door.scan("1000")
        door.answer(.admitted, language == .korean ? "김지수" : "Kim Jisoo", sequence: 3, note: "needs help")
        text += door.text(language) + "\n"
        door.type(language == .korean ? "지수" : "jisoo")
        let names = language == .korean ? ["김지수", "김지수", "이지수"] : ["Kim Jisoo", "Kim Jisoo", "Lee Jisoo"]
        _ = door.state.take(
            .found(Self.found(names, hasMore: true), by: language == .korean ? "지수" : "jisoo"))
        text += door.text(language)
        try GoldenTests.check(text, "door-\(language.rawValue)-\(size.0)x\(size.1)")
    }
}

extension HeadCount {
    fileprivate var seen: Attendance { Attendance(self, planned: 0, sessionIsOver: false) }
}
