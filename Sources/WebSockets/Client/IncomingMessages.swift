import Synchronization

/// The queue of the received messages that the application has not read yet. If the queue is full, the loop
/// stops reading from the socket. When the application has read half of the queue, the loop reads again. A
/// slow reader therefore slows its server down, and loses no message. Any thread may call all functions.
final class IncomingMessages: Sendable {
    static let mostMessages = 256
    static let mostBytes = 1 << 20

    /// Whether the loop should continue or pause reading after `add`.
    enum Pressure { case goOn, pause }

    private struct State {
        var messages: [[UInt8]] = []
        /// The index of the first unread message.
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

    /// Adds a message, or passes the message to the task that waits in `next`. Only the loop's thread calls
    /// this function.
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

    /// Ends the queue: `next` returns nil after the remaining messages. Only the first `end` is stored.
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

    /// Returns the next message. Returns `nil` after the last message, or if the task is cancelled. Calls
    /// `resume` if the loop should read from the socket again. Only one task may wait in this function at a
    /// time.
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

/// Joins the pieces of messages that libwebsockets delivers, and enforces the limits of size and number.
struct MessageAssembly {
    enum Outcome: Equatable {
        case incomplete
        case message([UInt8])
        /// The message has more than `longest` bytes, or a frame header announces more.
        case tooBig
        case tooManyPieces
    }

    private var text: [UInt8] = []
    private var pieces = 0

    /// Adds a piece of a message. `announced` is the number of bytes of the current fragment that have not
    /// arrived yet. `isLast` marks a piece of the final fragment. `longest` is a number of bytes.
    mutating func add(
        _ piece: UnsafeRawBufferPointer, announced: Int, isLast: Bool, longest: Int, mostPieces: Int
    ) -> Outcome {
        guard text.count + piece.count + announced <= longest else { return .tooBig }
        if isLast, text.isEmpty {
            pieces = 0
            return .message(Array(piece))
        }
        pieces += 1
        guard pieces <= mostPieces else { return .tooManyPieces }
        text.append(contentsOf: piece)
        guard isLast else { return .incomplete }
        defer { self = MessageAssembly() }
        return .message(text)
    }
}
