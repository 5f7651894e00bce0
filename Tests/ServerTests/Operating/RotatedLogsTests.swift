import Foundation
import Meetings
import Testing

@testable import Server

@Suite struct RotatedLogsTests {
    @Test(
        arguments: [
            (".1", true), ("-20261122", true), (".2026-11-22.gz", true), (".12.zst", true), ("", false),
            (".", false), (".old", false), (".1.txt", false), ("x.1", false), (".gz", false),
        ])
    func `only numbers and dates are endings of a rotation`(_ ending: String, _ isOne: Bool) {
        #expect(RotatedLogs.isRotation(ending[...]) == isOne)
    }

    @Test func `only rotated files of this log that are old enough are deleted`() async throws {
        try await Site.inFolder { folder in
            let files = FileManager.default
            try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let old = Date(timeIntervalSince1970: 1_000_000)
            for name in ["a.log", "a.log.1", "a.log.2.gz", "a.log.note", "b.log.1", "a.log.3"] {
                try Data([1]).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
                if name != "a.log.3" {
                    try files.setAttributes([.modificationDate: old], ofItemAtPath: "\(folder)/\(name)")
                }
            }
            RotatedLogs(of: "\(folder)/a.log").delete(
                writtenBefore: Instant(milliseconds: 2_000_000_000))
            #expect(
                try files.contentsOfDirectory(atPath: folder).sorted() == [
                    "a.log", "a.log.3", "a.log.note", "b.log.1",
                ])
        }
    }
}
