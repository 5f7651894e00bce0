import CommandLine
import Foundation
import Phrases
import Terminal
import Testing

@testable import HostCommands

struct HelpTopicTests {
    @Test(arguments: HelpTopic.all.map(\.name))
    func `every help topic is printed in both languages`(name: String) async {
        for language in ["en", "ko"] {
            let result = await run(["help", name, "--lang", language])
            #expect(result.code == 0)
            #expect(result.out.hasPrefix("qring help \(name): "))
        }
    }

    @Test func `the topic exit-codes explains every exit code`() async {
        let text = await run(["help", "exit-codes"]).out
        for code in ExitCode.allCases { #expect(text.contains("\n  \(code.rawValue) ")) }
    }

    @Test func `the topic environment explains every environment variable that the sources read`() throws {
        let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../Sources/HostCommands"
        ).standardized
        let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
            .compactMap { $0 as? URL }
        let topic = HelpTopic.environment.text(in: .english, width: nil)
        var found = 0
        for file in files where file.pathExtension == "swift" {
            for match in try String(contentsOf: file, encoding: .utf8).matches(
                of: #/environment\["([A-Z_]+)"/#)
            {
                found += 1
                #expect(topic.contains(match.1), "\(match.1)")
            }
        }
        #expect(found > 4)
    }

    @Test func `every command is below exactly one heading, and no topic has a command's name`() {
        let entries = HelpSection.entries(of: HostCommands.commandSet()).flatMap(\.entries)
        #expect(entries.flatMap(\.commands).map(\.name).sorted() == HostCommands.all.map(\.name).sorted())
        #expect(Set(entries.map(\.name)).isDisjoint(with: HelpTopic.all.map(\.name)))
    }

    @Test(arguments: Language.forHosts)
    func `no prose line of any help text is wider than the terminal`(language: Language) {
        let pages =
            [HelpText.overview(HostCommands.commandSet(), in: language, width: 80)]
            + HostCommands.all.map { HelpText.page($0, in: language, width: 80) }
            + HelpTopic.all.map { $0.text(in: language, width: 80) }
        for line in pages.flatMap({ $0.split(separator: "\n") })
        where !line.contains("  qring ") && !line.contains("qring help") {
            #expect(DisplayWidth.of(String(line)) <= 80, "\(line)")
        }
    }

    @Test func `prose is wrapped between words, and its width is counted in columns`() {
        #expect(TextWrapping.lines("aaa bbb ccc", indent: 2, width: 24) == "  aaa bbb ccc\n")
        #expect(TextWrapping.lines("가나다라 마바사아 자차카타", indent: 0, width: 20) == "가나다라 마바사아\n자차카타\n")
        #expect(TextWrapping.lines("a b", indent: 2, width: nil) == "  a b\n")
    }
}
