import Dispatch
import Glibc

/// Waits for signals of the operating system.
enum Signals {
    /// Calls `handler` with each of the signals, until the sources are cancelled. Returns when all are
    /// caught.
    static func `catch`(_ numbers: [Int32], _ handler: @escaping @Sendable (Int32) -> Void) async
        -> [any DispatchSourceSignal]
    {
        let sources = numbers.map { number in
            // Ignore the signal's default action, because it would end the process before Dispatch sees the
            // signal.
            ignore(number)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { handler(number) }
            return source
        }
        await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
            // Another thread registers the source. Until then, the process ignores the signal.
            let registered = DispatchGroup()
            for source in sources {
                registered.enter()
                source.setRegistrationHandler { registered.leave() }
                source.resume()
            }
            registered.notify(queue: .global()) { continuation.resume() }
        }
        return sources
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
