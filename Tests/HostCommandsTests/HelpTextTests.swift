import CommandLine
import Phrases
import Testing

@testable import HostCommands

struct HelpTextTests {
    private static let sample = CommandDeclaration(
        "tea make", Phrase("make tea"),
        examples: [.init("tea make green --cups 2", Phrase("for two"))],
        positionals: [
            .init("KIND", Phrase("which")), .init("POT", Phrase("where"), required: false),
        ],
        options: [
            .value("cups", "N", Phrase("how many")),
            .oneOf("sweetened-with", ["sugar", "honey", "nothing"], Phrase("taste")),
        ], notes: Phrase("Best served hot."),
        run: { (_) async throws(CommandFailure) in .success })

    @Test func `a help page shows the examples before the usage`() {
        #expect(
            HelpText.page(Self.sample, in: .english) == """
                qring tea make: make tea

                Examples:
                  qring tea make green --cups 2
                      for two

                Usage: qring tea make KIND [POT] [options]

                  KIND  which
                  POT   where

                  --cups N                    how many
                  --sweetened-with sugar|honey|nothing
                                              taste
                  --server URL                the server (default: QRING_SERVER, or else the server of the \
                last login)
                  --context CONTEXT           the saved server with this name (qring context list)
                  --lang en|ko                language (default: QRING_LANG)
                  --no-input                  ask no questions
                  --help                      show examples and options

                Best served hot.

                """)
    }

    @Test func `a help page is available in Korean`() {
        let page = HelpText.page(Self.sample, in: .korean)
        // The texts of the sample have no translation, so they stay English.
        #expect(
            page.hasPrefix("qring tea make: make tea\n\n예:\n  qring tea make green --cups 2\n      for two\n")
        )
    }

    @Test(arguments: HostCommands.all.map(\.name))
    func `every command has examples, and its examples are valid command lines`(name: String) throws {
        let command = try #require(HostCommands.all.first { $0.name == name })
        #expect(!command.examples.isEmpty)
        for example in command.examples {
            guard
                case .command(let found, let rest) = try HostCommands.commandSet().find(
                    words(example.line))
            else {
                Issue.record("\(example.line) is no command")
                continue
            }
            #expect(found.name == name)
            _ = try Arguments(rest, for: found)
        }
    }

    @Test func `command summaries begin with a small letter and are not complete sentences`() {
        for summary in HostCommands.all.map(\.summary) {
            #expect(summary.english.first?.isLowercase == true, "\(summary.english)")
            #expect(
                !summary.english.hasSuffix(".") && !summary.text(in: .korean).hasSuffix("다")
                    && !summary.text(in: .korean).hasSuffix("."))
        }
    }

    @Test func `a command that is itself a server has no server option`() {
        let serve = CommandDeclaration("serve", Phrase("serve"), hasServer: false) {
            (_) async throws(CommandFailure) in .success
        }
        #expect(!HelpText.page(serve, in: .english).contains("--server"))
        #expect(throws: UsageError.self) { try Arguments(["--server", "http://127.0.0.1:1"], for: serve) }
    }

    @Test func `no help page contains an unfilled placeholder`() {
        for language in Language.forHosts {
            let pages =
                HostCommands.all.map { HelpText.page($0, in: language) }
            for page in pages { #expect(values(of: page).isEmpty, "\(page)") }
            #expect(values(of: HelpText.overview(HostCommands.commandSet(), in: language)).isEmpty)
        }
    }

    @Test func `every phrase of a command has both languages with the same placeholders`() {
        for command in HostCommands.all {
            let phrases =
                [command.summary] + command.examples.map(\.meaning) + command.positionals.map(\.meaning)
                + command.allOptions.map(\.meaning)
            for phrase in phrases {
                #expect(!phrase.english.isEmpty && !phrase.text(in: .korean).isEmpty)
                #expect(values(of: phrase.english) == values(of: phrase.text(in: .korean)))
            }
        }
    }

    @Test func `no command has an option twice, and no two commands have the same name`() {
        for command in HostCommands.all {
            #expect(Set(command.allOptions.map(\.name)).count == command.allOptions.count, "\(command.name)")
        }
        #expect(Set(HostCommands.all.map(\.name)).count == HostCommands.all.count)
    }

    /// Returns the names of a text's placeholders. Braces in a JSON example are not placeholders.
    private func values(of text: String) -> Set<String> {
        Set(Phrase.placeholders(in: text).filter { $0.allSatisfy(\.isLetter) })
    }

    /// Splits a line into words as a shell does: double quotes join words, and a redirection is removed.
    private func words(_ line: String) -> [String] {
        let line = line.split(separator: " > ")[0]
        return line.split(separator: "\"", omittingEmptySubsequences: false).enumerated().flatMap {
            index, part in
            index % 2 == 1 ? [String(part)] : part.split(separator: " ").map(String.init)
        }
    }
}
