import Dispatch
import Glibc
import Synchronization

/// Signals as something to wait for.
enum Signals {
    /// Returns when one of them comes for the first time. From then on they have their default meaning again,
    /// so that a second Ctrl-C ends a program that is slow to end.
    ///
    /// - Parameter start: runs once they are waited for, and none can end the process unheard.
    static func first(of numbers: [Int32], start: @escaping @Sendable () -> Void) async {
        let sources = numbers.map { number in
            // Dispatch sees a signal only where the default does not end the process first.
            signal(number, SIG_IGN)
            return DispatchSource.makeSignalSource(signal: number, queue: .global())
        }
        await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
            let waiter = Waiter(continuation)
            // A source is registered by another thread, and until that is done its signal is ignored.
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

    /// Calls `handler` whenever the signal comes, until the source is cancelled; it never ends the process,
    /// also afterwards.
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
