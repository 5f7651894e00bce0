package import Meetings

/// The correction that an undo reverses.
package enum UndoStep: Hashable, Sendable {
    /// The correction whose event has this sequence.
    case named(Int64)
    /// The latest correction by a host that can be undone; only of this attendee, if one is given.
    case latest(of: AttendeeID?)
    /// The step that a host has undone last, if no host has changed anything since; only of this attendee, if
    /// one is given. The undo repeats the step.
    case redo(of: AttendeeID?)
}

/// The last corrections of a session, newest first, with the versions that their records had at each of them.
///
/// A correction can be undone if its record is as the correction left it. After an undo, the record has a new
/// version but its earlier content. So each undo also leads back to the version before the step that it has
/// reversed, and the step before that one can be undone next.
struct UndoHistory {
    /// The most corrections that an undo without a sequence reads, including undone and repeated ones.
    static let most = 200

    private let rows: any ReadableRows
    private let record: SessionRecord
    private let attendee: AttendeeID?
    private let corrections: [CorrectionRecord]
    /// The versions of the records at the correction that the walk has reached; nil for a record that did not
    /// exist.
    private var versions: [Subject: Int?] = [:]

    /// A record with versions.
    private enum Subject: Hashable {
        case session
        case attendee(AttendeeID)
        case question(AudienceQuestionID)
    }

    /// The versions of a record before and after a correction; nil if the record did not exist.
    private struct Touch {
        let subject: Subject
        let before: Int?
        let after: Int?

        init(_ subject: Subject, _ before: Int?, _ after: Int?) {
            self.subject = subject
            self.before = before
            self.after = after
        }
    }

    /// - Parameter attendee: nil for the corrections of all attendees, of the session, and of its texts.
    init(of record: SessionRecord, attendee: AttendeeID?, in rows: any ReadableRows) throws(JournalError) {
        self.rows = rows
        self.record = record
        self.attendee = attendee
        corrections = try rows.newestCorrections(
            of: record.session.id, attendee: attendee, limit: Self.most)
    }

    /// Returns the latest step that a host can undo now; nil if there is none.
    /// - Parameter onlyEdits: whether only edits of the session count.
    mutating func latest(onlyEdits: Bool, at now: Instant) throws(JournalError) -> CorrectionRecord? {
        var reversed: Set<Int64> = []
        for correction in corrections {
            guard let event = try event(correction.sequence) else { continue }
            if let target = event.data.undoes { reversed.insert(target) }
            let isReversed = reversed.contains(event.sequence)
            let isStep = try isByHost(correction, event) && !isReversed ? !isUndo(event) : false
            if isStep, !onlyEdits || correction.before?.isEdit == true, try canUndo(correction, at: now) {
                return try current(correction)
            }
            try pass(correction, event)
        }
        return nil
    }

    /// Returns the event of the last undo, if it can be undone itself; nil otherwise, and if a host has made
    /// a new change since.
    mutating func undoneLast(onlyEdits: Bool, at now: Instant) throws(JournalError) -> CorrectionRecord? {
        var repeated: Set<Int64> = []
        for correction in corrections {
            guard let event = try event(correction.sequence) else { continue }
            if let target = event.data.undoes { repeated.insert(target) }
            if isByHost(correction, event), event.kind != .undone, event.kind != .redone { return nil }
            if try isUndoneAtDoor(event) { continue }
            if try isUndo(event), !repeated.contains(event.sequence) {
                if onlyEdits, correction.before?.isEdit != true { return nil }
                return try canUndo(correction, at: now) ? current(correction) : nil
            }
            try pass(correction, event)
        }
        return nil
    }

    /// Returns the correction with this sequence. If undos have restored what the correction left, its
    /// versions are the present ones. Otherwise they are those after the correction.
    mutating func named(_ sequence: Int64) throws(JournalError) -> CorrectionRecord? {
        for correction in corrections {
            if correction.sequence == sequence {
                return try isUnchanged(correction) ? current(correction) : correction
            }
            guard let event = try event(correction.sequence) else { continue }
            try pass(correction, event)
        }
        return try rows.correction(of: record.session.id, sequence: sequence)
    }

    /// Whether the event has undone an admission or a move at a door. "Redo" must not let a person in again
    /// whom the door has sent back.
    private func isUndoneAtDoor(_ event: Event) throws(JournalError) -> Bool {
        guard attendee == nil, let target = event.data.undoes, let undone = try self.event(target) else {
            return false
        }
        if undone.kind == .checkedIn { return true }
        guard let correction = try rows.correction(of: record.session.id, sequence: target),
            case .moved(_, _, isByHost: false) = correction.before
        else { return false }
        return true
    }

    /// Whether a host has made the correction. The doors go on letting people in and out while a host works,
    /// so their moves do not count. Their admissions count among the steps of one attendee; a session's list
    /// has none of them.
    private func isByHost(_ correction: CorrectionRecord, _ event: Event) -> Bool {
        if case .moved(_, _, isByHost: false) = correction.before { return false }
        return event.actor.isAccount
    }

    private func event(_ sequence: Int64) throws(JournalError) -> Event? {
        try rows.events(of: record.session.id, after: sequence - 1, limit: 1).first
    }

    /// Whether the event is an undo that repeats nothing. A host can also undo an undo by its sequence, which
    /// repeats the first step.
    private func isUndo(_ event: Event) throws(JournalError) -> Bool {
        guard event.kind == .undone else { return false }
        var (event, isUndo) = (event, true)
        // Each further undo by a sequence makes the chain longer. Nobody needs more than a few.
        for _ in 0..<8 {
            guard let target = event.data.undoes, let next = try self.event(target), next.kind == .undone
            else { return isUndo }
            (event, isUndo) = (next, !isUndo)
        }
        return isUndo
    }

    // MARK: Versions

    private func touches(_ correction: CorrectionRecord) -> [Touch] {
        let after = correction.versionAfter
        return switch correction.before {
        case nil, .text, .word: []
        case .corrected(let old, _, _): [Touch(.attendee(old.id), old.version, after)]
        case .added: correction.attendeeID.map { [Touch(.attendee($0), nil, after)] } ?? []
        case .moved(let version, _, _):
            correction.attendeeID.map { [Touch(.attendee($0), version, after)] } ?? []
        case .removed(let whole): [Touch(.attendee(whole.attendee.id), whole.attendee.version, nil)]
        case .merged(let absorbed, let remaining):
            [
                Touch(.attendee(absorbed.attendee.id), absorbed.attendee.version, nil),
                Touch(.attendee(remaining.attendee.id), remaining.attendee.version, after),
            ]
        case .separated(let absorbed, let version, let remaining, let former):
            [
                Touch(.attendee(absorbed), nil, version),
                Touch(.attendee(remaining), former, after),
            ]
        case .edited(let old): [Touch(.session, old.version, after)]
        case .question(let before): [Touch(.question(before.question), after - 1, after)]
        case .mergedQuestion(let id, _), .separatedQuestion(let id, _):
            [Touch(.question(id), after - 1, after)]
        }
    }

    private mutating func version(of subject: Subject) throws(JournalError) -> Int? {
        if let known = versions[subject] { return known }
        let version = try storedVersion(of: subject)
        versions[subject] = .some(version)
        return version
    }

    private func storedVersion(of subject: Subject) throws(JournalError) -> Int? {
        switch subject {
        case .session: record.session.version
        case .attendee(let id): try rows.attendee(id)?.version
        case .question(let id): try rows.audienceQuestion(id)?.version
        }
    }

    /// Goes back to the versions before an undo that has reversed another correction, and before a renewal of
    /// the session's code, which cannot be undone.
    private mutating func pass(_ correction: CorrectionRecord, _ event: Event) throws(JournalError) {
        if case .edited(let old) = correction.before, event.data.changes == nil,
            try version(of: .session) == correction.versionAfter
        {
            versions[.session] = .some(old.version)
        }
        guard let target = event.data.undoes,
            let reversed = try rows.correction(of: record.session.id, sequence: target)
        else { return }
        let earlier = touches(reversed)
        for touch in touches(correction) where try version(of: touch.subject) == touch.after {
            guard let before = earlier.first(where: { $0.subject == touch.subject }) else { continue }
            versions[touch.subject] = .some(before.before)
        }
    }

    private mutating func isUnchanged(_ correction: CorrectionRecord) throws(JournalError) -> Bool {
        for touch in touches(correction) where try version(of: touch.subject) != touch.after { return false }
        return true
    }

    /// Returns the unchanged correction with the present versions of its records.
    private func current(_ correction: CorrectionRecord) throws(JournalError) -> CorrectionRecord {
        var before = correction.before
        var subject: Subject? = touches(correction).first?.subject
        switch before {
        case .merged(_, let remaining): subject = .attendee(remaining.attendee.id)
        case .separated(let absorbed, let version, let remaining, let former):
            subject = .attendee(remaining)
            before = .separated(
                absorbed, version: try rows.attendee(absorbed)?.version ?? version, from: remaining,
                former: former)
        default: break
        }
        guard let subject, let version = try storedVersion(of: subject) else { return correction }
        return CorrectionRecord(
            sessionID: correction.sessionID, sequence: correction.sequence,
            attendeeID: correction.attendeeID, note: correction.note, before: before, versionAfter: version,
            forgetAt: correction.forgetAt)
    }

    /// Whether the record is as the correction left it, and a check of a few rows finds no other reason to
    /// refuse the undo.
    private mutating func canUndo(_ correction: CorrectionRecord, at now: Instant) throws(JournalError)
        -> Bool
    {
        guard correction.before != nil, try isUnchanged(correction) else { return false }
        switch correction.before {
        case nil: return false
        case .corrected, .separated, .moved: return true
        case .added:
            guard let id = correction.attendeeID, let attendee = try rows.attendee(id) else { return false }
            return try rows.canRemoveAgain(attendee, added: correction)
        case .removed(let whole):
            guard try rows.attendee(behind: whole.attendee.id) == nil else { return false }
            guard let key = whole.keys.key else { return true }
            return try rows.attendee(in: correction.sessionID, key: key) == nil
        case .merged(let absorbed, let remaining):
            guard let now = try rows.attendee(remaining.attendee.id) else { return false }
            return try rows.isAsMerged(try rows.whole(now), absorbed, into: remaining)
        case .edited(let old):
            return !old.changes(since: record.session).isEmpty
                && SessionEdits.refusal(of: record.session, to: old, at: now) == nil
        case .question(let before): return try rows.audienceQuestion(before.question)?.mergedInto == nil
        case .mergedQuestion(let merged, let root):
            guard try rows.audienceQuestion(merged)?.mergedInto == root else { return false }
            return try rows.audienceQuestion(root)?.mergedInto == nil
        case .separatedQuestion(let merged, let root):
            guard try rows.audienceQuestion(merged)?.mergedInto == nil else { return false }
            return try rows.audienceQuestion(root)?.mergedInto == nil
        case .text(let change):
            guard let location = try rows.location(of: change.question) else { return false }
            return try rows.status(ofTextAt: change.place, to: change.question, in: location) == change.to
        case .word(let change):
            guard try rows.location(of: change.question) != nil else { return false }
            return try rows.wordStatus(of: change.word, to: change.question) == change.to
        }
    }
}

extension Event.Actor {
    fileprivate var isAccount: Bool {
        if case .account = self { true } else { false }
    }
}

extension RecordBefore {
    fileprivate var isEdit: Bool {
        if case .edited = self { true } else { false }
    }
}

extension ReadableRows {
    /// Whether the undo of an addition can remove the attendee: the attendee has absorbed no record and has
    /// answered nothing. If the addition was the undo of a removal, the answers and merges of that time are
    /// no obstacle.
    func canRemoveAgain(_ attendee: Attendee, added: CorrectionRecord) throws(JournalError) -> Bool {
        let whole = try whole(attendee)
        let event = try events(of: added.sessionID, after: added.sequence - 1, limit: 1).first
        if let target = event?.data.undoes,
            case .removed(let earlier) = try correction(of: added.sessionID, sequence: target)?.before
        {
            return Set(whole.answered) == Set(earlier.answered)
        }
        guard whole.answered.isEmpty else { return false }
        return try traces(into: attendee.id).isEmpty
    }

    /// Whether the remaining record of a merge has exactly the answers that the merge has left.
    func isAsMerged(_ now: WholeAttendee, _ absorbed: WholeAttendee, into remaining: WholeAttendee)
        throws(JournalError) -> Bool
    {
        // If the attendee has changed answers since the merge, the records before the merge are outdated.
        let merged = Dictionary(
            (remaining.namedResponses + absorbed.namedResponses).map { ($0.set, $0.answers) }
        ) { kept, _ in kept }
        guard Set(now.answered) == Set(absorbed.answered).union(remaining.answered),
            now.namedResponses.allSatisfy({ merged[$0.set] == $0.answers })
        else { return false }
        return try trace(of: absorbed.attendee.id)?.into == now.attendee.id
    }
}
