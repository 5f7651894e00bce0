import Foundation
import Testing

/// Walks the table of counters in docs/threat-model.md: each limit in the source has a row or an entry, and
/// each row names limits that exist, and tests that exist.
@Suite struct SharedCounterTests {
    /// The targets whose limits count what clients do. The engines only repeat limits of the journal.
    private static let targets = [
        "Server", "FrontDoor", "HTTPServer", "WebSockets", "SocketIO", "Secrets", "Journal", "Meetings",
    ]
    /// The declaration of a limit: by its name, or by its type in `FailureLimits` and `Delays`.
    private static let declaration = #"""
        (?:static let|package var|package let)\s+(NAME)\b[^=\n{(]*=|\b(NAME): Int = [\d_]+|\#
        static let (\w+)(?:: \w+)? = (?:Limit|Rule)\(|var (most[A-Z]\w*): Int \{
        """#.replacing(
            "NAME",
            with: #"(?:most[A-Z]\w*|most|\w*Limit|\w+PerAddress|\w+Burst|\w+PerSecond|\w*Bound|\w+Share)"#)

    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static func files(below folder: String) throws -> [URL] {
        let names = FileManager.default.enumerator(atPath: root.appending(path: folder).path)
        return (names?.allObjects as? [String] ?? []).filter { $0.hasSuffix(".swift") }.map {
            root.appending(path: "\(folder)/\($0)")
        }
    }

    /// The parts of `text` in which the expression has matched its groups.
    private static func matches(of expression: String, in text: String) throws -> [String] {
        let all = NSRange(text.startIndex..., in: text)
        return try NSRegularExpression(pattern: expression).matches(in: text, range: all).compactMap {
            match in
            (1..<match.numberOfRanges).lazy.compactMap { Range(match.range(at: $0), in: text) }.first.map {
                String(text[$0])
            }
        }
    }

    /// The limits in the source, each as the name of its file and its own.
    private static func declared() throws -> Set<String> {
        var found: Set<String> = []
        for file in try targets.flatMap({ try files(below: "Sources/\($0)") })
        where !file.path.contains("/Client/") {
            let text = try String(contentsOf: file, encoding: .utf8)
            for name in try matches(of: declaration, in: text) {
                found.insert("\(file.deletingPathExtension().lastPathComponent).\(name)")
            }
        }
        return found
    }

    private struct Section {
        var rows: [[String]] = []
        var listed: Set<String> = []

        init() throws {
            let path = SharedCounterTests.root.appending(path: "docs/threat-model.md")
            let text = try String(contentsOf: path, encoding: .utf8)
            let section = text.components(separatedBy: "## Counters that people share\n")[1]
                .components(separatedBy: "\n## ")[0]
            for line in section.split(separator: "\n") {
                guard line.hasPrefix("| ") else {
                    if line.hasPrefix("`") { listed.formUnion(try SharedCounterTests.names(String(line))) }
                    continue
                }
                let cells = line.dropFirst().dropLast().components(separatedBy: "|")
                rows.append(cells.map { $0.trimmingCharacters(in: .whitespaces) })
            }
            rows.removeFirst()
        }
    }

    private static func names(_ text: String) throws -> Set<String> {
        Set(try matches(of: #"`([\w+]+\.\w+)`"#, in: text))
    }

    @Test
    func `each limit in the source has a row or an entry in the threat model, and each of those a limit`()
        throws
    {
        let (declared, section) = (try Self.declared(), try Section())
        let inTable = Set(try section.rows.flatMap { try Self.names($0[0]) })
        #expect(declared.count > 100 && inTable.count > 50)
        let missing = declared.subtracting(inTable).subtracting(section.listed).sorted()
        #expect(missing.isEmpty, "no row or entry in docs/threat-model.md")
        let gone = inTable.union(section.listed).subtracting(declared).sorted()
        #expect(gone.isEmpty, "not in the source any more")
        #expect(inTable.isDisjoint(with: section.listed))
    }

    @Test func `each row says who raises the counter, who suffers and why, and its test exists`() throws {
        let tests = try Self.files(below: "Tests").map { try String(contentsOf: $0, encoding: .utf8) }
            .joined()
        for row in try Section().rows {
            #expect(row.count == 6 && row.dropLast().allSatisfy { !$0.isEmpty && $0 != "–" }, "\(row)")
            guard let test = row.last, test != "–" else { continue }
            let isThere = tests.contains("func `\(test)`") || tests.contains("CommandRule(\"\(test)\")")
            #expect(isThere, "\(test)")
        }
    }
}
