import FrontDoor
import Glibc
import HTTPServer
import SocketIO
import WebSockets

// A server that sends messages back, for tests of Engine.IO and Socket.IO by clients that are not ours: on
// /engine.io/ every message, and on /socket.io/ the events that the suite of the Socket.IO protocol sends. It
// listens on loopback, prints its port, and ends when its standard input does. usage: SocketIOEcho [PATH
// [PORT]]

let arguments = CommandLine.arguments.dropFirst()
let path = arguments.first ?? "/socket.io/"
guard let loopback = ListenAddress("127.0.0.1:\(arguments.dropFirst().first ?? "0")") else {
    preconditionFailure("not an address")
}
var sockets = WebSocketSettings()
(sockets.pingEvery, sockets.silenceAllowed) = (.milliseconds(300), .milliseconds(500))
sockets.longestMessage = 1_000_000
EngineServer.prepare(&sockets, path: path)
let channels = try WebSocketChannels(loops: 1, settings: sockets)
let engine = EngineServer(channels)
let server = try WebSocketServer(channels, handler: Echo(engine: engine, path: path))
let http = try HTTPServer(responder: Polling(engine: engine))
http.start()
var settings = DoorSettings()
settings.grammar = UpgradeGrammar(others: [.webSocket(path, subprotocol: nil, allowsQuery: true)])
let door = try FrontDoor(listen: loopback, settings: settings)
door.open(
    onHTTP: { http.adopt($0, peer: $1.description, holding: $2) },
    onUpgrade: { server.adopt($0, peer: $1.description, holding: $2) })
print(door.port)
fflush(nil)
while readLine() != nil {}
door.close()
await server.drain()
await http.drain(within: .seconds(1))
