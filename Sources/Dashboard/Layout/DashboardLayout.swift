internal import Meetings
internal import Phrases
internal import Terminal

/// Lays out a dashboard on the screen. The result depends only on the dashboard's state and the look.
struct DashboardLayout {
    let grid: Grid
    private let targets: [(area: Area, target: Target?)]

    /// The smallest supported screen. A smaller screen shows only the size that the dashboard needs.
    static let smallest = Size(columns: 40, rows: 12)

    private typealias Messages = CommandPhrases.Dashboard

    init(_ dashboard: Dashboard, _ look: Look) {
        var canvas = Canvas(dashboard.size, look)
        let area = Area(dashboard.size)
        if dashboard.cover == .code, let session = dashboard.session {
            CodePanel.draw(wholeScreen: session, area, &canvas)
        } else if dashboard.isTooSmall {
            Self.drawNeeds(dashboard, area, &canvas)
        } else {
            if dashboard.cover == .texts, let session = dashboard.session {
                TextsPage.draw(session, dashboard, area, &canvas)
            } else if dashboard.cover == .person, let session = dashboard.session {
                PersonPage.draw(session, dashboard, area, &canvas)
            } else if dashboard.cover == .voice, let session = dashboard.session {
                VoicePage.draw(session, dashboard, area, &canvas)
            } else if let session = dashboard.session {
                SessionLayout.draw(session, dashboard, area, &canvas)
            } else if let home = dashboard.home {
                HomeLayout.draw(home, dashboard, area, &canvas)
            }
            if dashboard.showsHelp { HelpPanel.draw(dashboard, area, &canvas) }
            if let pane = dashboard.commandPane { CommandPanel.draw(pane, dashboard.size, &canvas) }
            if let form = dashboard.form { FormPanel.draw(form, dashboard, area, &canvas) }
            if let palette = dashboard.palette { PalettePanel.draw(palette, area, &canvas) }
        }
        grid = canvas.grid
        targets = canvas.targets
    }

    /// Returns the target of a mouse click at a cell; nil if the cell has none.
    func target(column: Int, row: Int) -> Target? {
        targets.last { $0.area.contains(column: column, row: row) }?.target
    }

    private static func drawNeeds(_ dashboard: Dashboard, _ area: Area, _ canvas: inout Canvas) {
        let look = canvas.look
        let (needs, has) = (smallest, dashboard.size)
        canvas.put("qring", area, row: 0, .heading)
        canvas.put(
            look.text(Messages.needs, ["columns": String(needs.columns), "rows": String(needs.rows)]), area,
            row: 1)
        canvas.put(
            look.text(Messages.has, ["columns": String(has.columns), "rows": String(has.rows)]), area, row: 2,
            .quiet)
    }
}

extension CommandPhrases.Dashboard {
    static let needs = Phrase("needs {columns}×{rows}")
    static let has = Phrase("this is {columns}×{rows}")
}
