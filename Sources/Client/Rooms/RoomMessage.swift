internal import Wire

/// A text message from the server. The client recognises the kind of a message by a key that only this kind
/// has.
enum RoomMessage {
    case joined(Joined)
    case frame(RoomFrame)
    case home(HomeFrame)
    case error(RoomError)
    /// Pongs and unknown messages. They only show that the server is alive.
    case other

    /// Returns nil if the message is not JSON of a known form.
    init?(_ bytes: [UInt8]) {
        struct Keys: Decodable {
            let joined: String?
            let room: String?
            let error: Ignored?

            struct Ignored: Decodable {
                init(from decoder: any Decoder) throws {}
            }
        }
        guard let keys = try? WireJSON.decode(Keys.self, from: bytes) else { return nil }
        do {
            if keys.joined != nil {
                self = .joined(try WireJSON.decode(Joined.self, from: bytes))
            } else if keys.room == RoomName.home.text {
                self = .home(try WireJSON.decode(HomeFrame.self, from: bytes))
            } else if keys.room != nil {
                self = .frame(try WireJSON.decode(RoomFrame.self, from: bytes))
            } else if keys.error != nil {
                self = .error(try WireJSON.decode(RoomError.self, from: bytes))
            } else {
                self = .other
            }
        } catch {
            return nil
        }
    }
}
