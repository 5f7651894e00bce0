internal import CThreads
internal import Glibc

/// An eventfd(2) by which any thread wakes a thread that polls descriptors. It is closed when the last
/// reference is released.
package final class EventDescriptor: Sendable {
    /// Readable after `signal()`, until `clear()`. It never blocks.
    package let descriptor: CInt

    /// Returns nil if the system has no descriptor left; `errno` says why.
    package init?() {
        descriptor = cthreads_eventfd_create()
        if descriptor < 0 { return nil }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Makes the descriptor readable. Any thread may call this; it costs one system call.
    package func signal() { cthreads_eventfd_signal(descriptor) }

    /// Makes the descriptor unreadable until the next `signal()`. The polling thread calls this before it
    /// looks at what other threads left for it: a signal that comes later then wakes it again.
    package func clear() { cthreads_eventfd_clear(descriptor) }
}
