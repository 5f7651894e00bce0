import Journal
import Meetings
import Wire

/// The right that a token, receipt, grant or presenter link proved, and the moment at which the right ends.
/// It is an object, because a visitor and each of its memberships share it: there are thousands of them.
final class RoomRight: Sendable, Hashable {
    enum Holder: Sendable, Hashable {
        case account(AccountID, ID<Token>)
        case presenter(SessionID, PresenterLinkID)
        case attendee(SessionID, Receipt)
        /// The holder of a grant who has not checked in yet. The moment is the grant's revocation
        /// (`Grant.revocation`).
        case grantee(SessionID, MeetingID, Instant?)
    }

    let holder: Holder
    /// The first moment at which the right is no longer valid.
    let expiresAt: Instant
    /// What a named token may do; nil for other rights.
    let limits: TokenLimits?
    /// The moment at which the signature of the grant or receipt ends, if an earlier secret of the server
    /// made it. The right never lasts longer.
    let signatureEndsAt: Instant?

    init(
        holder: Holder, expiresAt: Instant, limits: TokenLimits? = nil, signatureEndsAt: Instant? = nil
    ) {
        (self.holder, self.expiresAt) = (holder, expiresAt)
        (self.limits, self.signatureEndsAt) = (limits, signatureEndsAt)
    }

    func isOver(at now: Instant) -> Bool { expiresAt <= now || signatureEndsAt.map { $0 <= now } ?? false }

    static func == (one: RoomRight, other: RoomRight) -> Bool {
        one === other
            || one.holder == other.holder && one.expiresAt == other.expiresAt && one.limits == other.limits
                && one.signatureEndsAt == other.signatureEndsAt
    }

    func hash(into hasher: inout Hasher) { hasher.combine(holder) }
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
            guard record.meeting.accepts(grantSince: grant.revocation) else {
                throw RequestError(.notSignedIn)
            }
            return RoomRight(
                holder: .grantee(grant.sessionID, record.meeting.id, grant.revocation),
                expiresAt: try notOver(record.session.feedbackClosesAt, now),
                signatureEndsAt: signatureEnd { Grant(token, keys: $0) != nil })
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
                expiresAt: try notOver(record.session.feedbackClosesAt, now),
                signatureEndsAt: signatureEnd { Receipt(token, keys: $0) != nil })
        }
        if let hash = BearerToken.hash(token, prefix: BearerToken.presenter) {
            let found = try await services.storage.read {
                rows throws(JournalError) -> (PresenterLink, Session?)? in
                guard let link = try rows.presenterLink(hash: hash, for: .hall) else { return nil }
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
        return RoomRight(
            holder: .account(found.accountID, found.signIn), expiresAt: found.expiresAt, limits: found.limits)
    }

    /// The result of an attempt to renew a right.
    enum Renewal {
        case renewed(RoomRight)
        case sessionEnded
        /// The right was revoked, or its signature has expired.
        case notRenewable
    }

    /// Returns the same holder's right with its current end, because a session's times may have changed.
    func renewed(_ right: RoomRight) async throws(JournalError) -> Renewal {
        let now = services.clock.now
        if let end = right.signatureEndsAt, end <= now { return .notRenewable }
        return try await services.storage.read { rows throws(JournalError) -> Renewal in
            let last: Instant?
            switch right.holder {
            case .account: last = nil
            case .attendee(let id, let receipt):
                let stands = try rows.attendee(holding: receipt) != nil
                last = stands ? try rows.session(id)?.session.feedbackClosesAt : nil
            case .grantee(let id, _, let revocation):
                let record = try rows.session(id)
                let stands = record?.meeting.accepts(grantSince: revocation) ?? false
                last = stands ? record?.session.feedbackClosesAt : nil
            case .presenter(let id, let link):
                last = try rows.session(shownBy: link, of: id)?.session.endsAt
            }
            guard let last else { return .notRenewable }
            guard now <= last else { return .sessionEnded }
            return .renewed(
                RoomRight(
                    holder: right.holder, expiresAt: last + .milliseconds(1),
                    signatureEndsAt: right.signatureEndsAt))
        }
    }

    /// Checks that the right opens the room.
    /// - Throws: an error if the right does not open the room.
    func check(_ right: RoomRight, for room: RoomName) async throws {
        switch (right.holder, room) {
        case (.account, .home):
            // The room `home` shows all meetings.
            guard right.limits?.meeting == nil else { throw Refusal.tokenLimited }
        case (.account(let account, _), .session(let id)), (.account(let account, _), .presenter(let id)):
            let canRead = try await services.storage.read { rows throws(JournalError) -> Bool in
                guard let record = try rows.session(id) else { throw .refused(.notFound(.session)) }
                if let only = right.limits?.meeting, only != record.meeting.id {
                    throw .refused(.tokenLimited)
                }
                return try rows.canRead(account, record.meeting.id)
            }
            guard canRead else { throw Refusal.notAllowed }
        case (.presenter(let own, let link), .presenter(let id)) where own == id:
            let shown = try await services.storage.read { rows throws(JournalError) in
                try rows.session(shownBy: link, of: id)
            }
            guard shown != nil else { throw Refusal.notAllowed }
        case (.attendee(let own, _), .audience(let id)) where own == id: return
        case (.grantee(let own, _, let revocation), .audience(let id)) where own == id:
            guard try await record(id).meeting.accepts(grantSince: revocation) else {
                throw Refusal.notAllowed
            }
        default: throw Refusal.notAllowed
        }
    }

    /// Returns the end of a valid signature; nil if the current secret made it.
    private func signatureEnd(_ isValid: (Keys) -> Bool) -> Instant? {
        guard let end = services.keys.graceEndsAt else { return nil }
        return isValid(services.keys.withoutPrevious) ? nil : end
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
        case .presenter(let session, _), .attendee(let session, _), .grantee(let session, _, _): session
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
    /// The meetings whose grants from before a revocation have ended.
    private var grants: [MeetingID: Instant] = [:]
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
            case .grants(let meeting, let end): grants[meeting] = max(grants[meeting] ?? end, end)
            case .presentersOfAccount: judgesAllPresenters = true
            case .presenters(let meeting): presenters.insert(meeting)
            }
        }
    }

    /// Whether this right has ended for good.
    func includes(_ right: RoomRight) -> Bool {
        switch right.holder {
        case .attendee(_, let receipt): attendees.contains(receipt.attendeeID)
        case .grantee(_, let meeting, let revocation):
            grants[meeting].map { end in revocation.map { $0 < end } ?? true } ?? false
        case .presenter(_, let id): links.contains(id)
        case .account(let id, let signIn):
            signIns.contains(signIn) || accounts.contains { $0.id == id && $0.except != signIn }
        }
    }
}
