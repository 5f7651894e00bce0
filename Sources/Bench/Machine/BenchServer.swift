import Foundation
import Glibc
import Threads

/// The server of a benchmark: `qring serve` in a process of its own, so that its processor time and memory
/// are measured separately.
struct BenchServer: Sendable {
    private static let startDeadline = 20.0
    /// The seconds that the server has to drain its connections. They must be fewer than the seconds that an
    /// interrupted command has to finish.
    private static let endDeadline = 2.0

    let process: pid_t
    let port: UInt16
    let folder: String

    /// Starts a server.
    /// - Parameters:
    ///   - parent: the folder in which the server's temporary data folder is created; `stop` removes the data
    ///     folder.
    ///   - database: the PostgreSQL database; nil for SQLite.
    ///   - first: another server of the same database, whose secret this server copies.
    init(
        in parent: String, log: String, database: String? = nil, besides first: BenchServer? = nil,
        stop: StopFlag
    ) throws(BenchError) {
        folder = "\(parent)/qring-bench-\(UUID().uuidString)"
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            if let first {
                try FileManager.default.createDirectory(
                    atPath: "\(folder)/data", withIntermediateDirectories: false,
                    attributes: [.posixPermissions: 0o700])
                try FileManager.default.copyItem(
                    atPath: "\(first.folder)/data/secret", toPath: "\(folder)/data/secret")
            }
        } catch { throw .folder(folder, reason: error.localizedDescription) }
        do throws(BenchError) {
            process = try Self.spawn(folder, log: log, database)
        } catch {
            try? FileManager.default.removeItem(atPath: folder)
            throw error
        }
        let end = MonotonicTime.now + .nanoseconds(ofSeconds: Self.startDeadline)
        while MonotonicTime.now < end, !stop.isSet, !Self.hasEnded(process) {
            if let port = ListeningPort.of(process), PlainHTTP.get("/readyz", port: port)?.status == 200 {
                self.port = port
                return
            }
            usleep(5000)
        }
        let words = (try? String(contentsOfFile: "\(folder)/log", encoding: .utf8)) ?? ""
        Self.end(process, folder)
        throw .server(words.split(separator: "\n").last.map(String.init) ?? "no answer")
    }

    func stop() { Self.end(process, folder) }

    private static func end(_ process: pid_t, _ folder: String) {
        kill(process, SIGTERM)
        let limit = MonotonicTime.now + .nanoseconds(ofSeconds: endDeadline)
        var hasEnded = hasEnded(process)
        while !hasEnded, MonotonicTime.now < limit {
            usleep(5000)
            hasEnded = self.hasEnded(process)
        }
        if !hasEnded {
            kill(process, SIGKILL)
            waitpid(process, nil, 0)
        }
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Whether the process has ended. If an earlier call has already seen its end, the process is no longer a
    /// child, and the result is also true.
    private static func hasEnded(_ process: pid_t) -> Bool { waitpid(process, nil, WNOHANG) != 0 }

    private static func spawn(
        _ folder: String, log: String, _ database: String?
    ) throws(BenchError) -> pid_t {
        let program = try ServerProgram.path()
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(
            &actions, STDOUT_FILENO, "\(folder)/log", O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // Restore the default action of signals, because the child would inherit the ignored signals of this
        // process.
        var standard = sigset_t()
        sigemptyset(&standard)
        for signal in [SIGINT, SIGTERM, SIGPIPE] { sigaddset(&standard, signal) }
        posix_spawnattr_setsigdefault(&attributes, &standard)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))

        let words =
            [
                program, "serve", "--listen", "127.0.0.1:0", "--data", "\(folder)/data", "--signup", "open",
                "--log", log, "--lang", "en",
                // All watchers and all load come from this one address.
                "--connections-per-address", "65536",
            ] + (database.map { ["--database", $0] } ?? [])
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        // The variables of another server or of tests say nothing about this one.
        var variables: [UnsafeMutablePointer<CChar>?] = []
        var next = environ
        while let variable = next.pointee {
            if strncmp(variable, "QRING_", 6) != 0 { variables.append(variable) }
            next += 1
        }
        variables.append(nil)
        var process = pid_t()
        let failure = posix_spawn(&process, program, &actions, &attributes, &arguments, variables)
        guard failure == 0 else { throw .server(String(cString: strerror(failure))) }
        return process
    }

    // MARK: Resources

    var processorTime: UInt64 { MonotonicTime.processorTime(of: process) }

    /// The resident memory in bytes, without the kernel's buffers for the server's sockets.
    var memory: Int {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/statm", encoding: .utf8) else {
            return 0
        }
        let fields = text.split(separator: " ")
        return fields.count > 1 ? (Int(fields[1]) ?? 0) * sysconf(CInt(_SC_PAGESIZE)) : 0
    }

    var metrics: MetricsReading {
        MetricsReading(
            PlainHTTP.get("/metrics", port: port).map { String(decoding: $0.body, as: UTF8.self) } ?? "")
    }
}

/// Finds the port that a process listens on from the kernel's tables. The server chooses its port itself
/// (port 0) and may not log it.
enum ListeningPort {
    static func of(_ process: pid_t) -> UInt16? {
        guard let descriptors = try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd")
        else { return nil }
        let links = descriptors.compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/fd/\($0)")
        }
        let sockets = Set(
            links.filter { $0.hasPrefix("socket:[") }.map { String($0.dropFirst(8).dropLast()) })
        guard let table = try? String(contentsOfFile: "/proc/\(process)/net/tcp", encoding: .utf8) else {
            return nil
        }
        return port(in: table, of: sockets)
    }

    /// Returns the port of a listening socket.
    /// - Parameter table: text in the format of proc_pid_net(5): number, local address, remote address, state
    ///   (0A: listening), …, and the inode in the tenth column.
    static func port(in table: String, of sockets: Set<String>) -> UInt16? {
        for line in table.split(separator: "\n").dropFirst() {
            let fields = line.split(separator: " ")
            guard fields.count > 9, fields[3] == "0A", sockets.contains(String(fields[9])) else { continue }
            return fields[1].split(separator: ":").last.flatMap { UInt16($0, radix: 16) }
        }
        return nil
    }
}
