import FrontDoor
import Glibc
import WebSockets

// A server that sends every message back, for tests of the WebSockets target by clients that are not ours. It
// listens on loopback, prints its port, and ends when its standard input does.

struct Echo: WebSocketHandler {
    func opened(_ connection: WebSocketConnection, request: UpgradeHead) {}
    func received(_ text: [UInt8], from connection: WebSocketConnection) { connection.send(text) }
    func fellBehind(_ connection: WebSocketConnection, channel: ChannelID, position: UInt64) {}
    func closed(_ connection: WebSocketConnection, code: UInt16) {}
}

guard let loopback = ListenAddress("127.0.0.1:0") else { preconditionFailure("not an address") }
let server = try WebSocketServer(loops: 1, handler: Echo())
let door = try FrontDoor(listen: loopback)
door.open(
    onHTTP: { descriptor, _, _ in close(descriptor) },
    onUpgrade: { server.adopt($0, peer: $1.description, holding: $2) })
print(door.port)
fflush(nil)
while readLine() != nil {}
door.close()
await server.drain()
