import Synchronization
import Threads

/// One port for two protocols: accepts connections, reads their first bytes without taking them, and hands
/// each socket on.
///
/// Whoever is handed a descriptor owns it and must close it. It does not block, is closed on exec, has
/// TCP_NODELAY, and every byte the client sent is still in it. The callbacks run on the door's own thread,
/// one at a time, and must not block or call `close()`.
package final class FrontDoor: Sendable {
    /// The place is to be kept as long as the connection lives; nil where its address is not limited.
    package typealias HandOver = @Sendable (CInt, Peer, ConnectionPlace?) -> Void
    package typealias TurnAway = @Sendable (CInt) -> Void

    /// The port that is listened on, also where 0 was asked for.
    package let port: UInt16
    private let watch: DoorWatch
    private let stage = Mutex(Stage.built)

    private enum Stage {
        case built
        case open
        case closed
    }

    /// Binds and listens: from here on clients can connect, and wait in the backlog until `open`.
    package init(listen: ListenAddress, settings: DoorSettings = DoorSettings()) throws(FrontDoorError) {
        watch = try DoorWatch(listen: listen, settings: settings)
        port = watch.port
    }

    /// What it has done so far, from any thread.
    package var statistics: DoorStatistics { watch.counters.statistics }

    /// Starts to accept. Only the first call does anything.
    /// - Parameters:
    ///   - onHTTP: gets the sockets whose first bytes are no upgrade.
    ///   - onUpgrade: gets the sockets whose first bytes are a whole and strict upgrade to a websocket.
    ///   - onTurnedAway: gets the sockets of clients whose address has its share already, to tell them so;
    ///     without it they are closed.
    package func open(
        onHTTP: @escaping HandOver, onUpgrade: @escaping HandOver, onTurnedAway: TurnAway? = nil
    ) {
        let ways = DoorWays(http: onHTTP, upgrade: onUpgrade, turnedAway: onTurnedAway)
        stage.withLock { stage in
            guard case .built = stage else { return }
            stage = .open
            do throws(ThreadNotStarted) {
                try watch.thread.start { [watch] in watch.run(ways) }
            } catch {
                // A caller could do nothing else: at its very start, the process gets no thread.
                preconditionFailure("the front door got no thread: errno \(error.errno)")
            }
        }
    }

    /// Stops listening, closes the connections that have not been handed on, and returns when the thread has
    /// ended. Those that were handed on are not touched. May be called twice; not from a callback.
    package func close() {
        let before = stage.withLock { stage in
            defer { stage = .closed }
            return stage
        }
        watch.stop()
        switch before {
        case .built: watch.dismantle()
        case .open: watch.thread.join()
        case .closed: break
        }
    }

    deinit { close() }
}
