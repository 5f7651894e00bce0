internal import Phrases

/// A heading of the overview, and the first words of the commands below it, in their order.
struct HelpSection {
    let heading: Phrase
    let firstWords: [String]

    private typealias Help = CommandPhrases.Overview

    private static let known = [
        HelpSection(heading: Help.start, firstWords: ["demo", "serve", "signup", "login"]),
        HelpSection(
            heading: Help.host,
            firstWords: [
                "meeting", "session", "series", "roster", "member", "qr", "present", "attendee", "question",
                "poll", "results",
            ]),
        HelpSection(heading: Help.live, firstWords: ["watch", "dashboard", "simulate"]),
        HelpSection(heading: Help.attendee, firstWords: ["checkin", "respond"]),
        HelpSection(heading: Help.account, firstWords: ["whoami", "logout", "invite"]),
        HelpSection(heading: Help.operator, firstWords: ["admin", "bench"]),
    ]

    /// One line of the overview: a command, or all that begin with one word.
    struct Entry {
        let name: String
        let commands: [CommandDeclaration]

        func meaning(in language: Language) -> String {
            if commands.count == 1, commands[0].name == name { return commands[0].summary.text(in: language) }
            var seen: Set<String> = []
            return commands.map { $0.path.count == 1 ? $0.summary.text(in: language) : $0.path[1] }.filter {
                seen.insert($0).inserted
            }
            .joined(separator: ", ")
        }
    }

    /// Every command is below exactly one heading; those that no section names are below the last.
    static func all(of commands: [CommandDeclaration]) -> [(heading: Phrase, entries: [Entry])] {
        let named = Set(known.flatMap(\.firstWords))
        var seen: Set<String> = []
        let others = commands.compactMap(\.path.first).filter {
            !named.contains($0) && seen.insert($0).inserted
        }
        return (known + [HelpSection(heading: Help.other, firstWords: others)]).compactMap { section in
            let entries = section.firstWords.compactMap { word in
                let below = commands.filter { $0.path.first == word }
                return below.isEmpty ? nil : Entry(name: word, commands: below)
            }
            return entries.isEmpty ? nil : (section.heading, entries)
        }
    }
}
