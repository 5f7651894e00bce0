import Glibc
import HTTPServer
import Synchronization

/// A responder that answers with the text of the request. The answer to `/now` needs no task, and the
/// answer to `/hold` waits until the test opens the gate. A large body for `/checked` is checked first: at
/// the gate `checks`, and then by the header `token`.
final class TestResponder: HTTPResponder {
    let gate = Gate()
    let checks = Gate()
    let checkCount = Mutex(0)
    let over = Mailbox<HTTPExchange>()
    /// Receives an element when a request for `/short-hold` has passed the gate.
    let passed = Mailbox<Void>()
    /// The loop's thread.
    private let loop = Mutex<UInt>(0)
    private let bodyLimit: Int
    private let bigBody: [UInt8]

    init(bodyLimit: Int = 65_536, bigBody: Int = 1_000_000) {
        self.bodyLimit = bodyLimit
        self.bigBody = [UInt8](repeating: UInt8(ascii: "x"), count: bigBody)
    }

    func admit(_ head: HTTPRequestHead) -> HTTPAdmission {
        loop.withLock { $0 = UInt(pthread_self()) }
        if head.path == "/forbidden" {
            return .refuse(HTTPResponse(status: 403, body: Array("forbidden".utf8)))
        }
        if head.method != "GET", head.path == "/only-get" {
            return .refuse(HTTPResponse(status: 405, headers: [("Allow", "GET, HEAD")]))
        }
        if head.headers.first("upgrade") != nil {
            return .refuse(
                HTTPResponse(status: 400, body: Array("no upgrade here".utf8), closesConnection: true))
        }
        guard head.path == "/checked" else {
            return .accept(bodyLimit: bodyLimit, isShort: head.path.hasPrefix("/short"))
        }
        return .accept(bodyLimit: bodyLimit) {
            self.checkCount.withLock { $0 += 1 }
            await self.checks.pass()
            return head.headers.first("token") == "good" ? nil : HTTPResponse(status: 401)
        }
    }

    /// Says whether the caller runs on the loop's thread.
    private var thread: [UInt8] {
        Array((loop.withLock { $0 } == UInt(pthread_self()) ? "the loop" : "another thread").utf8)
    }

    func respondAtOnce(to request: HTTPRequest) -> HTTPResponse? {
        request.path == "/now" ? HTTPResponse(status: 200, body: Array("now".utf8)) : nil
    }

    func respond(to request: HTTPRequest) async -> HTTPResponse {
        switch request.path {
        case "/hold":
            await gate.pass()
            return HTTPResponse(status: 200, body: Array("held".utf8))
        case "/short": return HTTPResponse(status: 200, body: thread)
        case "/short-hold":
            await gate.pass()
            passed.put(())
            return HTTPResponse(status: 200, body: thread)
        case "/big": return HTTPResponse(status: 200, body: bigBody)
        case "/nothing": return HTTPResponse(status: 204)
        case "/unchanged":
            return HTTPResponse(status: 304, headers: [("ETag", "\"a\"")], body: Array("as before".utf8))
        case "/split": return HTTPResponse(status: 200, headers: [("X-Name", "a\r\nSet-Cookie: b")])
        case "/own":
            return HTTPResponse(
                status: 200,
                headers: [
                    ("Date", "x"), ("content-length", "99"), ("Connection", "x"), ("A", "1"), ("A", "2"),
                ])
        default:
            let query = request.query.map { "\($0.name)=\($0.value)" }.joined(separator: ";")
            let text =
                "\(request.method) \(request.path) [\(query)] \(request.peer) "
                + String(decoding: request.body, as: UTF8.self)
            return HTTPResponse(
                status: 200, headers: [("Content-Type", "text/plain")], body: Array(text.utf8))
        }
    }

    func refusal(_ reason: HTTPRefusal, head: HTTPRequestHead?) -> HTTPResponse {
        HTTPResponse(
            status: reason.status, headers: [("Content-Type", "application/problem+json")],
            body: Array("refused: \(reason)".utf8))
    }

    func finished(_ exchange: HTTPExchange) { over.put(exchange) }
}

/// A gate at which tasks wait until the test opens it. The gate counts the waiting tasks.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var waiting: [CheckedContinuation<Void, Never>] = []
        var expected: (count: Int, CheckedContinuation<Void, Never>)?
    }

    private let state = Mutex(State())

    func pass() async {
        await withCheckedContinuation { continuation in
            let (passes, told) = state.withLock { state -> (Bool, CheckedContinuation<Void, Never>?) in
                if state.isOpen { return (true, nil) }
                state.waiting.append(continuation)
                guard let expected = state.expected, state.waiting.count >= expected.count else {
                    return (false, nil)
                }
                state.expected = nil
                return (false, expected.1)
            }
            told?.resume()
            if passes { continuation.resume() }
        }
    }

    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Waits until at least `count` tasks wait at the gate.
    func hasWaiting(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.waiting.count >= count { return true }
                state.expected = (count, continuation)
                return false
            }
            if isThere { continuation.resume() }
        }
    }
}

/// A queue between tasks. `take` returns the elements in the order of `put`, and waits if the queue is
/// empty.
final class Mailbox<Element: Sendable>: Sendable {
    private struct State {
        var elements: [Element] = []
        var waiting: [CheckedContinuation<Element, Never>] = []
    }

    private let state = Mutex(State())

    func put(_ element: Element) {
        let taker = state.withLock { state -> CheckedContinuation<Element, Never>? in
            if state.waiting.isEmpty {
                state.elements.append(element)
                return nil
            }
            return state.waiting.removeFirst()
        }
        taker?.resume(returning: element)
    }

    func take() async -> Element {
        await withCheckedContinuation { continuation in
            let element = state.withLock { state -> Element? in
                if state.elements.isEmpty {
                    state.waiting.append(continuation)
                    return nil
                }
                return state.elements.removeFirst()
            }
            if let element { continuation.resume(returning: element) }
        }
    }
}
