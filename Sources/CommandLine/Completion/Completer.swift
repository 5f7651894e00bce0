package import Phrases

/// Decides which words can follow at the cursor when the user presses Tab. It reads only the declarations.
package struct Completer {
    private let commands: [CommandDeclaration]
    private let topics: [HelpTopic]
    private let set: CommandSet
    private let language: Language

    package init(_ set: CommandSet, in language: Language) {
        commands = set.commands
        topics = set.topics
        self.set = set
        self.language = language
    }

    package struct Candidate: Equatable, Sendable {
        package let word: String
        package let meaning: String

        package init(word: String, meaning: String = "") {
            self.word = word
            self.meaning = meaning
        }
    }

    package enum Wanted: Equatable {
        case words([Candidate])
        case files, folders
        /// The values of an argument, by the name that the help shows for it, such as `SESSION`
        /// (`CommandSet.valueCandidates`).
        case values(of: String)
        case nothing
    }

    package struct Answer: Equatable {
        /// The text that precedes each candidate, such as `--status=` or `id,`.
        package var lead = ""
        /// The typed text, with which every candidate begins.
        package var typed: String
        package var wanted: Wanted
        /// The positionals before the word, by name, and the option `--session`.
        package var given: [String: String] = [:]
    }

    /// The meaning of the words before the word that the user is typing.
    private struct Reading {
        var path: [String] = []
        var command: CommandDeclaration?
        var positionals: [String] = []
        var session: String?
        var given: Set<String> = []
        /// The last option, if it still needs a value.
        var open: CommandDeclaration.Option?
        var areOptionsOver = false
        var isKnown = true
    }

    /// - Parameters:
    ///   - words: the words after the program's name. The user is typing the last one, which may be empty.
    ///   - aliases: command lines by their short names.
    package func answer(_ words: [String], _ aliases: [String: String]) -> Answer {
        guard words.count < 2 else { return answer(set.expanded(words, aliases)) }
        var answer = answer(words)
        if case .words(let candidates) = answer.wanted, words.first?.hasPrefix("-") != true {
            answer.wanted = .words(
                candidates + aliases.sorted { $0.key < $1.key }.map { Candidate(word: $0, meaning: $1) })
        }
        return answer
    }

    /// - Parameter words: the words after the program's name. The user is typing the last one, which may be
    ///   empty.
    package func answer(_ words: [String]) -> Answer {
        let read = reading(of: words.dropLast())
        var answer = answer(read, words.last ?? "")
        let names = read.command?.positionals.map(\.name) ?? []
        answer.given = Dictionary(zip(names, read.positionals)) { first, _ in first }
        if let session = read.session { answer.given["SESSION"] = session }
        return answer
    }

    private func answer(_ read: Reading, _ typed: String) -> Answer {
        guard read.isKnown else { return Answer(typed: typed, wanted: .nothing) }
        if let option = read.open {
            let answer = values(of: option, typed, lead: "")
            // After `--json`, the next argument may follow, because the list of fields is optional.
            guard case .fields = option.kind, answer.wanted == .nothing || typed.hasPrefix("-") else {
                return answer
            }
        }
        if typed.hasPrefix("-"), !read.areOptionsOver { return options(read, typed) }
        guard let command = read.command else {
            return Answer(typed: typed, wanted: .words(nextWords(read.path)))
        }
        if command.name == HelpCommand.name { return help(read, typed) }
        // The name of a command can be the beginning of other names.
        let longer = read.positionals.isEmpty && !typed.isEmpty ? nextWords(read.path) : []
        if longer.contains(where: { $0.word.hasPrefix(typed) }) {
            return Answer(typed: typed, wanted: .words(longer))
        }
        guard read.positionals.count < command.positionals.count else {
            return Answer(typed: typed, wanted: .nothing)
        }
        let positional = command.positionals[read.positionals.count]
        if !positional.choices.isEmpty {
            return Answer(typed: typed, wanted: .words(positional.choices.map { Candidate(word: $0) }))
        }
        return Answer(typed: typed, wanted: source(named: positional.name))
    }

    private func reading(of words: ArraySlice<String>) -> Reading {
        var read = Reading()
        for word in words {
            if read.areOptionsOver {
                read.positionals.append(word)
            } else if let option = read.open, !isValueMissing(word, option) {
                if option.name == "session" { read.session = word }
                read.open = nil
            } else if word == "--" {
                (read.open, read.areOptionsOver) = (nil, true)
            } else if let command = read.command, let (option, attached) = Arguments.short(word, command) {
                read.given.insert(option.name)
                read.open = option.kind == .flag || attached != nil ? nil : option
            } else if word.hasPrefix("-"), word != "-" {
                read.open = nil
                let name = String(word.drop { $0 == "-" }.prefix { $0 != "=" })
                read.given.insert(name)
                let option = known(read).first { $0.name == name }
                if let option, option.kind != .flag, !word.contains("=") { read.open = option }
            } else if read.command != nil, nextWords(read.path).allSatisfy({ $0.word != word }) {
                read.open = nil
                read.positionals.append(word)
            } else {
                read.path.append(word)
                let below = commands.filter { $0.path.starts(with: read.path) }
                read.isKnown = read.isKnown && !below.isEmpty
                read.command = below.first { $0.path == read.path }
            }
        }
        return read
    }

    /// Whether `word` is not the value of the option, because the list of `--json` is optional.
    private func isValueMissing(_ word: String, _ option: CommandDeclaration.Option) -> Bool {
        guard case .fields = option.kind else { return false }
        return option.fields?().contains { word.split(separator: ",").map(String.init).contains($0) } != true
    }

    private func known(_ read: Reading) -> [CommandDeclaration.Option] {
        read.command?.allOptions ?? CommandDeclaration.Option.ofEveryCommand
    }

    private func options(_ read: Reading, _ typed: String) -> Answer {
        if let equals = typed.firstIndex(of: "=") {
            let name = typed[..<equals].drop { $0 == "-" }
            guard let option = known(read).first(where: { $0.name == name }) else {
                return Answer(typed: typed, wanted: .nothing)
            }
            let value = typed.index(after: equals)
            return values(of: option, String(typed[value...]), lead: String(typed[..<value]))
        }
        let offered = known(read).filter { option in
            if case .values = option.kind { return true }
            return !read.given.contains(option.name)
        }
        return Answer(
            typed: typed,
            wanted: .words(
                offered.map { Candidate(word: "--\($0.name)", meaning: $0.explanation(in: language)) }))
    }

    private func values(of option: CommandDeclaration.Option, _ typed: String, lead: String) -> Answer {
        switch option.kind {
        case .flag: return Answer(lead: lead, typed: typed, wanted: .nothing)
        case .oneOf(let choices):
            return Answer(lead: lead, typed: typed, wanted: .words(choices.map { Candidate(word: $0) }))
        case .value(let name), .values(let name):
            return Answer(lead: lead, typed: typed, wanted: source(named: name))
        case .fields:
            // The user is typing only the part after the last comma.
            let chosen = typed.lastIndex(of: ",").map { typed[...$0] } ?? ""
            let taken = Set(chosen.split(separator: ",").map(String.init))
            let part = typed.dropFirst(chosen.count)
            let known = (part.contains(".") ? option.fieldsBelow : option.fields)?() ?? []
            let fields = known.filter { !taken.contains($0) }
            return Answer(
                lead: lead + chosen, typed: String(typed.dropFirst(chosen.count)),
                wanted: fields.isEmpty ? .nothing : .words(fields.map { Candidate(word: $0) }))
        }
    }

    private func nextWords(_ path: [String]) -> [Candidate] {
        var seen: Set<String> = []
        return commands.filter { $0.path.starts(with: path) && $0.path.count > path.count }.compactMap {
            command in
            let word = command.path[path.count]
            guard seen.insert(word).inserted else { return nil }
            let isWhole = command.path.count == path.count + 1
            var listed: Set<String> = []
            let below = commands.filter {
                $0.path.starts(with: path + [word]) && $0.path.count > path.count + 1
            }
            .map { $0.path[path.count + 1] }.filter { listed.insert($0).inserted }
            return Candidate(
                word: word,
                meaning: isWhole ? command.summary.text(in: language) : below.joined(separator: ", "))
        }
    }

    private func help(_ read: Reading, _ typed: String) -> Answer {
        let topics =
            read.positionals.isEmpty
            ? topics.map { Candidate(word: $0.name, meaning: $0.summary.text(in: language)) } : []
        return Answer(typed: typed, wanted: .words(nextWords(read.positionals) + topics))
    }

    private func source(named name: String) -> Wanted {
        switch name {
        case "FILE", "F": .files
        case "DIR": .folders
        default: .values(of: name)
        }
    }
}
