import Foundation
import HostCommands

/// The program `qring`, which is in the folder of this program.
enum ServerProgram {
    /// - Throws: `.server` if there is no such program.
    static func path() throws(BenchError) -> String {
        let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let path = URL(filePath: own ?? "/").deletingLastPathComponent().appending(path: "qring").path
        guard FileManager.default.isExecutableFile(atPath: path) else {
            throw .server("\(path): \(String(cString: strerror(ENOENT)))")
        }
        return path
    }

    /// Returns what the program says of itself.
    /// - Throws: `.server` if it does not answer.
    static func description() throws(BenchError) -> ProgramDescription {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(filePath: try path())
        process.arguments = ["version", "--json"]
        process.standardOutput = output
        do {
            try process.run()
            let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            return try JSONDecoder().decode(ProgramDescription.self, from: bytes)
        } catch { throw .server(error.localizedDescription) }
    }
}
