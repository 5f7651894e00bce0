internal import CThreads
internal import Glibc

/// An eventfd(2) with which any thread wakes a thread that polls file descriptors. The eventfd is closed when
/// the last reference to this object is released.
public final class EventDescriptor: Sendable {
    /// The descriptor of the eventfd. It is readable after `signal()` and until `clear()`, and it is
    /// non-blocking.
    public let descriptor: CInt

    /// Creates an eventfd. Returns nil and sets `errno` if the system has no descriptor left.
    public init?() {
        descriptor = cthreads_eventfd_create()
        if descriptor < 0 { return nil }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Makes the descriptor readable. Any thread may call this function, which costs one system call.
    public func signal() { cthreads_eventfd_signal(descriptor) }

    /// Makes the descriptor unreadable until the next `signal()`. The polling thread must call this function
    /// before it takes its messages, so that a later signal wakes the thread again.
    public func clear() { cthreads_eventfd_clear(descriptor) }
}
