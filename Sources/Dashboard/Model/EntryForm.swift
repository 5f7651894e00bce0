internal import Client
internal import Meetings
internal import Phrases
internal import Terminal
internal import Wire

/// A form over the screen, for a change that needs more than one key.
struct EntryForm: Sendable {
    enum Purpose: Hashable, Sendable {
        case addAttendee(IdentifyBy)
        /// New status and note of these attendees.
        case correct([AttendeeID])
        /// The session's new end.
        case end
        /// A question and its choices. The last choice is always empty.
        case poll
    }

    struct Field: Sendable {
        enum Content: Hashable, Sendable {
            case text(String)
            /// A status; nil leaves the status unchanged.
            case status(AttendanceStatus?)
        }

        let label: Phrase
        var values: [String: String] = [:]
        var content: Content

        /// A choice of a poll.
        static func choice(_ number: Int) -> Field {
            Field(
                label: CommandPhrases.Dashboard.pollChoice, values: ["number": String(number)],
                content: .text(""))
        }
    }

    let purpose: Purpose
    /// The names of the attendees whom the form concerns.
    let subject: String
    var fields: [Field]
    /// The index of the field with the cursor.
    var line = 0
    /// Whether the host has seen that the session will overlap another one.
    var allowsOverlap = false

    static let mostCharacters = 200
    static let mostChoices = 9

    func text(_ index: Int) -> String {
        guard fields.indices.contains(index), case .text(let text) = fields[index].content else { return "" }
        return text
    }

    /// The choices of a poll that the host has written.
    var choices: [String] { fields.indices.dropFirst().map(text).filter { !$0.isEmpty } }

    /// Whether Enter saves the form now: in the last field, and in an empty choice of a poll.
    var isLast: Bool {
        line == fields.count - 1 || purpose == .poll && line > 0 && text(line).isEmpty
    }
}

extension Dashboard {
    private typealias Messages = CommandPhrases.Dashboard

    mutating func openForm(_ purpose: EntryForm.Purpose, prefilled: String = "") {
        guard let session else { return }
        notice = nil
        switch purpose {
        case .addAttendee(let identifyBy):
            let key = identifyBy == .number ? Messages.formNumber : Messages.formEmail
            var fields = [EntryForm.Field(label: Messages.formName, content: .text(""))]
            if identifyBy != .name { fields.append(.init(label: key, content: .text(""))) }
            fields.append(.init(label: Messages.formNote, content: .text("")))
            form = EntryForm(purpose: purpose, subject: "", fields: fields)
        case .correct(let ids):
            let people = ids.compactMap { session.people[$0] }
            guard let first = people.first else { return }
            let note = people.count == 1 ? first.note ?? "" : ""
            form = EntryForm(
                purpose: purpose, subject: named(people),
                fields: [
                    .init(label: Messages.formStatus, content: .status(nil)),
                    .init(label: Messages.formReason, content: .text(note)),
                ])
        case .end:
            form = EntryForm(
                purpose: purpose, subject: "",
                fields: [.init(label: Messages.formEnd, content: .text(prefilled))])
        case .poll:
            form = EntryForm(
                purpose: purpose, subject: "",
                fields: [.init(label: Messages.pollQuestion, content: .text("")), .choice(1)])
        }
    }

    /// Returns the person's name, or the number of people.
    func named(_ people: [AttendeeBody]) -> String {
        people.count == 1
            ? people[0].name : Messages.people.text(in: language, ["count": String(people.count)])
    }

    /// Takes a key for a form. Enter goes to the next field, and in the last field saves the form.
    mutating func writeForm(_ key: Key) -> [DashboardAction] {
        guard var open = form, !isBusy else { return [] }
        let index = open.line
        switch key {
        case .escape:
            form = nil
            return []
        case .up, .backTab: open.line = max(0, index - 1)
        case .down, .tab: open.line = min(index + 1, open.fields.count - 1)
        case .enter: if open.isLast { return save(open) } else { open.line = index + 1 }
        default:
            open.allowsOverlap = false
            switch open.fields[index].content {
            case .text(var text):
                if case .character(let character) = key, text.count < EntryForm.mostCharacters {
                    text.append(character)
                } else if key == .backspace, !text.isEmpty {
                    text.removeLast()
                }
                open.fields[index].content = .text(text)
                let count = open.fields.count
                if open.purpose == .poll, !open.text(count - 1).isEmpty, count <= EntryForm.mostChoices {
                    open.fields.append(.choice(count))
                }
            case .status(let status):
                open.fields[index].content = .status(Self.status(after: status, key))
            }
        }
        form = open
        return []
    }

    /// Returns the next status for an arrow or a space, the status of a letter, or else the same status.
    private static func status(after status: AttendanceStatus?, _ key: Key) -> AttendanceStatus? {
        let all: [AttendanceStatus?] = [nil, .present, .late, .absent, .excused, .awaited]
        let index = all.firstIndex(of: status) ?? 0
        return switch key {
        case .right, .character(" "): all[(index + 1) % all.count]
        case .left: all[(index + all.count - 1) % all.count]
        case .character("p"): .present
        case .character("l"): .late
        case .character("a"): .absent
        case .character("e"): .excused
        default: status
        }
    }

    private mutating func save(_ form: EntryForm) -> [DashboardAction] {
        guard let session else { return [] }
        switch form.purpose {
        case .addAttendee(let identifyBy):
            guard !form.text(0).isEmpty else {
                say(Messages.needsName, trouble: true)
                return []
            }
            var person = AttendeeChange()
            person.name = form.text(0)
            if identifyBy == .email { person.email = form.text(1).isEmpty ? nil : form.text(1) }
            if identifyBy == .number { person.number = form.text(1).isEmpty ? nil : form.text(1) }
            let note = form.text(form.fields.count - 1)
            person.note = note.isEmpty ? nil : note
            isBusy = true
            return [.add(session.id, person, after: session.sequence)]
        case .correct(let ids):
            var change = AttendeeChange()
            if case .status(let status) = form.fields[0].content { change.status = status }
            let people = ids.compactMap { session.people[$0] }
            // One attendee's note can also be deleted. For several attendees an empty note changes nothing.
            let note = form.text(1)
            if people.count == 1 ? note != people[0].note ?? "" : !note.isEmpty { change.note = note }
            guard change != AttendeeChange(), !people.isEmpty else {
                say(Messages.isSoAlready)
                return []
            }
            return send(change, to: people)
        case .end:
            guard let end = readEnd(form.text(0), session.body, now) else {
                say(Messages.needsEnd, trouble: true)
                return []
            }
            guard end != session.body.endsAt else {
                say(Messages.isSoAlready)
                return []
            }
            var change = SessionChange()
            change.endsAt = end
            if form.allowsOverlap { change.allowOverlap = true }
            isBusy = true
            return [
                .edit(session.id, change, version: session.body.version, after: session.sequence)
            ]
        case .poll:
            let (question, choices) = (form.text(0), form.choices)
            guard !question.isEmpty, choices.count != 1 else {
                say(question.isEmpty ? Messages.needsQuestion : Messages.needsChoices, trouble: true)
                return []
            }
            isBusy = true
            return [.ask(session.id, question: question, choices: choices)]
        }
    }

    /// Sends one correction of several attendees.
    mutating func send(_ change: AttendeeChange, to people: [AttendeeBody]) -> [DashboardAction] {
        guard let session else { return [] }
        isBusy = true
        say(Messages.marking, ["name": TerminalEscaping.safe(named(people))])
        // Send the versions that are on the screen, so that the server rejects a correction if somebody else
        // has changed the attendee.
        let marked = people.map { Correction.Target(id: $0.id, version: $0.version ?? 0) }
        return [
            .correct(
                session.id, Correction(attendees: marked, change: change, name: named(people)),
                after: session.sequence)
        ]
    }
}

/// A host's correction of one attendee or of several.
struct Correction: Hashable, Sendable {
    struct Target: Hashable, Sendable {
        let id: AttendeeID
        /// The version that the host has seen.
        let version: Int
    }

    let attendees: [Target]
    let change: AttendeeChange
    /// The name or the number of the attendees, for messages.
    let name: String
}

/// Reads the new end of a session as the host types it. Returns nil if the text is no time.
typealias EndReader = @Sendable (_ text: String, _ session: SessionBody, _ now: Instant) -> Instant?

extension CommandPhrases.Dashboard {
    static let formName = Phrase("Name")
    static let formEmail = Phrase("E-mail")
    static let formNumber = Phrase("Number")
    static let formNote = Phrase("Note")
    static let formStatus = Phrase("Status")
    static let formReason = Phrase("Note or reason")
    static let formEnd = Phrase("New end")
    static let pollQuestion = Phrase("Question")
    static let pollChoice = Phrase("Choice {number}")
    static let people = Phrase("{count} {count|attendee|attendees}")
    static let needsName = Phrase("Enter a name")
    static let needsEnd = Phrase("Enter an end, for example 21:30, +15m or now")
}
