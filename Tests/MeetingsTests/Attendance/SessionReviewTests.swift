import Meetings
import Testing

struct SessionReviewTests {
    private static let start = Instant(milliseconds: 1_795_000_000_000)

    private func session(planned: Int = 0) -> Session {
        Session(
            id: .makeTimeless(), meetingID: .makeTimeless(), round: 1, startsAt: Self.start,
            endsAt: Self.start + .minutes(60),
            plannedCount: planned, joinCode: "ABCDEF")
    }

    private func crowd(
        _ count: Int,
        edited: (inout (age: Int, device: UInt8, network: String, minute: Int, typing: Int), Int) -> Void =
            { _, _ in }
    )
        -> [CheckInFact]
    {
        (0..<count).map { number in
            var made = (age: 5, device: UInt8(number), network: "192.0.2.0/24", minute: 1, typing: 10)
            edited(&made, number)
            return CheckInFact(
                id: AttendeeID(high: 1, low: UInt64(number)), name: "P\(number)", status: .present,
                checkedInAt: Self.start + .minutes(made.minute), method: .qr, codeAge: made.age,
                device: [made.device],
                network: made.network, grantAge: made.typing)
        }
    }

    private func kinds(_ facts: [CheckInFact], planned: Int = 0) -> [SessionReview.Kind] {
        SessionReview.findings(facts, in: session(planned: planned)).map(\.kind)
    }

    @Test func `an ordinary session has no findings`() {
        #expect(kinds([]).isEmpty)
        #expect(kinds(crowd(30), planned: 25).isEmpty)
    }

    @Test func `two check-ins from one device are a finding about both people`() {
        let facts = crowd(3) { made, number in if number == 2 { made.device = 0 } }
        let found = SessionReview.findings(facts, in: session())
        #expect(found.map(\.kind) == [.oneDevice])
        #expect(found.first?.people.map(\.name) == ["P0", "P2"])
    }

    @Test func `a code is old if it is older than twice the median and than the median plus ten seconds`() {
        #expect(kinds(crowd(10) { made, number in if number == 3 { made.age = 15 } }).isEmpty)
        #expect(kinds(crowd(10) { made, number in if number == 3 { made.age = 16 } }) == [.oldCode])
        // With only nine check-ins, the review does not decide which age of a code is usual.
        #expect(kinds(crowd(9) { made, number in if number == 3 { made.age = 99 } }).isEmpty)
    }

    @Test func `a check-in is long after the scan if it took twice the median, and a minute more`() {
        #expect(kinds(crowd(10) { made, number in if number == 3 { made.typing = 69 } }).isEmpty)
        #expect(
            kinds(crowd(10) { made, number in if number == 3 { made.typing = 70 } }) == [.longAfterScan])
        #expect(
            kinds(crowd(10) { made, number in made.typing = number == 3 ? 200 : 100 }).isEmpty)
        #expect(kinds(crowd(9) { made, number in if number == 3 { made.typing = 500 } }).isEmpty)
    }

    @Test func `a typed name that differs from the roster's is a finding`() {
        let people = crowd(3).map {
            CheckInFact(
                id: $0.id, name: $0.name, status: .present, checkedInAt: $0.checkedInAt, method: .qr,
                codeAge: nil, device: $0.device, network: $0.network,
                typedName: $0.name == "P1" ? "x" : nil)
        }
        let found = SessionReview.findings(people, in: session())
        #expect(found.map(\.kind) == [.otherName])
        #expect(found.first?.values == ["count": "1", "typed": "x"])
    }

    @Test func `50 % more check-ins than planned are a finding if they are at least five more`() {
        #expect(kinds(crowd(14), planned: 10).isEmpty)
        #expect(kinds(crowd(15), planned: 10) == [.moreThanPlanned])
        #expect(kinds(crowd(6), planned: 2).isEmpty)
        #expect(kinds(crowd(7), planned: 2) == [.moreThanPlanned])
    }

    @Test func `a different network is a finding if eight of ten check-ins share one network`() {
        #expect(
            kinds(crowd(10) { made, number in if number > 7 { made.network = "198.51.100.0/24" } }) == [
                .otherNetwork
            ])
        #expect(
            kinds(crowd(10) { made, number in if number > 6 { made.network = "198.51.100.0/24" } }).isEmpty)
    }

    @Test func `check-ins in the last two minutes are a finding, and absent attendees are ignored`() {
        #expect(kinds(crowd(3) { made, number in made.minute = number == 0 ? 59 : 58 }) == [.atTheEnd])
        var absent = crowd(2) { made, _ in made.device = 1 }
        absent = absent.map {
            CheckInFact(
                id: $0.id, name: $0.name, status: .absent, checkedInAt: nil, method: nil, codeAge: nil,
                device: $0.device, network: nil)
        }
        #expect(kinds(absent).isEmpty)
    }
}
