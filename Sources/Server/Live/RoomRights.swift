import Journal
import Meetings
import Wire

/// What a token, receipt, grant or presenter link proved, and until when.
struct RoomRight: Sendable {
    enum Holder: Sendable {
        case account(AccountID, ID<Token>)
        case presenter(SessionID, PresenterLinkID)
        /// A grant's or receipt's holder.
        case attendee(SessionID)
    }

    let holder: Holder
    let expiresAt: Instant?
}

struct RoomRights: Sendable {
    let services: Services

    /// Throws for what is no right, or none any more.
    func right(of token: String) async throws -> RoomRight {
        let now = services.clock.now
        if let grant = Grant(token, keys: services.keys) {
            let record = try await record(grant.sessionID)
            return RoomRight(holder: .attendee(grant.sessionID), expiresAt: try notOver(record.session.feedbackClosesAt, now))
        }
        if let receipt = Receipt(token, keys: services.keys) {
            let record = try await services.storage.read { rows throws(JournalError) -> SessionRecord? in
                try rows.attendee(receipt.attendeeID).flatMap { attendee throws(JournalError) in try rows.session(attendee.sessionID) }
            }
            guard let record else { throw Refusal.receiptNotValid }
            return RoomRight(holder: .attendee(record.session.id), expiresAt: try notOver(record.session.feedbackClosesAt, now))
        }
        if let hash = BearerToken.hash(token, prefix: BearerToken.presenter) {
            let found = try await services.storage.read { rows throws(JournalError) -> (PresenterLink, Session)? in
                guard let link = try rows.presenterLink(hash: hash), let record = try rows.session(link.sessionID) else { return nil }
                return (link, record.session)
            }
            guard let (link, session) = found else { throw Stop(.notSignedIn) }
            return RoomRight(holder: .presenter(session.id, link.id), expiresAt: try notOver(session.endsAt, now))
        }
        guard let hash = BearerToken.hash(token, prefix: BearerToken.access),
            let found = try await services.storage.read({ rows throws(JournalError) in try rows.validToken(hash, at: now) })
        else { throw Stop(.notSignedIn) }
        return RoomRight(holder: .account(found.accountID, found.signIn), expiresAt: found.expiresAt)
    }

    /// Throws where the right does not open the room.
    func check(_ right: RoomRight, for room: RoomName) async throws {
        switch (right.holder, room) {
        case (.account, .home): return
        case (.account(let account, _), .session(let id)), (.account(let account, _), .presenter(let id)):
            let role = try await services.storage.read { rows throws(JournalError) -> Role? in
                guard let record = try rows.session(id) else { throw .refused(.notFound(.session)) }
                return try rows.role(of: account, in: record.meeting.id)
            }
            guard role != nil else { throw Refusal.notAllowed }
        case (.presenter(let own, _), .presenter(let id)) where own == id: return
        case (.attendee(let own), .audience(let id)) where own == id: return
        default: throw Refusal.notAllowed
        }
    }

    private func record(_ id: SessionID) async throws -> SessionRecord {
        let found = try await services.storage.read { rows throws(JournalError) in try rows.session(id) }
        guard let found else { throw Refusal.notFound(.session) }
        return found
    }

    private func notOver(_ end: Instant, _ now: Instant) throws -> Instant {
        guard now <= end else { throw Stop(.notSignedIn) }
        return end
    }
}
