internal import Client
internal import Meetings
internal import Phrases
internal import Terminal
internal import Wire

/// The commands of the list of attendees.
extension Dashboard {
    private typealias Messages = CommandPhrases.Dashboard

    mutating func movePerson(by step: Int) {
        guard let session else { return }
        let people = session.people.matches
        guard !people.isEmpty else { return }
        // If nobody is selected, the first step leads to the first or the last attendee.
        let index =
            people.firstIndex { $0.id == session.selected } ?? (step > 0 ? -1 : people.count)
        let next = index + max(-people.count, min(people.count, step))
        self.session?.selected = people[min(max(next, 0), people.count - 1)].id
    }

    mutating func turnFilter() {
        guard let people = session?.people else { return }
        let all: [AttendanceStatus?] = [nil, .awaited, .present, .late, .absent, .excused]
        let index = all.firstIndex(of: people.filter) ?? 0
        session?.people.look(for: people.query, filter: all[(index + 1) % all.count])
    }

    mutating func turnOrder() {
        guard let order = session?.people.order else { return }
        let all = People.Order.allCases
        session?.people.sort(by: all[((all.firstIndex(of: order) ?? 0) + 1) % all.count])
    }

    /// Selects the attendee at the cursor for the next correction, or ends this selection, and goes to the
    /// next attendee.
    mutating func turnPick() {
        guard let session, let id = session.selected, session.people[id] != nil else {
            movePerson(by: 1)
            return
        }
        if session.picked.contains(id) {
            self.session?.picked.remove(id)
        } else {
            self.session?.picked.insert(id)
        }
        movePerson(by: 1)
    }

    /// Selects all attendees who match the search and the filter. If all of them are selected, selects none.
    mutating func turnPickOfAll() {
        guard let session else { return }
        let shown = Set(session.people.matches.map(\.id))
        self.session?.picked = shown.isSubset(of: session.picked) ? [] : shown
    }

    /// Returns the selected attendees, or else the attendee at the cursor. Only attendees on the screen are
    /// corrected, so there are none outside the list of attendees.
    private var chosenPeople: [AttendeeBody] {
        guard let session, pane == .attendees else { return [] }
        if !session.picked.isEmpty {
            return session.people.everybody.filter { session.picked.contains($0.id) }
        }
        return session.people.matches.filter { $0.id == session.selected }
    }

    mutating func mark(_ status: AttendanceStatus) -> [DashboardAction] {
        guard !isBusy, session != nil else { return [] }
        let people = chosenPeople
        guard !people.isEmpty else {
            say(Messages.nobodyChosen)
            return []
        }
        let others = people.filter { $0.status != status }
        guard !others.isEmpty else {
            let name = TerminalEscaping.safe(named(people))
            say(Messages.alreadySo, ["name": name, "status": statusKey(status)])
            return []
        }
        var change = AttendeeChange()
        change.status = status
        return send(change, to: others)
    }

    mutating func openCorrection() {
        let people = chosenPeople
        guard !people.isEmpty else { return say(Messages.nobodyChosen) }
        openForm(.correct(people.map(\.id)))
    }

    // MARK: One attendee

    /// Opens the details of the attendee at the cursor.
    mutating func openDetails() -> [DashboardAction] {
        guard let session, let id = session.selected, let person = session.people[id] else {
            say(Messages.nobodyChosen)
            return []
        }
        self.session?.picked = []
        self.session?.details = SessionState.PersonDetails(id: id)
        cover = .person
        return [.readPerson(session.id, session.body.meetingId, person)]
    }

    /// Takes a key while the details of an attendee are open. A key without a meaning there closes them.
    mutating func takeInDetails(_ key: Key) -> [DashboardAction] {
        switch command(for: key) {
        case .present: return mark(.present)
        case .late: return mark(.late)
        case .absent: return mark(.absent)
        case .excused: return mark(.excused)
        case .correct: openCorrection()
        case .undo: return run(.undo)
        case .redo: return run(.redo)
        case .copy: return run(.copy)
        case .help: showsHelp.toggle()
        default: cover = nil
        }
        return []
    }
}

extension CommandPhrases.Dashboard {
    static let alreadySo = Phrase("{name} is already {status}")
    static let nobodyChosen = Phrase("No attendee is selected. Press 2 for the attendees")
}
