/// A request of one attendee to meet another one. It expires after 30 s without an answer.
package struct MatchRequest: Hashable, Sendable {
    package let id: MatchRequestID
    package let sessionID: SessionID
    package let from: AttendeeID
    package let to: AttendeeID
    package let askedAt: Instant
    package var state: State
    /// The table or place at which the two meet; empty if the host named none.
    package var place: String
    /// The lines of text that the two have exchanged since they met; empty if there is none.
    package var lines: Lines

    /// The state of a request. An expired request stays `pending`; `isPending(at:)` looks at the time, too.
    package enum State: String, Hashable, Sendable, CaseIterable {
        case pending
        /// The asked attendee has accepted, so the two meet.
        case matched
        /// The asked attendee has declined. The same attendee cannot ask again.
        case declined
    }

    /// The newest line of each of the two attendees, by the request's `from` and `to`.
    package struct Lines: Hashable, Sendable {
        package var from = ""
        package var to = ""

        package init(from: String = "", to: String = "") {
            self.from = from
            self.to = to
        }
    }

    package static let lifetime = Duration.seconds(30)

    package init(
        id: MatchRequestID, sessionID: SessionID, from: AttendeeID, to: AttendeeID, askedAt: Instant,
        state: State = .pending, place: String = "", lines: Lines = Lines()
    ) {
        self.id = id
        self.sessionID = sessionID
        self.from = from
        self.to = to
        self.askedAt = askedAt
        self.state = state
        self.place = place
        self.lines = lines
    }

    /// The first moment at which nobody can accept the request any more.
    package var expiresAt: Instant { askedAt + Self.lifetime }

    /// Whether the request still waits for an answer.
    package func isPending(at now: Instant) -> Bool { state == .pending && now < expiresAt }

    /// Whether the attendee is one of the two.
    package func involves(_ attendee: AttendeeID) -> Bool { from == attendee || to == attendee }

    /// Returns the other one of the two attendees.
    package func other(than attendee: AttendeeID) -> AttendeeID { from == attendee ? to : from }
}

/// The state of an attendee in the groups of interest.
package enum MatchState: String, Hashable, Sendable, Codable, CaseIterable {
    /// The attendee has not opted in.
    case idle
    /// The attendee has opted in, and can ask and be asked.
    case searching
    /// The attendee and another one have agreed to meet. Neither can be asked.
    case matched
}

/// The rules of requests, without any storage: it holds the requests of the attendees concerned, and each
/// event changes them or is refused. `changes` are the rows to write.
///
/// - An attendee who is asked by somebody and asks the same person accepts that request.
/// - If an attendee has asked several people, the first one who accepts meets the attendee.
/// - When two people agree, all other requests of both end, so nobody meets two people.
package struct MatchRequests: Sendable {
    /// A row to write or to delete.
    package enum Change: Hashable, Sendable {
        case save(MatchRequest)
        case delete(MatchRequest)
    }

    private var requests: [MatchRequestID: MatchRequest]
    /// The changes since the beginning, in order.
    package private(set) var changes: [Change] = []

    /// - Parameter requests: all requests from and to the attendees whose events follow.
    package init(_ requests: [MatchRequest]) {
        self.requests = Dictionary(requests.map { ($0.id, $0) }) { first, _ in first }
    }

    /// Returns the request by which the attendee meets somebody; nil if there is none.
    package func match(of attendee: AttendeeID) -> MatchRequest? {
        requests.values.first { $0.state == .matched && $0.involves(attendee) }
    }

    /// Returns the requests of the attendee that wait for an answer at `now`, the oldest first.
    package func pending(of attendee: AttendeeID, at now: Instant) -> [MatchRequest] {
        requests.values.filter { $0.isPending(at: now) && $0.involves(attendee) }
            .sorted { $0.askedAt == $1.askedAt ? $0.id < $1.id : $0.askedAt < $1.askedAt }
    }

    /// Applies that `attendee` asks `other` to meet. Both must have opted in. If they have asked each other,
    /// both agree at once. A repeated request returns the first one.
    /// - Parameter id: the id of a new request.
    /// - Returns: the request as it is now.
    /// - Throws: `matchNotPossible` if one of them meets somebody, or if `other` has declined before;
    ///   `limitReached` if too many requests wait.
    package mutating func ask(
        _ other: AttendeeID, by attendee: AttendeeID, in session: SessionID, id: MatchRequestID,
        place: String, at now: Instant
    ) throws(Refusal) -> MatchRequest {
        expire(at: now)
        guard attendee != other, match(of: attendee) == nil, match(of: other) == nil,
            !requests.values.contains(where: {
                $0.state == .declined && $0.from == attendee && $0.to == other
            })
        else { throw .matchNotPossible }
        let waiting = pending(of: attendee, at: now)
        if let back = waiting.first(where: { $0.from == other }) { return agree(on: back, place) }
        if let repeated = waiting.first(where: { $0.to == other }) { return repeated }
        guard waiting.count(where: { $0.from == attendee }) < MatchPerson.mostRequests.pending else {
            throw .limitReached(.pendingMatchRequest, limit: MatchPerson.mostRequests.pending)
        }
        guard pending(of: other, at: now).count(where: { $0.to == other }) < MatchPerson.mostWaiting else {
            throw .matchNotPossible
        }
        let request = MatchRequest(id: id, sessionID: session, from: attendee, to: other, askedAt: now)
        save(request)
        return request
    }

    /// Applies the answer of the asked attendee. The attendee who asked can only withdraw the request, which
    /// is an answer without agreement. A repeated answer returns the request unchanged.
    /// - Throws: `matchRequestOver` if the request has expired, has ended or was answered otherwise.
    package mutating func answer(
        _ id: MatchRequestID, by attendee: AttendeeID, accepts: Bool, place: String, at now: Instant
    ) throws(Refusal) -> MatchRequest {
        guard let request = requests[id], request.involves(attendee) else { throw .matchRequestOver }
        let isAsked = request.to == attendee
        if isAsked, accepts ? request.state == .matched : request.state == .declined { return request }
        guard request.isPending(at: now), isAsked || !accepts else { throw .matchRequestOver }
        expire(at: now)
        if accepts { return agree(on: request, place) }
        guard isAsked else {
            delete(request)
            return request
        }
        var declined = request
        declined.state = .declined
        save(declined)
        return declined
    }

    /// Ends the meeting of the attendee, so that both can be asked again. Returns false if there is none.
    package mutating func endMatch(of attendee: AttendeeID) -> Bool {
        guard let match = match(of: attendee) else { return false }
        delete(match)
        return true
    }

    /// Sets the line of text that the attendee sends to the other one.
    /// - Throws: `matchRequestOver` if the attendee meets nobody.
    package mutating func write(_ line: String, by attendee: AttendeeID) throws(Refusal) {
        guard var match = match(of: attendee) else { throw .matchRequestOver }
        if match.from == attendee { match.lines.from = line } else { match.lines.to = line }
        save(match)
    }

    /// Ends the requests from and to the attendee that wait for an answer.
    package mutating func endPending(of attendee: AttendeeID) {
        for request in requests.values where request.state == .pending && request.involves(attendee) {
            delete(request)
        }
    }

    /// Ends everything that involves the attendee, except declined requests.
    package mutating func leave(_ attendee: AttendeeID) {
        for request in requests.values where request.state != .declined && request.involves(attendee) {
            delete(request)
        }
    }

    /// Ends everything between the two attendees.
    package mutating func separate(_ attendee: AttendeeID, from other: AttendeeID) {
        for request in requests.values where request.involves(attendee) && request.involves(other) {
            delete(request)
        }
    }

    private mutating func agree(on request: MatchRequest, _ place: String) -> MatchRequest {
        var agreed = request
        (agreed.state, agreed.place) = (.matched, place)
        for other in requests.values
        where other.id != request.id && other.state == .pending
            && (other.involves(request.from) || other.involves(request.to))
        {
            delete(other)
        }
        save(agreed)
        return agreed
    }

    private mutating func expire(at now: Instant) {
        for request in requests.values where request.state == .pending && !request.isPending(at: now) {
            delete(request)
        }
    }

    private mutating func save(_ request: MatchRequest) {
        requests[request.id] = request
        changes.append(.save(request))
    }

    private mutating func delete(_ request: MatchRequest) {
        requests[request.id] = nil
        changes.append(.delete(request))
    }
}
