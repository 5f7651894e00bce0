internal import Foundation
internal import Glibc

/// Finds the port on which a process listens. The kernel is asked, because the server chooses its port itself
/// (port 0) and its log may be silent.
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

    /// Returns the port of a listening socket with an inode in `sockets`. `table` has the format of
    /// proc_pid_net(5): number, local address, remote address, state (0A: listening), …, and the inode in the
    /// tenth column.
    static func port(in table: String, of sockets: Set<String>) -> UInt16? {
        for line in table.split(separator: "\n").dropFirst() {
            let fields = line.split(separator: " ")
            guard fields.count > 9, fields[3] == "0A", sockets.contains(String(fields[9])) else { continue }
            return fields[1].split(separator: ":").last.flatMap { UInt16($0, radix: 16) }
        }
        return nil
    }
}
