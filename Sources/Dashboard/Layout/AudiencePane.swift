internal import Meetings
internal import Phrases
internal import RecordText
internal import Terminal
internal import Wire

/// Draws the questions from the audience, and below them the texts of answers, each with its status.
enum AudiencePane {
    private typealias Messages = CommandPhrases.Dashboard

    private enum Row {
        case heading(String)
        case note(Phrase)
        case question(AudienceQuestionBody)
        case text(QuestionID, TextAnswerBody)
        case blank

        var id: Voices.ID? {
            switch self {
            case .question(let question): .question(question.id)
            case .text(let question, let text): text.id.map { .text(question, $0) }
            case .heading, .note, .blank: nil
            }
        }
    }

    /// The selected item has all its lines; every other row has one.
    static func draw(_ session: SessionState, _ area: Area, _ canvas: inout Canvas) {
        let look = canvas.look
        let all = rows(session, look)
        let chosen = all.firstIndex { $0.id != nil && $0.id == session.voice }
        let lines = chosen.flatMap { item(all[$0], look)?.lines(area.columns) } ?? []
        let height = max(1, lines.count)
        // Keep the selected item in the middle, and its last line on the screen.
        let wanted = max(0, min((chosen ?? 0) - area.rows / 2, all.count + height - 1 - area.rows))
        let first = chosen.map { min($0, max(wanted, $0 + height - area.rows)) } ?? wanted
        var at = 0
        for (index, row) in all.enumerated().dropFirst(first) where at < area.rows {
            let rows = index == chosen ? min(height, area.rows - at) : 1
            let place = Area(column: area.column, row: area.row + at, columns: area.columns, rows: rows)
            at += rows
            if index == chosen { canvas.put(look.pointer, place, .key) }
            if let id = row.id { canvas.mark(place, .voice(id)) }
            if let item = item(row, look) {
                draw(item, index == chosen ? lines : nil, place, &canvas)
                continue
            }
            switch row {
            case .heading(let text): canvas.put(DisplayWidth.cut(text, to: place.columns), place, .heading)
            case .note(let phrase): canvas.put("  " + look.text(phrase), place, .faint)
            case .question, .text, .blank: break
            }
        }
    }

    /// A question or text as the pane draws it: its text from a column on, votes before it, marks behind it.
    private struct Item {
        let text: String
        let votes: String?
        let marks: Line

        var column: Int { votes == nil ? 2 : 7 }
        func room(_ columns: Int) -> Int { max(1, columns - column - marks.width - 1) }
        func lines(_ columns: Int) -> [String] { DisplayWidth.wrapped(text, to: room(columns)) }
    }

    private static func item(_ row: Row, _ look: Look) -> Item? {
        switch row {
        case .question(let question):
            var marks = Line()
            if question.pinned { marks.add(look.text(Messages.pinMark), Style(.magenta)) }
            let (mark, style) = status(question.status.rawValue, look)
            marks.add((question.pinned && !mark.isEmpty ? " " : "") + mark, style)
            let name = question.name.map { "\(TerminalEscaping.safe($0)): " } ?? ""
            return Item(
                text: name + TerminalEscaping.safe(question.text), votes: String(question.votes), marks: marks
            )
        case .text(_, let text):
            let (mark, style) = status(text.status?.rawValue ?? "", look)
            return Item(text: TerminalEscaping.safe(text.text), votes: nil, marks: Line(mark, style))
        case .heading, .note, .blank: return nil
        }
    }

    /// Draws an item on one line, or on `lines` if it is selected.
    private static func draw(_ item: Item, _ lines: [String]?, _ area: Area, _ canvas: inout Canvas) {
        if let votes = item.votes {
            canvas.put(votes, area, from: max(2, 6 - votes.count), Style(.yellow, bold: true))
        }
        let shown = lines ?? [DisplayWidth.cut(item.text, to: item.room(area.columns))]
        for (row, line) in shown.enumerated() {
            canvas.put(line, area, row: row, from: item.column, lines == nil ? .plain : Style(bold: true))
        }
        canvas.put(item.marks, area, from: max(0, area.columns - item.marks.width))
    }

    private static func rows(_ session: SessionState, _ look: Look) -> [Row] {
        let (voices, board) = (session.voices, session.voices.board)
        let state = board?.open == true ? Messages.takesQuestions : Messages.takesNone
        var rows: [Row] = [.heading(look.text(Messages.fromAudience) + look.dot + look.text(state))]
        if board?.open != true, !session.isOver { rows.append(.note(Messages.howToOpen)) }
        if voices.questions.isEmpty { rows.append(.note(Messages.nobodyAsked)) }
        rows += voices.sortedQuestions.map { Row.question($0) }
        for tally in session.textQuestions {
            let title = tally.titles?.text(in: look.language.rawValue) ?? tally.title
            rows += [.blank, .heading(TerminalEscaping.safe(title))]
            rows += voices.sortedTexts(of: tally.questionId).map { Row.text(tally.questionId, $0) }
        }
        return rows
    }

    /// Returns the word for a status and its style. The status `visible` has no word.
    static func status(_ name: String, _ look: Look) -> (String, Style) {
        let word = Phrase.Record.questionStatuses[name].map { look.text($0) } ?? ""
        return switch name {
        case "pending": (word, Style(.yellow, bold: true))
        case "answered": (word, Style(.green))
        case "hidden": (word, Style(.faint))
        default: ("", .plain)
        }
    }
}

/// Draws one question or text of the audience: all of it, its votes and status, and what hosts did with it.
enum VoicePage {
    private typealias Messages = CommandPhrases.Dashboard

    static func draw(_ session: SessionState, _ dashboard: Dashboard, _ whole: Area, _ canvas: inout Canvas) {
        var area = TitleBar.frame(session, dashboard, whole, &canvas)
        let look = canvas.look
        var facts: [String] = []
        let text: String
        var events: [EventBody] = []
        switch session.voice {
        case .question(let id):
            guard let question = session.voices.questions.first(where: { $0.id == id }) else { return }
            text = question.text
            facts.append(look.text(Messages.votes, ["count": String(question.votes)]))
            facts.append(AudiencePane.status(question.status.rawValue, look).0)
            if question.pinned { facts.append(look.text(Messages.pinMark)) }
            facts += [question.name.map { TerminalEscaping.safe($0) } ?? ""]
            facts.append(String(question.at.clock(in: session.zone).prefix(5)))
            events = session.journal.events.filter { $0.data.question == id && $0.kind != .voted }
        case .text(let question, let id):
            guard let answer = session.voices.text(id, of: question) else { return }
            text = answer.text
            facts.append(AudiencePane.status(answer.status?.rawValue ?? "", look).0)
            facts.append(answer.at.map { String($0.clock(in: session.zone).prefix(5)) } ?? "")
        case nil: return
        }
        let top = area.takeTop(1)
        canvas.put(facts.filter { !$0.isEmpty }.joined(separator: look.dot), top, .quiet)
        _ = area.takeTop(1)
        let lines = lines(of: text, dashboard.size)
        let first = min(dashboard.voiceRow, max(0, lines.count - area.rows))
        let shown = lines.dropFirst(first).prefix(area.rows)
        for (row, line) in shown.enumerated() { canvas.put(line, area, row: row, .heading) }
        if shown.count < lines.count {
            canvas.put("\(look.upDown) \(first + shown.count)/\(lines.count)", atEndOf: top, .key)
        }
        // The history follows the last line.
        _ = area.takeTop(min(area.rows, shown.count + 1))
        JournalPane.draw(events.reversed(), session, area, &canvas)
    }
}

extension VoicePage {
    /// The rows of the screen around the text: the title, the facts, a gap and the footer.
    private static let rowsAround = 4

    private static func lines(of text: String, _ size: Size) -> [String] {
        DisplayWidth.wrapped(TerminalEscaping.safe(text), to: max(1, min(size.columns - 2, 100)))
    }

    /// Returns the first visible row of the open text when its last row is on the screen.
    static func lastRow(_ dashboard: Dashboard) -> Int {
        guard let session = dashboard.session, let text = dashboard.chosenText(session) else { return 0 }
        return max(0, lines(of: text, dashboard.size).count - (dashboard.size.rows - rowsAround))
    }
}

extension CommandPhrases.Dashboard {
    static let audience = Phrase("Audience", context: "dashboard")
    static let fromAudience = Phrase("Questions from the audience")
    static let takesQuestions = Phrase("open", context: "audience questions")
    static let howToOpen = Phrase("To let attendees ask, press m.")
    static let takesNone = Phrase("closed")
    static let nobodyAsked = Phrase("No questions yet")
    static let votes = Phrase("{count} {count|vote|votes}")
    static let pinMark = Phrase("pinned")
}
