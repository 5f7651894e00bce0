import Foundation
import Phrases
import Testing

/// The catalogues that scripts ask by name, compared with the scripts in `Public`.
struct ScriptPhraseTests {
    /// The names with which a folder's scripts ask for texts.
    struct Lookups {
        /// Names that are written out: `t("save")`, also both of `t(isOpen ? "close" : "open")`.
        var names: Set<String> = []
        /// The beginnings of composed names: `count_` of `` t(`count_${status}`) ``.
        var beginnings: Set<String> = []
        /// Every string in these scripts, because some names reach the call through a list.
        var strings: Set<String> = []

        init(in files: [String]) throws {
            for file in files {
                let script = try String(contentsOfFile: file, encoding: .utf8)
                strings.formUnion(script.matches(of: #/"(\w+)"/#).map { String($0.1) })
                beginnings.formUnion(script.matches(of: #/`(\w+_)\$\{/#).map { String($0.1) })
                for call in script.matches(of: #/\bt\(/#) {
                    let argument = Self.firstArgument(of: script[call.range.upperBound...])
                        .replacing(#/`[^`]*`|[!=]==\s*"\w*"/#, with: "")
                    names.formUnion(argument.matches(of: #/"(\w+)"/#).map { String($0.1) })
                }
            }
        }

        private static func firstArgument(of text: Substring) -> Substring {
            var depth = 0
            for index in text.indices {
                switch text[index] {
                case "(", "[", "{": depth += 1
                case ",", ")":
                    if depth == 0 { return text[..<index] }
                    if text[index] == ")" { depth -= 1 }
                case "]", "}": depth -= 1
                default: break
                }
            }
            return text
        }

        func uses(_ name: String) -> Bool {
            strings.contains(name) || beginnings.contains { name.hasPrefix($0) }
        }
    }

    static let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL.path()
    static let pages = PageWords.own.merging(PageWords.projector) { own, _ in own }
    static func isHangul(_ character: Character) -> Bool { ("가"..."힣").contains(character) }

    @Test func `the host's scripts ask for every name of their catalogue, and for no other`() throws {
        let asked = try Lookups(in: scripts("Public/host") + ["\(Self.root)/Public/tallies.js"])
        #expect(asked.names.count > 150)
        #expect(asked.names.subtracting(Phrase.Host.all.keys) == [])
        #expect(Phrase.Host.all.keys.filter { !asked.uses($0) } == [])
    }

    @Test func `the other scripts ask for every name of their catalogue, and for no other`() throws {
        let asked = try Lookups(in: scripts("Public"))
        #expect(asked.names.count > 30)
        #expect(asked.names.subtracting(Self.pages.keys) == [])
        #expect(Self.pages.keys.filter { !asked.uses($0) } == [])
    }

    @Test(arguments: [Phrase.Host.all, pages])
    func `a text has the same values in both languages`(catalogue: [String: Phrase]) {
        for (name, phrase) in catalogue {
            #expect(
                Set(Phrase.placeholders(in: phrase.english)) == Set(Phrase.placeholders(in: phrase.korean)),
                "\(name)")
        }
    }

    @Test func `a text is English in English and Korean in Korean`() {
        let others = Phrase.Host.all.merging(Self.pages) { host, _ in host }.filter { _, phrase in
            phrase.english.contains(where: Self.isHangul) || !phrase.korean.contains(where: Self.isHangul)
        }
        // The name of the other language is written in that language; the others have values only.
        #expect(Set(others.keys) == ["otherLanguage", "range"])
    }

    @Test func `a sentence has one Korean text in every catalogue`() throws {
        var texts: [String: Set<String>] = [:]
        for catalogue in try catalogues() {
            let joined = catalogue.replacing(#/"\s*\+ "/#, with: "")
            let sentence = #/Phrase\(\s*"((?:[^"\\]|\\.)*\.)",\s*"((?:[^"\\]|\\.)*)"\s*\)/#
            for match in joined.matches(of: sentence) {
                texts[String(match.1), default: []].insert(String(match.2))
            }
        }
        #expect(texts.count > 100)
        #expect(texts.filter { $0.value.count > 1 } == [:])
    }

    /// Attendance is 출석 and excused is 공결; 참석자 is an attendee.
    @Test func `one Korean word says each status in every catalogue`() throws {
        for catalogue in try catalogues() {
            #expect(!catalogue.contains(#/참석(?!자)|사유 결석|"사유"|명단 외/#))
        }
    }

    /// The paths of a folder's scripts.
    private func scripts(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "\(Self.root)/\(folder)")
            .filter { $0.hasSuffix(".js") }.map { "\(Self.root)/\(folder)/\($0)" }
    }

    /// The text of every Swift file that may have phrases.
    private func catalogues() throws -> [String] {
        try ["Sources/Phrases", "Sources/Wire", "Sources/Server"].flatMap { folder in
            let paths = FileManager.default.enumerator(atPath: "\(Self.root)/\(folder)")
            return try (paths?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(".swift") }
                .map { try String(contentsOfFile: "\(Self.root)/\(folder)/\($0)", encoding: .utf8) }
        }
    }
}
