import CommandLine
import Foundation
import Testing

@testable import HostCommands

/// Tests of `context` and `config`, which change only the settings file.
struct SettingsCommandTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "qring-\(UUID())").path

    private func qring(
        _ line: String, typed: [String]? = nil, environment: [String: String] = [:]
    ) async -> (code: Int32, out: String, err: String) {
        await run(
            line.split(separator: " ").map { $0 == "''" ? "" : String($0) },
            console: RecordingConsole(typed: typed),
            environment: ["XDG_CONFIG_HOME": folder, "QRING_SERVER": ""].merging(environment) { $1 })
    }

    @Test func `a server is saved, chosen, renamed and removed by its name`() async {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(await qring("context add work https://a.example").code == 0)
        #expect(await qring("context add home 127.0.0.1:1").code == 0)
        #expect(await qring("context use WORK").err.contains("Commands now use work (https://a.example)."))
        #expect(await qring("context list --jq .[].name").out == "work\nhome\n")
        #expect(await qring("context list --jq .[].current").out == "true\nfalse\n")
        let taken = await qring("context add home https://b.example")
        #expect(taken.code == 6 && taken.err.contains("home is already the name of http://127.0.0.1:1."))
        #expect(await qring("context rename work office").code == 0)
        let unknown = await qring("context use ofice")
        #expect(unknown.code == 5 && unknown.err.contains("Did you mean \"office\"?"))
        #expect(await qring("whoami --context nobody").code == 5)
        #expect(await qring("whoami --context home --server x").code == 2)
        #expect(await qring("whoami --context home").err.contains("http://127.0.0.1:1"))
        #expect(await qring("whoami", environment: ["QRING_CONTEXT": "home"]).err.contains("127.0.0.1:1"))
        #expect(await qring("context remove home").code == 0)
        #expect(await qring("context list --jq .[].name").out == "office\n")
        #expect(await qring("context add --no-input").err.contains("NAME is missing"))
        #expect(await qring("context add a http://x/y").code == 2)
    }

    @Test func `a setting is saved, shown and reset, and a bad value is refused with the good ones`() async {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(await qring("config get theme").out.isEmpty)
        #expect(await qring("config set theme light").code == 0)
        #expect(await qring("config get theme").out == "light\n")
        let wrong = await qring("config set theme ligth")
        #expect(
            wrong.code == 2
                && wrong.err.contains("theme must be one of standard, dark, light, contrast, terminal")
                && wrong.err.contains("Did you mean light?"))
        #expect(await qring("config set colour x").code == 2)
        #expect(await qring("config set theme ''").code == 0)
        #expect(await qring("config list --jsonl --jq .value").out == "null\nnull\nnull\nnull\n")
        #expect(await qring("config set confirm off").code == 0)
        #expect(await qring("config get confirm").out == "off\n")
        #expect(await qring("config set confirm no").code == 2)
        #expect(await qring("config set language ko").err.contains("language"))
        #expect(await qring("config get pager --no-input").code == 0)
        #expect(await qring("config set theme x").err.contains("쓸 수 없습니다"))
    }

    @Test func `on a terminal, missing arguments are asked for, and each is checked at once`() async {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let console = RecordingConsole(typed: ["", "them", "theme", "dark"])
        let result = await run(
            ["config", "set"], console: console, environment: ["XDG_CONFIG_HOME": folder])
        #expect(result.code == 0 && result.err.contains("theme is now dark."))
        #expect(result.err.contains("KEY must be one of language, theme, pager, confirm, not \"them\"."))
        #expect(console.asked.map(\.prompt).filter { $0.hasPrefix("KEY (") }.count == 3)
        let ended = await qring("config set theme", typed: [])
        #expect(ended.code == 1 && ended.err.contains("the input ended"))
    }

    @Test func `on a terminal, missing options are asked for as well, each checked at once`() async {
        let console = RecordingConsole(typed: ["monthly", "days", "0", "x", "3", "2"])
        // The command itself fails, because no server runs.
        let result = await run(["meeting", "repeat", "01M834S3E3DBP5A4KWFYX3JEEB"], console: console)
        #expect(
            console.asked.map { $0.prompt.prefix { $0 != "(" } } == [
                "--rule weekly|weekdays|days ", "--rule weekly|weekdays|days ", "--count N ", "--count N ",
                "--count N ", "--every DAYS ",
            ])
        #expect(result.err.contains("--rule must be one of weekly, weekdays, days, not \"monthly\"."))
        #expect(result.err.contains("--count must be a number from 1 to"))
        let start = RecordingConsole(typed: ["Study group", "someday", "now"])
        let made = await run(["meeting", "create"], console: start)
        #expect(made.err.contains("--starts cannot be \"someday\"."))
        #expect(start.asked.count == 3 && start.asked[1].prompt.hasPrefix("--starts TIME ("))
    }

    @Test func `without a terminal, a missing option is an error that names it`() async {
        for (words, error) in [
            (["meeting", "create", "x"], "one of --now, --starts TIME is required."),
            (["simulate"], "--attendees N is missing."),
            (["poll", "@"], "one of QUESTION, --again POLL is required."),
            (["meeting", "repeat", "@", "--rule", "days", "--count", "2"], "--every DAYS is missing."),
            (["meeting", "roster", "keep", "@"], "one of ATTENDEE, --all-who-came is required."),
            (["api", "get"], "PATH is missing."),
        ] {
            let result = await run(words)
            #expect(result.code == 2 && result.err.contains(error), "\(words): \(result.err)")
        }
        // An optional argument stays optional.
        #expect(await run(["api", "health"]).code != 2)
        let help = await run(["help", "meeting", "create"])
        #expect(help.out.contains("Usage: qring meeting create NAME (--now | --starts TIME) [options]"))
    }
}
