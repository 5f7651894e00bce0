internal import Foundation
internal import Glibc

/// The description of the machine on which the figures were measured. Figures cannot be compared without it.
package struct MachineLine: Encodable, Sendable {
    package let cpu: String
    package let cores: Int
    package let kernel: String
    /// The file system of the folder that contains the database.
    package let fileSystem: String
    /// The versions of the libraries in this process.
    package let libraries: [String: String]
    package let optimized: Bool
    /// The load average of the last minute before the benchmark started.
    package let loadAverage: Double

    package init(folder: String) {
        let model = Self.lines(of: "/proc/cpuinfo").first { $0.hasPrefix("model name") }
        cpu = model?.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) } ?? "unknown"
        cores = max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN)))
        kernel = Self.lines(of: "/proc/sys/kernel/osrelease").first ?? "unknown"
        fileSystem = Self.fileSystem(of: folder, mounts: Self.lines(of: "/proc/self/mounts"))
        libraries = Self.libraryVersions()
        #if DEBUG
        optimized = false
        #else
        optimized = true
        #endif
        var averages = [0.0, 0.0, 0.0]
        loadAverage = getloadavg(&averages, 3) > 0 ? Figures.rounded(averages[0], to: 2) : 0
    }

    package var text: String {
        let versions = libraries.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(
            separator: ", ")
        return
            "\(cpu), \(cores) cores, Linux \(kernel), \(fileSystem), \(versions), "
            + "\(optimized ? "release" : "debug") build, "
            + "load \(Figures.text(loadAverage, 2))"
    }

    /// Returns the file system type of the mount whose path is the longest prefix of `folder`.
    static func fileSystem(of folder: String, mounts: [String]) -> String {
        var best: (path: String, kind: String) = ("", "unknown")
        for mount in mounts {
            let fields = mount.split(separator: " ").map(String.init)
            guard fields.count > 2, fields[1].count >= best.path.count else { continue }
            let path = fields[1] == "/" ? "/" : fields[1] + "/"
            if (folder + "/").hasPrefix(path) { best = (fields[1], fields[2]) }
        }
        return best.kind
    }

    private static func lines(of path: String) -> [String] {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return [] }
        return text.split(separator: "\n").map(String.init)
    }

    /// Returns the versions of the libraries. This target does not import the libraries, but the program
    /// links them, so their version functions can be found by name.
    private static func libraryVersions() -> [String: String] {
        typealias Version = @convention(c) () -> UnsafePointer<CChar>?
        var versions: [String: String] = [:]
        for (library, function) in [
            ("SQLite", "sqlite3_libversion"), ("libmicrohttpd", "MHD_get_version"),
            ("libwebsockets", "lws_get_library_version"),
        ] {
            guard let address = dlsym(nil, function), let text = unsafeBitCast(address, to: Version.self)()
            else { continue }
            versions[library] = String(cString: text).split(separator: "-").first.map(String.init)
        }
        return versions
    }
}
