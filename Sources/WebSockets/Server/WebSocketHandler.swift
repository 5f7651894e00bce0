/// What a server tells its owner. Everything is called on the thread of the connection's loop, one call at a
/// time for each connection, and must not block. What it does to connections happens after it returns, in the
/// order in which it was asked for.
package protocol WebSocketHandler: Sendable {
    /// Once, before anything else of this connection.
    func opened(_ connection: WebSocketConnection, request: UpgradeHead)
    /// A whole message: fragments joined, valid UTF-8, within the limit.
    func received(_ text: [UInt8], from connection: WebSocketConnection)
    /// The client can be written to again and has everything up to `position`, but not what came after. To be
    /// answered once, at any time, with `catchUp`; until then the channel is silent for this client.
    func fellBehind(_ connection: WebSocketConnection, channel: ChannelID, position: UInt64)
    /// Once, as soon as either side begins to close, and nothing after it. The code is the one that was sent
    /// or received first; 1005 or 1006 where there was none.
    func closed(_ connection: WebSocketConnection, code: UInt16)
}
