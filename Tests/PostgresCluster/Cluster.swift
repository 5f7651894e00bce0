import Foundation
import Glibc
import Synchronization

@testable import PostgresJournal

/// A PostgreSQL server of the tests, on a unix socket in a temporary folder. All tests of the process share
/// it; each has a schema of its own. The server ends with the process, also if the process crashes: a shell
/// waits for the end of a pipe whose other end only this process holds.
package final class Cluster: Sendable {
    /// The one cluster of this process, which the first test starts.
    package static let shared = Result { try Cluster() }

    package typealias Schema = (name: String, settings: String)

    private let folder: String
    private let count = Atomic(0)
    /// The schemas with empty tables that no test uses.
    private let free = Mutex<[Schema]>([])
    private let guardPipe: Pipe

    private struct NotStarted: Error {
        let reason: String
    }

    /// The programs of Debian's packages. Other systems have them in PATH.
    private static let programs = "/usr/lib/postgresql/15/bin"

    /// Starts the server in `$1`, answers `ready`, and stops the server when standard input ends. `$2` is the
    /// folder of its programs, and `$3` the command that runs them as another user.
    private static let script = """
        set -eu
        cd "$1"
        [ ! -d "$2" ] || PATH="$2:$PATH"
        $3 initdb -D data -U qring -A trust -E UTF8 --locale=C --no-sync >setup.log 2>&1
        $3 postgres -D data -k "$1" -c listen_addresses= -c fsync=off -c max_connections=1000 \
            -c track_commit_timestamp=on \
            -c shared_buffers=64MB -c unix_socket_permissions=0777 >server.log 2>&1 </dev/null &
        server=$!
        trap 'kill -INT $server; wait $server || true; cd /; rm -rf "$1"' EXIT
        until pg_isready -q -h "$1"; do kill -0 $server; sleep 0.1; done
        echo ready
        read -r _ || true
        """

    private init() throws {
        // The path of a socket has at most 107 bytes.
        let path = FileManager.default.temporaryDirectory.appending(path: "qring-pg-XXXXXX").path
        var template = Array(path.utf8CString)
        guard mkdtemp(&template) != nil else { throw NotStarted(reason: "no folder: errno \(errno)") }
        folder = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
        let process = Process()
        var user = ""
        if getuid() == 0 {
            // PostgreSQL refuses to run as root. Debian's package makes this user.
            guard let found = getpwnam("postgres") else { throw NotStarted(reason: "no user postgres") }
            guard chown(folder, found.pointee.pw_uid, found.pointee.pw_gid) == 0 else {
                throw NotStarted(reason: "chown: errno \(errno)")
            }
            user = "setpriv --reuid=postgres --regid=postgres --init-groups --"
        }
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["sh", "-c", Self.script, "sh", folder, Self.programs, user]
        guardPipe = Pipe()
        let output = Pipe()
        process.standardInput = guardPipe
        process.standardOutput = output
        try process.run()
        guard output.fileHandleForReading.availableData.starts(with: Array("ready".utf8)) else {
            let logs = ["setup.log", "server.log"].map {
                (try? String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8)) ?? ""
            }
            throw NotStarted(reason: logs.joined(separator: "\n"))
        }
    }

    package var settings: String { "host=\(folder) user=qring dbname=postgres" }

    /// Makes an empty schema. Returns its name, and the settings of connections that use it.
    package func makeSchema() throws -> Schema {
        let name = "test\(count.add(1, ordering: .relaxed).newValue)"
        try execute("CREATE SCHEMA \(name)")
        return (name, "\(settings) options='-c search_path=\(name)'")
    }

    /// Returns a schema that is empty, or whose tables are. Tests use these schemas one after the other,
    /// because it takes longer to create tables than to run most tests.
    package func borrowSchema() throws -> Schema { try free.withLock { $0.popLast() } ?? makeSchema() }

    /// Deletes the rows of a schema that no engine uses any more, and leaves it to other tests.
    package func returnSchema(_ schema: Schema) throws {
        try execute(
            """
            BEGIN;
            -- Any order, although rows refer to others.
            SET LOCAL session_replication_role = replica;
            DO $$
            DECLARE name text;
            BEGIN
                FOR name IN SELECT tablename FROM pg_tables
                    WHERE schemaname = '\(schema.name)' AND tablename <> 'meta' LOOP
                    EXECUTE format('DELETE FROM \(schema.name).%I', name);
                END LOOP;
            END $$;
            DELETE FROM \(schema.name).meta WHERE key NOT IN ('qring schema', 'epoch');
            COMMIT;
            """)
        free.withLock { $0.append(schema) }
    }

    /// Runs statements as the server's owner.
    package func execute(_ text: String) throws {
        let connection = try Connection(settings: settings, for: .vacuuming)
        defer { connection.close() }
        try connection.execute(text, "test")
    }
}
