/// The words after a command's name, parsed according to its declaration.
package struct Arguments: Sendable, Equatable {
    private var positionals: [String: String] = [:]
    private var values: [String: [String]] = [:]
    private var flags: Set<String> = []

    package func positional(_ name: String) -> String? { positionals[name] }
    package func value(_ name: String) -> String? { values[name]?.last }
    package func values(_ name: String) -> [String] { values[name] ?? [] }
    package func has(_ flag: String) -> Bool { flags.contains(flag) }

    /// Parses the words after the command's name. Options may appear anywhere; the word `--` ends the
    /// options; `--name=value` means `--name value`.
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
        // Do not check the other arguments, because a person who asks for help may have omitted them.
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

    /// Whether the word after `--json` is its list of fields. If the word could also be an argument, it is a
    /// list only if it contains a comma or a known field. The form `--json=LIST` is always a list.
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

/// The reason why a command line could not be parsed.
package enum UsageError: Error, Equatable, Sendable {
    /// The word is no command. `under` holds the words of the command group before it.
    case unknownCommand(String, under: [String], near: String?)
    case unknownOption(String, near: String?)
    case missingValue(String)
    case valueForFlag(String)
    case notOneOf(String, String, [String], near: String?)
    case repeated(String)
    case unknownField(String, known: [String], near: String?)
    case unexpected(String)
    case missing(String)
    /// The option's value is malformed; `expected` shows examples.
    case notReadable(String, String, expected: String)
    /// The option's value is not an integer within the range.
    case outOfRange(String, ClosedRange<Int>)
    /// Two options exclude each other.
    case together(String, String)
    /// The command needs one of these options.
    case oneNeeded([String])
}

/// Finds the word for "Did you mean …?".
package enum Suggestion {
    /// Returns the candidate that is nearest to `typed`: at most a third of its letters differ (or two), or
    /// it begins with `typed`.
    package static func nearest(to typed: String, among candidates: [String]) -> String? {
        let typed = typed.lowercased()
        guard !typed.isEmpty else { return nil }
        let begun = typed.count >= 2 ? candidates.filter { $0.lowercased().hasPrefix(typed) }.min() : nil
        let ranked = candidates.map { (candidate: $0, distance: distance(typed, $0.lowercased())) }
        if let best = ranked.min(by: { ($0.distance, $0.candidate) < ($1.distance, $1.candidate) }),
            best.distance <= max(2, best.candidate.count / 3), best.distance < best.candidate.count
        {
            // One wrong letter is a typing error. If two differ, `typed` is more likely the beginning of
            // another word.
            return best.distance >= 2 ? begun ?? best.candidate : best.candidate
        }
        return begun
    }

    /// Counts the insertions, deletions, replacements and swaps of neighbours that turn one word into the
    /// other (optimal string alignment).
    package static func distance(_ left: String, _ right: String) -> Int {
        let (a, b) = (Array(left), Array(right))
        guard !a.isEmpty, !b.isEmpty else { return max(a.count, b.count) }
        var beforeLast = [Int](repeating: 0, count: b.count + 1)
        var last = Array(0...b.count)
        for i in 1...a.count {
            var row = [i] + [Int](repeating: 0, count: b.count)
            for j in 1...b.count {
                let cost = a[i - 1] == b[j - 1] ? 0 : 1
                row[j] = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + cost)
                if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
                    row[j] = min(row[j], beforeLast[j - 2] + 1)
                }
            }
            (beforeLast, last) = (last, row)
        }
        return last[b.count]
    }
}
