internal import Meetings
internal import Phrases
internal import Terminal

/// The last row: what was just done, or the keys that matter here.
enum Footer {
    private typealias Messages = CommandPhrases.Dashboard

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
            return [
                ("?", Messages.keyHelp), ("q", Messages.keyQuit), ("Enter", Messages.keyOpen),
                (look.upDown, Messages.keyChoose),
            ]
        }
        if dashboard.isTyping {
            return [
                ("Enter", Messages.keyDone), ("Esc", Messages.keyBack), (look.upDown, Messages.keyChoose),
            ]
        }
        switch dashboard.pane {
        case .overview:
            return [
                ("?", Messages.keyHelp), ("q", Messages.keyQuit), ("1 2 3", Messages.keyPanes),
                ("/", Messages.keySearch), ("c", Messages.keyCode),
                ("n", Messages.keyQuestion), ("u", Messages.keyUndo),
            ]
        case .attendees:
            return [
                ("?", Messages.keyHelp), ("p", SessionSummary.status(.present)),
                ("l", SessionSummary.status(.late)),
                ("a", SessionSummary.status(.absent)), ("e", SessionSummary.status(.excused)),
                ("u", Messages.keyUndo), ("/", Messages.keySearch),
                ("f", Messages.keyFilter), ("q", Messages.keyQuit),
            ]
        case .questions:
            return [
                ("?", Messages.keyHelp), ("q", Messages.keyQuit), ("n b", Messages.keyQuestion),
                ("1 2 3", Messages.keyPanes), ("c", Messages.keyCode),
            ]
        }
    }
}
