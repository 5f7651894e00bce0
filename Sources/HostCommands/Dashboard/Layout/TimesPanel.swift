internal import Meetings
internal import Phrases
internal import Terminal
internal import Wire

/// The phase with the time to what comes next, and below it start, late limit and end.
enum TimesPanel {
    private typealias Messages = CommandPhrases.Dashboard

    static func draw(_ session: SessionBody, at now: Instant, _ area: Area, _ canvas: inout Canvas) {
        let look = canvas.look
        let late = session.startsAt + .minutes(session.lateAfterMinutes)
        var line = Line()
        for (index, countdown) in countdowns(session, late, now, look).enumerated() {
            if index > 0 { line.add("  ") }
            line.add(countdown, index == 0 ? Style(.cyan, bold: true) : .quiet)
        }
        // The countdowns say the phase as well, where there is no room for it.
        let phase = look.text(SessionSummary.phase(session.phase)) + look.dot
        var column = 0
        if DisplayWidth.of(phase) + line.width <= area.columns {
            column = canvas.put(phase, area, row: 0, .heading)
        }
        canvas.put(line, area, row: 0, from: column)
        let zone = Zone.named(session.timeZone)
        let isSameDay = WallTime(now, in: zone).date == WallTime(session.startsAt, in: zone).date
        var times = Line(
            isSameDay ? "" : "\(session.startsAt.wall(in: zone).dropFirst(5).prefix(5)) ", .quiet)
        for (index, (phrase, moment)) in [
            (Messages.start, session.startsAt), (Messages.late, late), (Messages.end, session.endsAt),
        ].enumerated() {
            if index > 0 { times.add("  ") }
            let isPast = moment <= now
            times.add(isPast && look.isUTF8 ? "\(look.check) " : "", .faint)
            times.add("\(look.text(phrase)) ", isPast ? .faint : .quiet)
            times.add(String(moment.wall(in: zone).suffix(5)), isPast ? .faint : Style())
        }
        canvas.put(times, area, row: 1)
    }

    /// To what comes next, and to the end.
    private static func countdowns(_ session: SessionBody, _ late: Instant, _ now: Instant, _ look: Look)
        -> [String]
    {
        func said(_ phrase: Phrase, _ moment: Instant) -> String {
            look.text(phrase, ["time": length(moment.since(now), look)])
        }
        if now < session.checkInOpensAt {
            return [
                said(Messages.startsIn, session.startsAt), said(Messages.opensIn, session.checkInOpensAt),
            ]
        }
        if now < session.startsAt { return [said(Messages.startsIn, session.startsAt)] }
        if now <= late, late < session.endsAt {
            return [said(Messages.lateIn, late), said(Messages.endsIn, session.endsAt)]
        }
        if now <= session.endsAt { return [said(Messages.endsIn, session.endsAt)] }
        return [look.text(Messages.endedAgo, ["time": length(now.since(session.endsAt), look)])]
    }

    /// `5:08`, `1:04:59`, `3 d 4:00:00`; what is begun of a second counts.
    static func length(_ duration: Duration, _ look: Look) -> String {
        let seconds = max(0, (duration.wholeMilliseconds + 999) / 1000)
        func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : String(value) }
        let (hours, minutes) = (seconds / 3600 % 24, seconds / 60 % 60)
        let clock =
            seconds >= 3600
            ? "\(hours):\(two(minutes)):\(two(seconds % 60))" : "\(minutes):\(two(seconds % 60))"
        guard seconds >= 86_400 else { return clock }
        return look.text(
            Messages.days, ["days": String(seconds / 86_400), "time": "\(hours):\(two(minutes))"])
    }
}
