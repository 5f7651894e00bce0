import Foundation
import Testing
import WebSockets

@testable import Server

/// A WebSocket client of the rooms.
final class RoomCaller: Sendable {
    let connection: WebSocketClientConnection

    init(_ connection: WebSocketClientConnection) { self.connection = connection }

    func say(_ text: String) throws { try connection.send(text) }

    /// Returns the next message, or nil if the connection has ended.
    func hear() async -> Heard? { await connection.next().map(Heard.init) }

    /// Returns the next message that has a value at `path`. Nil if the connection ends first.
    func hear(_ path: String) async -> Heard? {
        while let heard = await hear() {
            if heard.json(path) != nil { return heard }
        }
        return nil
    }

    /// Waits until the server closes the connection, and returns the close code.
    func end() async -> UInt16? {
        while await hear() != nil {}
        return connection.closed?.code
    }

    /// Joins a room, and returns the answer: `joined` or `error`.
    @discardableResult
    func join(_ room: String, since: String? = nil) async throws -> Heard? {
        try say(#"{"join": "\#(room)", "id": 7\#(since.map { #", "since": \#($0)"# } ?? "")}"#)
        while let heard = await hear() {
            if heard.int("id") == 7 { return heard }
        }
        return nil
    }
}

struct Heard: Sendable {
    let bytes: [UInt8]

    var text: String { String(decoding: bytes, as: UTF8.self) }

    private var answer: Answer { Answer(status: 0, headers: [], body: bytes) }

    func json(_ path: String) -> Any? { answer.json(path) }
    func string(_ path: String) -> String? { answer.string(path) }
    func int(_ path: String) -> Int? { answer.int(path) }

    /// Returns the text `name` of each element of the array at `path`.
    func strings(_ path: String, _ name: String) -> [String] {
        (json(path) as? [[String: Any]] ?? []).compactMap { $0[name] as? String }
    }
}

extension Site {
    /// Connects, with a bearer token if one is given.
    func rooms(bearer: String? = nil, headers: [(name: String, value: String)] = []) async throws
        -> RoomCaller
    {
        var request = WebSocketRequest(host: "127.0.0.1", port: port, headers: headers)
        if let bearer { request.headers.append((name: "Authorization", value: "Bearer \(bearer)")) }
        return RoomCaller(try await WebSocketClient.shared().connect(request))
    }

    /// Connects and joins a room. The caller has received the answer when this function returns.
    func watch(_ room: String, bearer: String?) async throws -> RoomCaller {
        let caller = try await rooms(bearer: bearer)
        let answer = try await caller.join(room)
        #expect(answer?.string("joined") == room, "\(answer?.text ?? "closed")")
        return caller
    }
}
