internal import Meetings
internal import Phrases
internal import RecordText
package import Terminal
internal import Wire

/// Lays out the screen of a door: one large word with the person, the line for names, and the counts.
package struct DoorLayout {
    package let grid: Grid

    private typealias Messages = DoorPhrases

    package init(_ door: DoorState, _ look: Look) {
        var canvas = Canvas(door.size, look)
        var area = Area(door.size)
        Self.drawTitle(door, area.takeTop(1), &canvas)
        Self.drawKeys(door, area.takeBottom(1), &canvas)
        Self.drawCounts(door, area.takeBottom(1), &canvas)
        if let offline = door.session.offline {
            if let entrance = door.entrance, area.rows >= 18 {
                Self.draw(entrance, area.takeBottom(1), &canvas)
            }
            Self.draw(offline, door, area.takeBottom(1), &canvas)
        }
        let isTall = area.rows >= 16
        // On a small screen, the list of names needs the room of the last verdict.
        let isList = !isTall && !door.input.isEmpty
        Self.drawWord(door, area.takeTop(isTall ? 7 : isList ? 1 : 4), &canvas)
        _ = area.takeLeft(1)
        _ = area.takeRight(1)
        if !isList { Self.drawPerson(door, area.takeTop(3), &canvas) }
        if isTall { _ = area.takeTop(1) }
        Self.drawInput(door, area.takeTop(1), &canvas)
        Self.drawList(door, area, &canvas)
        grid = canvas.grid
    }

    private static func drawTitle(_ door: DoorState, _ area: Area, _ canvas: inout Canvas) {
        let (look, session) = (canvas.look, door.session)
        canvas.fill(area, " ", .titleQuiet)
        let zone = Zone.named(session.timeZone)
        let clock = door.now.clock(in: zone)
        let right = "\(look.text(Messages.door, ["number": String(door.door)]))  \(clock) "
        canvas.put(right, atEndOf: area, .titleQuiet)
        var left = area
        left.columns = max(0, area.columns - DisplayWidth.of(right) - 1)
        let name = TerminalEscaping.safe(session.meetingName)
        let detail = look.text(CommandPhrases.Dashboard.round, ["round": String(session.round)])
        let end = canvas.put(
            DisplayWidth.cut(name, to: max(8, left.columns - DisplayWidth.of(detail) - 4)), left, from: 1,
            .title)
        canvas.put(look.dot + detail, left, from: end, .titleQuiet)
    }

    /// The word, with its colour and the mark for terminals without colours.
    private static func word(_ door: DoorState) -> (Phrase, Colour, String) {
        switch door.shown {
        case .ready: (door.isExit ? Messages.exit : Messages.ready, .bar, "")
        case .checking: (Messages.checking, .bar, "…")
        case .verdict(let body):
            switch body.verdict {
            // Only the server lets people in. What this laptop has stored looks different until it is sent.
            case .admitted where door.isOnlyStored(body.stored): (Messages.storedHere, .cyan, "#")
            case .returned where door.isOnlyStored(body.stored): (Messages.storedAgain, .cyan, "#")
            case .left where door.isOnlyStored(body.stored): (Messages.storedOut, .cyan, "#")
            case .admitted: (Messages.isIn, .green, "+")
            case .expected: (Messages.letIn, .blue, "?")
            case .returned: (Messages.returned, .green, "+")
            case .left: (Messages.out, .green, "-")
            case .alreadyIn: (Messages.alreadyIn, .yellow, "!")
            case .alreadyOut: (Messages.alreadyOut, .yellow, "!")
            case .notIn: (Messages.notIn, .yellow, "!")
            case .waiting: (Messages.noSeat, .yellow, "?")
            case .declined: (Messages.notComing, .yellow, "?")
            case .full: (Messages.full, .yellow, "?")
            case .revoked, .notForThisSession, .notAPass: (Messages.notValid, .red, "X")
            case .sessionCode: (Messages.sessionCode, .yellow, "!")
            case .unknownHere: (Messages.unknownHere, .yellow, "?")
            }
        case .notChecked: (Messages.notChecked, .magenta, "X")
        case .undone: (Messages.undone, .blue, "-")
        case .notice, .failure: (Messages.notice, .magenta, "!")
        }
    }

    private static func drawWord(_ door: DoorState, _ area: Area, _ canvas: inout Canvas) {
        let (phrase, colour, mark) = word(door)
        let look = canvas.look
        let isDark = colour == .bar || colour == .red || colour == .blue || colour == .magenta
        let style =
            look.isColourful
            ? Style(isDark ? .pureWhite : .pureBlack, on: colour, bold: true)
            : Style(bold: true, reversed: true)
        canvas.fill(area, " ", style)
        let word = look.text(phrase).uppercased()
        let spaced = word.map(String.init).joined(separator: " ")
        let marked = mark.isEmpty || look.isColourful ? spaced : "\(mark) \(spaced) \(mark)"
        let fits = DisplayWidth.of(marked) <= area.columns - 2
        let name = area.rows > 1 ? name(door) : nil
        let row = area.rows / 2 - (name == nil ? 0 : 1)
        canvas.put(centred: fits ? marked : word, area, row: row, style)
        guard let name else { return }
        let shown = DisplayWidth.cut(TerminalEscaping.safe(name), to: area.columns - 2)
        canvas.put(centred: shown, area, row: row + 2, style)
    }

    private static func name(_ door: DoorState) -> String? {
        switch door.shown {
        case .verdict(let body): body.name
        case .undone(let name): name
        case .ready, .checking, .notChecked, .notice, .failure: nil
        }
    }

    private static func drawPerson(_ door: DoorState, _ area: Area, _ canvas: inout Canvas) {
        let look = canvas.look
        switch door.shown {
        case .ready, .checking, .undone: break
        case .notice(let notice): canvas.put(look.text(Self.said(notice)), area, .heading)
        case .failure(let reason), .notChecked(let reason, _):
            canvas.put(TerminalEscaping.safe(reason), area, .heading)
            if case .notChecked(_, isLost: true) = door.shown {
                canvas.put(look.text(Messages.scanAgain), area, row: 1)
            }
        case .verdict(let body):
            canvas.put(details(body, door, look), area, .heading)
            if let note = body.note {
                canvas.put(
                    look.text(Messages.note, ["note": TerminalEscaping.safe(note)]), area, row: 1,
                    Style(.yellow, bold: true))
            }
            if door.asked != nil { canvas.put(look.text(Messages.accept), area, row: 2, .key) }
        }
    }

    private static func said(_ notice: DoorState.Notice) -> Phrase {
        switch notice {
        case .koreanKeyboard: Messages.koreanKeyboard
        case .nobodyFound: Messages.nobodyFound
        case .nothingToUndo: Messages.nothingToUndo
        case .tooManyWaiting: Messages.tooMany
        case .leavingNotRecorded: Messages.leavingNotRecorded
        }
    }

    private static func details(_ body: DoorBody, _ door: DoorState, _ look: Look) -> String {
        var parts: [String] = []
        switch body.verdict {
        case .admitted, .alreadyIn, .returned:
            if let status = body.status { parts.append(look.status(status)) }
            if body.verdict == .alreadyIn, let time = body.checkedInAt {
                let zone = Zone.named(door.session.timeZone)
                parts.append(look.text(Messages.since, ["time": String(time.clock(in: zone).prefix(5))]))
            }
        case .alreadyOut:
            if let time = body.leftAt {
                let zone = Zone.named(door.session.timeZone)
                parts.append(look.text(Messages.since, ["time": String(time.clock(in: zone).prefix(5))]))
            }
        case .expected, .left, .notIn: break
        case .waiting, .declined:
            if let reply = body.reply { parts.append(look.text(reply.status.phrase)) }
        case .full:
            if let counts = body.counts, let capacity = counts.capacity, let taken = counts.taken {
                parts.append(
                    look.text(Phrase.Reply.seats, ["taken": String(taken), "capacity": String(capacity)]))
            }
        case .revoked: parts.append(look.text(Messages.revoked))
        case .unknownHere: parts.append(look.text(Messages.aboutUnknown))
        case .notForThisSession:
            parts.append(look.text(body.name == nil ? Messages.otherMeeting : Messages.notExpected))
        case .sessionCode: parts.append(look.text(Messages.aboutSessionCode))
        case .notAPass: parts.append(look.text(Messages.notAPass))
        }
        if let guests = body.reply?.guests, guests > 0 {
            parts.append(look.text(Phrase.Reply.withGuests, ["count": String(guests)]))
        }
        if body.firstTime == true { parts.append(look.text(Messages.firstTime)) }
        if body.walkIn == true { parts.append(look.text(Messages.walkIn)) }
        return parts.joined(separator: look.dot)
    }

    private static func drawInput(_ door: DoorState, _ area: Area, _ canvas: inout Canvas) {
        let look = canvas.look
        if door.asksToLeave {
            canvas.put(look.text(Messages.askLeave), area, .alarm)
            return
        }
        let end = canvas.put("\(look.pointer) ", area, .key)
        guard !door.input.isEmpty else {
            canvas.put(look.text(prompt(door)), area, from: end, .quiet)
            return
        }
        // The end of a long text is more interesting than its beginning.
        let room = area.columns - end - 1
        var text = TerminalEscaping.safe(door.input)
        while DisplayWidth.of(text) > room, !text.isEmpty { text.removeFirst() }
        let after = canvas.put(text, area, from: end, .heading)
        canvas.put(look.caret, area, from: after, .key)
    }

    private static func prompt(_ door: DoorState) -> Phrase {
        switch door.session.identifyBy {
        case .name: Messages.promptName
        case .email: Messages.promptEmail
        case .number: Messages.promptNumber
        }
    }

    /// Draws the found people, or else the last admissions.
    private static func drawList(_ door: DoorState, _ area: Area, _ canvas: inout Canvas) {
        let look = canvas.look
        guard let people = door.people else {
            if door.isExpress || !door.input.isEmpty { return }
            let zone = Zone.named(door.session.timeZone)
            for (row, one) in door.admissions.prefix(area.rows).enumerated() {
                let name = one.name.isEmpty ? "–" : TerminalEscaping.safe(one.name)
                let end = canvas.put("\(one.at.clock(in: zone).prefix(5))  \(name)", area, row: row, .quiet)
                if door.isOnlyStored(one.stored) {
                    canvas.put(look.text(Messages.storedHere), area, row: row, from: end + 2, .key)
                }
            }
            return
        }
        var lines = people.items.map { person -> (String, String, Colour) in
            let name = TerminalEscaping.safe(person.name) + (person.hint.map { " \($0)" } ?? "")
            if let status = person.status { return (name, look.status(status), look.colour(of: status)) }
            return (name, person.reply.map { look.text($0.status.phrase) } ?? "", .yellow)
        }
        if door.offersWalkIn {
            lines.append(
                (look.text(Messages.asWalkIn, ["name": TerminalEscaping.safe(door.input)]), "", .cyan))
        }
        for (row, line) in lines.prefix(area.rows).enumerated() {
            let isChosen = row == door.chosen
            if isChosen { canvas.put(look.pointer, area, row: row, .key) }
            let end = canvas.put(line.0, area, row: row, from: 2, isChosen ? .heading : .plain)
            canvas.put(line.1, area, row: row, from: end + 2, Style(line.2))
        }
        if people.hasMore, lines.count < area.rows {
            canvas.put(look.text(Messages.typeMore), area, row: lines.count, from: 2, .quiet)
        }
    }

    private static func drawCounts(_ door: DoorState, _ whole: Area, _ canvas: inout Canvas) {
        var area = whole
        _ = area.takeLeft(1)
        let (look, counts) = (canvas.look, door.session.counts)
        var line = Line()
        func add(_ phrase: Phrase, _ count: Int) {
            if !line.parts.isEmpty { line.add(look.dot, .quiet) }
            line.add(look.text(phrase, ["count": String(count)]))
        }
        add(Messages.here, counts.atDoor ?? 0)
        add(Messages.inAll, counts.checkedIn)
        if let inside = counts.inside { add(Messages.inside, inside) }
        add(Messages.stillExpected, counts.awaited)
        if let capacity = counts.capacity, let taken = counts.taken {
            line.add(look.dot, .quiet)
            line.add(look.text(Phrase.Reply.seats, ["taken": String(taken), "capacity": String(capacity)]))
        }
        if !door.waiting.isEmpty { add(Messages.waiting, door.waiting.count) }
        canvas.put(line, area)
        if door.isCut { canvas.put(look.text(Messages.cut) + " ", atEndOf: area, .alarm) }
    }

    /// Draws what the laptop knows about its server.
    private static func draw(
        _ offline: OfflineDoorBody, _ door: DoorState, _ whole: Area, _ canvas: inout Canvas
    ) {
        var area = whole
        _ = area.takeLeft(1)
        let look = canvas.look
        let seen = offline.seenAt.clock(in: Zone.named(door.session.timeZone)).prefix(5)
        var line = Line()
        if offline.revoked {
            line.add(look.text(Messages.doorRevoked), .alarm)
        } else if offline.copied {
            line.add(look.text(Messages.doorCopied), .alarm)
        } else if offline.unsent == 0 {
            line.add(look.text(Messages.allSent, ["time": String(seen)]), .quiet)
        } else {
            line.add(
                look.text(Messages.unsent, ["count": String(offline.unsent), "time": String(seen)]), .alarm)
        }
        if offline.doubles > 0 {
            line.add(look.dot, .quiet)
            line.add(look.text(Messages.doubles, ["count": String(offline.doubles)]), .alarm)
        }
        canvas.put(line, area)
    }

    private static func draw(_ entrance: DoorState.Entrance, _ whole: Area, _ canvas: inout Canvas) {
        var area = whole
        _ = area.takeLeft(1)
        canvas.put(
            canvas.look.text(Messages.entrance, ["url": entrance.url, "code": entrance.code]), area, .quiet)
    }

    private static func drawKeys(_ door: DoorState, _ whole: Area, _ canvas: inout Canvas) {
        var area = whole
        _ = area.takeLeft(1)
        let look = canvas.look
        let always: [(String, Phrase, Bool)] = [
            ("^U", Messages.keyUndo, false), ("^K", Messages.keyAsk, door.asksFirst),
            ("^E", Messages.keyExpress, door.isExpress), ("Esc", Messages.keyClear, false),
        ]
        let exit = ("^O", Messages.keyExit, door.isExit)
        let keys = door.session.counts.inside == nil ? always : [always[0], exit] + always.dropFirst()
        var line = Line()
        for (key, meaning, isOn) in keys {
            var next = line
            if !next.parts.isEmpty { next.add("  ") }
            next.add(key, .key)
            next.add(" \(look.text(meaning))", isOn ? Style(bold: true, reversed: true) : .quiet)
            if next.width <= area.columns { line = next }
        }
        canvas.put(line, area)
    }
}

/// The texts of the screen at a door.
enum DoorPhrases {
    static let door = Phrase("Door {number}")
    static let ready = Phrase("Ready", context: "door")
    static let checking = Phrase("Checking")
    static let isIn = Phrase("In", context: "door")
    static let letIn = Phrase("Let in?")
    static let storedHere = Phrase("Stored here", context: "door")
    static let storedAgain = Phrase("In again, stored here", context: "door")
    static let storedOut = Phrase("Out, stored here", context: "door")
    static let unknownHere = Phrase("Not known here", context: "door")
    static let aboutUnknown = Phrase(
        "The pass is genuine, but newer than this laptop's list, or ended. Decide yourself.")
    static let allSent = Phrase("Offline door: the server has all entries, seen {time}")
    static let unsent = Phrase(
        "Offline door: the server lacks {count} {count|entry|entries}, last seen {time}")
    static let doorRevoked = Phrase("The host has revoked this offline door. Its entries wait for the host.")
    static let doorCopied = Phrase(
        "This folder is a copy: the server takes none of its entries. Add a new offline door.")
    static let doubles = Phrase("{count} double {count|entry|entries}")
    static let entrance = Phrase("Phones: {url}, code {code}")
    static let alreadyIn = Phrase("Already in")
    static let exit = Phrase("Letting out", context: "door")
    static let returned = Phrase("In again")
    static let out = Phrase("Out", context: "door")
    static let alreadyOut = Phrase("Already out")
    static let notIn = Phrase("Not checked in", context: "door")
    static let leavingNotRecorded = Phrase("This session does not record when attendees leave.")
    static let inside = Phrase("{count} inside")
    static let keyExit = Phrase("let out", context: "door")
    static let noSeat = Phrase("No seat yet", context: "door")
    static let notComing = Phrase("Not expected", context: "door")
    static let full = Phrase("Full", context: "door")
    static let notValid = Phrase("Not valid")
    static let sessionCode = Phrase("Not a pass")
    static let notChecked = Phrase("Not checked")
    static let undone = Phrase("Undone")
    static let notice = Phrase("Notice")
    static let note = Phrase("Note: {note}")
    static let accept = Phrase("Enter lets in, Esc does not")
    static let since = Phrase("since {time}")
    static let revoked = Phrase("This pass was revoked. Search for the name.")
    static let otherMeeting = Phrase("This pass is for another meeting.")
    static let notExpected = Phrase(
        "Not expected in this session, or the pass is for another one.")
    static let aboutSessionCode = Phrase(
        "This is the session's code. Attendees scan it with their own phones.")
    static let notAPass = Phrase(
        "No pass, and nobody here has this number or address. Search for the name.")
    static let firstTime = Phrase("first time")
    static let walkIn = Phrase("walk-in")
    static let scanAgain = Phrase(
        "The answer was lost. Scan again: a repetition changes nothing, except for walk-ins.")
    static let nobodyFound = Phrase("Nobody was found. Type another part of the name.")
    static let nothingToUndo = Phrase("There is nothing to undo.")
    static let tooMany = Phrase(
        "Too many scans wait for the server. This scan was not taken: scan it again later.")
    static let koreanKeyboard = Phrase(
        "The scanner writes Korean letters. Switch the keyboard to English, and scan again.")
    static let askLeave = Phrase("Close this screen? Enter closes it. Any other key keeps it open.")
    static let promptName = Phrase("Scan a pass, or type a name")
    static let promptEmail = Phrase("Scan a pass, or type a name or an e-mail address")
    static let promptNumber = Phrase("Scan a pass or a card, or type a name or a number")
    static let asWalkIn = Phrase("let in \"{name}\" as a walk-in")
    static let typeMore = Phrase("More people match. Type more letters.")
    static let here = Phrase("{count} at this door")
    static let inAll = Phrase("{count} in all")
    static let stillExpected = Phrase("{count} expected")
    static let waiting = Phrase("{count} waiting")
    static let cut = Phrase("no connection")
    static let keyUndo = Phrase("undo")
    static let keyAsk = Phrase("ask first")
    static let keyExpress = Phrase("express")
    static let keyClear = Phrase("clear, close")
}
