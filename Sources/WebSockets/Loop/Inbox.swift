import Synchronization

/// Messages from any thread to a loop's, in the order in which they were posted. One wake-up for all that
/// wait.
final class Inbox<Message: Sendable>: Sendable {
    private struct State {
        var messages: [Message] = []
        var isClosed = false
    }

    private let state = Mutex(State())

    /// `false` where the loop has ended: the message was not taken. `wake` is called without the lock, when
    /// nothing was waiting yet.
    func post(_ message: Message, wake: () -> Void) -> Bool {
        let wasEmpty: Bool? = state.withLock { state in
            guard !state.isClosed else { return nil }
            state.messages.append(message)
            return state.messages.count == 1
        }
        guard let wasEmpty else { return false }
        if wasEmpty { wake() }
        return true
    }

    /// Exchanges what waits for `batch`, which must be empty; its storage is used again.
    func take(into batch: inout [Message]) {
        state.withLock { swap(&$0.messages, &batch) }
    }

    /// No message is taken from now on. Returns those that were never handled.
    func close() -> [Message] {
        state.withLock { state in
            state.isClosed = true
            defer { state.messages = [] }
            return state.messages
        }
    }
}
