import Journal
import Meetings

extension MemoryRows {
    func correction(of session: SessionID, sequence: Int64) throws(JournalError) -> CorrectionRecord? {
        try tables().corrections[Tables.CorrectionPlace(session: session, sequence: sequence)]
    }

    func corrections(of session: SessionID, in sequences: ClosedRange<Int64>) throws(JournalError)
        -> [CorrectionRecord]
    {
        try tables().corrections.values.filter { $0.sessionID == session && sequences.contains($0.sequence) }
            .sorted { $0.sequence < $1.sequence }
    }

    func corrections(of attendee: AttendeeID) throws(JournalError) -> [CorrectionRecord] {
        try tables().corrections.values.filter { $0.attendeeID == attendee }
    }

    func newestCorrections(of session: SessionID, attendee: AttendeeID?, limit: Int) throws(JournalError)
        -> [CorrectionRecord]
    {
        let tables = try tables()
        let events = Dictionary(
            uniqueKeysWithValues: tables.events[session, default: []].map { ($0.sequence, $0) })
        let found = tables.corrections.values.filter { correction in
            guard correction.sessionID == session else { return false }
            if let attendee { return correction.attendeeID == attendee }
            guard let event = events[correction.sequence] else { return true }
            let isMove = event.kind == .left || event.kind == .returned
            return event.kind != .checkedIn && !(isMove && event.actor == .attendee)
        }
        return Array(found.sorted { $0.sequence > $1.sequence }.prefix(limit))
    }

    func renames(of attendee: AttendeeID, in session: SessionID) throws(JournalError) -> [CorrectionRecord] {
        let tables = try tables()
        let renames = Set(
            tables.events[session, default: []].filter { $0.kind == .renamed }.map(\.sequence))
        return tables.corrections.values.filter {
            $0.attendeeID == attendee && $0.sessionID == session && renames.contains($0.sequence)
        }.sorted { $0.sequence < $1.sequence }
    }

    func correctionsToForget(at now: Instant, limit: Int) throws(JournalError) -> [CorrectionRecord] {
        let due = try tables().corrections.values.filter { $0.forgetAt.map { $0 <= now } ?? false }
        return Array(
            due.sorted {
                ($0.forgetAt ?? now, $0.sessionID, $0.sequence) < (
                    $1.forgetAt ?? now, $1.sessionID, $1.sequence
                )
            }.prefix(limit))
    }

    func keys(of attendee: AttendeeID) throws(JournalError) -> AttendeeKeys {
        let entry = try tables().attendees[attendee]
        return AttendeeKeys(identity: entry?.key?.text, grant: entry?.grant)
    }

    func trace(of merged: AttendeeID) throws(JournalError) -> MergedTrace? { try tables().traces[merged] }

    func traces(into attendee: AttendeeID) throws(JournalError) -> [MergedTrace] {
        try tables().traces.values.filter { $0.into == attendee }.sorted { $0.id < $1.id }
    }

    func hasTraces(in session: SessionID) throws(JournalError) -> Bool {
        try tables().traces.values.contains { $0.sessionID == session }
    }

    func trace(in session: SessionID, key: IdentityKey) throws(JournalError) -> MergedTrace? {
        try tables().traces.values.filter { $0.sessionID == session && $0.keys.identity == key.text }.max {
            $0.id < $1.id
        }
    }

    func trace(in session: SessionID, grant: [UInt8]) throws(JournalError) -> MergedTrace? {
        try tables().traces.values.filter { $0.sessionID == session && $0.keys.grant == grant }.max {
            $0.id < $1.id
        }
    }

    func save(_ correction: CorrectionRecord) throws(JournalError) {
        try change("save correction") { tables throws(JournalError) in
            guard tables.sessions[correction.sessionID] != nil else {
                throw conflict("save correction", "of no session")
            }
            tables.corrections[
                Tables.CorrectionPlace(session: correction.sessionID, sequence: correction.sequence)] =
                correction
        }
    }

    func deleteCorrections(of attendee: AttendeeID) throws(JournalError) {
        try change("delete corrections") { tables in
            tables.corrections = tables.corrections.filter { $0.value.attendeeID != attendee }
        }
    }

    func forgetBefore(of attendee: AttendeeID) throws(JournalError) {
        try change("forget corrections") { tables in
            for (key, correction) in tables.corrections where correction.attendeeID == attendee {
                var forgotten = correction
                forgotten.before = nil
                forgotten.forgetAt = nil
                tables.corrections[key] = forgotten
            }
        }
    }

    func setKeys(_ keys: AttendeeKeys, of attendee: Attendee) throws(JournalError) {
        try change("set attendee's keys") { tables throws(JournalError) in
            let isTaken = tables.attendees.values.contains { other in
                other.attendee.sessionID == attendee.sessionID && other.attendee.id != attendee.id
                    && (keys.key != nil && other.key == keys.key
                        || keys.grant != nil && other.grant == keys.grant)
            }
            guard !isTaken else { throw conflict("set attendee's keys", "not unique") }
            tables.attendees[attendee.id]?.key = keys.key
            tables.attendees[attendee.id]?.grant = keys.grant
        }
    }

    func insert(_ trace: MergedTrace) throws(JournalError) {
        try change("insert trace") { tables throws(JournalError) in
            guard tables.sessions[trace.sessionID] != nil, tables.traces[trace.id] == nil else {
                throw conflict("insert trace", "not unique, or of no session")
            }
            tables.traces[trace.id] = trace
        }
    }

    func deleteTrace(of merged: AttendeeID) throws(JournalError) {
        try change("delete trace") { $0.traces[merged] = nil }
    }
}
