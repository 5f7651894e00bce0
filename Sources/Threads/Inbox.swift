package import Synchronization

/// A queue of messages from any thread to one thread, in the order in which they were posted.
///
/// The receiver is woken only when its inbox stops being empty: a hundred messages that are posted before it
/// looks cost one wake-up. Posting allocates nothing once the storage has grown, because the receiver gives
/// the storage of its last batch back.
///
/// Everything is inlinable, so that other modules compile it for their own type of message.
package final class Inbox<Message: Sendable>: Sendable {
    @usableFromInline
    package struct State {
        @usableFromInline var messages: [Message] = []
        @usableFromInline var isClosed = false
    }

    @usableFromInline let state = Mutex(State())

    package init() {}

    /// Adds a message. `wake` is called, without the lock, if the inbox was empty before.
    ///
    /// - Returns: false if the inbox is closed. The message was not added then.
    @inlinable
    package func post(_ message: Message, wake: () -> Void) -> Bool {
        let wasEmpty: Bool? = state.withLock { state in
            guard !state.isClosed else { return nil }
            state.messages.append(message)
            return state.messages.count == 1
        }
        guard let wasEmpty else { return false }
        if wasEmpty { wake() }
        return true
    }

    /// Moves all messages into `batch`, which must be empty. Its storage is used for the next messages.
    @inlinable
    package func take(into batch: inout [Message]) {
        state.withLock { swap(&$0.messages, &batch) }
    }

    /// Rejects all messages from now on, and returns those that nobody has taken.
    @inlinable
    package func close() -> [Message] {
        state.withLock { state in
            state.isClosed = true
            defer { state.messages = [] }
            return state.messages
        }
    }
}

/// An inbox whose receiver polls descriptors: a message wakes it through an eventfd.
///
/// The eventfd lives as long as the inbox, so that a thread that posts late never signals a descriptor which
/// now belongs to somebody else.
package final class PolledInbox<Message: Sendable>: Sendable {
    @usableFromInline let inbox = Inbox<Message>()
    /// The receiver polls this descriptor and clears it before it takes the messages.
    package let wake: EventDescriptor

    /// Returns nil if the system has no descriptor left; `errno` says why.
    package init?() {
        guard let wake = EventDescriptor() else { return nil }
        self.wake = wake
    }

    /// Adds a message, and wakes the receiver if the inbox was empty before.
    ///
    /// - Returns: false if the inbox is closed. The message was not added then.
    @inlinable
    package func post(_ message: Message) -> Bool { inbox.post(message) { wake.signal() } }

    /// Moves all messages into `batch`, which must be empty. Its storage is used for the next messages.
    @inlinable
    package func take(into batch: inout [Message]) { inbox.take(into: &batch) }

    /// Rejects all messages from now on, and returns those that nobody has taken.
    @inlinable
    package func close() -> [Message] { inbox.close() }
}
