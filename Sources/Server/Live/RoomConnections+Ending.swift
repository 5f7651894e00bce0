import Journal
import Meetings
import Rooms
import WebSockets
import Wire

/// When rights end: by the clock, by a hand, or with what they were rights to.
extension RoomConnections {
    /// Ends the connections of rights that have run out, and of those who never said who they are.
    func endExpired(at now: Instant) {
        for visitor in visitors {
            let rights = visitor.rights
            if rights.isEmpty, now.since(visitor.openedAt) > Self.patience {
                visitor.connection.close(code: Wire.CloseCode.policy.rawValue, reason: "not_authorized")
            }
            let over = rights.filter { $0.isOver(at: now) }
            if !over.isEmpty { visitor.enqueue { await self.renewOrEnd(over, of: visitor) } }
        }
    }

    /// A session that runs longer than planned keeps its presenters and its audience.
    private func renewOrEnd(_ over: Set<RoomRight>, of visitor: Visitor) async {
        do {
            for right in over {
                guard let renewed = try await rights.renewed(right) else {
                    visitor.connection.close(
                        code: Wire.CloseCode.notAuthorized.rawValue, reason: "not_authorized")
                    return
                }
                visitor.renew(renewed)
            }
        } catch {
            // The store cannot say now; the next second asks again.
        }
    }

    func end(signIn: ID<Token>) {
        end {
            if case .account(_, signIn) = $0.holder { true } else { false }
        }
    }

    func end(account: AccountID, except signIn: ID<Token>? = nil) {
        end {
            if case .account(account, let other) = $0.holder { other != signIn } else { false }
        }
    }

    func end(presenterLinks: [PresenterLinkID]) {
        guard !presenterLinks.isEmpty else { return }
        let revoked = Set(presenterLinks)
        end {
            if case .presenter(_, let link) = $0.holder { revoked.contains(link) } else { false }
        }
    }

    /// Takes somebody who is no longer a member out of the meeting's rooms.
    func end(member account: AccountID, of meeting: MeetingID) {
        takeOut(closing: .notAuthorized, reason: "not_authorized") { stay in
            guard case .account(account, _) = stay.right.holder, case .session(let room, _) = stay.place
            else { return false }
            return room.meetingID == meeting
        }
    }

    /// Whose check-in was withdrawn or removed.
    func end(attendee: AttendeeID) {
        end {
            if case .attendee(_, attendee) = $0.holder { true } else { false }
        }
    }

    /// A session's end has moved: rights that end with it do so at the new time, also where that is over
    /// already.
    func timesMoved(of session: SessionID) {
        for visitor in visitors {
            let bound = visitor.rights.filter { $0.holder.isBound(to: session) }
            if !bound.isEmpty { visitor.enqueue { await self.renewOrEnd(bound, of: visitor) } }
        }
    }

    /// Takes everybody out of the rooms of a session that was deleted.
    func end(session: SessionID) {
        takeOut(closing: .roomGone, reason: "room_gone") { stay in
            guard case .session(let room, _) = stay.place else { return false }
            return room.id == session
        }
    }

    /// Out of the rooms whose stay is such a one. A connection that is in others goes on.
    private func takeOut(
        closing code: Wire.CloseCode, reason: String, where isOver: (Visitor.RoomMembership) -> Bool
    ) {
        for visitor in visitors {
            let names = visitor.rooms(where: isOver)
            guard !names.isEmpty else { continue }
            visitor.enqueue {
                for name in names {
                    self.leaveQuietly(visitor, name)
                    visitor.connection.send(WireJSON.bytes(Left(left: name, id: nil)))
                }
                if visitor.roomCount == 0 { visitor.connection.close(code: code.rawValue, reason: reason) }
            }
        }
    }

    private func end(where isOver: (RoomRight) -> Bool) {
        for visitor in visitors where visitor.rights.contains(where: isOver) {
            visitor.connection.close(code: Wire.CloseCode.notAuthorized.rawValue, reason: "not_authorized")
        }
    }
}
