internal import Foundation
internal import Glibc
internal import Threads

/// The server of a benchmark: the same program in another process, so that its processor time and memory are
/// measured separately.
struct BenchServer: Sendable {
    private static let startDeadline = 20.0
    /// The longest time to wait for the server's end, in seconds. It is short enough that the server ends
    /// before an interrupted command ends.
    private static let endDeadline = 2.0

    let process: pid_t
    let port: UInt16
    let folder: String

    /// - Parameter parent: the folder in which this function creates the data folder. `stop` removes the data
    ///   folder.
    init(in parent: String, log: String, stop: StopFlag) throws(BenchError) {
        folder = "\(parent)/qring-bench-\(UUID().uuidString)"
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch { throw .folder(folder, reason: error.localizedDescription) }
        do throws(BenchError) {
            process = try Self.spawn(folder, log: log)
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

    /// Whether the process has ended. The result is also true if an earlier call has already returned true,
    /// because there is no such child any more.
    private static func hasEnded(_ process: pid_t) -> Bool { waitpid(process, nil, WNOHANG) != 0 }

    private static func spawn(_ folder: String, log: String) throws(BenchError) -> pid_t {
        guard let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        else {
            throw .server("/proc/self/exe")
        }
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
        // This process ignores some signals. Their default actions are restored, because the child would
        // ignore them too.
        var standard = sigset_t()
        sigemptyset(&standard)
        for signal in [SIGINT, SIGTERM, SIGPIPE] { sigaddset(&standard, signal) }
        posix_spawnattr_setsigdefault(&attributes, &standard)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))

        let words = [
            program, "serve", "--listen", "127.0.0.1:0", "--data", "\(folder)/data", "--signup", "open",
            "--log", log, "--lang", "en",
            // All watchers and all requests come from the same address.
            "--connections-per-address", "65536",
        ]
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var process = pid_t()
        let failure = posix_spawn(&process, program, &actions, &attributes, &arguments, environ)
        guard failure == 0 else { throw .server(String(cString: strerror(failure))) }
        return process
    }

    // MARK: Resources

    var processorTime: UInt64 { MonotonicTime.processorTime(of: process) }

    /// The resident memory of the server in bytes, without the kernel's memory for its sockets.
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
