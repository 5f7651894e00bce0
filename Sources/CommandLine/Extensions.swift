internal import Glibc

/// Programs on the `PATH` whose name begins with `qring-`. `qring NAME …` runs `qring-NAME …`.
package struct Extensions: Sendable {
    private let folders: [String]

    /// Relative folders of the `PATH` are left out, because another person may have made the files of the
    /// current folder.
    package init(environment: [String: String]) {
        folders = environment["PATH", default: ""].split(separator: ":").map(String.init)
            .filter { $0.hasPrefix("/") }
    }

    /// Returns the path of an extension; nil if there is none of this name.
    package func path(of name: String) -> String? {
        guard CommandSet.isName(name) else { return nil }
        return folders.lazy.map { "\($0)/qring-\(name)" }.first(where: Self.isProgram)
    }

    /// Returns the names of all extensions.
    package var names: [String] {
        var names: Set<String> = []
        for folder in folders {
            guard let stream = opendir(folder) else { continue }
            defer { closedir(stream) }
            while let entry = readdir(stream) {
                let file = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                    pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
                guard file.hasPrefix("qring-") else { continue }
                let name = String(file.dropFirst(6))
                if CommandSet.isName(name), Self.isProgram("\(folder)/\(file)") { names.insert(name) }
            }
        }
        return names.sorted()
    }

    private static func isProgram(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
    }

    /// Whether every user of the machine may replace the content of a program.
    package static func isWritableByOthers(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) != 0 || FileBytes.isWritableByOthers(status.st_mode)
    }

    /// The variables of this program that programs of the user get. The others can hold secrets.
    private static let passed: Set<String> = [
        "QRING_SERVER", "QRING_CONTEXT", "QRING_EMAIL", "QRING_SESSION", "QRING_ATTENDEE", "QRING_LANG",
        "QRING_THEME", "QRING_PAGER", "QRING_CA_FILE",
    ]

    /// Returns the variables for a program of the user: without those of this program that can hold secrets.
    package static func withoutSecrets(_ environment: [String: String]) -> [String: String] {
        environment.filter { name, _ in !name.hasPrefix("QRING_") || passed.contains(name) }
    }

    /// Replaces this process by a program, so that signals, the terminal and the exit code are the program's
    /// own. Returns only if that fails.
    /// - Returns: the system's reason.
    package static func replaceProcess(
        by path: String, _ arguments: [String], environment: [String: String]
    ) -> String {
        // The new program inherits what is ignored or blocked (execve(2)).
        for number in [SIGPIPE, SIGXFSZ, SIGINT, SIGTERM] { signal(number, SIG_DFL) }
        var none = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, nil)
        var words = ([path] + arguments).map { strdup($0) } + [nil]
        var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        execve(path, &words, &variables)
        return String(cString: strerror(errno))
    }
}
