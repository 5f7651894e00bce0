import CLibWebSockets
import Synchronization

/// The destination of the library's errors and warnings. By default they are dropped, because the library
/// would write single clients' mistakes to stderr.
package enum LibraryLog {
    /// A struct, because a closure directly in a `Mutex` would get another thunk at every access.
    private struct Hook: Sendable {
        let tell: (@Sendable (String) -> Void)?
    }

    private static let hook = Mutex(Hook(tell: nil))

    /// Sets the hook for the whole process. It is called on the loops' threads, and must not block.
    package static func send(to newHook: (@Sendable (String) -> Void)?) {
        hook.withLock { $0 = Hook(tell: newHook) }
        qring_lws_log(newHook == nil ? nil : libraryLogged)
    }

    /// Quiet, unless somebody asked for the log before.
    static func applyDefault() {
        let isWanted = hook.withLock { $0.tell != nil }
        qring_lws_log(isWanted ? libraryLogged : nil)
    }

    fileprivate static func received(_ line: String) {
        hook.withLock { $0 }.tell?(line)
    }
}

/// Given to C, hence outside any type's isolation.
private nonisolated func libraryLogged(_ level: CInt, _ line: UnsafePointer<CChar>?) {
    guard let line else { return }
    LibraryLog.received(String(cString: line))
}
