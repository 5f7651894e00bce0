import Meetings
import Testing
import Wire

struct RoomNameTests {
    private static let id = SessionID(high: 1, low: 2)

    @Test(arguments: [RoomName.session(id), .presenter(id), .audience(id), .home])
    func `a room's name reads back as the same room`(room: RoomName) {
        #expect(RoomName(room.text) == room)
    }

    @Test func `a room's name consists of its kind and its session's id`() {
        #expect(RoomName.session(Self.id).text == "session:0000000000000G000000000002")
        #expect(RoomName.presenter(Self.id).sessionID == Self.id)
        #expect(RoomName.home.sessionID == nil)
    }

    @Test(arguments: [
        "", ":", "session", "session:", "session:x", "Session:\(id)", "home:", "home:\(id)", " home",
        "session:\(id):x", "session:\(id) ",
        "session::\(id)", ":\(id)", "meeting:\(id)",
    ])
    func `the reader refuses a text that names no room`(text: String) {
        #expect(RoomName(text) == nil)
    }
}
