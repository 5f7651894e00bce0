import CLibWebSockets
import Synchronization

/// The destination of the errors and warnings of libwebsockets. By default they are discarded, because
/// libwebsockets would write the mistakes of individual clients to stderr.
package enum LibraryLog {
    /// The hook is in a struct, because Swift would wrap a closure that is stored directly in a `Mutex` once
    /// more at every access.
    private struct Hook: Sendable {
        let receive: (@Sendable (String) -> Void)?
    }

    private static let hook = Mutex(Hook(receive: nil))

    /// Sets the hook that receives the log of the whole process. The loops call the hook on their threads,
    /// and the hook must not block. Nil discards the log.
    package static func send(to newHook: (@Sendable (String) -> Void)?) {
        hook.withLock { $0 = Hook(receive: newHook) }
        qring_lws_log(newHook == nil ? nil : libraryLogged)
    }

    /// Discards the log of libwebsockets, unless `send(to:)` has set a hook.
    static func applyDefault() {
        let isWanted = hook.withLock { $0.receive != nil }
        qring_lws_log(isWanted ? libraryLogged : nil)
    }

    fileprivate static func received(_ line: String) {
        hook.withLock { $0 }.receive?(line)
    }
}

/// The log callback of libwebsockets. It is `nonisolated`, because C code calls it on any thread.
private nonisolated func libraryLogged(_ level: CInt, _ line: UnsafePointer<CChar>?) {
    guard let line else { return }
    LibraryLog.received(String(cString: line))
}
