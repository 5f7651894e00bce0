import Meetings
import Seeds
import Testing

/// The requests of one session.
private final class Hall {
    var requests = MatchRequests([])
    let session = SessionID(high: 1, low: 1)
    let start = Instant(milliseconds: 1_000_000)

    static func id(_ number: Int) -> MatchRequestID { MatchRequestID(high: 3, low: UInt64(number)) }

    /// Asks at the second `seconds`, by the request with this number.
    @discardableResult
    func ask(_ from: AttendeeID, _ to: AttendeeID, _ number: Int, at seconds: Int = 0) throws(Refusal)
        -> MatchRequest
    {
        try requests.ask(
            to, by: from, in: session, id: Self.id(number), place: "Table 1", at: start + .seconds(seconds))
    }

    @discardableResult
    func answer(_ number: Int, by person: AttendeeID, _ accepts: Bool, at seconds: Int = 1) throws(Refusal)
        -> MatchRequest
    {
        try requests.answer(
            Self.id(number), by: person, accepts: accepts, place: "Table 1", at: start + .seconds(seconds))
    }

    func pending(_ person: AttendeeID) -> [MatchRequest] { requests.pending(of: person, at: start) }

    func met(by person: AttendeeID) -> AttendeeID? {
        requests.match(of: person)?.other(than: person)
    }

    func endMatch(of person: AttendeeID) -> Bool { requests.endMatch(of: person) }
}

private func person(_ number: Int) -> AttendeeID { AttendeeID(high: 2, low: UInt64(number)) }

@Suite struct MatchRequestsTests {
    private let hall = Hall()
    private let ann = person(1)
    private let bob = person(2)
    private let cho = person(3)
    private let dan = person(4)

    @Test func `a request that is accepted makes both meet at the place`() throws {
        #expect(try hall.ask(ann, bob, 1).state == .pending)
        #expect(hall.requests.match(of: ann) == nil)
        #expect(try hall.answer(1, by: bob, true).state == .matched)
        #expect(hall.met(by: ann) == bob)
        #expect(hall.requests.match(of: bob)?.place == "Table 1")
    }

    @Test func `two people who ask each other meet by one request`() throws {
        try hall.ask(ann, bob, 1)
        let agreed = try hall.ask(bob, ann, 2)
        #expect((agreed.id, agreed.state) == (Hall.id(1), .matched))
        #expect(hall.requests.match(of: ann) == agreed)
        #expect(hall.requests.match(of: bob) == agreed)
    }

    @Test func `of two people whom somebody asks, the first who accepts is met, and the other is too late`()
        throws
    {
        try hall.ask(ann, bob, 1)
        try hall.ask(ann, cho, 2)
        try hall.answer(2, by: cho, true)
        #expect(throws: Refusal.matchRequestOver) { try hall.answer(1, by: bob, true) }
        #expect(hall.requests.match(of: bob) == nil)
        #expect(hall.met(by: ann) == cho)
        #expect(throws: Refusal.matchNotPossible) { try hall.ask(bob, ann, 3) }
        #expect(throws: Refusal.matchNotPossible) { try hall.ask(ann, dan, 4) }
    }

    @Test func `of two people who ask the same person, one is met and the other searches on`() throws {
        try hall.ask(ann, cho, 1)
        try hall.ask(bob, cho, 2)
        try hall.answer(1, by: cho, true)
        #expect(hall.pending(bob).isEmpty)
        #expect(try hall.ask(bob, dan, 3).state == .pending)
    }

    @Test func `a request expires after 30 seconds, and can be made again`() throws {
        try hall.ask(ann, bob, 1)
        #expect(throws: Refusal.matchRequestOver) { try hall.answer(1, by: bob, true, at: 30) }
        #expect(try hall.ask(ann, bob, 2, at: 30).id == Hall.id(2))
        #expect(hall.requests.changes.contains(.delete(expired)))
        #expect(try hall.answer(2, by: bob, true, at: 59).state == .matched)
    }

    private var expired: MatchRequest {
        MatchRequest(id: Hall.id(1), sessionID: hall.session, from: ann, to: bob, askedAt: hall.start)
    }

    @Test func `a repeated request and a repeated answer change nothing`() throws {
        try hall.ask(ann, bob, 1)
        #expect(try hall.ask(ann, bob, 2, at: 1).id == Hall.id(1))
        try hall.answer(1, by: bob, true)
        let count = hall.requests.changes.count
        #expect(try hall.answer(1, by: bob, true).state == .matched)
        #expect(hall.requests.changes.count == count)
    }

    @Test func `a declined person cannot ask again, but the person who declined can`() throws {
        try hall.ask(ann, bob, 1)
        #expect(try hall.answer(1, by: bob, false).state == .declined)
        #expect(throws: Refusal.matchNotPossible) { try hall.ask(ann, bob, 2, at: 60) }
        #expect(try hall.ask(bob, ann, 3, at: 60).state == .pending)
    }

    @Test func `the asker can only withdraw, and a stranger can do nothing`() throws {
        try hall.ask(ann, bob, 1)
        #expect(throws: Refusal.matchRequestOver) { try hall.answer(1, by: ann, true) }
        #expect(throws: Refusal.matchRequestOver) { try hall.answer(1, by: cho, false) }
        try hall.answer(1, by: ann, false)
        #expect(throws: Refusal.matchRequestOver) { try hall.answer(1, by: bob, true) }
        #expect(try hall.ask(ann, bob, 2).state == .pending)
    }

    @Test func `an attendee has at most three open requests, and five wait for one person`() throws {
        for number in 1...3 { try hall.ask(ann, person(10 + number), number) }
        #expect(throws: Refusal.limitReached(.pendingMatchRequest, limit: 3)) {
            try hall.ask(ann, dan, 9)
        }
        for number in 21...25 { try hall.ask(person(number), dan, number) }
        #expect(throws: Refusal.matchNotPossible) { try hall.ask(bob, dan, 30) }
        #expect(throws: Refusal.matchNotPossible) { try hall.ask(bob, bob, 31) }
    }

    @Test func `the end of a meeting, a departure and a block end what they concern`() throws {
        try hall.ask(ann, bob, 1)
        try hall.answer(1, by: bob, true)
        try hall.requests.write("At the window", by: bob)
        #expect(hall.requests.match(of: ann)?.lines == MatchRequest.Lines(from: "", to: "At the window"))
        #expect(hall.endMatch(of: ann))
        #expect(!hall.endMatch(of: bob))
        #expect(throws: Refusal.matchRequestOver) { try hall.requests.write("Hello", by: bob) }
        try hall.ask(ann, bob, 2)
        try hall.ask(cho, ann, 3)
        hall.requests.separate(bob, from: ann)
        #expect(hall.pending(bob).isEmpty)
        hall.requests.leave(ann)
        #expect(hall.pending(cho).isEmpty)
    }

    @Test func `whatever 8 people do, nobody ever meets two people`() throws {
        var random = SeededNumbers(seed: 7)
        var known: [MatchRequestID] = []
        for step in 0..<2000 {
            let now = hall.start + .seconds(step)
            let one = person(.random(in: 1...8, using: &random))
            let other = person(.random(in: 1...8, using: &random))
            switch Int.random(in: 0..<8, using: &random) {
            case 0: _ = hall.requests.endMatch(of: one)
            case 1: hall.requests.leave(one)
            case 2, 3, 4:
                let made = try? hall.requests.ask(
                    other, by: one, in: hall.session, id: Hall.id(step), place: "", at: now)
                if let made { known.append(made.id) }
            default:
                guard let id = known.randomElement(using: &random) else { continue }
                let accepts = Bool.random(using: &random)
                _ = try? hall.requests.answer(id, by: one, accepts: accepts, place: "", at: now)
            }
            let all = (1...8).map { person($0) }
            for one in all {
                let met = all.filter {
                    $0 != one && hall.requests.match(of: $0)?.involves(one) ?? false
                }
                #expect(met.count <= 1)
                if !met.isEmpty { #expect(hall.requests.pending(of: one, at: now).isEmpty) }
            }
        }
    }
}

@Suite struct MatchPersonTests {
    @Test func `an attendee makes six requests in a minute`() throws {
        var person = MatchPerson(attendeeID: ID(high: 1, low: 1), sessionID: ID(high: 1, low: 2))
        let start = Instant(milliseconds: 0)
        for second in 0..<6 { try person.countRequest(at: start + .seconds(second)) }
        #expect(throws: Refusal.matchRequestsTooFast(afterSeconds: 51)) {
            try person.countRequest(at: start + .seconds(10))
        }
        try person.countRequest(at: start + .seconds(60))
        #expect(person.asked == 7)
    }

    @Test func `keywords that differ in case, width and spaces count as one`() {
        #expect(
            MatchPerson.distinct(["Chess", "chess", "ＣＨＥＳＳ", "board games", "BoardGames"]) == [
                "Chess", "board games",
            ])
        let profiles = [["Chess", "차"], ["chess"], ["chess", "Go"]].map {
            MatchPerson.Profile(id: .makeTimeless(), nickname: "N", keywords: $0, promise: .hidden)
        }
        #expect(
            KeywordCount.of(profiles).map { "\($0.keyword) \($0.count)" } == ["chess 3", "Go 1", "차 1"])
    }

    @Test func `a pair gets the place with the fewest pairs, the first of the host's order`() {
        let settings = MatchSettings(places: ["A", "B", "C"])
        #expect(settings.freestPlace([:]) == "A")
        #expect(settings.freestPlace(["A": 2, "B": 1]) == "C")
        #expect(settings.freestPlace(["A": 1, "B": 1, "C": 1]) == "A")
        #expect(MatchSettings().freestPlace([:]) == "")
    }
}
