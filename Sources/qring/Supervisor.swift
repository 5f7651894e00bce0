import CommandLine
import Dispatch
import FrontDoor
import Glibc
import Phrases

private typealias Messages = CommandPhrases.Serve

/// The service manager that has started this process: systemd, or a program with the same protocols.
/// docs/decisions/0089-service.md has the reasons for own code.
struct Supervisor: Sendable {
    private let environment: [String: String]

    init(_ environment: [String: String]) { self.environment = environment }

    // MARK: Messages (sd_notify(3))

    /// Sends a state, such as `READY=1`. Does nothing if nobody listens. A lost message is no failure of the
    /// server, because the service manager has its own time limits.
    func notify(_ states: String...) {
        guard let path = environment["NOTIFY_SOCKET"], path.hasPrefix("/") || path.hasPrefix("@"),
            var address = Self.address(path)
        else { return }
        let descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let text = states.joined(separator: "\n")
        // The length ends an abstract name, which has no zero byte at its end (unix(7)).
        let length = socklen_t(MemoryLayout<sa_family_t>.size + path.utf8.count)
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = sendto(descriptor, text, text.utf8.count, CInt(MSG_NOSIGNAL), $0, length)
            }
        }
    }

    private static func address(_ path: String) -> sockaddr_un? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(path.utf8)
        if bytes.first == UInt8(ascii: "@") { bytes[0] = 0 }
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        return address
    }

    /// Tells the service manager that the server restarts or reads its settings again. The caller must send
    /// READY=1 afterwards.
    func notifyReloading() {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        notify("RELOADING=1", "MONOTONIC_USEC=\(time.tv_sec * 1_000_000 + time.tv_nsec / 1000)")
    }

    /// The time in which the service manager wants a sign of life (`WatchdogSec=`); nil if it wants none.
    var watchdogTime: Duration? {
        guard let text = environment["WATCHDOG_USEC"], let time = Int(text), time > 0,
            environment["WATCHDOG_PID"].map({ $0 == "\(getpid())" }) ?? true
        else { return nil }
        return .microseconds(time)
    }

    /// Sends watchdog messages while `work` runs, which may be long: after a restart, the service manager
    /// wants them while the server checks or migrates a large database.
    func watched<Result>(_ work: () throws(CommandFailure) -> Result) throws(CommandFailure) -> Result {
        guard let time = watchdogTime else { return try work() }
        let timer = DispatchSource.makeTimerSource(queue: .global())
        timer.schedule(deadline: .now(), repeating: .nanoseconds(Int(time / .nanoseconds(1)) / 3))
        timer.setEventHandler { notify("WATCHDOG=1") }
        timer.resume()
        defer { timer.cancel() }
        return try work()
    }

    // MARK: Sockets (sd_listen_fds(3))

    /// The first descriptor that a service manager passes.
    private static let firstSocket: CInt = 3

    /// Returns the listening socket that this process was started with; nil if there is none.
    func inheritedSocket() throws(CommandFailure) -> (descriptor: CInt, address: ListenAddress)? {
        guard environment["LISTEN_PID"] == "\(getpid())", let count = environment["LISTEN_FDS"], count != "0"
        else { return nil }
        guard count == "1" else { throw .failed(Messages.severalSockets, ["count": count]) }
        let socket = Self.firstSocket
        guard Self.option(SO_TYPE, of: socket) == CInt(SOCK_STREAM.rawValue),
            Self.option(SO_ACCEPTCONN, of: socket) == 1, let address = ListenAddress(of: socket)
        else { throw .failed(Messages.wrongSocket) }
        return (socket, address)
    }

    private static func option(_ name: CInt, of descriptor: CInt) -> CInt? {
        var value: CInt = 0
        var length = socklen_t(MemoryLayout<CInt>.size)
        return getsockopt(descriptor, SOL_SOCKET, name, &value, &length) == 0 ? value : nil
    }

    // MARK: Starting again

    /// The path of this program, also after an upgrade has replaced the file.
    private static var program: String? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &bytes, bytes.count)
        guard count > 0 else { return nil }
        let path = String(decoding: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let deleted = " (deleted)"
        return path.hasSuffix(deleted) ? String(path.dropLast(deleted.count)) : path
    }

    /// Returns the reason why the program could not take the place of this process; nil if it could. Runs the
    /// program, which an upgrade may have replaced, with the same arguments and `--check`.
    func restartFault() -> String? {
        func reason(_ code: CInt) -> String { String(cString: strerror(code)) }
        guard let program = Self.program else { return "/proc/self/exe: \(reason(errno))" }
        var ends: [CInt] = [0, 0]
        guard pipe(&ends) == 0 else { return "pipe: \(reason(errno))" }
        defer { close(ends[0]) }
        Self.closeOnExec()
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for output in [STDOUT_FILENO, STDERR_FILENO] {
            posix_spawn_file_actions_adddup2(&actions, ends[1], output)
        }
        var words = (CommandLine.arguments + ["--check"]).map { strdup($0) } + [nil]
        var settings = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for word in words + settings { free(word) } }
        var child: pid_t = 0
        let code = posix_spawn(&child, program, &actions, nil, &words, &settings)
        close(ends[1])
        guard code == 0 else { return "\(program): \(reason(code))" }
        var said: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(ends[0], &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            // The rest is read too, so that the program never waits for this process.
            if said.count < 16_384 { said += buffer[..<count] }
        }
        var status: CInt = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        guard status != 0 else { return nil }
        return String(decoding: said, as: UTF8.self).split(separator: "\n")
            .map { $0.trimmingPrefix(while: \.isWhitespace) }.joined(separator: "; ")
    }

    /// Replaces this process by its program, with the same arguments and the listening socket. The process
    /// number stays the same. Returns only if that fails.
    /// - Returns: the reason.
    func startAgain(with listener: CInt) -> String {
        guard let program = Self.program else { return "/proc/self/exe" }
        let socket = Self.firstSocket
        Self.closeOnExec()
        // dup2(2) clears the flag of the copy, and does nothing if both are the same.
        _ = listener == socket ? fcntl(socket, F_SETFD, 0) : dup2(listener, socket)
        // The new program inherits what is ignored (execve(2)). Until it catches these signals, they end it.
        for number in [SIGTERM, SIGINT] { signal(number, SIG_DFL) }
        var none = sigset_t()
        sigemptyset(&none)
        // The new program inherits the mask of this thread. Threads of Dispatch block signals.
        pthread_sigmask(SIG_SETMASK, &none, nil)
        var variables = environment
        (variables["LISTEN_PID"], variables["LISTEN_FDS"]) = ("\(getpid())", "1")
        variables["LISTEN_FDNAMES"] = nil
        var words = CommandLine.arguments.map { strdup($0) } + [nil]
        var settings = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
        execve(program, &words, &settings)
        return "\(program): \(String(cString: strerror(errno)))"
    }

    /// Closes the descriptors of libraries when this process or a child of it runs another program.
    private static func closeOnExec() {
        guard let folder = opendir("/proc/self/fd") else { return }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if let descriptor = CInt(name), descriptor > 2 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        }
    }
}

extension CommandPhrases.Serve {
    static let severalSockets = Phrase(
        "The service manager passed {count} sockets. The server takes one: give the socket unit one "
            + "ListenStream=, for example [::]:8080, which accepts IPv4 too.")
    static let wrongSocket = Phrase(
        "The socket that the service manager passed is no listening socket for streams. Write ListenStream= "
            + "and Accept=no in the socket unit.")
    static let cannotStartAgain = Phrase("The server has stopped and cannot start again: {reason}")
}
