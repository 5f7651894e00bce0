import HTTPServer
import Journal
import Meetings
import Wire

/// The key of a caller in `Services.knownCallers`: the hash of a token, and the session that it reads.
struct KnownCallerKey: Hashable {
    let token: [UInt8]
    let session: SessionID
    /// Whether the route required a verified e-mail address.
    let requiresVerification: Bool
}

/// Identifies the caller of a request and checks that the route allows this caller.
struct AccessCheck: Sendable {
    let services: Services

    /// Returns the caller.
    /// - Throws: `not_signed_in` if the caller is unknown; `not_allowed` if the caller lacks the right; the
    ///   errors of `ReadableRows.validToken`.
    func caller(of context: RequestContext, for route: Route) async throws -> RequestContext.Caller {
        let access = route.access
        // A host's page sends many requests between two changes of a right.
        if route.method == .get, let known = knownCaller(of: context, for: route) { return known }
        let verified = requiresVerification(route)
        let bearer = Self.bearer(in: context.request.headers.first("authorization"))
        switch access {
        case .anyone: return anyone(context)
        case .attendee:
            guard let bearer else { throw Refusal.receiptNotValid }
            guard let receipt = Receipt(bearer, keys: services.keys) else {
                throw context.forged(.receiptNotValid)
            }
            return RequestContext.Caller(receipt: receipt)
        case .satellite: return try await satellite(bearer, context)
        case .signedIn:
            let token = try await token(bearer, context, verified)
            try token.requireLimits(of: route)
            return RequestContext.Caller(token: token)
        case .accountOrAttendee:
            if let receipt = bearer.flatMap({ Receipt($0, keys: services.keys) }) {
                return RequestContext.Caller(receipt: receipt)
            }
            let token = try await token(bearer, context, verified)
            try token.requireLimits(of: route)
            return RequestContext.Caller(token: token)
        case .operator:
            let token = try await token(bearer, context, verified)
            try token.requireLimits(of: route)
            let account = try await context.storage.lookUp { rows throws(JournalError) in
                try rows.account(token.accountID)
            }
            guard account?.admin == true else { throw Refusal.notAllowed }
            return RequestContext.Caller(token: token)
        case .member(let right, let scope):
            return try await member(bearer, context, route, verified, right, scope)
        case .memberOrPresenter:
            if let hash = bearer.flatMap({ BearerToken.hash($0, prefix: BearerToken.presenter) }) {
                return try await holder(of: hash, for: .hall, context)
            }
            return try await member(bearer, context, route, verified, .viewer, .session)
        case .kiosk:
            guard let hash = bearer.flatMap({ BearerToken.hash($0, prefix: BearerToken.kiosk) }) else {
                throw RequestError(.notSignedIn)
            }
            return try await holder(of: hash, for: .kiosk, context)
        case .memberOrAttendee:
            if let receipt = bearer.flatMap({ Receipt($0, keys: services.keys) }) {
                return try await attendee(receipt, context)
            }
            return try await member(bearer, context, route, verified, .viewer, .session)
        }
    }

    /// Returns the caller of a route that allows anyone. The responder calls this function directly, because
    /// the frame of the async function `caller` has 5.6 KB.
    func anyone(_ context: RequestContext) -> RequestContext.Caller {
        let receipt = Self.bearer(in: context.request.head.headers.first("authorization")).flatMap {
            Receipt($0, keys: services.keys)
        }
        return receipt.map { RequestContext.Caller(receipt: $0) } ?? .nobody
    }

    /// Returns the caller without a look-up. Returns nil if the caller has not read this session since the
    /// last commit that raised the revision, if other nodes may share the database, or if the route refuses
    /// the caller.
    func knownCaller(of context: RequestContext, for route: Route) -> RequestContext.Caller? {
        let bearer = Self.bearer(in: context.request.headers.first("authorization"))
        let right: MemberRight
        switch route.access {
        case .anyone: return anyone(context)
        case .member(let needed, of: .session): right = needed
        // The token of a presenter link is no access token, so `hash` refuses it.
        case .memberOrPresenter: right = .viewer
        default: return nil
        }
        guard let revision = context.revision, let hash = try? hash(bearer, context),
            let session = context.parameters["id"].flatMap({ SessionID($0) }),
            let known = services.knownCallers.value(
                KnownCallerKey(
                    token: hash, session: session, requiresVerification: requiresVerification(route)),
                at: revision),
            let token = known.token, token.expiresAt > context.now,
            let record = known.record.flatMap({ services.storage.current($0, since: revision) })
        else { return nil }
        let caller = RequestContext.Caller(
            token: token, role: known.role, meeting: known.meeting, record: record)
        return try? admitted(caller, context, route, right)
    }

    private func requiresVerification(_ route: Route) -> Bool {
        services.settings.requiresVerification && !route.allowsUnverified
    }

    private func attendee(_ receipt: Receipt, _ context: RequestContext) async throws
        -> RequestContext.Caller
    {
        let session = try context.id(Session.self, .session)
        let record = try await context.storage.lookUp { rows throws(JournalError) -> SessionRecord? in
            guard let attendee = try rows.attendee(holding: receipt), attendee.sessionID == session else {
                return nil
            }
            return try rows.session(session)
        }
        guard let record else { throw Refusal.receiptNotValid }
        context.useLanguage(of: record.meeting)
        return RequestContext.Caller(meeting: record.meeting, record: record, receipt: receipt)
    }

    private func satellite(_ bearer: String?, _ context: RequestContext) async throws
        -> RequestContext.Caller
    {
        guard let hash = bearer.flatMap({ BearerToken.hash($0, prefix: BearerToken.satellite) }) else {
            throw Refusal.satelliteRevoked
        }
        let found = try await context.storage.lookUp {
            rows throws(JournalError) -> RequestContext.Caller? in
            guard let satellite = try rows.satellite(tokenHash: hash),
                let record = try rows.session(satellite.session)
            else { return nil }
            return RequestContext.Caller(meeting: record.meeting, record: record, satellite: satellite)
        }
        // The row is deleted with its session.
        guard let found else { throw context.forged(.satelliteRevoked) }
        return found
    }

    /// Returns the token of a bearer header (RFC 6750 §2.1); nil if the header has no token.
    static func bearer(in header: String?) -> String? {
        guard let header, header.utf8.count <= 500, header.prefix(7).lowercased() == "bearer " else {
            return nil
        }
        return String(header.dropFirst(7))
    }

    private func hash(_ bearer: String?, _ context: RequestContext) throws -> [UInt8] {
        let text = bearer ?? context.signInCookie
        guard let hash = text.flatMap({ BearerToken.hash($0, prefix: BearerToken.access) }) else {
            throw RequestError(.notSignedIn)
        }
        // A browser sends the cookie with requests from any site. A write that uses the cookie must therefore
        // come from a page of this server.
        if bearer == nil, context.request.method != "GET", context.request.method != "HEAD",
            !context.isSameOrigin
        {
            throw RequestError(.originNotAllowed)
        }
        return hash
    }

    private func token(_ bearer: String?, _ context: RequestContext, _ verified: Bool) async throws -> Token {
        let hash = try hash(bearer, context)
        let now = context.now
        return try await context.storage.lookUp { rows throws(JournalError) in
            try rows.validToken(hash, at: now, verified: verified)
        }.orNotSignedIn()
    }

    private func member(
        _ bearer: String?, _ context: RequestContext, _ route: Route, _ verified: Bool,
        _ right: MemberRight, _ scope: Access.Scope
    ) async throws -> RequestContext.Caller {
        let hash = try hash(bearer, context)
        let now = context.now
        let name = context.parameters["id"] ?? ""
        let found = try await context.storage.lookUp { rows throws(JournalError) -> RequestContext.Caller? in
            guard let token = try rows.validToken(hash, at: now, verified: verified) else { return nil }
            var meeting: Meeting?
            var record: SessionRecord?
            switch scope {
            case .meeting:
                if let id = MeetingID(name) { meeting = try rows.meeting(id) }
                guard meeting != nil else { throw .refused(.notFound(.meeting)) }
            case .session:
                if let id = SessionID(name) { record = try rows.session(id) }
                guard record != nil else { throw .refused(.notFound(.session)) }
            case .question:
                if let id = QuestionID(name), let location = try rows.location(of: id) {
                    record = try rows.session(location.session)
                }
                guard record != nil else { throw .refused(.notFound(.question)) }
            case .attendee:
                // The id of a merged attendee still leads to the session, so that a client can repeat the
                // merge with the same key.
                if let id = AttendeeID(name), let attendee = try rows.attendee(behind: id) {
                    record = try rows.session(attendee.sessionID)
                }
                guard record != nil else { throw .refused(.notFound(.attendee)) }
            }
            meeting = meeting ?? record?.meeting
            let role = try meeting.flatMap { meeting throws(JournalError) in
                try rows.role(of: token.accountID, in: meeting.id)
            }
            return RequestContext.Caller(token: token, role: role, meeting: meeting, record: record)
        }
        guard let found else { throw RequestError(.notSignedIn) }
        if scope == .session, let revision = context.revision, let session = found.record?.session.id {
            // About 1 KB for the records, besides their texts.
            let texts = found.meeting.map { [$0.name, $0.description, $0.venue] } ?? []
            services.knownCallers.store(
                found, KnownCallerKey(token: hash, session: session, requiresVerification: verified),
                bytes: texts.reduce(1000) { $0 + $1.utf8.count }, at: revision)
        }
        return try admitted(found, context, route, right)
    }

    /// Returns the caller if the route allows it.
    private func admitted(
        _ found: RequestContext.Caller, _ context: RequestContext, _ route: Route, _ right: MemberRight
    ) throws -> RequestContext.Caller {
        guard let role = found.role, right.belongs(to: role) else { throw Refusal.notAllowed }
        try found.token?.requireLimits(of: route, in: found.meeting?.id)
        if role.isHost, let session = found.record?.session.id {
            services.addresses.learn(session, from: context.forwarded)
        }
        return found
    }

    /// Returns the holder of a presenter link with this purpose.
    private func holder(
        of hash: [UInt8], for purpose: PresenterLink.Purpose, _ context: RequestContext
    ) async throws -> RequestContext.Caller {
        let id = try context.id(Session.self, .session)
        let now = context.now
        let found = try await context.storage.lookUp {
            rows throws(JournalError) -> (PresenterLink, SessionRecord)? in
            guard let link = try rows.presenterLink(hash: hash, for: purpose), link.sessionID == id,
                let record = try rows.session(shownBy: link),
                !record.session.isOver(at: now)
            else { return nil }
            return (link, record)
        }
        guard let (link, record) = found else { throw RequestError(.notSignedIn) }
        return RequestContext.Caller(meeting: record.meeting, record: record, link: link)
    }
}

extension ReadableRows {
    /// Returns the access token with this hash; nil if it is unknown, because it never existed or its
    /// sign-in has ended.
    /// - Parameter verified: whether the account must have a verified e-mail address.
    /// - Throws: `tokenExpired`, `accountNotVerified`; `accountSuspended` or `accountWithdrawn` if the token
    ///   ended with the account.
    func validToken(_ hash: [UInt8], at now: Instant, verified: Bool) throws(JournalError) -> Token? {
        guard let token = try token(hash: hash), token.kind != .refresh else {
            if let end = try tokenEnd(hash: hash) { throw .refused(end.refusal) }
            return nil
        }
        guard token.expiresAt > now else { throw .refused(.tokenExpired) }
        if verified, try account(token.accountID)?.verified == false { throw .refused(.accountNotVerified) }
        return token
    }
}

extension Token? {
    fileprivate func orNotSignedIn() throws -> Token {
        guard let self else { throw RequestError(.notSignedIn) }
        return self
    }
}

extension RequestContext {
    var signInCookie: String? { cookie(Cookies.signIn) }

    /// Returns the account of the browser's cookie; nil if the cookie is no valid sign-in.
    func accountOfCookie() async throws -> Account? {
        guard let token = try await validToken(signInCookie) else { return nil }
        return try await storage.lookUp { rows throws(JournalError) in try rows.account(token.accountID) }
    }

    /// Whether the browser's cookie is a valid sign-in. A page contains the result, so that its script sends
    /// no request that the server would refuse.
    func isSignedInByCookie() async throws -> Bool { try await validToken(signInCookie) != nil }

    /// Returns the access token with this text; nil if it is missing, unknown or has expired.
    func validToken(_ text: String?) async throws -> Token? {
        guard let hash = text.flatMap({ BearerToken.hash($0, prefix: BearerToken.access) }) else {
            return nil
        }
        let now = now
        do {
            return try await storage.lookUp { rows throws(JournalError) in
                try rows.validToken(hash, at: now, verified: false)
            }
        } catch is Refusal {
            return nil
        }
    }

    func cookie(_ name: String) -> String? { Cookies.value(of: name, in: request.headers.all("cookie")) }

    /// Whether the browser reports that a page of this server sent the request. The result is false for a
    /// request without `Origin` and `Sec-Fetch-Site`.
    var isSameOrigin: Bool {
        if let site = request.headers.first("sec-fetch-site") {
            return site == "same-origin" || site == "none"
        }
        guard let origin = request.headers.first("origin") else { return false }
        return address.isOwn(origin: origin, host: forwarded?.host ?? request.headers.first("host"))
    }
}
