import HTTPServer
import Meetings
import Phrases
import WebSockets
import Wire

/// Event streams: one room of a visitor, as server-sent events, for networks that break websockets.
extension RoomConnections {
    /// The path of event streams.
    static let streamPath = "/rooms/events"

    /// The query of a stream's request, and the position after which it continues.
    struct StreamRequest: Sendable {
        /// The right: a token in the bearer header, or a ticket.
        enum Proof: Sendable {
            case token(String)
            case ticket(String)
        }

        let proof: Proof
        let room: RoomName
        let since: ClientMessage.Position?

        /// - Throws: the problem of a request without a right or a room.
        init(_ request: UpgradeHead) throws(RequestError) {
            let head = HTTPRequestHead(request)
            if let bearer = AccessCheck.bearer(in: request[header: "authorization"]) {
                proof = .token(bearer)
            } else if let ticket = head.value(of: .ticket) {
                proof = .ticket(ticket)
            } else {
                throw RequestError(.notSignedIn)
            }
            guard let room = head.value(of: .room).flatMap({ RoomName($0) }) else {
                throw RequestError(.unknownRoom)
            }
            self.room = room
            // The header is newer than the query: a browser adds it when it opens the same URL again.
            since = (request[header: "last-event-id"] ?? head.value(of: .position)).flatMap {
                ClientMessage.Position(text: $0)
            }
        }
    }

    /// Returns the response to a stream's request that cannot be served; nil if it can.
    func refusal(of request: UpgradeHead) -> [UInt8]? {
        do throws(RequestError) {
            let stream = try StreamRequest(request)
            guard case .ticket(let ticket) = stream.proof,
                !services.tickets.isValid(ticket, at: services.clock.now)
            else { return nil }
            throw services.isCounted(forgeryFrom: Origin.of(services.proxies.client(of: request)))
                ? RequestError(.ticketNotValid) : RequestError(.tooManyAttempts, ["seconds": "60"])
        } catch {
            var response = HTTPResponse.problem(Problem(of: error, in: Self.language(of: request)))
            response.headers.append(("X-Request-Id", services.requestIDs.next()))
            return response.lastBytes
        }
    }

    /// Authorizes a stream's visitor, and joins the stream's room.
    func begin(_ stream: StreamRequest, for visitor: Visitor) {
        visitor.enqueue {
            let token: String? =
                switch stream.proof {
                case .token(let token): token
                case .ticket(let ticket): self.services.tickets.redeem(ticket, at: self.services.clock.now)
                }
            await self.authorize(visitor, token ?? "", announce: false)
            guard visitor.right != nil else { return }
            do {
                try await self.join(visitor, stream.room, since: stream.since, message: nil) {
                    WireJSON.bytes($0)
                }
            } catch {
                visitor.tell(RoomError(visitor.problem(error), id: nil), as: "problem")
                visitor.close(.policy, "refused")
            }
        }
    }

    static func language(of request: UpgradeHead) -> Language {
        RequestedLanguages(
            query: HTTPRequestHead(request).value(of: .lang), cookie: nil,
            acceptLanguage: request[header: "accept-language"]
        ).language()
    }
}

extension HTTPRequestHead {
    /// The request line of a connection that the front door gave to the websockets.
    convenience init(_ request: UpgradeHead) {
        let parts = request.target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        self.init(
            method: "GET", path: String(parts[0]), rawQuery: parts.count == 2 ? String(parts[1]) : "",
            peer: request.peer)
    }
}

/// Gives tickets for event streams.
enum Tickets {
    /// Exchanges a token that opens rooms, in the bearer header or in the cookie, for a ticket.
    static func issue(_ context: RequestContext) async throws -> HTTPResponse {
        let bearer = AccessCheck.bearer(in: context.request.headers.first("authorization"))
        guard let token = bearer ?? context.signInCookie else { throw RequestError(.notSignedIn) }
        guard bearer != nil || context.isSameOrigin else { throw RequestError(.originNotAllowed) }
        do {
            _ = try await RoomRights(services: context.services).right(of: token)
        } catch is RoomRights.Forged {
            guard context.services.isCounted(forgeryFrom: context.origin) else {
                throw RequestError(.tooManyAttempts, ["seconds": "60"], retryAfterSeconds: 60)
            }
            throw RequestError(.notSignedIn)
        }
        let (ticket, expiresAt) = context.services.tickets.issue(
            for: token, at: context.services.clock.now)
        return .json(TicketBody(ticket: ticket, expiresAt: expiresAt), status: 201)
    }
}
