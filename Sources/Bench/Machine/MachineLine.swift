internal import Foundation
internal import Glibc

/// What a figure was measured on: without it, it says nothing.
package struct MachineLine: Encodable, Sendable {
    package let cpu: String
    package let cores: Int
    package let kernel: String
    /// Of the folder with the database.
    package let fileSystem: String
    /// Of the libraries in this process.
    package let libraries: [String: String]
    package let optimized: Bool
    /// Over the last minute, before anything was started.
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

    /// The kind of the mount with the longest path above `folder`.
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

    /// This target imports none of these libraries; the program has them all, so that they can be asked by
    /// name.
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
