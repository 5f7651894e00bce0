import Foundation
import Seeds
import Testing

@testable import ZoneDatabase

struct ZoneRulesTests {
    @Test func `each zone shows the same times as in the C library, from 1930 to 2130`() throws {
        let names = ZoneRules.names().sorted()
        #expect(names.count > 400)
        // A step of 159 days, so that all seasons come.
        let moments = (0..<460).map { Int64(-1_262_304_000) + Int64($0) * 172 * 79_999 }
        for name in names {
            let rules = try #require(ZoneRules.named(name), "\(name)")
            let read = moments.map { moment in
                let time = rules.localTime(at: moment)
                return "\(moment) \(time.offset) \(time.abbreviation)"
            }
            #expect(read == (try timesOfTheCLibrary(in: name, at: moments)), "\(name)")
        }
    }

    /// Calls date(1), because the C library has only one zone in each process.
    private func timesOfTheCLibrary(in zone: String, at moments: [Int64]) throws -> [String] {
        let (process, input, output) = (Process(), Pipe(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/date")
        process.arguments = ["--file=-", "+%s %::z %Z"]
        process.environment = ["TZ": zone, "LC_ALL": "C"]
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        // The whole input fits into the pipe, so that nobody waits for the other.
        input.fileHandleForWriting.write(Data(moments.map { "@\($0)\n" }.joined().utf8))
        input.fileHandleForWriting.closeFile()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return try text.split(separator: "\n").map { line in
            let words = line.split(separator: " ")
            let parts = try words[1].dropFirst().split(separator: ":").map { try #require(Int($0)) }
            let seconds = parts[0] * 3600 + parts[1] * 60 + parts[2]
            return "\(words[0]) \(words[1].first == "-" ? -seconds : seconds) \(words[2])"
        }
    }

    @Test(arguments: [
        "Asia//Seoul", "Asia/Seoul/", "posix/Asia/Seoul", "right/Asia/Seoul", "", "/etc/passwd",
        "../../../etc/passwd", "Asia/../../secret", "Asia", "Asia/Soul", "tzdata.zi",
    ])
    func `a name that is no zone has no rules`(_ name: String) {
        #expect(ZoneRules.named(name) == nil)
    }

    @Test func `UTC needs no file`() {
        #expect(
            ZoneRules.utc.localTime(at: 0)
                == LocalTime(offset: 0, isDaylight: false, abbreviation: "UTC"))
    }

    @Test func `each shortened file is refused, and each changed file is read or refused`() throws {
        let file = try [UInt8](Data(contentsOf: URL(filePath: "/usr/share/zoneinfo/Europe/Dublin")))
        // Without its last line end, a file still has its whole rule.
        for count in 0..<(file.count - 1) where count % 7 == 0 {
            let shortened = ZoneRules(file: Array(file[..<count]))
            // A rule that lost its end can be another rule.
            #expect(shortened == nil || count > file.count - 30)
        }
        var generator = SeededNumbers(seed: 20_261_129)
        for _ in 0..<3000 {
            var changed = file
            for _ in 0..<4 {
                changed[Int.random(in: 0..<changed.count, using: &generator)] =
                    .random(in: 0...255, using: &generator)
            }
            for moment in [Int64.min / 4, 0, 4_000_000_000, Int64(1) << 40] {
                _ = ZoneRules(file: changed)?.localTime(at: moment)
            }
        }
    }
}
