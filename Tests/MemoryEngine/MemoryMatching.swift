import Journal
import Meetings

extension MemoryRows {
    func matchSettings(of session: SessionID) throws(JournalError) -> MatchSettings? {
        try tables().matchSettings[session]
    }

    func matchPerson(_ attendee: AttendeeID) throws(JournalError) -> MatchPerson? {
        try tables().matchPeople[attendee]
    }

    func matchPerson(with profile: MatchProfileID) throws(JournalError) -> MatchPerson? {
        try tables().matchPeople.values.first { $0.profile?.id == profile }
    }

    func matchPeople(of session: SessionID) throws(JournalError) -> [MatchPerson] {
        let people = try tables().matchPeople.values.compactMap { person in
            person.sessionID == session ? person.profile.map { (id: $0.id, person: person) } : nil
        }
        return people.sorted { $0.id < $1.id }.map(\.person)
    }

    func matchPeopleCount(of session: SessionID) throws(JournalError) -> Int {
        try matchPeople(of: session).count
    }

    func matchRequest(_ id: MatchRequestID) throws(JournalError) -> MatchRequest? {
        try tables().matchRequests[id]
    }

    func matchRequests(of attendee: AttendeeID) throws(JournalError) -> [MatchRequest] {
        try tables().matchRequests.values.filter { $0.involves(attendee) }
    }

    func matches(of session: SessionID) throws(JournalError) -> [MatchRequest] {
        try tables().matchRequests.values.filter { $0.sessionID == session && $0.state == .matched }
    }

    func matchBlocks(of attendee: AttendeeID) throws(JournalError) -> (
        own: Set<AttendeeID>, others: Set<AttendeeID>
    ) {
        let blocks = try tables().matchBlocks.keys
        return (
            Set(blocks.filter { $0.attendee == attendee }.map(\.blocked)),
            Set(blocks.filter { $0.blocked == attendee }.map(\.attendee))
        )
    }

    func matchReports(of session: SessionID) throws(JournalError) -> [MatchReport] {
        try tables().matchReports.values.filter { $0.sessionID == session }.sorted { one, other in
            if one.isClosed != other.isClosed { return other.isClosed }
            return one.at == other.at ? one.id < other.id : one.at > other.at
        }
    }

    func sessionsWithMatching(after session: SessionID?, limit: Int) throws(JournalError) -> [SessionID] {
        let all = try tables().matchingSessions.filter { one in session.map { $0 < one } ?? true }
        return Array(all.sorted().prefix(limit))
    }

    func save(_ settings: MatchSettings, of session: SessionID) throws(JournalError) {
        try change("save match settings") { tables throws(JournalError) in
            guard tables.sessions[session] != nil else {
                throw conflict("save match settings", "of no session")
            }
            tables.matchSettings[session] = settings
        }
    }

    func save(_ person: MatchPerson) throws(JournalError) {
        try change("save match person") { tables throws(JournalError) in
            guard tables.sessions[person.sessionID] != nil else {
                throw conflict("save match person", "of no session")
            }
            tables.matchPeople[person.attendeeID] = person
            tables.matchingSessions.insert(person.sessionID)
            let session = person.sessionID
            if tables.matchSettings[session] == nil { tables.matchSettings[session] = .initial }
        }
    }

    func save(_ request: MatchRequest) throws(JournalError) {
        try change("save match request") { $0.matchRequests[request.id] = request }
    }

    func delete(_ request: MatchRequestID) throws(JournalError) {
        try change("delete match request") { $0.matchRequests[request] = nil }
    }

    func insertMatchBlock(
        by attendee: AttendeeID, of other: AttendeeID, in session: SessionID
    ) throws(JournalError) -> Bool {
        try change("insert block") {
            $0.matchBlocks.updateValue(session, forKey: Tables.Block(attendee: attendee, blocked: other))
                == nil
        }
    }

    func moveMatching(of attendee: AttendeeID, to other: AttendeeID) throws(JournalError) {
        func moved(_ id: AttendeeID) -> AttendeeID { id == attendee ? other : id }
        try change("move matching") { tables in
            if let one = tables.matchPeople.removeValue(forKey: attendee) {
                tables.matchPeople[other] = MatchPerson(
                    attendeeID: other, sessionID: one.sessionID, profile: one.profile, joins: one.joins,
                    asked: one.asked, askedAt: one.askedAt, isExcluded: one.isExcluded)
            }
            tables.matchRequests = tables.matchRequests.mapValues {
                MatchRequest(
                    id: $0.id, sessionID: $0.sessionID, from: moved($0.from), to: moved($0.to),
                    askedAt: $0.askedAt, state: $0.state, place: $0.place, lines: $0.lines)
            }
            tables.matchBlocks = Dictionary(
                uniqueKeysWithValues: tables.matchBlocks.map {
                    (Tables.Block(attendee: moved($0.attendee), blocked: moved($0.blocked)), $1)
                })
            tables.matchReports = tables.matchReports.mapValues {
                MatchReport(
                    id: $0.id, sessionID: $0.sessionID, by: moved($0.by), about: moved($0.about),
                    profile: $0.profile, text: $0.text, at: $0.at, isClosed: $0.isClosed)
            }
        }
    }

    func deleteNamedMatchReports(about attendee: AttendeeID) throws(JournalError) {
        try change("delete named match reports") { tables in
            tables.matchReports = tables.matchReports.filter {
                $0.value.about != attendee || $0.value.profile.promise != .named
            }
        }
    }

    func deleteMatchBlocks(by attendee: AttendeeID) throws(JournalError) -> Int {
        try change("delete blocks") { tables in
            let before = tables.matchBlocks.count
            tables.matchBlocks = tables.matchBlocks.filter { $0.key.attendee != attendee }
            return before - tables.matchBlocks.count
        }
    }

    func save(_ report: MatchReport) throws(JournalError) {
        try change("save match report") { $0.matchReports[report.id] = report }
    }

    func eraseMatching(of attendee: AttendeeID) throws(JournalError) {
        try change("erase matching") { tables in
            tables.matchPeople[attendee] = nil
            tables.matchRequests = tables.matchRequests.filter { !$0.value.involves(attendee) }
            tables.matchBlocks = tables.matchBlocks.filter {
                $0.key.attendee != attendee && $0.key.blocked != attendee
            }
            tables.matchReports = tables.matchReports.filter {
                $0.value.by != attendee && $0.value.about != attendee
            }
        }
    }

    /// Deletes everything at once, because a test's session is small.
    func forgetMatching(of session: SessionID, withReports: Bool, limit: Int) throws(JournalError) -> Bool {
        try change("forget matching") { tables in
            tables.forgetMatching(of: session, withReports: withReports)
            if !tables.matchReports.values.contains(where: { $0.sessionID == session }) {
                tables.matchingSessions.remove(session)
            }
            return false
        }
    }
}

extension Tables {
    struct Block: Hashable {
        let attendee: AttendeeID
        let blocked: AttendeeID
    }

    mutating func forgetMatching(of session: SessionID, withReports: Bool) {
        matchPeople = matchPeople.filter { $0.value.sessionID != session }
        matchRequests = matchRequests.filter { $0.value.sessionID != session }
        matchBlocks = matchBlocks.filter { $0.value != session }
        if withReports { matchReports = matchReports.filter { $0.value.sessionID != session } }
    }
}
