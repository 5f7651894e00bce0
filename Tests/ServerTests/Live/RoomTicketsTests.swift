import Meetings
import Secrets
import Testing
import Wire

@testable import Server

@Suite struct RoomTicketsTests {
    private let start = Instant(milliseconds: 1_700_000_000_000)

    private func right(_ id: SessionID) -> RoomRight {
        RoomRight(holder: .grantee(id, MeetingID(high: 1, low: 1), nil), expiresAt: start + .hours(1))
    }

    @Test func `a ticket is valid once, and for 30 seconds`() throws {
        try Secrets.start()
        let (tickets, own) = (RoomTickets(), right(SessionID(high: 1, low: 1)))
        let first = tickets.issue(for: "token", own, at: start)
        #expect(first.expiresAt == start + .seconds(30))
        #expect(tickets.isValid(first.text, at: start + .milliseconds(29_999)))
        #expect(!tickets.isValid(first.text, at: start + .seconds(30)))
        #expect(tickets.redeem(first.text, at: start + .milliseconds(29_999)) == "token")
        #expect(tickets.redeem(first.text, at: start) == nil)
        let late = tickets.issue(for: "token", own, at: start)
        #expect(tickets.redeem(late.text, at: start + .seconds(30)) == nil)
    }

    @Test func `a holder who asks for many tickets loses the oldest, and nobody else loses any`() throws {
        try Secrets.start()
        let tickets = RoomTickets()
        let other = tickets.issue(for: "other", right(SessionID(high: 1, low: 2)), at: start)
        let own = right(SessionID(high: 1, low: 3))
        let texts = (0...RoomTickets.mostOfHolder).map { _ in tickets.issue(for: "own", own, at: start).text }
        #expect(!tickets.isValid(texts[0], at: start))
        #expect(texts.dropFirst().allSatisfy { tickets.isValid($0, at: start) })
        #expect(tickets.isValid(other.text, at: start))
    }

    @Test(arguments: ["", "e", "e:", ":1", "e:-1", "e:x", "e:1:2", "e:99999999999999999999"])
    func `a malformed position is none`(text: String) {
        #expect(ClientMessage.Position(text: text) == nil)
    }

    @Test func `a position survives its text`() {
        let position = ClientMessage.Position(epoch: "abc", sequence: .max)
        #expect(ClientMessage.Position(text: position.text) == position)
    }
}
