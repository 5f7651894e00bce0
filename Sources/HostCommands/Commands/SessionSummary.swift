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

    /// Prints a new session, and the commands that can follow. The QR code comes first, if the whole text
    /// fits on the terminal with it. Otherwise a command shows it, so that nothing scrolls away.
    static func print(
        new session: SessionBody, _ call: Invocation, name: String, next: [(line: String, meaning: Phrase)]
    ) {
        let draws = session.checkInUrl.map { url in
            guard let height = call.console.height, let (code, style) = code(call, url) else { return true }
            return code.terminalSize(style).rows + mostRows + next.count <= height
        }
        print(call, session, draws: draws ?? true, isForPhones: true)
        Following.show(call, (draws == false ? [("qr \(name)", CommandPhrases.Help.qr)] : []) + next)
    }

    /// The most rows of a session's text on a usual screen, with a note of three rows about the address, the
    /// heading of the commands that can follow, and the prompt.
    private static let mostRows = 13

    /// Prints the session's name, times, code and address. If `draws` is true, the QR code comes first.
    /// - Parameter isForPhones: whether the session is for phones although the code is not drawn.
    static func print(
        _ call: Invocation, _ session: SessionBody, draws: Bool, isInReach: Bool = true,
        isForPhones: Bool = false
    ) {
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
            if isInReach { adviseOnReach(call, url, isForPhones: draws || isForPhones) }
        }
        for (moment, said) in [
            (session.namesDeletedAt, Messages.namesDeleted), (session.namesUntil, Messages.namesUntil),
        ] {
            if let moment { call.out(said, ["time": moment.wall(in: zone)]) }
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
        if let inside = attendance.inside, let left = attendance.left {
            parts.append(call.text(Messages.insideCount, ["count": String(inside)]))
            parts.append(call.text(Messages.leftCount, ["count": String(left)]))
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
        guard let (code, style) = code(call, url) else { return }
        call.console.out(code.terminalText(style))
    }

    /// Returns the code as this terminal can show it. Returns nil if the address is too long for a QR code at
    /// a terminal, or the terminal is too narrow. The text below shows the address.
    private static func code(_ call: Invocation, _ url: String) -> (QRCode, TerminalStyle)? {
        // A terminal of the kind `dumb`, such as a buffer of an editor, may have no blocks.
        let hasBlocks = call.isUTF8 && call.environment["TERM"] != "dumb"
        let style: TerminalStyle =
            call.isColourful && hasBlocks ? .colour : hasBlocks ? .halfBlocks(on: .dark) : .ascii(on: .dark)
        guard let code = try? QRCode.encodeForTerminal(url),
            call.console.width.map({ code.terminalSize(style).columns <= $0 }) ?? true
        else { return nil }
        return (code, style)
    }

    /// Notes what to do if phones cannot open the check-in address.
    /// - Parameter isForPhones: whether the code was drawn, so that the note for phones on another network is
    ///   useful.
    static func adviseOnReach(_ call: Invocation, _ url: String, isForPhones: Bool = true) {
        let origin = url.split(separator: "/", maxSplits: 2).prefix(2).joined(separator: "//")
        guard let host = ServerAddress(origin)?.host else { return }
        if host == "localhost" || host == "::1" || host.hasPrefix("127.") {
            call.note(Messages.loopback)
        } else if isForPhones, isLocal(host) {
            call.note(Messages.differentNetwork)
        }
    }

    /// Whether only the server's own network knows the host: a private or link-local address (RFC 1918, 3927,
    /// 4193, 4291), a name of multicast DNS (RFC 6762), or a name without a domain.
    static func isLocal(_ host: String) -> Bool {
        if host.contains(":") {
            return ["fc", "fd", "fe8", "fe9", "fea", "feb"].contains { host.hasPrefix($0) }
        }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { UInt8($0) }
        guard parts.count == 4, numbers.count == 4 else { return parts.count == 1 || parts.last == "local" }
        switch (numbers[0], numbers[1]) {
        case (10, _), (172, 16...31), (192, 168), (169, 254): return true
        default: return false
        }
    }
}

extension CommandPhrases.Messages {
    static let typedAt = Phrase("to type at {address}")
    static let times = Phrase("{start} – {end} ({zone})")
    static let scan = Phrase("Scan the code, or open")
    static let loopback = Phrase(
        "Phones cannot reach this address, because it belongs to this machine. Start the server with "
            + "--listen 0.0.0.0:8080 for this network, or with --public-url.")
    static let differentNetwork = Phrase(
        "If a phone cannot open this address, it is on a different network. Connect the phone to the same "
            + "Wi-Fi as the server. If phones come from other networks, the server needs --public-url "
            + "(qring help serve).")
    static let inOf = Phrase("in {count}/{planned}")
    static let inCount = Phrase("in {count}")
    static let lateCount = Phrase("late {count}")
    static let insideCount = Phrase("inside {count}")
    static let leftCount = Phrase("left {count}")
}
