/// What was written behind a command, taken apart by its declaration.
package struct Arguments: Sendable, Equatable {
    private(set) var positionals: [String: String] = [:]
    private(set) var values: [String: [String]] = [:]
    private(set) var flags: Set<String> = []

    package func positional(_ name: String) -> String? { positionals[name] }
    package func value(_ name: String) -> String? { values[name]?.last }
    package func values(_ name: String) -> [String] { values[name] ?? [] }
    package func has(_ flag: String) -> Bool { flags.contains(flag) }

    /// `words` are what stands behind the command's path. Options may stand anywhere; `--` ends them;
    /// `--name=value` is `--name value`.
    package init(_ words: [String], for command: CommandDeclaration) throws(UsageError) {
        var free: [String] = []
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                free += rest
                break
            }
            guard word.hasPrefix("-"), word != "-" else {
                free.append(word)
                continue
            }
            try take(option: word == "-h" ? "--help" : word, &rest, command)
        }
        // Whoever asks for help has not got the rest right yet.
        if flags.contains("help") { return }
        try take(free, command)
    }

    private mutating func take(
        option word: String, _ rest: inout ArraySlice<String>, _ command: CommandDeclaration
    ) throws(UsageError) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0].drop { $0 == "-" })
        guard word.hasPrefix("--"), let option = command.allOptions.first(where: { $0.name == name }) else {
            let known = command.allOptions.map(\.name)
            throw .unknownOption(
                String(parts[0]), near: Suggestion.nearest(to: name, among: known).map { "--\($0)" })
        }
        if option.kind == .flag {
            guard parts.count == 1 else { throw .valueForFlag("--\(name)") }
            flags.insert(name)
            return
        }
        if case .fields = option.kind {
            flags.insert(name)
            if parts.count == 2 {
                values[name] = [try Self.checked(String(parts[1]), option)]
            } else if let next = rest.first, Self.isList(next, option, command) {
                values[name] = [try Self.checked(rest.removeFirst(), option)]
            }
            return
        }
        let value: String
        if parts.count == 2 {
            value = String(parts[1])
        } else if let next = rest.first, !next.hasPrefix("--") || next == "-" {
            value = rest.removeFirst()
        } else {
            throw .missingValue(option.shown)
        }
        if case .oneOf(let choices) = option.kind, !choices.contains(value) {
            throw .notOneOf("--\(name)", value, choices, near: Suggestion.nearest(to: value, among: choices))
        }
        if values[name] != nil {
            guard case .values = option.kind else { throw .repeated("--\(name)") }
        }
        values[name, default: []].append(value)
    }

    /// Whether the word behind `--json` is its list. Where a session could stand as well, only known fields
    /// and lists with a comma are one; `--json=LIST` always is.
    private static func isList(
        _ word: String, _ option: CommandDeclaration.Option, _ command: CommandDeclaration
    ) -> Bool {
        let parts = word.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy { $0.isASCII && $0.isLetter } }) else {
            return false
        }
        return parts.count > 1 || command.positionals.isEmpty || option.fields?().contains(word) == true
    }

    private static func checked(_ list: String, _ option: CommandDeclaration.Option) throws(UsageError)
        -> String
    {
        guard !list.isEmpty else { throw .missingValue(option.shown) }
        guard let known = option.fields?() else { return list }
        for field in list.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        where !known.contains(field) {
            throw .unknownField(field, known: known, near: Suggestion.nearest(to: field, among: known))
        }
        return list
    }

    private mutating func take(_ free: [String], _ command: CommandDeclaration) throws(UsageError) {
        guard free.count <= command.positionals.count else {
            throw .unexpected(free[command.positionals.count])
        }
        for (index, positional) in command.positionals.enumerated() {
            if index < free.count {
                let (word, choices) = (free[index], positional.choices)
                guard choices.isEmpty || choices.contains(word) else {
                    throw .notOneOf(
                        positional.name, word, choices, near: Suggestion.nearest(to: word, among: choices))
                }
                positionals[positional.name] = word
            } else if positional.isRequired {
                throw .missing(positional.name)
            }
        }
    }
}

/// A command line that is not one.
package enum UsageError: Error, Equatable, Sendable {
    /// `under` are the words before it that are a group's.
    case unknownCommand(String, under: [String], near: String?)
    case unknownOption(String, near: String?)
    case missingValue(String)
    case valueForFlag(String)
    case notOneOf(String, String, [String], near: String?)
    case repeated(String)
    case unknownField(String, known: [String], near: String?)
    case unexpected(String)
    case missing(String)
    /// The value of an option cannot be read; `expected` shows what can.
    case notReadable(String, String, expected: String)
    /// Two that exclude each other.
    case together(String, String)
    /// One of these is needed.
    case oneNeeded([String])
}
