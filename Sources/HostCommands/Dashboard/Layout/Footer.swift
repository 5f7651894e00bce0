internal import Meetings
internal import Phrases
internal import Terminal

/// The last row: what was just done, or the keys that matter here.
enum Footer {
    private typealias Say = CommandPhrases.Dashboard

    static func draw(_ dashboard: Dashboard, _ whole: Area, _ canvas: inout Canvas) {
        var area = whole
        _ = area.takeLeft(1)
        if let notice = dashboard.notice {
            let style = notice.isTrouble ? Style(.yellow, bold: true) : Style(bold: true)
            canvas.put(canvas.look.text(notice.text, notice.values), area, style)
            return
        }
        var line = Line()
        for (key, meaning) in keys(dashboard, canvas.look) {
            var next = line
            if !next.parts.isEmpty { next.add("  ") }
            next.add(key, .key)
            next.add(" \(canvas.look.text(meaning))", .quiet)
            if next.width <= area.columns { line = next }
        }
        canvas.put(line, area)
    }

    /// The most wanted first: what does not fit is left out.
    private static func keys(_ dashboard: Dashboard, _ look: Look) -> [(String, Phrase)] {
        if dashboard.session == nil {
            return [("?", Say.keyHelp), ("q", Say.keyQuit), ("Enter", Say.keyOpen), (look.upDown, Say.keyChoose)]
        }
        if dashboard.isTyping { return [("Enter", Say.keyDone), ("Esc", Say.keyBack), (look.upDown, Say.keyChoose)] }
        switch dashboard.pane {
        case .overview:
            return [
                ("?", Say.keyHelp), ("q", Say.keyQuit), ("1 2 3", Say.keyPanes), ("/", Say.keySearch), ("c", Say.keyCode),
                ("n", Say.keyQuestion), ("u", Say.keyUndo),
            ]
        case .attendees:
            return [
                ("?", Say.keyHelp), ("p", SessionSummary.status(.present)), ("l", SessionSummary.status(.late)),
                ("a", SessionSummary.status(.absent)), ("e", SessionSummary.status(.excused)), ("u", Say.keyUndo), ("/", Say.keySearch),
                ("f", Say.keyFilter), ("q", Say.keyQuit),
            ]
        case .questions:
            return [("?", Say.keyHelp), ("q", Say.keyQuit), ("n b", Say.keyQuestion), ("1 2 3", Say.keyPanes), ("c", Say.keyCode)]
        }
    }
}
