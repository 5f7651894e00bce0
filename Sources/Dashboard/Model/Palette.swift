internal import Meetings
internal import Phrases
internal import RecordText
internal import Terminal
internal import Wire

/// A list of everything that the host can do or open, which a search narrows.
struct Palette: Hashable, Sendable {
    enum Scope: Hashable, Sendable {
        case everything
        /// The polls that are not open.
        case polls
    }

    enum Item: Hashable, Sendable {
        case command(Command)
        case poll(String)
        case question(QuestionID)
        case attendee(AttendeeID)
        case session(SessionID)
        /// A command line that Enter runs.
        case line(String)
        /// A command line that Enter only writes, because more words can follow.
        case beginning(String)
    }

    struct Entry: Hashable, Sendable {
        let item: Item
        let text: String
        /// The key, or what kind of entry it is.
        let detail: String
        /// What the search looks for beside `text`: the number and the day of a session.
        var alias = ""
    }

    let scope: Scope
    var query = ""
    /// The index of the selected entry.
    var selected = 0
    /// The matching entries, the best first.
    var entries: [Entry] = []
    /// The words that can follow in the command line `completedLine`.
    var completions: [LineCommands.Completion] = []
    var completedLine = ""

    static let mostEntries = 50
    static let mostCharacters = 500
}

/// Finds the characters of a search in a text in their order, not necessarily side by side.
enum FuzzyMatch {
    /// A search that has been prepared for many texts.
    struct Search {
        fileprivate let bytes: [UInt8]
        fileprivate let scalars: [Unicode.Scalar]
        fileprivate let isASCII: Bool

        /// Spaces separate nothing: "op po" finds "open poll".
        init(_ text: String) {
            let wanted = text.lowercased().filter { $0 != " " }
            bytes = Array(wanted.utf8)
            scalars = Array(wanted.unicodeScalars)
            isASCII = bytes.allSatisfy { $0 < 0x80 }
        }

        var isEmpty: Bool { bytes.isEmpty }

        /// Returns a number that is higher for a better match; nil if the text does not match. Neighbouring
        /// characters and beginnings of words count more; skipped characters count less.
        func score(in text: String) -> Int? {
            if isASCII {
                // An ASCII search can match only ASCII bytes, so letters need no case tables.
                return Self.score(
                    bytes, in: text.utf8, isSpace: { $0 == 0x20 || $0 == 0x2D || $0 == 0x2E },
                    folded: { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 })
            }
            return Self.score(
                scalars, in: text.lowercased().unicodeScalars, isSpace: { $0 == " " }, folded: { $0 })
        }

        private static func score<Text: Sequence>(
            _ wanted: [Text.Element], in text: Text, isSpace: (Text.Element) -> Bool,
            folded: (Text.Element) -> Text.Element
        ) -> Int? where Text.Element: Equatable {
            guard !wanted.isEmpty else { return 0 }
            var (found, score, skipped) = (0, 0, 0)
            var (isAtStart, isNext) = (true, false)
            for element in text {
                if found < wanted.count, folded(element) == wanted[found] {
                    score += 4 + (isNext ? 8 : 0) + (isAtStart ? 8 : 0)
                    found += 1
                    isNext = true
                } else {
                    // Spaces in the text do not interrupt a match.
                    if !isSpace(element) { isNext = false }
                    skipped += 1
                }
                isAtStart = isSpace(element)
            }
            return found == wanted.count ? score * 4 - min(skipped, 60) : nil
        }
    }
}

extension Dashboard {
    private typealias Messages = CommandPhrases.Dashboard

    mutating func openPalette(_ scope: Palette.Scope) {
        palette = Palette(scope: scope)
        notice = nil
        findEntries()
    }

    /// Fills the palette with the entries that match its search.
    mutating func findEntries() {
        guard let query = palette?.query, let scope = palette?.scope else { return }
        let search = FuzzyMatch.Search(query)
        var found: [(score: Int, entry: Palette.Entry)] = []
        for entry in entries(scope) {
            let whole = entry.alias.isEmpty ? entry.text : "\(entry.text) \(entry.alias)"
            if let score = search.score(in: whole) { found.append((score, entry)) }
        }
        if scope == .everything, !search.isEmpty, let session {
            let kind = Messages.attendee.text(in: language)
            for person in session.people.everybody {
                guard let score = search.score(in: person.name) else { continue }
                found.append(
                    (score, Palette.Entry(item: .attendee(person.id), text: person.name, detail: kind)))
            }
        }
        if scope == .everything {
            for verb in commands.verbs {
                guard let score = search.score(in: verb.name) else { continue }
                let item = Palette.Item.beginning(verb.name + " ")
                found.append((score, Palette.Entry(item: item, text: verb.name, detail: verb.meaning)))
            }
        }
        // Equal matches stay in the order of the list.
        let sorted = found.enumerated().sorted {
            ($1.element.score, $0.offset) < ($0.element.score, $1.offset)
        }
        let matches = sorted.map(\.element.entry)
        let all = scope == .everything ? withLine(matches) : matches
        palette?.entries = Array(all.prefix(Palette.mostEntries))
        palette?.selected = 0
    }

    /// Adds the search to its matches as a command line, with the words that can follow. If the line is no
    /// whole command, the matches precede it, because the search is more likely for one of them.
    private func withLine(_ matches: [Palette.Entry]) -> [Palette.Entry] {
        guard let palette else { return matches }
        let line = palette.query
        let isComplete = commands.isComplete(line)
        guard isComplete || commands.begins(line) else { return matches }
        let run = Palette.Entry(
            item: .line(line), text: line, detail: Messages.runsLine.text(in: language))
        let completions = palette.completedLine == line ? palette.completions : []
        let words = completions.map {
            Palette.Entry(item: .beginning($0.line), text: $0.word, detail: $0.meaning)
        }
        // An action of the dashboard whose whole name was typed precedes a command of the same name.
        let own = matches.filter { entry in
            if case .command = entry.item { entry.text.lowercased() == line.lowercased() } else { false }
        }
        let others = matches.filter { !own.contains($0) }
        return own + (isComplete ? [run] + words + others : words + others + [run])
    }

    /// Takes the words that can follow in a line, if it is still the search.
    mutating func take(_ found: [LineCommands.Completion], for line: String) {
        guard let open = palette, open.query == line else { return }
        let chosen = open.entries.indices.contains(open.selected) ? open.entries[open.selected].item : nil
        palette?.completions = found
        palette?.completedLine = line
        findEntries()
        // A selection of the user stays on its entry.
        if open.selected > 0, let index = palette?.entries.firstIndex(where: { $0.item == chosen }) {
            palette?.selected = index
        }
    }

    /// Finds the entries of a changed search, and requests the words that can follow in it.
    private mutating func search() -> [DashboardAction] {
        findEntries()
        guard let palette, palette.scope == .everything, commands.begins(palette.query) else { return [] }
        return [.complete(palette.query, lineContext)]
    }

    private mutating func write(_ line: String) -> [DashboardAction] {
        palette?.query = line
        return search()
    }

    /// Returns all entries except attendees, of whom there can be thousands.
    private func entries(_ scope: Palette.Scope) -> [Palette.Entry] {
        let polls = (session?.sets.values.sorted { $0.sortKey < $1.sortKey } ?? []).filter {
            $0.isPoll && !$0.open
        }.map { poll in
            let heading = poll.heading(in: language)
            let text = Messages.openNamed.text(in: language, ["name": heading])
            let answers = Messages.allTexts.text(in: language, ["count": String(poll.responses)])
            return Palette.Entry(item: .poll(poll.set), text: text, detail: answers)
        }
        guard scope == .everything else { return polls }
        let commands = offeredCommands.map { command in
            let (said, key) = (command.declaration.meaning, command.declaration.keys.first?.key)
            return Palette.Entry(
                item: .command(command), text: said.text(in: language), detail: key.map(Self.name) ?? "")
        }
        let questions = (session?.tallies ?? []).map { tally in
            Palette.Entry(
                item: .question(tally.questionId),
                text: tally.titles?.text(in: language.rawValue) ?? tally.title,
                detail: Messages.keyQuestion.text(in: language))
        }
        let sessions = (home?.order(at: now) ?? []).map { body in
            let round = Messages.round.text(in: language, ["round": String(body.round)])
            return Palette.Entry(
                item: .session(body.id),
                text: body.title.map { "\(body.meetingName) · \($0)" } ?? body.meetingName, detail: round,
                alias: "\(round) \(WallTime(body.startsAt, in: .named(body.timeZone)).date.text)")
        }
        return afterwards + commands + polls + questions + sessions
    }

    private static func name(_ key: Key) -> String {
        switch key {
        case .character(" "): "Space"
        case .character(let character): String(character)
        case .enter: "Enter"
        case .tab: "Tab"
        case .backTab: "Shift-Tab"
        default: ""
        }
    }

    mutating func writePalette(_ key: Key) -> [DashboardAction] {
        guard let open = palette else { return [] }
        switch key {
        case .escape: palette = nil
        case .tab:
            // As in a shell, Tab writes the selected word, or else the first word that can follow.
            if open.entries.indices.contains(open.selected),
                case .beginning(let line) = open.entries[open.selected].item
            {
                return write(line)
            }
            if open.completedLine == open.query, let first = open.completions.first {
                return write(first.line)
            }
            return writePalette(.down)
        case .up, .backTab: palette?.selected = max(0, open.selected - 1)
        case .down: palette?.selected = max(0, min(open.selected + 1, open.entries.count - 1))
        case .pageUp, .home: palette?.selected = 0
        case .pageDown, .end: palette?.selected = max(0, open.entries.count - 1)
        case .backspace:
            guard !open.query.isEmpty else {
                palette = nil
                return []
            }
            palette?.query.removeLast()
            return search()
        case .character(let character):
            guard open.query.count < Palette.mostCharacters else { return [] }
            palette?.query.append(character)
            return search()
        case .enter:
            guard open.entries.indices.contains(open.selected) else { return [] }
            let item = open.entries[open.selected].item
            if case .beginning(let line) = item { return write(line) }
            palette = nil
            return choose(item)
        default: break
        }
        return []
    }

    mutating func choose(_ item: Palette.Item) -> [DashboardAction] {
        switch item {
        case .command(let command): return run(command)
        case .line(let line): return run(line: line)
        case .beginning(let line):
            openPalette(.everything)
            return write(line)
        case .poll(let name):
            guard let set = session?.sets[name] else { return [] }
            session?.showSoon(name)
            pane = .questions
            return change(set, .open(true))
        case .question(let id):
            guard let index = session?.tallies.firstIndex(where: { $0.questionId == id }) else { return [] }
            session?.question = index
            pane = .questions
        case .attendee(let id):
            pane = .attendees
            session?.people.look(for: "", filter: nil)
            session?.selected = id
            return openDetails()
        case .session(let id):
            guard let body = home?.sessions.first(where: { $0.id == id }) else { return [] }
            return open(body)
        }
        return []
    }
}

extension CommandPhrases.Dashboard {
    static let attendee = Phrase("attendee")
    static let runsLine = Phrase("Enter runs this")
    static let openNamed = Phrase("Open the poll: {name}")
}
