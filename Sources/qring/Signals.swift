import Dispatch
import Glibc
import Synchronization

/// Waits for signals of the operating system.
enum Signals {
    /// Returns when the first of the signals arrives. Afterwards the signals have their default action again,
    /// so that a second Ctrl-C ends a program that is slow to end.
    ///
    /// - Parameter start: runs after all signals are caught, so that no signal can end the process without a
    ///   notice.
    static func first(of numbers: [Int32], start: @escaping @Sendable () -> Void) async {
        let sources = numbers.map { number in
            // Ignore the signal's default action, because it would end the process before Dispatch sees the
            // signal.
            signal(number, SIG_IGN)
            return DispatchSource.makeSignalSource(signal: number, queue: .global())
        }
        await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
            let waiter = Waiter(continuation)
            // Another thread registers the source. Until then, the process ignores the signal.
            let registered = DispatchGroup()
            for source in sources {
                registered.enter()
                source.setRegistrationHandler { registered.leave() }
                source.setEventHandler { waiter.resume() }
                source.resume()
            }
            registered.notify(queue: .global(), execute: start)
        }
        for (source, number) in zip(sources, numbers) {
            source.cancel()
            signal(number, SIG_DFL)
        }
    }

    /// Ignores the signal permanently, so that it cannot end the process before a handler is set.
    static func ignore(_ number: Int32) { signal(number, SIG_IGN) }

    /// Calls `handler` whenever the signal arrives, until the source is cancelled. The signal never ends the
    /// process, even after the source is cancelled.
    static func each(_ number: Int32, _ handler: @escaping @Sendable () -> Void) -> any DispatchSourceSignal {
        ignore(number)
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler(handler: handler)
        source.resume()
        return source
    }

    private final class Waiter: Sendable {
        private let continuation: Mutex<UnsafeContinuation<Void, Never>?>

        init(_ continuation: UnsafeContinuation<Void, Never>) { self.continuation = Mutex(continuation) }

        func resume() {
            let waiting = continuation.withLock { waiting in
                defer { waiting = nil }
                return waiting
            }
            waiting?.resume()
        }
    }
}

/// Flushes all output and ends the process with `_exit`, which runs no clean-up. `exit` would clean up
/// OpenSSL (OPENSSL_init_crypto(3): "initiated automatically on application exit"), while another thread may
/// still use OpenSSL for a connection.
func end(with code: CInt) -> Never {
    fflush(nil)
    // AddressSanitizer looks for leaks only in `exit`, so run its check here if the program contains it.
    if let look = dlsym(nil, "__lsan_do_leak_check") {
        unsafeBitCast(look, to: (@convention(c) () -> Void).self)()
    }
    _exit(code)
}
