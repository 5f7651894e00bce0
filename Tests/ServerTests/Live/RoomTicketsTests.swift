import Meetings
import Secrets
import Testing
import Wire

@testable import Server

@Suite struct RoomTicketsTests {
    private let start = Instant(milliseconds: 1_700_000_000_000)

    private func keys(_ byte: UInt8 = 1) throws -> Keys {
        try Secrets.start()
        return Keys(try #require(ServerSecret(bytes: [UInt8](repeating: byte, count: 32))))
    }

    @Test func `a ticket is valid once, and for 30 seconds`() throws {
        let tickets = RoomTickets(keys: try keys())
        let first = tickets.issue(for: "token", at: start)
        #expect(first.expiresAt == start + .seconds(30))
        #expect(tickets.isValid(first.text, at: start + .milliseconds(29_999)))
        #expect(!tickets.isValid(first.text, at: start + .seconds(30)))
        #expect(tickets.redeem(first.text, at: start + .milliseconds(29_999)) == "token")
        #expect(!tickets.isValid(first.text, at: start))
        #expect(tickets.redeem(first.text, at: start) == nil)
        // Another spelling of the same ticket.
        #expect(tickets.redeem("qtk_" + first.text.dropFirst(4).lowercased(), at: start) == nil)
        let late = tickets.issue(for: "token", at: start)
        #expect(tickets.redeem(late.text, at: start + .seconds(30)) == nil)
    }

    @Test func `a ticket opens on every server with the same secret, and on no other one`() throws {
        let ticket = RoomTickets(keys: try keys()).issue(for: "token", at: start).text
        #expect(RoomTickets(keys: try keys()).redeem(ticket, at: start) == "token")
        #expect(RoomTickets(keys: try keys(2)).redeem(ticket, at: start) == nil)
    }

    @Test(arguments: ["", "qtk_", "token", "qtk_00000000", "qtk_" + String(repeating: "0", count: 100)])
    func `a forged ticket opens nothing`(text: String) throws {
        let tickets = RoomTickets(keys: try keys())
        #expect(!tickets.isValid(text, at: start))
        #expect(tickets.redeem(text, at: start) == nil)
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
