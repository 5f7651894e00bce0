internal import CommandLine
internal import Dashboard
internal import Phrases

/// The host's own keys and commands of the dashboard: `dashboard.conf` beside the saved sign-ins.
///
///     key.z = attendee edit @ {attendee} --status late
///     command.badge = badge-printer --person {attendee}
///     token.badge = yes
struct DashboardFile: Sendable {
    private typealias Messages = CommandPhrases.Dashboard

    struct Command: Sendable {
        let words: [String]
        /// Whether the program gets `QRING_TOKEN`.
        var getsToken = false
    }

    private(set) var keys: [Character: String] = [:]
    private(set) var commands: [String: Command] = [:]

    static let placeholders = ["{session}", "{attendee}"]

    static func path(beside settings: String) -> String {
        settings.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
            + "/dashboard.conf"
    }

    /// Reads and checks the file; without it, there are no keys and commands.
    /// - Throws: `.failed` with the line of the first mistake, or if every user may write to the file.
    init(_ path: String, _ set: CommandSet, in language: Language) throws(CommandFailure) {
        let pairs = try ConfigurationFile.pairs(of: path)
        for (key, value, place) in pairs {
            let values = place.merging(["key": key]) { $1 }
            let parts = key.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
                .map(String.init)
            guard parts.count == 2, !parts[1].isEmpty, ["key", "command", "token"].contains(parts[0]) else {
                throw .failed(Messages.unknownFileKey, values)
            }
            guard Self.isFirst(key, place, in: pairs) else { throw .failed(Messages.repeatedFileKey, values) }
            try check(placeholdersOf: value, place)
            switch parts[0] {
            case "command": commands[parts[1]] = try Self.command(parts[1], value, set, place)
            case "key":
                guard parts[1].count == 1, let character = parts[1].first, character.isASCII,
                    character.isLetter || character.isNumber
                else {
                    throw .failed(Messages.notOneKey, values)
                }
                guard !DashboardKeys.taken.contains(character) else {
                    throw .failed(Messages.takenKey, place.merging(["key": parts[1]]) { $1 })
                }
                keys[character] = value
            default: break
            }
        }
        for (key, value, place) in pairs {
            if key.hasPrefix("token.") {
                let name = String(key.dropFirst(6))
                guard commands[name] != nil else {
                    throw Self.unknown(name, place, among: Array(commands.keys))
                }
                guard ["yes", "no"].contains(value) else { throw .failed(Messages.tokenYesNo, place) }
                commands[name]?.getsToken = value == "yes"
            } else if key.hasPrefix("key.") {
                try checkLine(value, set, place, language)
            }
        }
    }

    private static func isFirst(_ key: String, _ place: [String: String], in pairs: [ConfigurationFile.Pair])
        -> Bool
    {
        pairs.first { $0.key == key }?.place == place
    }

    private static func command(
        _ name: String, _ value: String, _ set: CommandSet, _ place: [String: String]
    ) throws(CommandFailure) -> Command {
        let values = place.merging(["name": name]) { $1 }
        guard CommandSet.isName(name) else { throw .failed(Messages.wrongCommandName, values) }
        guard !set.hasCommand(named: name) else { throw .failed(Messages.takenCommandName, values) }
        let words = ShellLine.words(of: value)
        guard let program = words.first, !program.isEmpty else { throw .failed(Messages.noProgram, values) }
        return Command(words: words)
    }

    /// Checks the line of a key: it is a command of the file, or a whole command of the program.
    private func checkLine(
        _ line: String, _ set: CommandSet, _ place: [String: String], _ language: Language
    ) throws(CommandFailure) {
        let words = ShellLine.words(of: line)
        if let first = words.first, commands[first] != nil { return }
        let reason: UsageError
        do throws(UsageError) {
            guard case .command(let command, let rest) = try set.find(words) else {
                throw .unknownCommand(line, under: [], near: nil)
            }
            // The values are known only when the line runs.
            let filled = rest.map { Self.fill($0, session: "@", attendee: "x") }
            _ = try Arguments(filled, for: command)
            return
        } catch { reason = error }
        let names = Array(commands.keys)
        if let first = words.first, Suggestion.nearest(to: first, among: names) != nil {
            throw Self.unknown(first, place, among: names)
        }
        throw .failed(
            Messages.wrongLine,
            place.merging(["reason": CommandFailure.usage(reason).sentence(in: language)]) { $1 })
    }

    private func check(placeholdersOf value: String, _ place: [String: String]) throws(CommandFailure) {
        for match in value.matches(of: #/\{[a-z]+\}/#) where !Self.placeholders.contains(String(match.0)) {
            let near =
                Suggestion.nearest(to: String(match.0), among: Self.placeholders) ?? Self.placeholders[0]
            throw .failed(
                Messages.unknownPlaceholder,
                place.merging(["name": String(match.0), "near": near]) { $1 })
        }
    }

    private static func unknown(_ name: String, _ place: [String: String], among names: [String])
        -> CommandFailure
    {
        let near = Suggestion.nearest(to: name, among: names.sorted())
        return .failed(
            near == nil ? Messages.unknownCommandName : Messages.unknownCommandNameNear,
            place.merging(["name": name, "near": near ?? ""]) { $1 })
    }

    /// Returns a word with its values. Values are ids, and each stays in its word, so that no name of an
    /// attendee becomes an option or another word.
    static func fill(_ word: String, session: String, attendee: String) -> String {
        word.replacing("{session}", with: session).replacing("{attendee}", with: attendee)
    }
}

extension CommandPhrases.Dashboard {
    static let unknownFileKey = Phrase(
        "{file}, line {line}: \"{key}\" must be key.X, command.NAME or token.NAME.")
    static let repeatedFileKey = Phrase("{file}, line {line}: {key} can be set only once.")
    static let notOneKey = Phrase("{file}, line {line}: write one letter or digit after \"key.\".")
    static let takenKey = Phrase(
        "{file}, line {line}: the dashboard uses the key {key} itself. Choose another one, for example z.")
    static let wrongCommandName = Phrase(
        "{file}, line {line}: the name \"{name}\" must have letters, digits and hyphens only.")
    static let takenCommandName = Phrase(
        "{file}, line {line}: \"{name}\" is a command of qring. Choose another name.")
    static let noProgram = Phrase("{file}, line {line}: write a program after \"{name} =\".")
    static let tokenYesNo = Phrase("{file}, line {line}: write yes or no.")
    static let wrongLine = Phrase("{file}, line {line}: {reason}")
    static let unknownPlaceholder = Phrase(
        "{file}, line {line}: {name} is unknown. Did you mean {near}?")
    static let unknownCommandName = Phrase(
        "{file}, line {line}: there is no command \"{name}\" in this file.")
    static let unknownCommandNameNear = Phrase(
        "{file}, line {line}: there is no command \"{name}\" in this file. Did you mean {near}?")
    static let noSessionOpen = Phrase("Open a session first.")
    static let noAttendeeSelected = Phrase("Select an attendee first.")
    static let programMissing = Phrase("The program {program} cannot be started.")
    static let fileCommand = Phrase("your command: {line}")
}
