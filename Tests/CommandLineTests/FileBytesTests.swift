import Foundation
import Testing

@testable import CommandLine

struct FileBytesTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "qring-\(UUID().uuidString)")
        .path

    @Test(arguments: [0, 1, 65_536, 200_001])
    func `reading a file returns exactly the bytes of the last write`(count: Int) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        try FileBytes.write([UInt8](repeating: 7, count: 300_000), to: "\(folder)/file")
        try FileBytes.write(bytes, to: "\(folder)/file")
        #expect(try FileBytes.read("\(folder)/file") == bytes)
    }

    @Test func `a failure to read or write a file gives the system's reason`() {
        for (path, reason) in [("/nonexistent/x.png", "No such file or directory"), ("/", "Is a directory")] {
            let unwritten = #expect(throws: FileFailure.self) { try FileBytes.write([1], to: path) }
            #expect(unwritten?.reason == reason)
            let unread = #expect(throws: FileFailure.self) { try FileBytes.read(path) }
            #expect(unread?.reason == reason)
        }
    }
}
