internal import Foundation
internal import Glibc
internal import HostCommands

/// The machine on which figures were measured. Figures mean nothing without it.
package struct MachineLine: Encodable, Sendable {
    package let cpu: String
    package let cores: Int
    package let kernel: String
    /// The file system of the folder with the database.
    package let fileSystem: String
    /// The versions of the libraries in the server.
    package let libraries: [String: String]
    package let optimized: Bool
    /// The average load of the last minute, before the benchmark started anything.
    package let loadAverage: Double

    package init(folder: String) throws(BenchError) {
        let model = Self.lines(of: "/proc/cpuinfo").first { $0.hasPrefix("model name") }
        cpu = model?.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) } ?? "unknown"
        cores = max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN)))
        kernel = Self.lines(of: "/proc/sys/kernel/osrelease").first ?? "unknown"
        fileSystem = Self.fileSystem(of: folder, mounts: Self.lines(of: "/proc/self/mounts"))
        let server = try ServerProgram.description()
        (libraries, optimized) = (server.libraries, server.optimized)
        var averages = [0.0, 0.0, 0.0]
        loadAverage = getloadavg(&averages, 3) > 0 ? Figures.rounded(averages[0], to: 2) : 0
    }

    package var text: String {
        // The libraries on which the figures depend.
        let versions = ["SQLite", "libmicrohttpd", "libwebsockets"].compactMap { name in
            libraries[name].map { "\(name) \($0)" }
        }.joined(separator: ", ")
        return
            "\(cpu), \(cores) cores, Linux \(kernel), \(fileSystem), \(versions), "
            + "\(optimized ? "release" : "debug") build, "
            + "load \(Figures.text(loadAverage, 2))"
    }

    /// Returns the type of the file system that contains `folder`: the mount whose path is the longest.
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
}
