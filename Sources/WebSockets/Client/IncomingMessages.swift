import Synchronization

/// What a client's connection received and nobody read yet. When much waits, the loop is told to read no more
/// from the socket, and told to go on when half of it is read: so a slow reader slows its server down, and
/// loses nothing.
final class IncomingMessages: Sendable {
    static let mostMessages = 256
    static let mostBytes = 1 << 20

    /// What the loop has to do after a message was added.
    enum Pressure { case goOn, pause }

    private struct State {
        var messages: [[UInt8]] = []
        /// Those before it were read.
        var first = 0
        var bytes = 0
        var isPaused = false
        var end: WebSocketClose?
        var reader: CheckedContinuation<[UInt8]?, Never>?

        var isFull: Bool { messages.count - first >= mostMessages || bytes >= mostBytes }
        var isHalfEmpty: Bool { messages.count - first <= mostMessages / 2 && bytes <= mostBytes / 2 }

        mutating func next() -> [UInt8]? {
            guard first < messages.count else { return nil }
            let message = messages[first]
            messages[first] = []
            first += 1
            bytes -= message.count
            if first == messages.count || first >= 512 {
                messages.removeFirst(first)
                first = 0
            }
            return message
        }
    }

    private let state = Mutex(State())

    /// On the loop's thread.
    func add(_ message: [UInt8]) -> Pressure {
        let (reader, pressure): (CheckedContinuation<[UInt8]?, Never>?, Pressure) = state.withLock { state in
            if let reader = state.reader {
                state.reader = nil
                return (reader, .goOn)
            }
            state.messages.append(message)
            state.bytes += message.count
            guard state.isFull, !state.isPaused else { return (nil, .goOn) }
            state.isPaused = true
            return (nil, .pause)
        }
        reader?.resume(returning: message)
        return pressure
    }

    /// The first end counts.
    func finish(_ end: WebSocketClose) {
        let reader = state.withLock { state in
            if state.end == nil { state.end = end }
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume(returning: nil)
    }

    var isPaused: Bool { state.withLock { $0.isPaused } }

    var end: WebSocketClose? { state.withLock { $0.end } }

    /// `nil` at the end, and when the task is cancelled. `resume` is called where the loop may read on. One
    /// reader at a time.
    func next(resume: () -> Void) async -> [UInt8]? {
        let message = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isCancelled = Task.isCancelled
                let answer: [UInt8]?? = state.withLock { state in
                    if let message = state.next() { return .some(message) }
                    if state.end != nil || isCancelled { return .some(nil) }
                    precondition(state.reader == nil, "one reader at a time")
                    state.reader = continuation
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            let reader = state.withLock { state in
                defer { state.reader = nil }
                return state.reader
            }
            reader?.resume(returning: nil)
        }
        let mayGoOn = state.withLock { state in
            guard state.isPaused, state.isHalfEmpty else { return false }
            state.isPaused = false
            return true
        }
        if mayGoOn { resume() }
        return message
    }
}
