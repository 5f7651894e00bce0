import Journal
import Meetings
import Rooms
import WebSockets
import Wire

/// How connections end with their rights: by the clock, by a command, or with the session.
extension RoomConnections {
    /// Ends the connections whose rights have expired, and those that have shown no right for `patience`.
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

    /// Renews rights whose session now ends later, or closes the connection.
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
            // The store cannot be read now. The next second tries again.
        }
    }

    /// Ends the connections and memberships of the rights that a batch ended, in one pass over the visitors.
    /// Runs on the writer's queue, before the answers of the batch: what is not quick, the visitor's own task
    /// does.
    func end(_ ended: EndedRights) {
        for visitor in visitors {
            if visitor.hasRight(where: ended.includes) {
                visitor.connection.close(
                    code: Wire.CloseCode.notAuthorized.rawValue, reason: "not_authorized")
                continue
            }
            if !ended.sessions.isEmpty {
                let moved = visitor.rights.filter { $0.holder.session.map(ended.sessions.contains) ?? false }
                if !moved.isEmpty { visitor.enqueue { await self.renewOrEnd(moved, of: visitor) } }
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

    /// Removes all visitors from the rooms of sessions that were deleted.
    func end(deleted sessions: Set<SessionID>) {
        for visitor in visitors {
            remove(visitor, closing: .roomGone, reason: "room_gone") { membership in
                guard case .session(let room, _) = membership.room else { return false }
                return sessions.contains(room.id)
            }
        }
    }

    /// Removes a visitor from the rooms that match, and closes the connection if it is in no other room.
    private func remove(
        _ visitor: Visitor, closing code: Wire.CloseCode, reason: String,
        where isOver: (Visitor.RoomMembership) -> Bool
    ) {
        let names = visitor.rooms(where: isOver)
        guard !names.isEmpty else { return }
        visitor.enqueue {
            for name in names {
                self.leaveQuietly(visitor, name)
                visitor.connection.send(WireJSON.bytes(Left(left: name, id: nil)))
            }
            if visitor.roomCount == 0 { visitor.connection.close(code: code.rawValue, reason: reason) }
        }
    }
}
