/// The handler of a server's connections. The connection's loop calls all functions on its own thread, one at
/// a time for each connection. The functions must not block. The actions that they call on a connection
/// happen after they return, in the order of the calls.
package protocol WebSocketHandler: Sendable {
    /// Returns a complete HTTP response that refuses an event stream; nil, the default, to open the stream.
    func refusal(of request: UpgradeHead) -> [UInt8]?
    /// The loop calls this function once for each connection, before all other functions except `refusal`.
    func opened(_ connection: WebSocketConnection, request: UpgradeHead)
    /// The loop calls this function for each complete message. The fragments are joined, and `text` is valid
    /// UTF-8 of at most `WebSocketSettings.longestMessage` bytes.
    func received(_ text: [UInt8], from connection: WebSocketConnection)
    /// The loop calls this function for each complete binary message of a connection of packets.
    func received(binary: [UInt8], from connection: WebSocketConnection)
    /// The loop calls this function when a client that missed frames is not blocked any more. The client has
    /// all frames up to `position`. The handler must call `catchUp` once, now or later. Until then the client
    /// receives no frames of the channel.
    func fellBehind(_ connection: WebSocketConnection, channel: ChannelID, position: UInt64)
    /// The loop calls this function once, as the last one, as soon as either side begins to close. `code` is
    /// the first code that either side sent. `code` is 1005 if the client's close frame has no code, and 1006
    /// if there was no close frame.
    func closed(_ connection: WebSocketConnection, code: UInt16)
}

extension WebSocketHandler {
    package func received(binary: [UInt8], from connection: WebSocketConnection) {}

    package func refusal(of request: UpgradeHead) -> [UInt8]? { nil }
}
