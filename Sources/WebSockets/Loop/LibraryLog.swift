import CLibWebSockets
import Synchronization

/// Where the library's errors and warnings go. By default nowhere: it speaks to stderr otherwise, and of
/// single clients' mistakes.
package enum LibraryLog {
    /// A closure that stood in a `Mutex` by itself would be wrapped in one more thunk at every access.
    private struct Hook: Sendable {
        let tell: (@Sendable (String) -> Void)?
    }

    private static let hook = Mutex(Hook(tell: nil))

    /// Called on the loops' threads; must not block. Process-wide.
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
