internal import Phrases
internal import Terminal

/// Every key, and what it does.
enum HelpPage {
    private typealias Messages = CommandPhrases.Dashboard

    static func keys(_ look: Look) -> [(key: String, meaning: Phrase)] {
        [
            ("1 2 3", Messages.helpPanes), ("Tab", Messages.helpNextPane), (look.upDown, Messages.helpMove),
            ("/", Messages.helpSearch),
            ("f", Messages.helpFilter), ("p l a e", Messages.helpMark), ("u", Messages.helpUndo),
            ("n b", Messages.helpQuestion), ("c", Messages.helpCode),
            ("h", Messages.helpHome), ("Ctrl-L", Messages.helpRedraw), ("?", Messages.helpHelp),
            ("q", Messages.helpQuit),
        ]
    }

    static func draw(_ dashboard: Dashboard, _ whole: Area, _ canvas: inout Canvas) {
        var area = whole
        let look = canvas.look
        let title = area.takeTop(1)
        canvas.fill(title, " ", .titleQuiet)
        canvas.put(look.text(Messages.helpTitle), title, from: 1, .title)
        _ = area.takeLeft(1)
        _ = area.takeRight(1)
        let keys = keys(look)
        // On the smallest screen the last ones would not fit: those are in the footer.
        if area.rows > keys.count + 1 { _ = area.takeTop(1) }
        let shown = area.rows >= keys.count ? keys : keys.filter { $0.key != "Ctrl-L" && $0.key != "?" }
        let widest = shown.map { DisplayWidth.of($0.key) }.max() ?? 0
        for (row, (key, meaning)) in shown.enumerated() {
            canvas.put(key, area, row: row, .key)
            canvas.put(look.text(meaning), area, row: row, from: widest + 2)
        }
    }
}
