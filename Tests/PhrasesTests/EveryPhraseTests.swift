import Foundation
import Phrases
import Testing

/// Checks the phrases of all targets. The test reads the source files, because each command has its phrases
/// beside its code, and no target imports all of them.
struct EveryPhraseTests {
    struct Found: Sendable, CustomTestStringConvertible {
        let file: String
        let english: String
        let korean: String

        var testDescription: String { "\(file): \(english)" }
    }

    static let all: [Found] = {
        let sources = URL(filePath: #filePath).appending(path: "../../../Sources").standardized
        let files =
            FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)?
            .compactMap { $0 as? URL } ?? []
        return files.filter { $0.pathExtension == "swift" }.flatMap { file -> [Found] in
            guard let text = try? String(contentsOf: file, encoding: .utf8) else { return [] }
            return phrases(in: text).map {
                Found(file: file.lastPathComponent, english: $0.english, korean: $0.korean)
            }
        }
    }()

    /// Returns both texts of each `Phrase("…", "…")` in a source text. Strings that `+` joins are one text.
    private static func phrases(in text: String) -> [(english: String, korean: String)] {
        text.matches(
            of: #/Phrase\(\s*((?:"(?:\\.|[^"\\])*"[\s+]*)+),\s*((?:"(?:\\.|[^"\\])*"[\s+]*)+)\)/#
        ).map { (joined($0.1), joined($0.2)) }
    }

    private static func joined(_ literals: Substring) -> String {
        literals.matches(of: #/"((?:\\.|[^"\\])*)"/#).map { String($0.1) }.joined()
    }

    @Test func `the scan of the sources finds the phrases of pages, commands and the program`() {
        #expect(Self.all.count > 500)
        let files = Set(Self.all.map(\.file))
        #expect(files.isSuperset(of: ["ServeCommand.swift", "SessionLayout.swift", "CommandFailure.swift"]))
    }

    @Test func `every phrase has both languages, with the same placeholders`() {
        for phrase in Self.all {
            #expect(!phrase.english.isEmpty && !phrase.korean.isEmpty, "\(phrase.testDescription)")
            #expect(values(of: phrase.english) == values(of: phrase.korean), "\(phrase.testDescription)")
        }
    }

    /// Returns the names of a text's placeholders. Braces in a JSON example are not placeholders.
    private func values(of text: String) -> Set<String> {
        Set(Phrase.placeholders(in: text).filter { !$0.isEmpty && $0.allSatisfy(\.isLetter) })
    }
}
