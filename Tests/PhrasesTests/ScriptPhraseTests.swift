import Foundation
import Phrases
import Testing

/// Compares the catalogues of phrases with the names that the scripts in `Public` use.
struct ScriptPhraseTests {
    /// The names of phrases that a set of scripts uses.
    struct Lookups {
        /// The names that a call contains as strings, for example in `t("save")`, and both names in
        /// `t(isOpen ? "close" : "open")`.
        var names: Set<String> = []
        /// The beginnings of composed names, for example `count_` in `` t(`count_${status}`) ``.
        var beginnings: Set<String> = []
        /// All strings in these scripts, because a script can pass a name from a list to the call.
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

    @Test func `the host's scripts use every name of the host's catalogue and no other name`() throws {
        let shared = ["tallies.js", "countdown.js"].map { "\(Self.root)/Public/\($0)" }
        let asked = try Lookups(in: scripts("Public/host") + shared)
        #expect(asked.names.count > 150)
        #expect(asked.names.subtracting(Phrase.Host.all.keys) == [])
        #expect(Phrase.Host.all.keys.filter { !asked.uses($0) } == [])
    }

    @Test func `the scripts of the door use every name of its catalogue and no other name`() throws {
        let asked = try Lookups(in: scripts("Public").filter(Self.isOfDoor))
        let status = Set(Phrase.Record.statuses.keys.map { "status_\($0)" })
        #expect(asked.names.subtracting(Phrase.Host.door.keys) == [])
        // The shell of the page has the title.
        #expect(
            Set(Phrase.Host.door.keys.filter { !asked.uses($0) }).subtracting(status) == ["title"])
    }

    @Test func `the scripts of the kiosk use every name of its catalogue and no other name`() throws {
        let asked = try Lookups(in: scripts("Public").filter(Self.isOfKiosk))
        #expect(asked.names.subtracting(Phrase.Page.kiosk.keys) == [])
        #expect(Phrase.Page.kiosk.keys.filter { !asked.uses($0) } == [])
    }

    private static func isOfDoor(_ path: String) -> Bool { path.contains("/door") }
    private static func isOfKiosk(_ path: String) -> Bool {
        path.contains("/kiosk") || path.contains("/door-parts")
    }

    @Test func `the other scripts use every name of the pages' catalogue and no other name`() throws {
        let asked = try Lookups(in: scripts("Public").filter { !Self.isOfDoor($0) && !Self.isOfKiosk($0) })
        #expect(asked.names.count > 30)
        #expect(asked.names.subtracting(Self.pages.keys) == [])
        #expect(Self.pages.keys.filter { !asked.uses($0) } == [])
    }

    @Test(arguments: [Phrase.Host.all, Phrase.Page.kiosk, pages])
    func `a script's phrase has the same placeholders in both languages`(catalogue: [String: Phrase]) {
        for (name, phrase) in catalogue {
            #expect(
                Set(Phrase.placeholders(in: phrase.english))
                    == Set(Phrase.placeholders(in: phrase.text(in: .korean))),
                "\(name)")
        }
    }

    @Test func `an English text has no Hangul, and a Korean text has Hangul`() {
        let others = Phrase.Host.all.merging(Self.pages) { host, _ in host }.filter { _, phrase in
            phrase.english.contains(where: Self.isHangul)
                || !phrase.text(in: .korean).contains(where: Self.isHangul)
        }
        // `otherLanguage` names the other language in that language, and `range` has only placeholders.
        #expect(Set(others.keys) == ["otherLanguage", "range"])
    }

    /// The Korean terms are 출석 for attendance, 공결 for excused, and 참석자 for an attendee.
    @Test func `each attendance status has the same Korean term in all texts`() throws {
        let texts = try String(contentsOfFile: "\(Self.root)/Languages/ko.po", encoding: .utf8)
            // A long text has several lines.
            .replacing("\"\n\"", with: "")
        #expect(!texts.contains(#/참석(?!자)|사유 결석|"사유"|명단 외/#))
    }

    /// Returns the paths of a folder's scripts.
    private func scripts(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "\(Self.root)/\(folder)")
            .filter { $0.hasSuffix(".js") }.map { "\(Self.root)/\(folder)/\($0)" }
    }
}
