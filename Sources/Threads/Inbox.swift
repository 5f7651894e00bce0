public import Synchronization

/// A queue of messages to one thread. Any thread may post messages, and the receiver gets them in the order
/// in which they were posted.
///
/// A message wakes the receiver only if the inbox was empty before. If a hundred messages are posted before
/// the receiver takes them, they cost only one wake-up. `post` usually allocates no memory, because the inbox
/// reuses the storage of the receiver's last batch.
///
/// The functions are inlinable, so that other modules specialise them for their own message types. They are
/// public and not `package`, because Swift 6.3 specialises no `package` function in another module.
public final class Inbox<Message: Sendable>: Sendable {
    @usableFromInline
    struct State {
        @usableFromInline var messages: [Message] = []
        @usableFromInline var isClosed = false
    }

    @usableFromInline let state = Mutex(State())

    public init() {}

    /// Adds a message. If the inbox was empty before, this function calls `wake` after it has released the
    /// lock.
    ///
    /// - Returns: false if the inbox is closed. In this case, the message was not added.
    @inlinable
    public func post(_ message: Message, wake: () -> Void) -> Bool {
        let wasEmpty: Bool? = state.withLock { state in
            guard !state.isClosed else { return nil }
            state.messages.append(message)
            return state.messages.count == 1
        }
        guard let wasEmpty else { return false }
        if wasEmpty { wake() }
        return true
    }

    /// Moves all messages into `batch`, which must be empty. The inbox uses the storage of `batch` for the
    /// next messages.
    @inlinable
    public func take(into batch: inout [Message]) {
        state.withLock { swap(&$0.messages, &batch) }
    }

    /// Closes the inbox, so that `post` rejects all further messages. Returns the messages that the receiver
    /// has not taken.
    @inlinable
    public func close() -> [Message] {
        state.withLock { state in
            state.isClosed = true
            defer { state.messages = [] }
            return state.messages
        }
    }
}

/// An inbox for a thread that polls file descriptors. A message wakes the thread with an eventfd.
///
/// The eventfd exists as long as the inbox, so that a thread that posts late can never signal a descriptor
/// that now belongs to another file.
public final class PolledInbox<Message: Sendable>: Sendable {
    @usableFromInline let inbox = Inbox<Message>()
    /// The receiver polls this descriptor and clears it before it takes the messages.
    public let wake: EventDescriptor

    /// Creates an inbox. Returns nil and sets `errno` if the system has no descriptor left.
    public init?() {
        guard let wake = EventDescriptor() else { return nil }
        self.wake = wake
    }

    /// Adds a message, and wakes the receiver if the inbox was empty before.
    ///
    /// - Returns: false if the inbox is closed. In this case, the message was not added.
    @inlinable
    public func post(_ message: Message) -> Bool { inbox.post(message) { wake.signal() } }

    /// Moves all messages into `batch`, which must be empty. The inbox uses the storage of `batch` for the
    /// next messages.
    @inlinable
    public func take(into batch: inout [Message]) { inbox.take(into: &batch) }

    /// Closes the inbox, so that `post` rejects all further messages. Returns the messages that the receiver
    /// has not taken.
    @inlinable
    public func close() -> [Message] { inbox.close() }
}
