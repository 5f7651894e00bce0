import Meetings
import Testing
import Wire

struct ClientMessageTests {
    private static let room = "session:\(SessionID(high: 1, low: 2))"

    /// Returns a short text that describes the request.
    private func request(_ text: String) throws -> String {
        switch try #require(ClientMessage(Array(text.utf8))).request {
        case .authorize(let token): "authorize \(token)"
        case .join(let room, let since):
            "join \(room.text)" + (since.map { " \($0.epoch) \($0.sequence)" } ?? "")
        case .leave(let room): "leave \(room.text)"
        case .ping(let number): "ping \(number)"
        case .unknown: "unknown"
        case .unknownRoom(let name): "no room \(name)"
        }
    }

    @Test func `the server reads every message of the contract`() throws {
        let room = Self.room
        #expect(
            try request(#"{"join": "\#(room)", "since": {"epoch": "e", "sequence": 41}, "id": 1}"#)
                == "join \(room) e 41")
        #expect(try request(#"{"join": "home"}"#) == "join home")
        #expect(try request(#"{"leave": "\#(room)", "id": 2}"#) == "leave \(room)")
        #expect(try request(#"{"ping": 3}"#) == "ping 3")
        #expect(try request(#"{"authorize": "t"}"#) == "authorize t")
    }

    @Test(arguments: [
        #""since": null"#, #""since": 41"#, #""since": {}"#, #""since": {"epoch": "e"}"#,
        #""since": {"sequence": 4}"#,
        #""since": {"epoch": "e", "sequence": -1}"#, #""since": {"epoch": "e", "sequence": "4"}"#,
        #""since": {"epoch": 1, "sequence": 4}"#,
        #""since": {"epoch": "e", "sequence": 4.5}"#,
    ])
    func `the server ignores an incomplete or malformed position`(since: String) throws {
        #expect(try request(#"{"join": "\#(Self.room)", \#(since)}"#) == "join \(Self.room)")
    }

    @Test func `the server returns a message's id if it is a number`() throws {
        #expect(try #require(ClientMessage(Array(#"{"ping": 1, "id": 9}"#.utf8))).id == 9)
        #expect(try #require(ClientMessage(Array(#"{"ping": 1, "id": "9"}"#.utf8))).id == nil)
        #expect(try #require(ClientMessage(Array(#"{"ping": 1}"#.utf8))).id == nil)
    }

    @Test func `the server names an unknown room, and shortens a long name`() throws {
        #expect(try request(#"{"join": "session:1"}"#) == "no room session:1")
        #expect(try request(#"{"leave": "nowhere"}"#) == "no room nowhere")
        #expect(try request(#"{"join": "\#(chars(100, "x"))"}"#) == "no room " + chars(64, "x"))
    }

    @Test(arguments: [
        "{}", #"{"join": 1}"#, #"{"ping": "1"}"#, #"{"leave": null}"#, #"{"authorize": ["t"]}"#,
        #"{"shout": "x"}"#,
    ])
    func `an object without a known request is an unknown request`(text: String) throws {
        #expect(try request(text) == "unknown")
    }

    @Test(arguments: ["", "x", "[]", "3", #""join""#, "{", #"{"ping":1}{"ping":2}"#, #"{"ping":1,"ping":2}"#])
    func `the server refuses a message that is not one JSON object`(text: String) {
        #expect(ClientMessage(Array(text.utf8)) == nil)
    }
}
