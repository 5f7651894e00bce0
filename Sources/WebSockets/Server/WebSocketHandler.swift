/// The owner of a server. All functions run on the thread of the connection's loop, one call at a time for
/// each connection, and must not block. What they ask of a connection happens after they return, in the order
/// of the calls.
package protocol WebSocketHandler: Sendable {
    /// Called once, before all other functions.
    func opened(_ connection: WebSocketConnection, request: UpgradeHead)
    /// Called for each whole message: joined fragments, valid UTF-8, within the limit.
    func received(_ text: [UInt8], from connection: WebSocketConnection)
    /// Called when a client that has missed frames can be written to again. It has everything up to
    /// `position`. Call `catchUp` once, at any time; until then the client gets nothing of the channel.
    func fellBehind(_ connection: WebSocketConnection, channel: ChannelID, position: UInt64)
    /// Called once, as soon as either side begins to close, and last. `code` is the one that was sent or
    /// received first; 1005 or 1006 if there was none.
    func closed(_ connection: WebSocketConnection, code: UInt16)
}
