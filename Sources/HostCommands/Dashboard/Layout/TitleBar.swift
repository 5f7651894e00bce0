internal import Meetings
internal import Phrases
internal import Terminal
internal import Wire

/// The first row: what it is, whether it is live, and the time.
enum TitleBar {
    private typealias Messages = CommandPhrases.Dashboard

    static func draw(_ session: SessionState, _ dashboard: Dashboard, _ area: Area, _ canvas: inout Canvas) {
        let round = canvas.look.text(Messages.round, ["round": String(session.body.round)])
        draw(
            name: TerminalEscaping.safe(session.body.meetingName), detail: round, session.connection,
            dashboard.now, session.zone, area, &canvas)
    }

    static func draw(
        name: String, detail: String, _ connection: Connection, _ now: Instant, _ zone: Zone, _ area: Area,
        _ canvas: inout Canvas
    ) {
        let look = canvas.look
        canvas.fill(area, " ", .titleQuiet)
        let (state, colour) = said(connection, now, look)
        let clock = now.clock(in: zone)
        // On a narrow screen the name is worth more than the clock.
        let isNarrow = area.columns < 60
        var right = Line(isNarrow ? "" : "\(clock)  ", .titleQuiet)
        right.add("\(look.bullet) \(state) ", Style(colour, on: .bar, bold: true))
        canvas.put(right, area, from: max(0, area.columns - right.width))
        var left = area
        left.columns = max(0, area.columns - right.width - 1)
        let detailWidth = DisplayWidth.of(detail) + 3
        let end = canvas.put(
            DisplayWidth.cut(name, to: max(8, left.columns - 1 - detailWidth)), left, from: 1, .title)
        canvas.put(look.dot + detail, left, from: end, .titleQuiet)
    }

    private static func said(_ connection: Connection, _ now: Instant, _ look: Look) -> (String, Colour) {
        switch connection {
        case .connecting: return (look.text(Messages.connecting), .yellow)
        case .live(let resumed):
            if let resumed, now.since(resumed.at) < Connection.resumptionShows {
                return (look.text(resumed.recovered ? Messages.resumed : Messages.afresh), .green)
            }
            return (look.text(Messages.live), .green)
        case .waiting(let until):
            let seconds = (until.since(now).wholeMilliseconds + 999) / 1000
            guard seconds > 0 else { return (look.text(Messages.reconnectingNow), .yellow) }
            return (look.text(Messages.reconnecting, ["time": String(seconds)]), .yellow)
        }
    }
}
