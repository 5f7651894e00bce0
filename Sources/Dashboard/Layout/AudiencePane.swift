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

    static func draw(_ session: SessionState, _ area: Area, _ canvas: inout Canvas) {
        let all = rows(session, canvas.look)
        let chosen = all.firstIndex { $0.id != nil && $0.id == session.voice }
        let first = max(0, min((chosen ?? 0) - area.rows / 2, all.count - area.rows))
        for (index, row) in all[first..<min(all.count, first + area.rows)].enumerated() {
            let place = Area(column: area.column, row: area.row + index, columns: area.columns, rows: 1)
            let isChosen = first + index == chosen
            if isChosen { canvas.put(canvas.look.pointer, place, .key) }
            if let id = row.id { canvas.mark(place, .voice(id)) }
            switch row {
            case .heading(let text): canvas.put(DisplayWidth.cut(text, to: place.columns), place, .heading)
            case .note(let phrase): canvas.put("  " + canvas.look.text(phrase), place, .faint)
            case .question(let question): draw(question, isChosen: isChosen, place, &canvas)
            case .text(_, let text): draw(text, isChosen: isChosen, place, &canvas)
            case .blank: break
            }
        }
    }

    private static func rows(_ session: SessionState, _ look: Look) -> [Row] {
        let (voices, board) = (session.voices, session.voices.board)
        let state = board?.open == true ? Messages.takesQuestions : Messages.takesNone
        var rows: [Row] = [.heading(look.text(Messages.fromAudience) + look.dot + look.text(state))]
        if voices.questions.isEmpty { rows.append(.note(Messages.nobodyAsked)) }
        rows += voices.sortedQuestions.map { Row.question($0) }
        for tally in session.textQuestions {
            let title = tally.titles?.text(in: look.language.rawValue) ?? tally.title
            rows += [.blank, .heading(TerminalEscaping.safe(title))]
            rows += voices.sortedTexts(of: tally.questionId).map { Row.text(tally.questionId, $0) }
        }
        return rows
    }

    /// Draws the votes, the text, and the marks at the right end.
    private static func draw(
        _ question: AudienceQuestionBody, isChosen: Bool, _ area: Area, _ canvas: inout Canvas
    ) {
        let look = canvas.look
        var marks = Line()
        if question.pinned { marks.add(look.text(Messages.pinMark), Style(.magenta)) }
        let (mark, style) = status(question.status.rawValue, look)
        marks.add((question.pinned && !mark.isEmpty ? " " : "") + mark, style)
        let votes = String(question.votes)
        canvas.put(votes, area, from: max(2, 6 - votes.count), Style(.yellow, bold: true))
        let name = question.name.map { "\(TerminalEscaping.safe($0)): " } ?? ""
        draw(name + TerminalEscaping.safe(question.text), marks, from: 7, isChosen: isChosen, area, &canvas)
    }

    private static func draw(
        _ text: TextAnswerBody, isChosen: Bool, _ area: Area, _ canvas: inout Canvas
    ) {
        let (mark, style) = status(text.status?.rawValue ?? "", canvas.look)
        draw(
            TerminalEscaping.safe(text.text), Line(mark, style), from: 2, isChosen: isChosen, area, &canvas)
    }

    private static func draw(
        _ text: String, _ marks: Line, from column: Int, isChosen: Bool, _ area: Area,
        _ canvas: inout Canvas
    ) {
        let room = area.columns - column - marks.width - 1
        canvas.put(
            DisplayWidth.cut(text, to: max(1, room)), area, from: column,
            isChosen ? Style(bold: true) : .plain)
        canvas.put(marks, area, from: max(0, area.columns - marks.width))
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

extension CommandPhrases.Dashboard {
    static let audience = Phrase("Audience", context: "dashboard")
    static let fromAudience = Phrase("Questions from the audience")
    static let takesQuestions = Phrase("open", context: "audience questions")
    static let takesNone = Phrase("closed")
    static let nobodyAsked = Phrase("No questions yet")
    static let pinMark = Phrase("pinned")
}
