import Glibc
import Synchronization
import Threads

/// One port for two protocols: accepts connections, peeks at their first bytes, and hands each socket over.
///
/// The callback that gets a descriptor owns it and must close it. The descriptor does not block, is closed on
/// exec, and has TCP_NODELAY; every byte that the client sent is still in it. The callbacks run on the front
/// door's own thread, one at a time. They must not block, and must not call `close()`.
package final class FrontDoor: Sendable {
    /// Gets a socket. The receiver holds the slot as long as the connection lives; nil if the client's
    /// address has no limit.
    package typealias HandOver = @Sendable (CInt, PeerAddress, ConnectionSlot?) -> Void
    /// Gets a socket that is one too many for its address.
    package typealias TurnAway = @Sendable (CInt) -> Void

    /// The port on which it listens. If the listen address has port 0, the system has chosen it.
    package let port: UInt16
    private let loop: FrontDoorLoop
    private let stage = Mutex(Stage.built)

    private enum Stage {
        case built
        case open
        case closed
    }

    /// Binds and listens. From now on clients can connect, and wait in the backlog until `open`.
    ///
    /// - Throws: the reason why the address cannot be used.
    package init(listen: ListenAddress, settings: DoorSettings = DoorSettings()) throws(FrontDoorError) {
        loop = try FrontDoorLoop(listen: listen, settings: settings)
        port = loop.port
    }

    /// The counters so far. Any thread may call this.
    package var statistics: DoorStatistics { loop.counters.statistics }

    /// Starts to accept. Only the first call has an effect.
    ///
    /// - Parameters:
    ///   - onHTTP: gets the connections that speak HTTP.
    ///   - onUpgrade: gets the connections whose first bytes are exactly one websocket upgrade.
    ///   - onTurnedAway: gets the connections beyond the limit of their address, to say so; without it they
    ///     are closed.
    package func open(
        onHTTP: @escaping HandOver, onUpgrade: @escaping HandOver, onTurnedAway: TurnAway? = nil
    ) {
        let receivers = DoorReceivers(http: onHTTP, upgrade: onUpgrade, turnedAway: onTurnedAway)
        stage.withLock { stage in
            guard case .built = stage else { return }
            stage = .open
            do throws(ThreadNotStarted) {
                try loop.thread.start { [loop] in loop.run(receivers) }
            } catch {
                // A caller could do nothing else: at its very start, the process gets no thread.
                preconditionFailure("the front door got no thread: errno \(error.errno)")
            }
        }
    }

    /// Stops listening, closes the undecided connections, and returns when the thread has ended. Connections
    /// that were handed over stay open. A second call has no effect. Must not be called from a callback.
    package func close() {
        let before = stage.withLock { stage in
            defer { stage = .closed }
            return stage
        }
        loop.stop()
        switch before {
        case .built: loop.dismantle()
        case .open: loop.thread.join()
        case .closed: break
        }
    }

    deinit { close() }
}

/// Limits of a front door.
package struct DoorSettings: Sendable {
    /// The only form of request that is an upgrade.
    package var grammar = UpgradeGrammar()
    /// The time that a client has until its first bytes show whether it speaks HTTP or wants an upgrade.
    /// Default 10 s; at least 10 ms.
    package var decisionDeadline: Duration = .seconds(10)
    /// The most undecided connections. One more closes the oldest of them, which is hardly ever an honest
    /// client's, because those send at once. Default 4,096; at least 1.
    package var waitingLimit = 4_096
    /// The pause after the system ran out of descriptors or memory. Default 100 ms.
    package var exhaustionPause: Duration = .milliseconds(100)
    /// The most connections that the system queues before they are accepted. It may cap this
    /// (`net.core.somaxconn`). Default 4,096.
    package var backlog: Int32 = 4_096

    /// The most connections of one address, undecided or handed over. An IPv6 network of 64 bits counts as
    /// one address. One more is turned away. All phones of a hall share an address, and each has a few
    /// connections. Default 10,000; at least 1.
    package var connectionsPerAddress = 10_000
    /// Addresses without this limit, such as a proxy, from which everybody comes.
    package var unlimited = AddressRanges()

    package init() {}
}

/// The counters of a front door since its start.
package struct DoorStatistics: Sendable, Equatable {
    /// All connections, also those that were turned away.
    package var accepted = 0
    /// Connections beyond the limit of their address.
    package var turnedAway = 0
    /// Undecided connections that were closed: at their deadline, or because newer ones needed their place.
    package var silent = 0

    package init() {}
}

/// The front door's thread writes them, and any thread reads them.
final class DoorCounters: Sendable {
    let accepted = Atomic(0)
    let turnedAway = Atomic(0)
    let silent = Atomic(0)

    var statistics: DoorStatistics {
        var statistics = DoorStatistics()
        statistics.accepted = accepted.load(ordering: .relaxed)
        statistics.turnedAway = turnedAway.load(ordering: .relaxed)
        statistics.silent = silent.load(ordering: .relaxed)
        return statistics
    }
}

/// Why a front door could not listen.
package enum FrontDoorError: Error, Equatable, CustomStringConvertible {
    /// Another program listens on this address.
    case addressInUse(ListenAddress)
    /// The address does not belong to this machine.
    case addressNotHere(ListenAddress)
    /// Ports below 1,024 need a privilege.
    case notAllowed(ListenAddress)
    /// Another system call failed.
    case system(call: String, errno: CInt)

    package var description: String {
        switch self {
        case .addressInUse(let address): "\(address) is in use by another program"
        case .addressNotHere(let address): "\(address) is not an address of this machine"
        case .notAllowed(let address): "listening on \(address) is not permitted to this user"
        case .system(let call, let errno): "\(call) failed: \(String(cString: strerror(errno)))"
        }
    }

    static func binding(_ address: ListenAddress, call: String, errno: CInt) -> FrontDoorError {
        switch errno {
        case EADDRINUSE: .addressInUse(address)
        case EADDRNOTAVAIL: .addressNotHere(address)
        case EACCES, EPERM: .notAllowed(address)
        default: .system(call: call, errno: errno)
        }
    }
}
