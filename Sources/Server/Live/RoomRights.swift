import Journal
import Meetings
import Wire

/// The right that a token, receipt, grant or presenter link proved, and the moment at which the right ends.
struct RoomRight: Sendable, Hashable {
    enum Holder: Sendable, Hashable {
        case account(AccountID, ID<Token>)
        case presenter(SessionID, PresenterLinkID)
        /// The holder of a receipt, or of a grant. For a grant, the receipt is nil, because the holder has
        /// not checked in yet.
        case attendee(SessionID, Receipt?)
    }

    let holder: Holder
    /// The first moment at which the right is no longer valid.
    let expiresAt: Instant

    func isOver(at now: Instant) -> Bool { expiresAt <= now }
}

/// Judges the rights that clients show.
struct RoomRights: Sendable {
    /// The error for a token that the server never issued, or whose record was deleted without a trace.
    struct Forged: Error {}

    let services: Services

    /// Returns the right that a token proves.
    /// - Throws: `Forged` if the token was never a right; another error if the right has ended.
    func right(of token: String) async throws -> RoomRight {
        let now = services.clock.now
        if let grant = Grant(token, keys: services.keys) {
            let record = try await record(grant.sessionID)
            return RoomRight(
                holder: .attendee(grant.sessionID, nil),
                expiresAt: try notOver(record.session.feedbackClosesAt, now))
        }
        if let receipt = Receipt(token, keys: services.keys) {
            let record = try await services.storage.read { rows throws(JournalError) -> SessionRecord? in
                try rows.attendee(holding: receipt).flatMap { attendee throws(JournalError) in
                    try rows.session(attendee.sessionID)
                }
            }
            guard let record else { throw Refusal.receiptNotValid }
            return RoomRight(
                holder: .attendee(record.session.id, receipt),
                expiresAt: try notOver(record.session.feedbackClosesAt, now))
        }
        if let hash = BearerToken.hash(token, prefix: BearerToken.presenter) {
            let found = try await services.storage.read {
                rows throws(JournalError) -> (PresenterLink, Session?)? in
                guard let link = try rows.presenterLink(hash: hash) else { return nil }
                return (link, try rows.session(shownBy: link)?.session)
            }
            guard let (link, shown) = found else { throw Forged() }
            guard let session = shown else { throw RequestError(.notSignedIn) }
            return RoomRight(
                holder: .presenter(session.id, link.id), expiresAt: try notOver(session.endsAt, now))
        }
        guard let hash = BearerToken.hash(token, prefix: BearerToken.access),
            let found = try await services.storage.read({ rows throws(JournalError) in
                try rows.validToken(hash, at: now, verified: services.settings.requiresVerification)
            })
        else { throw Forged() }
        return RoomRight(holder: .account(found.accountID, found.signIn), expiresAt: found.expiresAt)
    }

    /// Returns the same holder's right with its current end, because a session's times may have changed.
    /// Returns nil if the right has ended or was revoked.
    func renewed(_ right: RoomRight) async throws(JournalError) -> RoomRight? {
        let now = services.clock.now
        return try await services.storage.read { rows throws(JournalError) -> RoomRight? in
            let last: Instant?
            switch right.holder {
            case .account: last = nil
            case .attendee(let id, let receipt):
                let stands: Bool =
                    if let receipt { try rows.attendee(holding: receipt) != nil } else { true }
                last = stands ? try rows.session(id)?.session.feedbackClosesAt : nil
            case .presenter(let id, let link):
                last = try rows.session(shownBy: link, of: id)?.session.endsAt
            }
            return last.flatMap {
                now <= $0 ? RoomRight(holder: right.holder, expiresAt: $0 + .milliseconds(1)) : nil
            }
        }
    }

    /// Checks that the right opens the room.
    /// - Throws: an error if the right does not open the room.
    func check(_ right: RoomRight, for room: RoomName) async throws {
        switch (right.holder, room) {
        case (.account, .home): return
        case (.account(let account, _), .session(let id)), (.account(let account, _), .presenter(let id)):
            let role = try await services.storage.read { rows throws(JournalError) -> Role? in
                guard let record = try rows.session(id) else { throw .refused(.notFound(.session)) }
                return try rows.role(of: account, in: record.meeting.id)
            }
            guard role != nil else { throw Refusal.notAllowed }
        case (.presenter(let own, let link), .presenter(let id)) where own == id:
            let shown = try await services.storage.read { rows throws(JournalError) in
                try rows.session(shownBy: link, of: id)
            }
            guard shown != nil else { throw Refusal.notAllowed }
        case (.attendee(let own, _), .audience(let id)) where own == id: return
        default: throw Refusal.notAllowed
        }
    }

    private func record(_ id: SessionID) async throws -> SessionRecord {
        let found = try await services.storage.read { rows throws(JournalError) in try rows.session(id) }
        guard let found else { throw Refusal.notFound(.session) }
        return found
    }

    /// Returns the first moment after `end`, because the end of a session's window belongs to the window.
    /// - Throws: `notSignedIn` if `end` is in the past.
    private func notOver(_ end: Instant, _ now: Instant) throws -> Instant {
        guard now <= end else { throw RequestError(.notSignedIn) }
        return end + .milliseconds(1)
    }
}

extension ReadableRows {
    /// Returns the session that the link shows; nil if the link was revoked or may no longer show the
    /// session.
    fileprivate func session(shownBy link: PresenterLinkID, of session: SessionID) throws(JournalError)
        -> SessionRecord?
    {
        guard let found = try presenterLinks(of: session).first(where: { $0.id == link }) else { return nil }
        return try self.session(shownBy: found)
    }
}

extension RoomRight.Holder {
    /// The session whose times end the right; nil for a sign-in.
    var session: SessionID? {
        switch self {
        case .account: nil
        case .presenter(let session, _), .attendee(let session, _): session
        }
    }
}

/// The rights that one batch ended, sorted so that each visitor is looked at once.
struct EndedRights {
    private(set) var sessions: Set<SessionID> = []
    /// The meetings whose presenter links must be judged again.
    private(set) var presenters: Set<MeetingID> = []
    /// Whether the links of a suspended account have ended, so that the links of all screens must be judged
    /// again.
    private(set) var judgesAllPresenters = false
    private(set) var members: [AccountID: Set<MeetingID>] = [:]
    private var attendees: Set<AttendeeID> = []
    private var links: Set<PresenterLinkID> = []
    private var signIns: Set<ID<Token>> = []
    /// The sign-in that goes on, if there is one.
    private var accounts: [(id: AccountID, except: ID<Token>?)] = []

    init(_ rights: [EndedRight]) {
        for right in rights {
            switch right {
            case .attendee(let id): attendees.insert(id)
            case .presenterLink(let id): links.insert(id)
            case .member(let account, let meeting): members[account, default: []].insert(meeting)
            case .account(let id, let signIn): accounts.append((id, signIn))
            case .signIn(let id): signIns.insert(id)
            case .session(let id): sessions.insert(id)
            case .presentersOfAccount: judgesAllPresenters = true
            case .presenters(let meeting): presenters.insert(meeting)
            }
        }
    }

    /// Whether this right has ended for good.
    func includes(_ right: RoomRight) -> Bool {
        switch right.holder {
        case .attendee(_, let receipt): receipt.map { attendees.contains($0.attendeeID) } ?? false
        case .presenter(_, let id): links.contains(id)
        case .account(let id, let signIn):
            signIns.contains(signIn) || accounts.contains { $0.id == id && $0.except != signIn }
        }
    }
}
