internal import Client
internal import CommandLine
internal import Meetings
internal import Phrases
internal import QRCodes
internal import RecordText
internal import Terminal
internal import Wire

/// Prints a session as text.
enum SessionSummary {
    private typealias Messages = CommandPhrases.Messages

    /// Prints the session's name, times, code and address. If `draws` is true, the QR code comes first.
    static func print(_ call: Invocation, _ session: SessionBody, draws: Bool, isInReach: Bool = true) {
        let zone = Zone.named(session.timeZone)
        if draws, let url = session.checkInUrl { drawCode(call, url) }
        call.out(
            Messages.meetingMade,
            ["name": TerminalEscaping.safe(session.meetingName), "round": String(session.round)])
        if let title = session.title { call.out(TerminalEscaping.safe(title)) }
        call.out(
            Messages.times,
            [
                "start": "\(call.text(weekday(session.startsAt, zone))) \(session.startsAt.wall(in: zone))",
                "end": end(session, zone),
                "zone": session.timeZone,
            ])
        let phase = call.text(session.phase.phrase)
        call.out("\(phase) · \(counts(session.attendance, session.feedback, call))")
        if let code = session.joinCode { call.out(joinCode(code, at: session.checkInUrl, call)) }
        if let url = session.checkInUrl {
            call.out("\(call.text(draws ? Messages.scan : Messages.address)): \(url)")
            if isInReach { warnAboutLoopback(call, url) }
        }
        call.out("ID: \(session.id)")
    }

    /// Returns the line with the join code and the address at which people type it.
    static func joinCode(_ code: String, at url: String?, _ call: Invocation) -> String {
        let line = "\(call.text(Messages.joinCode)): \(code)"
        guard let address = url.flatMap(JoinAddress.of) else { return line }
        return "\(line) (\(call.text(Messages.typedAt, ["address": address])))"
    }

    /// Returns the minutes until the start, rounded up; nil if the session has started or starts in more than
    /// 60 minutes.
    static func soon(_ session: SessionBody, at now: Instant) -> Int? {
        let left = session.startsAt.since(now).wholeMilliseconds
        return left > 0 && left <= 3_600_000 ? Int((left + 59_999) / 60_000) : nil
    }

    private static func weekday(_ moment: Instant, _ zone: Zone) -> Phrase {
        // The first day of 1970 was a Thursday.
        Phrase.Page.weekdays[Int((WallTime(moment, in: zone).date.daysSince1970 + 4) % 7)]
    }

    /// Returns the end's time, with its date only if the session ends on another day.
    static func end(_ session: SessionBody, _ zone: Zone) -> String {
        let (start, end) = (WallTime(session.startsAt, in: zone), WallTime(session.endsAt, in: zone))
        return start.date == end.date ? String(end.text.suffix(5)) : end.text
    }

    static func counts(_ attendance: Attendance, _ feedback: SessionBody.Feedback?, _ call: Invocation)
        -> String
    {
        var parts = [
            expected(attendance).map {
                call.text(Messages.inOf, ["count": String(attendance.checkedIn), "planned": String($0)])
            }
                ?? call.text(Messages.inCount, ["count": String(attendance.checkedIn)])
        ]
        if attendance.late > 0 {
            parts.append(call.text(Messages.lateCount, ["count": String(attendance.late)]))
        }
        if let feedback {
            parts.append(call.text(Messages.responsesCount, ["count": String(feedback.responses)]))
        }
        return parts.joined(separator: " · ")
    }

    /// Returns the expected number of attendees: the planned number, or else everybody on the list. Returns
    /// nil if there is no planned number and everybody on the list has checked in.
    static func expected(_ attendance: Attendance) -> Int? {
        if attendance.planned > 0 { return attendance.planned }
        let others = attendance.awaited + attendance.absent + attendance.excused
        return others > 0 ? attendance.checkedIn + others : nil
    }

    static func drawCode(_ call: Invocation, _ url: String) {
        let style: TerminalStyle =
            call.isColourful ? .colour : call.isUTF8 ? .halfBlocks(on: .dark) : .ascii(on: .dark)
        // If the address is too long for a QR code at a terminal, print no code. The text below shows the
        // address.
        guard let code = try? QRCode.encodeForTerminal(url) else { return }
        call.console.out(code.terminalText(style))
    }

    static func warnAboutLoopback(_ call: Invocation, _ url: String) {
        let origin = url.split(separator: "/", maxSplits: 2).prefix(2).joined(separator: "//")
        guard let address = ServerAddress(origin) else { return }
        if address.host == "localhost" || address.host == "::1" || address.host.hasPrefix("127.") {
            call.note(Messages.loopback)
        }
    }
}

extension CommandPhrases.Messages {
    static let typedAt = Phrase("to type at {address}")
    static let times = Phrase("{start} – {end} ({zone})")
    static let scan = Phrase("Scan the code, or open")
    static let loopback = Phrase(
        "Phones cannot reach this address, because it belongs to this machine. Start the server with "
            + "--public-url.")
    static let inOf = Phrase("in {count}/{planned}")
    static let inCount = Phrase("in {count}")
    static let lateCount = Phrase("late {count}")
}
