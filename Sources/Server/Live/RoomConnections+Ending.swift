import Journal
import Meetings
import Rooms
import WebSockets
import Wire

/// Closes connections and ends room memberships when their rights end: by the clock, by a command, or by the
/// deletion of a session.
extension RoomConnections {
    /// Closes the connections whose rights have expired, and the connections that have not authorized or
    /// joined their first room in time.
    func endExpired(at now: Instant) {
        for visitor in visitors {
            // Thousands of visitors are looked at every second, so nothing is copied for most of them.
            let age = now.since(visitor.openedAt)
            let patience = visitor.socket == nil ? Self.patience : Self.socketPatience
            if age > patience, !visitor.hasRight(where: { _ in true }) {
                visitor.close(.policy, "not_authorized")
                // A session that polls would otherwise keep its slot until its client has polled.
                if visitor.connection.form == .polled { visitor.connection.endPolled() }
            } else if age > Self.joinPatience, !visitor.hasJoined {
                visitor.close(.goingAway, "not_joined")
            }
            guard visitor.hasRight(where: { $0.isOver(at: now) }) else { continue }
            let over = visitor.rights.filter { $0.isOver(at: now) }
            visitor.enqueue { await self.renewOrEnd(over, of: visitor) }
        }
    }

    /// The longest time for which a connection waits for the frame of its session's end.
    private static let lastFramePatience = Duration.seconds(5)

    /// Renews expired rights if the session's end has moved, so that presenters and the audience stay
    /// connected. If a right cannot be renewed, closes the connection. A session's end is a change of the
    /// session like any other: its frame comes first, so that a hall's screen knows that the session is over.
    private func renewOrEnd(_ over: Set<RoomRight>, of visitor: Visitor) async {
        do {
            for right in over {
                switch try await rights.renewed(right) {
                case .renewed(let renewed):
                    visitor.renew(renewed)
                    continue
                case .sessionEnded:
                    if let id = right.holder.session, services.live.shows(id) {
                        _ = try? await services.live.room(id).publishesAll(within: Self.lastFramePatience)
                    }
                case .notRenewable: break
                }
                return visitor.close(.notAuthorized, "not_authorized")
            }
        } catch {
            // The database cannot be read now. The next tick, one second later, tries again.
        }
    }

    /// Ends the connections and room memberships whose rights a batch ended, in one pass over the visitors.
    /// Runs on the writer's queue before the callers of the batch get their answers, so all slow work runs in
    /// the visitor's own task.
    func end(_ ended: EndedRights) {
        let sessions = ended.sessions
        let isBound = { @Sendable (right: RoomRight) in
            right.holder.session.map(sessions.contains) ?? false
        }
        for visitor in visitors {
            if visitor.hasRight(where: ended.includes) {
                visitor.close(.notAuthorized, "not_authorized")
                continue
            }
            if !sessions.isEmpty, visitor.hasRight(where: isBound) {
                visitor.enqueue {
                    await self.renewOrEnd(visitor.rights.filter(isBound), of: visitor)
                }
            }
            if ended.judgesAllPresenters {
                judgePresenter(visitor, of: nil)
            } else if !ended.presenters.isEmpty {
                judgePresenter(visitor, of: ended.presenters)
            }
            if !ended.members.isEmpty {
                remove(visitor, closing: .notAuthorized, reason: "not_authorized") { membership in
                    guard case .account(let account, _) = membership.right.holder,
                        case .session(let room, _) = membership.room
                    else { return false }
                    return ended.members[account]?.contains(room.meetingID) ?? false
                }
            }
        }
    }

    /// Closes the connection of a screen whose link is no longer valid in one of these meetings; nil stands
    /// for all meetings.
    private func judgePresenter(_ visitor: Visitor, of meetings: Set<MeetingID>?) {
        let isPresenter = { @Sendable (right: RoomRight) in
            if case .presenter = right.holder { true } else { false }
        }
        let rooms = visitor.rooms { membership in
            guard case .session(let room, _) = membership.room else { return false }
            return isPresenter(membership.right) && meetings?.contains(room.meetingID) ?? true
        }
        guard !rooms.isEmpty else { return }
        visitor.enqueue { await self.renewOrEnd(visitor.rights.filter(isPresenter), of: visitor) }
    }

    /// Closes all connections, so that the clients connect again.
    func endAll() { for visitor in visitors { visitor.close(.goingAway, "reconnect") } }

    /// Removes all visitors from the rooms of deleted sessions.
    func end(deleted sessions: Set<SessionID>) {
        for visitor in visitors {
            remove(visitor, closing: .roomGone, reason: "room_gone") { membership in
                guard case .session(let room, _) = membership.room else { return false }
                return sessions.contains(room.id)
            }
        }
    }

    /// Removes a visitor from the rooms that match, and closes the connection if the visitor is then in no
    /// room.
    private func remove(
        _ visitor: Visitor, closing code: Wire.CloseCode, reason: String,
        where isOver: (Visitor.RoomMembership) -> Bool
    ) {
        let names = visitor.rooms(where: isOver)
        guard !names.isEmpty else { return }
        visitor.enqueue {
            for name in names {
                self.leaveQuietly(visitor, name)
                visitor.tell(Left(left: name, id: nil), as: "left")
            }
            if visitor.roomCount == 0 { visitor.close(code, reason) }
        }
    }
}
