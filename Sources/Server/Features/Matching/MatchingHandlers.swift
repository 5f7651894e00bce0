import HTTPServer
import Journal
import Meetings
import Wire

/// The handlers for groups of interest.
enum MatchingHandlers {
    // MARK: Hosts

    static func settings(_ context: RequestContext) async throws -> HTTPResponse {
        .json(try await body(context))
    }

    static func editSettings(_ context: RequestContext, _ request: MatchSettingsRequest) async throws
        -> HTTPResponse
    {
        _ = try await context.storage.perform(
            EditMatchSettings(
                session: context.record.session.id, open: request.open, promise: request.promise,
                places: request.places, expected: try context.expectedVersion(), actor: context.accountID))
        return .json(try await body(context))
    }

    private static func body(_ context: RequestContext) async throws -> MatchSettingsBody {
        let (session, now) = (context.record.session, context.now)
        return try await context.storage.read { rows throws(JournalError) in
            MatchSettingsBody(
                try rows.matchSettings(of: session.id) ?? .initial, in: session, at: now,
                people: try rows.matchPeople(of: session.id).compactMap(\.profile),
                pairs: try rows.matches(of: session.id).count,
                openReports: try rows.matchReports(of: session.id).count { !$0.isClosed })
        }
    }

    static func reports(_ context: RequestContext) async throws -> HTTPResponse {
        let session = context.record.session.id
        return .json(
            try await context.storage.read { rows throws(JournalError) -> Page<MatchReportBody> in
                var bodies: [MatchReportBody] = []
                for report in try rows.matchReports(of: session) { bodies.append(try rows.body(of: report)) }
                return Page(items: bodies, nextCursor: nil)
            })
    }

    static func handle(_ context: RequestContext, _ request: HandleMatchReportRequest) async throws
        -> HTTPResponse
    {
        let report = try await context.storage.perform(
            HandleMatchReport(
                session: context.record.session.id,
                report: try context.id(MatchReport.self, .matchReport, named: "reportId"),
                isClosed: request.closed, excludes: request.excluded, actor: context.accountID))
        return .json(
            try await context.storage.read { rows throws(JournalError) in try rows.body(of: report) })
    }

    // MARK: Attendees

    static func show(_ context: RequestContext) async throws -> HTTPResponse {
        let (session, receipt, now) = (try sessionID(context), context.receipt, context.now)
        let keyword = try keyword(context)
        return .json(
            try await context.storage.read { rows throws(JournalError) -> MatchingBody in
                guard let attendee = try rows.attendee(holding: receipt), attendee.sessionID == session,
                    let record = try rows.session(session)
                else { throw .refused(.receiptNotValid) }
                context.useLanguage(of: record.meeting)
                return try rows.matching(
                    of: receipt.attendeeID, in: record.session, at: now, keyword: keyword)
            })
    }

    /// Returns the text in `?keyword=`; nil if it is absent or empty.
    static func keyword(_ context: RequestContext) throws -> String? {
        guard let text = context.query(.keyword), !text.isEmpty else { return nil }
        let most = MatchPerson.mostCharacters.keyword
        guard text.count <= most else { throw context.invalid(.keyword, .length(min: 0, max: most)) }
        return text
    }

    static func join(_ context: RequestContext, _ request: MatchProfileRequest) async throws
        -> HTTPResponse
    {
        let person = try await context.storage.perform(
            JoinMatching(
                session: try sessionID(context), receipt: context.receipt, nickname: request.nickname,
                keywords: request.keywords, ages: request.ages, promise: request.promise))
        guard let profile = person.profile else { throw Refusal.matchNotJoined }
        return .json(MatchingBody.Profile(profile))
    }

    static func leave(_ context: RequestContext) async throws -> HTTPResponse {
        try await context.storage.perform(
            EndMatching(.part, session: try sessionID(context), receipt: context.receipt))
        return .noContent
    }

    static func ask(_ context: RequestContext, _ request: AskToMeetRequest) async throws -> HTTPResponse {
        let (command, now) = (
            AskToMeet(session: try sessionID(context), receipt: context.receipt, to: request.to), context.now
        )
        return try await context.perform(command) {
            // If the other one had asked before, that request is the agreed one.
            // The request may have been made a moment after this one arrived, and has at most 30 s.
            .json(
                MatchRequestBody($0.request, incoming: !$0.isOwn, at: max(now, $0.request.askedAt)),
                status: 201)
        }
    }

    static func answer(_ context: RequestContext, _ request: AnswerMatchRequestRequest) async throws
        -> HTTPResponse
    {
        let id: MatchRequestID
        do { id = try context.id(MatchRequest.self, .matchRequest, named: "requestId") } catch {
            throw Refusal.matchRequestOver
        }
        let answered = try await context.storage.perform(
            AnswerMatchRequest(
                session: try sessionID(context), receipt: context.receipt, request: id,
                accepts: request.accept))
        return .json(MatchRequestBody(answered.request, incoming: !answered.isOwn, at: context.now))
    }

    static func write(_ context: RequestContext, _ request: MatchLineRequest) async throws -> HTTPResponse {
        try await context.storage.perform(
            WriteToMatch(session: try sessionID(context), receipt: context.receipt, line: request.text))
        return .noContent
    }

    static func endMatch(_ context: RequestContext) async throws -> HTTPResponse {
        try await context.storage.perform(
            EndMatching(.match, session: try sessionID(context), receipt: context.receipt))
        return .noContent
    }

    static func block(_ context: RequestContext, _ request: BlockPersonRequest) async throws -> HTTPResponse {
        let command = BlockPerson(
            session: try sessionID(context), receipt: context.receipt, person: request.person)
        return try await context.perform(command) { .json(MatchBlocksBody(blocked: $0), status: 201) }
    }

    static func report(_ context: RequestContext, _ request: ReportPersonRequest) async throws
        -> HTTPResponse
    {
        let command = BlockPerson(
            session: try sessionID(context), receipt: context.receipt, person: request.person,
            report: request.text)
        return try await context.perform(command) { .json(MatchBlocksBody(blocked: $0), status: 201) }
    }

    static func unblock(_ context: RequestContext) async throws -> HTTPResponse {
        try await context.storage.perform(
            EndMatching(.blocks, session: try sessionID(context), receipt: context.receipt))
        return .noContent
    }

    private static func sessionID(_ context: RequestContext) throws -> SessionID {
        try context.id(Session.self, .session)
    }
}

extension ReadableRows {
    /// Returns the report as hosts see it.
    fileprivate func body(of report: MatchReport) throws(JournalError) -> MatchReportBody {
        MatchReportBody(
            report, excluded: try matchPerson(report.about)?.isExcluded ?? false,
            about: report.profile.promise == .named ? try attendee(behind: report.about) : nil)
    }

    /// Returns the groups of interest as the holder of a receipt with this id sees them. Reads each person
    /// who takes part once, at most `MatchPerson.mostInSession`.
    /// - Parameter keyword: lists only candidates with this keyword; nil for all.
    func matching(of attendee: AttendeeID, in session: Session, at now: Instant, keyword: String? = nil)
        throws(JournalError) -> MatchingBody
    {
        let settings = try matchSettings(of: session.id) ?? .initial
        let person = try matchPerson(attendee)
        var body = MatchingBody(settings, person, in: session, at: now)
        guard let profile = person?.profile else { return body }
        // The counts leave out people whose ages do not fit, because they are as good as not there.
        let everybody = try matchPeople(of: session.id)
        let all = everybody.filter { MatchAges.fit($0.profile?.ages, profile.ages) }
        let blocks = try matchBlocks(of: attendee)
        let requests = try matchRequests(of: attendee)
        let hidden = blocks.own.union(blocks.others)
        let profiles = Dictionary(everybody.map { ($0.attendeeID, $0.profile) }) { first, _ in first }
        func shownProfile(_ other: AttendeeID) -> MatchPerson.Profile? { profiles[other] ?? nil }

        if let met = MatchRequests(requests).match(of: attendee),
            let other = shownProfile(met.other(than: attendee))
        {
            let hasLeft = try self.attendee(behind: met.other(than: attendee)) == nil
            body.match = MatchingBody.Match(met, of: attendee, with: other, hasLeft: hasLeft)
        }
        let own = Set(profile.keywords.map(MatchPerson.key))
        body.requests = requests.filter { request in
            request.isPending(at: now)
                || request.from == attendee && request.state != .matched
                    && now.since(request.askedAt) < MatchingBody.mostAge
        }
        .sorted { $0.askedAt == $1.askedAt ? $0.id < $1.id : $0.askedAt < $1.askedAt }
        .compactMap { request -> MatchRequestBody? in
            guard let other = shownProfile(request.other(than: attendee)) else { return nil }
            return MatchRequestBody(
                request, incoming: request.to == attendee, at: max(now, request.askedAt), other: other)
        }
        if body.match == nil {
            var candidates: [MatchingBody.Candidate] = []
            var busy = hidden.union([attendee])
            for met in try matches(of: session.id) { busy.formUnion([met.from, met.to]) }
            for request in requests where request.isPending(at: now) || request.state == .declined {
                // The other one of a declined request may still ask.
                if request.isPending(at: now) || request.from == attendee {
                    busy.insert(request.other(than: attendee))
                }
            }
            let wanted = keyword.map(MatchPerson.key)
            for other in all where !busy.contains(other.attendeeID) {
                guard let theirs = other.profile else { continue }
                let keys = Set(theirs.keywords.map(MatchPerson.key))
                guard wanted.map(keys.contains) ?? true else { continue }
                candidates.append(MatchingBody.Candidate(theirs, common: keys.intersection(own).count))
            }
            candidates.sort { $0.common == $1.common ? $0.id < $1.id : $0.common > $1.common }
            body.candidates = Array(candidates.prefix(MatchingBody.mostListed))
        }
        body.people = all.count
        body.keywords = KeywordCount.of(all.compactMap(\.profile)).prefix(MatchingBody.mostListed).map {
            MatchingBody.Keyword($0, own: own.contains(MatchPerson.key(of: $0.keyword)))
        }
        body.blocked = blocks.own.count
        return body
    }
}
