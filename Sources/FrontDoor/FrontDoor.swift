package import Glibc
import Synchronization
import Threads

/// Listens on one port for two protocols. The front door accepts connections, looks at their first bytes
/// without removing them, and passes each socket to the HTTP server or to the websocket server.
///
/// A callback that receives a descriptor owns it and must close it. The descriptor is non-blocking, is closed
/// on exec, and has TCP_NODELAY. All bytes that the client sent are still unread. The front door calls the
/// callbacks on its own thread, one at a time. They must not block, and must not call `close()`.
package final class FrontDoor: Sendable {
    /// A callback that receives a socket. The receiver must retain the slot as long as the connection exists.
    /// The slot is nil if the client's address has no limit.
    package typealias HandOver = @Sendable (CInt, PeerAddress, ConnectionSlot?) -> Void
    /// A callback that receives a socket of an address that has reached its limit.
    package typealias TurnAway = @Sendable (CInt) -> Void

    /// The port on which the front door listens. If the listen address has port 0, the system has chosen this
    /// port.
    package let port: UInt16
    private let loop: FrontDoorLoop
    private let stage = Mutex(Stage.built)

    private enum Stage {
        case built
        case open
        case closed
    }

    /// Binds the address and listens on it. Clients can then connect, but wait in the backlog until `open`.
    ///
    /// - Parameter inherited: a socket that already listens on the address; nil to make one. The front door
    ///   owns it.
    /// - Throws: the reason why the address cannot be used.
    package init(listen: ListenAddress, inherited: CInt? = nil, settings: DoorSettings = DoorSettings())
        throws(FrontDoorError)
    {
        loop = try FrontDoorLoop(listen: listen, inherited: inherited, settings: settings)
        port = loop.port
    }

    /// The current values of the counters. Any thread may read this property.
    package var statistics: DoorStatistics { loop.counters.statistics }

    /// Starts to accept connections. Only the first call has an effect.
    ///
    /// - Parameters:
    ///   - onHTTP: receives the HTTP connections.
    ///   - onUpgrade: receives the connections whose first bytes are exactly one websocket upgrade request.
    ///   - onTurnedAway: receives the connections above the limit of their address, and can answer them. If
    ///     nil, the front door closes these connections.
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
                // The process cannot start a thread although it has only just begun, so the caller could do
                // nothing else.
                preconditionFailure("the front door got no thread: errno \(error.errno)")
            }
        }
    }

    /// A copy of the listening socket for a process that continues this one's work; nil after `close`. While
    /// it exists, clients can connect and wait in the backlog. The caller must close it.
    package func duplicateListener() -> CInt? {
        let copy = fcntl(loop.listening, F_DUPFD_CLOEXEC, 0)
        return copy >= 0 ? copy : nil
    }

    /// Accepts no more connections, and returns when no connection is undecided any more, or after `time`.
    /// New connections wait in the backlog until `close`.
    package func stopAccepting(within time: Duration) async {
        guard stage.withLock({ $0 == .open }) else { return }
        loop.stopAccepting(within: time)
        await loop.isQuiet.wait()
    }

    /// Stops listening, closes the undecided connections, and returns when the thread has ended. Connections
    /// that were passed to a server stay open. A second call has no effect. The callbacks must not call this
    /// function.
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

/// The limits of a front door.
package struct DoorSettings: Sendable {
    /// The mode of a Unix socket. By default, the user and the group of the server can connect, such as a
    /// proxy that is in the group.
    package var socketMode: mode_t = 0o660
    /// The grammar of the only request that is accepted as an upgrade.
    package var grammar = UpgradeGrammar()
    /// The longest time until a client's first bytes show whether it sends an HTTP request or an upgrade.
    /// After this time, the connection is closed. The default is 10 s, the minimum 10 ms.
    package var decisionDeadline: Duration = .seconds(10)
    /// The most undecided connections. If there is one more, the oldest undecided connection is closed. That
    /// connection is rarely a normal client's, because normal clients send their request at once. The default
    /// is 4,096, the minimum 1.
    package var waitingLimit = 4_096
    /// The time for which the front door stops accepting if the system has no descriptors or no memory left.
    /// The default is 100 ms.
    package var exhaustionPause: Duration = .milliseconds(100)
    /// The most connections that the system queues before the front door accepts them. The system may set a
    /// lower limit (`net.core.somaxconn`). The default is 4,096.
    package var backlog: Int32 = 4_096

    /// The most connections of one address, including the connections that were passed to a server. An IPv6
    /// network of 64 bits counts as one address. Further connections are refused. The limit is high, because
    /// all phones in a hall may share one address, and each phone has a few connections. The default is
    /// 10,000, the minimum 1.
    package var connectionsPerAddress = 10_000
    /// The addresses without this limit, such as a proxy through which all clients connect.
    package var unlimited = AddressRanges()

    package init() {}
}

/// The counters of a front door since its start.
package struct DoorStatistics: Sendable, Equatable {
    /// The number of accepted connections, including the refused ones.
    package var accepted = 0
    /// The number of connections that were refused because of the limit of their address.
    package var turnedAway = 0
    /// The number of undecided connections that were closed at their deadline, or because there were too
    /// many.
    package var silent = 0

    package init() {}
}

/// The counters of a front door. The front door's thread writes the counters, and any thread may read them.
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

/// The reason why a front door could not listen.
package enum FrontDoorError: Error, Equatable, CustomStringConvertible {
    /// Another program already listens on this address.
    case addressInUse(ListenAddress)
    /// The address does not belong to this machine.
    case addressNotHere(ListenAddress)
    /// This user may not listen on the address. Ports below 1,024 need a privilege.
    case notAllowed(ListenAddress)
    /// Another system call failed.
    case system(call: String, errno: CInt)
    /// The path of a Unix socket is the name of another kind of file.
    case notASocket(String)

    package var description: String {
        switch self {
        case .addressInUse(let address): "\(address) is in use by another program"
        case .addressNotHere(let address): "\(address) is not an address of this machine"
        case .notAllowed(let address): "listening on \(address) is not permitted to this user"
        case .notASocket(let path): "\(path) exists and is not a socket; choose another path"
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
