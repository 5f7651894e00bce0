internal import Phrases

/// The words after a command's name, parsed according to its declaration.
package struct Arguments: Sendable, Equatable {
    private var positionals: [String: String] = [:]
    private var values: [String: [String]] = [:]
    private var flags: Set<String> = []
    /// Whether the positionals stand in the order of version 0.1 (`CommandDeclaration.earlierOrder`).
    package private(set) var isInEarlierOrder = false
    /// The words after the command's name, as the user wrote them.
    package let written: [String]
    /// The argument after `--json`, which the user may have meant as a field.
    package private(set) var perhapsField: String?

    /// The same words without the options that choose the form of JSON.
    package var writtenWithoutJSON: [String] {
        var kept: [String] = []
        var rest = written[...]
        while let word = rest.popFirst() {
            if ["--jq", "--template"].contains(word) { _ = rest.popFirst() }
            let isForm = JSONOutput.options.contains { word == "--\($0)" || word.hasPrefix("--\($0)=") }
            if !isForm { kept.append(word) }
        }
        return kept
    }

    package func positional(_ name: String) -> String? { positionals[name] }
    package func value(_ name: String) -> String? { values[name]?.last }
    package func values(_ name: String) -> [String] { values[name] ?? [] }
    package func has(_ flag: String) -> Bool { flags.contains(flag) }

    /// Parses the words after the command's name. Options may appear anywhere; the word `--` ends the
    /// options; `--name=value` means `--name value`.
    /// - Parameter mayAsk: whether the caller asks the user for missing arguments (`firstMissing`). Otherwise
    ///   a missing argument is an error.
    package init(_ words: [String], for command: CommandDeclaration, mayAsk: Bool = false) throws(UsageError)
    {
        written = words
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
        if !mayAsk || flags.contains("no-input"), let missing = firstMissing(of: command) {
            throw missing.error
        }
    }

    // MARK: Missing arguments

    /// A required argument that the user has not given.
    enum Missing {
        case positional(CommandDeclaration.Positional)
        case option(CommandDeclaration.Option)

        /// The argument's name in errors: `SESSION` or `--starts`.
        var label: String {
            switch self {
            case .positional(let positional): positional.name
            case .option(let option): "--\(option.name)"
            }
        }

        /// The argument as the help shows it: `SESSION` or `--starts TIME`.
        var shown: String {
            switch self {
            case .positional(let positional): positional.name
            case .option(let option): option.long
            }
        }

        /// The name that the help shows for the value: `SESSION` or `TIME`.
        var valueName: String {
            switch self {
            case .positional(let positional): positional.name
            case .option(let option):
                switch option.kind {
                case .value(let name), .values(let name), .fields(let name): name
                case .flag, .oneOf: ""
                }
            }
        }

        var meaning: Phrase {
            switch self {
            case .positional(let positional): positional.meaning
            case .option(let option): option.meaning
            }
        }

        fileprivate var takesValue: Bool {
            if case .option(let option) = self { option.kind != .flag } else { true }
        }
    }

    /// Returns the first required argument that the user has not given, and the error for a caller that may
    /// not ask for it; nil if no argument is missing.
    func firstMissing(of command: CommandDeclaration) -> (argument: Missing, error: UsageError)? {
        for positional in command.positionals
        where positional.isRequired && positionals[positional.name] == nil
            && !(isInEarlierOrder && positional.name == "SESSION")
        {
            return (.positional(positional), .missing(positional.name))
        }
        for need in command.needs where need.applies?(self) != false && !need.names.contains(where: isGiven) {
            let all = need.names.compactMap { command.argument(named: $0) }
            guard let first = all.first(where: \.takesValue) else { preconditionFailure("\(need.names)") }
            return (first, all.count == 1 ? .missing(first.shown) : .oneNeeded(all.map(\.shown)))
        }
        return nil
    }

    func isGiven(_ name: String) -> Bool {
        positionals[name] != nil || values[name] != nil || flags.contains(name)
    }

    /// Gives a missing argument.
    /// - Throws: the error of a value that the argument does not accept.
    mutating func give(_ value: String, for missing: Missing) throws(UsageError) {
        switch missing {
        case .positional(let positional): positionals[positional.name] = try positional.checked(value)
        case .option(let option):
            if case .oneOf(let choices) = option.kind { try Self.check(value, choices, missing.label) }
            if let range = option.range { _ = try Self.integer(value, range, missing.label) }
            values[option.name] = [value]
        }
    }

    fileprivate static func check(_ value: String, _ choices: [String], _ label: String) throws(UsageError) {
        guard choices.contains(value) else {
            throw .notOneOf(label, value, choices, near: Suggestion.nearest(to: value, among: choices))
        }
    }

    /// Reads an integer.
    /// - Throws: `.outOfRange` if the text is not an integer within the range.
    static func integer(_ text: String, _ range: ClosedRange<Int>, _ label: String) throws(UsageError) -> Int
    {
        guard let number = Int(text), range.contains(number) else { throw .outOfRange(label, range) }
        return number
    }

    private mutating func take(
        option word: String, _ rest: inout ArraySlice<String>, _ command: CommandDeclaration
    ) throws(UsageError) {
        if let (option, attached) = Self.short(word, command) {
            if option.kind == .flag, attached != nil { throw .valueForFlag("-\(word.dropFirst().prefix(1))") }
            // `-f=x` means `-fx`, as people write it.
            return try take(option: "--\(option.name)" + (attached.map { "=\($0)" } ?? ""), &rest, command)
        }
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
            } else if let next = rest.first, !next.hasPrefix("-"), option.fields != nil {
                perhapsField = next
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
        if case .oneOf(let choices) = option.kind { try Self.check(value, choices, "--\(name)") }
        if values[name] != nil {
            guard case .values = option.kind else { throw .repeated("--\(name)") }
        }
        values[name, default: []].append(value)
    }

    /// Returns the option of a short form, with the value that the word contains: `-f`, `-fa=b`, `-f=a=b`.
    static func short(_ word: String, _ command: CommandDeclaration)
        -> (CommandDeclaration.Option, attached: Substring?)?
    {
        guard word.hasPrefix("-"), !word.hasPrefix("--"), let letter = word.dropFirst().first,
            let option = command.allOptions.first(where: { $0.letter == letter })
        else { return nil }
        let attached = word.dropFirst(2)
        return (option, attached.isEmpty ? nil : attached.first == "=" ? attached.dropFirst() : attached)
    }

    /// Whether the word after `--json` is its list of fields. If the word could also be an argument, it is a
    /// list only if it contains a comma or a known field. The form `--json=LIST` is always a list.
    private static func isList(
        _ word: String, _ option: CommandDeclaration.Option, _ command: CommandDeclaration
    ) -> Bool {
        let parts = word.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy { $0.isASCII && $0.isLetter || $0 == "." } })
        else {
            return false
        }
        return parts.count > 1 || command.positionals.isEmpty || option.fields?().contains(word) == true
    }

    private static func checked(_ list: String, _ option: CommandDeclaration.Option) throws(UsageError)
        -> String
    {
        guard !list.isEmpty else { throw .missingValue(option.shown) }
        for field in list.split(separator: ",", omittingEmptySubsequences: false) {
            try option.check(field: String(field))
        }
        return list
    }

    private mutating func take(_ free: [String], _ command: CommandDeclaration) throws(UsageError) {
        var expected = command.positionals
        if command.takesSessionAsArgument, let session = value("session") {
            expected.removeAll { $0.name == "SESSION" }
            positionals["SESSION"] = session
        } else if Self.isEarlier(free, command) {
            expected = command.earlierOrder.compactMap { name in expected.first { $0.name == name } }
            // Without the session, a word of a list such as `link` is right in both orders.
            isInEarlierOrder = free.count > 1 || expected.first?.choices.isEmpty != false
        } else if free.count < expected.count, expected.first?.isRequired == false {
            // The session at the front is optional, and the words are needed behind it.
            let needed = expected.dropFirst().filter(\.isRequired).count
            if free.count == needed, needed > 0 { expected.removeFirst() }
        }
        guard free.count <= expected.count else { throw .unexpected(free[expected.count]) }
        for (positional, word) in zip(expected, free) {
            positionals[positional.name] = try positional.checked(word)
        }
    }

    /// Whether the words are in the order of version 0.1: the session is missing or last.
    private static func isEarlier(_ words: [String], _ command: CommandDeclaration) -> Bool {
        guard let first = command.earlierOrder.first, let word = words.first else { return false }
        if let positional = command.positionals.first(where: { $0.name == first }) {
            if positional.choices.contains(word) { return true }
        }
        // With a second word, the first one is the session, which can have digits as its name.
        if first == "NUMBER" { return words.count == 1 && word.utf8.allSatisfy { (48...57).contains($0) } }
        if command.earlierOrder.last == "SESSION", words.count == 2 {
            // A text can end with a number, as in "see #12".
            if first == "TEXT", words[1].contains(" ") { return false }
            return isSession(words[1]) && !isSession(word)
        }
        return words.count < command.positionals.filter(\.isRequired).count
            && words.count <= command.earlierOrder.count
    }

    /// Whether the word looks like a session: `@`, a word as long as an id, or `NAME#ROUND`.
    private static func isSession(_ word: String) -> Bool {
        word == "@" || word.utf8.count == 26 && !word.contains(" ") || NumberedName(word) != nil
    }
}

extension CommandDeclaration {
    /// Returns the positional or the option of a name in `needs`.
    func argument(named name: String) -> Arguments.Missing? {
        positionals.first { $0.name == name }.map { .positional($0) }
            ?? options.first { $0.name == name }.map { .option($0) }
    }
}

extension CommandDeclaration.Positional {
    /// Returns the word, if the argument accepts it.
    fileprivate func checked(_ word: String) throws(UsageError) -> String {
        if !choices.isEmpty { try Arguments.check(word, choices, name) }
        return word
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
