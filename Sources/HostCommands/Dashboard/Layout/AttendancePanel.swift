internal import Meetings
internal import Phrases
internal import Terminal

/// How many are here, as a number, a bar and by status.
enum AttendancePanel {
    private typealias Messages = CommandPhrases.Dashboard

    static func draw(_ session: SessionState, _ area: Area, _ canvas: inout Canvas) {
        let (look, attendance) = (canvas.look, session.attendance)
        let whole = attendance.checkedIn + attendance.awaited + attendance.absent + attendance.excused
        let count = attendance.checkedIn
        let isShort = area.rows < 4
        if isShort {
            var line = Line(
                attendance.planned > 0
                    ? "\(count)/\(attendance.planned)" : look.text(Messages.here, ["count": String(count)]),
                .heading)
            for part in parts(attendance, look, isBrief: true) {
                line.add("  ")
                line.add(part.text, part.style)
            }
            canvas.put(line, area, row: 0)
        } else {
            let said =
                attendance.planned > 0
                ? look.text(Messages.hereOf, ["count": String(count), "planned": String(attendance.planned)])
                : look.text(Messages.here, ["count": String(count)])
            canvas.put(said, area, row: 0, .heading)
            if attendance.planned > 0 {
                canvas.put("\(count * 100 / attendance.planned) %", atEndOf: area, row: 0, .quiet)
            }
        }
        drawBar(attendance, of: max(attendance.planned, whole, 1), area, row: 1, &canvas)
        guard !isShort else { return }
        // In two rows where one is too narrow.
        var (row, line) = (2, Line())
        for part in parts(attendance, look, isBrief: false) {
            var next = line
            if !next.parts.isEmpty { next.add("  ") }
            next.add(part.text, part.style)
            if next.width > area.columns {
                canvas.put(line, area, row: row)
                row += 1
                line = Line(part.text, part.style)
            } else {
                line = next
            }
        }
        canvas.put(line, area, row: row)
    }

    private static func parts(_ attendance: Attendance, _ look: Look, isBrief: Bool) -> [Line.Part] {
        func part(_ status: AttendanceStatus, _ count: Int) -> Line.Part {
            Line.Part(
                text: "\(look.status(status)) \(count)",
                style: Style(count > 0 ? look.colour(of: status) : .faint))
        }
        var parts = [part(.present, attendance.present), part(.late, attendance.late)]
        if attendance.awaited > 0 || attendance.absent == 0 {
            parts.append(part(.awaited, attendance.awaited))
        }
        if attendance.absent > 0 { parts.append(part(.absent, attendance.absent)) }
        if isBrief { return parts }
        if attendance.excused > 0 { parts.append(part(.excused, attendance.excused)) }
        parts.append(
            Line.Part(
                text: "\(look.text(Messages.walkIns)) \(attendance.walkIns)",
                style: Style(attendance.walkIns > 0 ? .magenta : .faint)))
        return parts
    }

    /// Present, late, and who is still to come, each by its share; who came at all has at least one cell.
    private static func drawBar(
        _ attendance: Attendance, of whole: Int, _ area: Area, row: Int, _ canvas: inout Canvas
    ) {
        let look = canvas.look
        func cells(_ count: Int) -> Int {
            count == 0 ? 0 : max(1, Int((Double(count) / Double(whole) * Double(area.columns)).rounded()))
        }
        let late = cells(attendance.late)
        let present = min(cells(attendance.present), area.columns - late)
        var line = Line(String(repeating: look.full, count: present), Style(look.colour(of: .present)))
        line.add(String(repeating: look.shaded, count: late), Style(look.colour(of: .late)))
        line.add(String(repeating: look.empty, count: max(0, area.columns - present - late)), .faint)
        canvas.put(line, area, row: row)
    }
}
