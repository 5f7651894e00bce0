import CommandLine
import Foundation
import Phrases
import Testing

@testable import HostCommands

struct CompleterTests {
    private let completer = Completer(HostCommands.commandSet(), in: .english)

    private func words(_ line: String...) -> [String]? {
        let answer = completer.answer(line)
        guard case .words(let found) = answer.wanted else { return nil }
        return found.map(\.word).filter { $0.hasPrefix(answer.typed) }.map { answer.lead + $0 }
    }

    @Test(arguments: HostCommands.all.map(\.name))
    func `the shell completes every command, its options and their choices as declared`(name: String) throws {
        let command = try #require(HostCommands.all.first { $0.name == name })
        for depth in command.path.indices {
            let before = Array(command.path[..<depth])
            // The first letter, because the beginning of a name can be a command of its own with values.
            let typed = String(command.path[depth].prefix(1))
            guard case .words(let next) = completer.answer(before + [typed]).wanted else {
                Issue.record("nothing behind \(before)")
                return
            }
            #expect(next.contains { $0.word == command.path[depth] })
        }
        let offered = completer.answer(command.path + ["--"])
        guard case .words(let options) = offered.wanted else {
            Issue.record("no options")
            return
        }
        #expect(options.map(\.word) == command.allOptions.map { "--\($0.name)" })
        #expect(options.allSatisfy { !$0.meaning.isEmpty })
        for option in command.allOptions {
            if case .oneOf(let choices) = option.kind {
                for words in [["--\(option.name)", ""], ["--\(option.name)="]] {
                    let answer = completer.answer(command.path + words)
                    #expect(answer.wanted == .words(choices.map { Completer.Candidate(word: $0) }))
                }
            }
        }
        for (index, positional) in command.positionals.enumerated() where name != "help" {
            let answer = completer.answer(command.path + Array(repeating: "x", count: index) + [""])
            switch positional.name {
            case "FILE": #expect(answer.wanted == .files)
            default:
                #expect(
                    answer.wanted
                        == (positional.choices.isEmpty
                            ? .values(of: positional.name)
                            : .words(positional.choices.map { .init(word: $0) })))
            }
        }
    }

    @Test func `JSON fields are completed one after the other, and no field is offered twice`() {
        #expect(words("session", "list", "--json", "i") == ["id", "identifyBy"])
        #expect(words("session", "list", "--json=id,i") == ["--json=id,identifyBy"])
        #expect(words("session", "list", "--json", "id,rou") == ["id,round"])
    }

    @Test func `an option on the line is offered again only if it may be repeated`() throws {
        let given = try #require(words("meeting", "create", "X", "--now", "--question", "a", "--"))
        #expect(!given.contains("--now") && given.contains("--question") && given.contains("--for"))
    }

    @Test func `after a list of fields or an option, the next argument or value is completed`() {
        #expect(completer.answer(["session", "show", "--json", "id", ""]).wanted == .values(of: "SESSION"))
        #expect(completer.answer(["--server", "http://x", "watch", ""]).wanted == .values(of: "SESSION"))
        #expect(completer.answer(["--server", ""]).wanted == .values(of: "URL"))
        #expect(completer.answer(["watch", "--until", ""]).wanted == .values(of: "GOAL"))
        #expect(completer.answer(["meeting", "create", "X", "--zone", ""]).wanted == .values(of: "ZONE"))
    }

    @Test func `the help command is completed with commands and topics`() {
        #expect(words("help", "e") == ["events", "environment", "exit-codes"])
        #expect(words("help", "meeting", "c") == ["create", "continue", "calendar"])
    }

    @Test(arguments: [
        ["nothing", ""], ["watch", "@", ""], ["watch", "--", "@", "--u"],
    ])
    func `the completer offers nothing if nothing can follow`(line: [String]) {
        #expect(completer.answer(line).wanted == .nothing)
    }

    @Test func `values that are known on this machine are offered without a server`() async {
        #expect(
            await run(["__complete", "zsh", "watch", "--until", ""]).out
                == ":nospace\nchecked-in=\nresponses=\nended\nopened\n")
        #expect(
            await run(["__complete", "zsh", "meeting", "create", "X", "--zone", "asia/se"]).out
                == ":anywhere\nAsia/Seoul\n")
        #expect(await run(["__complete", "zsh", "watch", "--timeout", ""]).out.isEmpty)
    }

    @Test(arguments: [
        [], ["tcsh", "x"], ["bash"], ["bash", ""], ["zsh", "watch", ""], ["fish", "meeting", "show", "0"],
    ])
    func `completion never prints an error, even for a wrong line`(line: [String]) async {
        let result = await run(["__complete"] + line)
        #expect(result.code == 0)
        #expect(result.err.isEmpty)
    }

    @Test func `the help does not show the commands that only shell completion uses`() async {
        #expect(!(await run(["help"]).out.contains("__")))
        #expect(await run(["completion", "tcsh"]).code == 2)
        for shell in ["bash", "zsh", "fish"] {
            #expect(await run(["completion", shell]).out.contains("__complete \(shell)"))
        }
    }

    @Test func `the dashboard completes names of files as a shell does`() throws {
        let folder = "/tmp/qring-files-\(UInt64.random(in: 0 ... .max))"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(
            atPath: folder + "/names", withIntermediateDirectories: true)
        for name in ["names.csv", "notes", ".names"] { try FileBytes.write([], to: "\(folder)/\(name)") }
        func found(_ typed: String, areFolders: Bool = false) -> [String] {
            Completer.files("\(folder)/\(typed)", areFolders: areFolders).map {
                String($0.word.dropFirst(folder.count + 1))
            }
        }
        #expect(found("na") == ["names.csv", "names/"])
        #expect(found("") == ["names.csv", "names/", "notes"])
        #expect(found(".n") == [".names"])
        #expect(found("n", areFolders: true) == ["names/"])
        #expect(found("names/").isEmpty && found("none/x").isEmpty)
    }
}
