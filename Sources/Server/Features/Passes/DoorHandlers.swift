import HTTPServer
import Journal
import Meetings
import Wire

/// The handlers for the doors of sessions.
enum DoorHandlers {
    /// How far ahead the list of doors looks.
    private static let horizon = Duration.hours(24)
    /// The most sessions in the list.
    private static let most = 100
    private static let pagesOfDoors = 10
    /// How many attendees a search for a name compares at most, in pages.
    fileprivate static let (pagesOfSearch, pageOfSearch) = (5, 200)

    static func list(_ context: RequestContext) async throws -> HTTPResponse {
        let (account, now, only) = (context.accountID, context.now, context.onlyMeeting)
        let found = try await context.storage.read { rows throws(JournalError) in
            var (found, last): ([SessionRecord], (Instant, SessionID)?) = ([], nil)
            // A token for one meeting looks for it among the sessions of the others.
            for _ in 0..<pagesOfDoors {
                let page = try rows.sessions(
                    of: account, atDoor: true, overlapping: now..<now + horizon, after: last, limit: most)
                found += page.filter { only == nil || only == $0.meeting.id }
                guard only != nil, page.count == most, let end = page.last?.session else { break }
                last = (end.startsAt, end.id)
            }
            return Array(found.prefix(most))
        }
        return .json(Page(items: found.map { body($0, context) }, nextCursor: nil))
    }

    static func show(_ context: RequestContext) async throws -> HTTPResponse {
        let record = context.record
        let door = try context.integer(.door)
        let offline = context.services.settings.offlineDoor
        let (atDoor, last, occupancy) = try await context.storage.read { rows throws(JournalError) in
            (
                try door.map { door throws(JournalError) in
                    try rows.admittedCount(at: door, of: record.session.id)
                },
                try offline.flatMap { offline throws(JournalError) in
                    try rows.satellite(offline.satellite)?.received
                }, try rows.occupancy(of: record)
            )
        }
        return .json(
            body(
                record, atDoor: atDoor, occupancy: occupancy, offline: offline?.body(last: last ?? 0), context
            ))
    }

    private static func body(
        _ record: SessionRecord, atDoor: Int? = nil, occupancy: Occupancy? = nil,
        offline: OfflineDoorBody? = nil, _ context: RequestContext
    ) -> DoorSessionBody {
        DoorSessionBody(
            record, counts: DoorCounts(record.attendance(at: context.now), atDoor: atDoor, occupancy),
            offline: offline)
    }

    static func people(_ context: RequestContext) async throws -> HTTPResponse {
        let session = context.record.session.id
        guard let text = try context.searched(), text.count >= Door.fewestSearched else {
            throw context.invalid(.search, .length(min: Door.fewestSearched, max: 100))
        }
        let searched = SearchText.folded(text)
        if let offline = context.services.settings.offlineDoor {
            return .json(try await people(named: searched, at: offline, context))
        }
        // The search of the list also finds numbers and addresses, which the door must not show.
        let ((found, isAll), replies) = try await context.alone {
            let attendees = try await context.storage.scan { rows throws(JournalError) in
                try rows.searchedAttendees(of: session, for: text, enough: Door.mostFound + 1) {
                    SearchText.folded($0.name).contains(searched)
                }
            }
            let replies = try await repliesWithoutRecord(context) {
                SearchText.folded($0.name).contains(searched)
            }
            return (attendees, replies)
        }
        let people = Array(found.prefix(Door.mostFound))
        let more = Array(replies.prefix(Door.mostFound - people.count))
        return .json(
            DoorPeopleBody(
                people, more, hasMore: !isAll || found.count + replies.count > Door.mostFound))
    }

    /// Returns people without a record who have replied: those on the waiting list first. Attendees are found
    /// by their records.
    static func repliesWithoutRecord(
        _ context: RequestContext, where isWanted: @escaping @Sendable (Reply) -> Bool
    ) async throws -> [Reply] {
        let session = context.record.session.id
        return try await context.storage.scan { rows throws(JournalError) in
            guard let counts = try rows.replySettings(of: session)?.counts, counts.all > counts.accepted
            else {
                return []
            }
            var found: [Reply] = []
            for status in [Reply.Status.waiting, .requested, .declined, .maybe, .no] {
                var after: ReplyCursor?
                for _ in 0..<pagesOfSearch {
                    let page = try rows.replies(
                        of: session, status: status, after: after, limit: pageOfSearch)
                    found += page.filter { $0.attendee == nil && isWanted($0) }
                    guard page.count == pageOfSearch, found.count <= Door.mostFound else { break }
                    after = page.last.map { ReplyCursor($0) }
                }
            }
            return found
        }
    }

    /// Finds people at an offline door, whose names are not in the database.
    private static func people(
        named searched: String, at offline: OfflineDoor, _ context: RequestContext
    ) async throws -> DoorPeopleBody {
        let items = offline.attendees(named: searched, most: Door.mostFound + 1)
        let found = try await context.storage.read { rows throws(JournalError) in
            var found: [Attendee] = []
            for item in items.prefix(Door.mostFound) {
                guard var attendee = try rows.attendee(item.id) else { continue }
                (attendee.name, attendee.identity) = (item.name ?? "", item.identity ?? "")
                found.append(attendee)
            }
            return found
        }
        return DoorPeopleBody(found, hasMore: items.count > Door.mostFound)
    }

    /// Checks the signature of a pass here, and whether it is valid and new in the command.
    static func admit(_ context: RequestContext, _ request: DoorRequest) async throws -> HTTPResponse {
        let record = context.record
        let offline = context.services.settings.offlineDoor
        let guest: Admit.Guest =
            if let id = request.attendeeID {
                .attendee(id)
            } else if let id = request.replyID {
                .reply(id)
            } else if let name = request.name {
                if offline == nil { .walkIn(name: name) } else { throw RequestError(.walkInOffline) }
            } else {
                try await guest(request.scan ?? "", context)
            }
        return try await context.perform(
            Admit(
                guest, to: record.session.id, door: request.door, onlyAsks: request.onlyAsk,
                leaves: request.leaves, anyway: request.anyway,
                takesUnknown: request.unknown, actor: context.accountID)
        ) { outcome in
            if outcome.stored != nil { offline?.noteStored() }
            let step = offline.map { offline in
                DoorBody.OfflineStep(
                    name: outcome.attendee.flatMap { offline.name(of: $0.id) }, stored: outcome.stored)
            }
            var after = record
            after.headCount = outcome.counts
            return .json(
                DoorBody(
                    outcome.verdict, of: outcome.person, outcome.attendee, reply: outcome.reply,
                    sequence: outcome.sequence, offline: step,
                    counts: DoorCounts(after.attendance(at: context.now), outcome.occupancy)))
        }
    }

    /// Returns whom a scanned text leads to, after a check of the signature of a pass.
    static func guest(_ scan: String, _ context: RequestContext) async throws -> Admit.Guest {
        if let payload = PassCode.payload(in: scan) {
            let key = try await context.storage.read { rows throws(JournalError) in
                try rows.passKey(Int(payload.key), of: payload.meeting)
            }
            if let key, PassCode.isGenuine(payload, by: key) {
                return .pass(payload.pass, of: payload.meeting)
            }
            return .notAPass
        }
        let record = context.record
        if scan.uppercased().hasPrefix(context.address.checkInURL(code: ""))
            || JoinCode.normalized(scan) == context.code(of: record.session).joinCode
        {
            return .sessionCode
        }
        let identity: String? =
            switch record.meeting.identifyBy {
            case .name: nil
            case .email: EmailAddress.normalized(scan)
            case .number: PersonalText.normalized(scan)
            }
        if let offline = context.services.settings.offlineDoor {
            let found = identity.flatMap { offline.attendee(identifiedBy: IdentityKey($0)) }
            return found.map { .attendee($0) } ?? .notAPass
        }
        return identity.map { .identity(IdentityKey($0)) } ?? .notAPass
    }

    static func undo(_ context: RequestContext, _ request: UndoAdmissionRequest) async throws -> HTTPResponse
    {
        try await context.perform(
            UndoAdmission(
                in: context.record.session.id, sequence: Int64(request.sequence), actor: context.accountID)
        ) { _ in
            context.services.settings.offlineDoor?.noteStored()
            return .noContent
        }
    }
}

extension ReadableRows {
    /// Returns the attendees whom a search for a text finds and `isWanted` accepts, and whether they are all.
    /// Compares a limited number of them, and stops when it has found enough.
    func searchedAttendees(
        of session: SessionID, for text: String, enough: Int = .max, _ isWanted: (Attendee) -> Bool
    ) throws(JournalError) -> (found: [Attendee], areAll: Bool) {
        var (found, after): ([Attendee], AttendeeID?) = ([], nil)
        for _ in 0..<DoorHandlers.pagesOfSearch {
            let page = try attendees(
                of: session, statuses: nil, text: text, after: after, limit: DoorHandlers.pageOfSearch)
            found += page.filter(isWanted)
            guard page.count == DoorHandlers.pageOfSearch, found.count < enough else {
                return (found, page.count < DoorHandlers.pageOfSearch)
            }
            after = page.last?.id
        }
        return (found, false)
    }
}
