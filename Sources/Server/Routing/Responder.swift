import HTTPServer
import Journal
import Meetings
import Phrases
import Secrets
import Synchronization
import Wire

/// Answers requests: finds the language and the route, checks access, calls the handler, and turns every
/// error into a problem.
final class Responder: HTTPResponder {
    private let services: Services
    private let router: Router
    private let access: AccessCheck
    private let files: StaticFiles

    init(services: Services, routes: [Route], files: StaticFiles) {
        self.services = services
        self.files = files
        router = Router(routes)
        access = AccessCheck(services: services)
    }

    // MARK: On the event loop

    func admit(_ head: HTTPRequestHead) -> HTTPAdmission {
        let match = match(head)
        // This request is refused before its body arrives. A client that expects an upgrade may send
        // websocket frames, which are neither a body nor the next request.
        if case .found(let route, _) = match, case .webSocket = route.gives {
            return .refuse(refuseUpgrade(head))
        }
        if case .found(let route, _) = match, case .eventStream = route.gives {
            return .refuse(redirectStream(head))
        }
        guard case .found(let route, _) = match else {
            return .accept(bodyLimit: bodyLimit(match), context: Finding(match))
        }
        guard route.access != .anyone, route.body.isRead else {
            return .accept(
                bodyLimit: route.body.limit, context: Finding(match), waits: route.waits,
                isShort: route.isShort)
        }
        return .accept(
            bodyLimit: route.body.limit, context: Finding(match),
            check: { await self.refusal(of: head, match, route) }, isShort: route.isShort)
    }

    /// Checks the caller before the body is read. Returns nil if the route allows the caller; `respond` then
    /// checks again, because the right may end while the body arrives.
    private func refusal(of head: HTTPRequestHead, _ match: Router.Match, _ route: Route) async
        -> HTTPResponse?
    {
        let context = context(of: HTTPRequest(head: head), match)
        do {
            _ = try await self.access.caller(of: context, for: route)
            return nil
        } catch {
            return completed(failure(error, context), match, context)
        }
    }

    private func bodyLimit(_ match: Router.Match) -> Int {
        guard case .found(let route, _) = match else { return Route.Body.form.limit }
        return route.body.limit
    }

    /// The route that was found for a request's head. The same route is used when the body has arrived.
    private final class Finding: Sendable {
        let match: Router.Match

        init(_ match: Router.Match) { self.match = match }
    }

    /// Rejects upgrades that the front door did not accept: malformed upgrades, and upgrades on a connection
    /// that has already carried a request. Other routes ignore an `Upgrade` header, as RFC 9110 §7.8 allows.
    private func refuseUpgrade(_ head: HTTPRequestHead) -> HTTPResponse {
        var response = namedProblem(RequestError(.upgradeRefused), head: head)
        response.headers.append(("Upgrade", "websocket"))
        response.headers += originHeaders(match(head))
        response.closesConnection = true
        return response
    }

    /// Sends the client of an event stream to a connection of its own, because the front door looks only at
    /// the first bytes of a connection. A browser may use a connection that has carried other requests. It
    /// follows the redirection on another connection, because this one ends. If the request is the first of
    /// its connection, the front door has rejected its form, so that a redirection would not help.
    private func redirectStream(_ head: HTTPRequestHead) -> HTTPResponse {
        guard !head.isFirst else {
            var response = namedProblem(RequestError(.streamRefused), head: head)
            response.closesConnection = true
            return response
        }
        return HTTPResponse(
            status: 307,
            headers: [("Location", "\(head.path)?\(head.rawQuery)"), ("Cache-Control", "no-store")],
            closesConnection: true)
    }

    func respondAtOnce(to request: HTTPRequest) -> HTTPResponse? {
        guard request.method == "GET" || request.method == "HEAD" else { return nil }
        if request.path == "/healthz" { return Operations.aliveAnswer }
        guard let match = (request.context as? Finding)?.match, case .found(let route, _) = match,
            let handle = route.fromMemory
        else { return files.response(to: request, makes: false) }
        var context = context(of: request, match)
        guard let caller = access.knownCaller(of: context, for: route) else { return nil }
        context.caller = caller
        // If the handler throws, `respond` runs the request again and answers with the refusal.
        guard let answer = try? handle(context) else { return nil }
        return completed(answer, match, context)
    }

    func refusal(_ reason: HTTPRefusal, head: HTTPRequestHead?) -> HTTPResponse {
        let error: RequestError =
            switch reason {
            case .malformed, .ambiguousLength, .unsupportedCoding: RequestError(.badRequest)
            case .tooSlow: RequestError(.requestTimeout)
            case .bodyTooLarge:
                RequestError(
                    .bodyTooLarge, ["limit": ByteCount.text(bodyLimit(head.map(match) ?? .notFound))])
            case .headTooLarge: RequestError(.headersTooLarge)
            case .tooManyInFlight, .tooManyBodyBytes, .tooManyConnections, .shuttingDown:
                RequestError(.overloaded, retryAfterSeconds: 1)
            case .unsendableAnswer: RequestError(.internalError)
            }
        var response = namedProblem(error, head: head)
        response.status = reason.status
        if let head { response.headers += originHeaders(match(head)) }
        return response
    }

    func finished(_ exchange: HTTPExchange) {
        services.metrics.answered(status: exchange.status ?? 499, duration: exchange.duration)
        services.noteForwarding(exchange.head)
        services.log.request(
            exchange, from: services.proxies.client(of: exchange.head),
            id: exchange.tag.isEmpty ? "-" : exchange.tag)
    }

    // MARK: Answers by handlers

    func respond(to request: HTTPRequest) async -> HTTPResponse {
        // `respondAtOnce` has only the files that are made.
        if request.method == "GET" || request.method == "HEAD",
            let file = files.response(to: request, makes: true)
        {
            return file
        }
        let found = (request.context as? Finding)?.match ?? match(request.head)
        let context = context(of: request, found)
        do {
            return completed(try await answer(found, context), found, context)
        } catch {
            return completed(failure(error, context), found, context)
        }
    }

    private func context(of request: HTTPRequest, _ match: Router.Match) -> RequestContext {
        let (parameters, route): ([String: String], Route?) =
            if case .found(let route, let names) = match { (names, route) } else { ([:], nil) }
        return RequestContext(
            request, parameters: parameters, route: route, languages: languages(of: request.head),
            requestID: services.requestIDs.next(), services: services,
            forwarded: services.proxies.forwarded(request.head))
    }

    /// Returns the response with the headers that do not depend on the handler.
    private func completed(
        _ answered: HTTPResponse, _ found: Router.Match, _ context: RequestContext
    ) -> HTTPResponse {
        var response = answered
        response.headers += originHeaders(found)
        response.headers += languageCookie(context, for: response)
        response.headers.append(("X-Request-Id", context.requestID))
        response.tag = context.requestID
        if services.storage.isFull { StorageNotice.add(to: &response, in: context.language) }
        return PageHead.fitted(response, to: context.request, in: context.language)
    }

    /// Returns a cookie with the language of the requested page, so that the following pages have the same
    /// language.
    private func languageCookie(_ context: RequestContext, for response: HTTPResponse)
        -> [(name: String, value: String)]
    {
        guard let language = context.query(.lang).flatMap({ Language(tag: $0) }),
            response.headers.contains(where: { $0.name == "Content-Type" && $0.value.hasPrefix("text/html") }
            )
        else { return [] }
        let secure = context.address.isSecure
        return [
            (
                "Set-Cookie",
                Cookies.set(Cookies.language, language.rawValue, seconds: 365 * 86_400, secure: secure)
            )
        ]
    }

    private func originHeaders(_ match: Router.Match) -> [(name: String, value: String)] {
        switch match {
        case .found(let route, _) where route.isForAnyOrigin: OtherOrigins.headers
        case .methodNotAllowed(_, isForAnyOrigin: true): OtherOrigins.headers
        case .found, .methodNotAllowed, .notFound: []
        }
    }

    private func answer(_ match: Router.Match, _ context: RequestContext) async throws -> HTTPResponse {
        switch match {
        case .notFound: throw Refusal.notFound(.page)
        case .methodNotAllowed(let allowed, _):
            var response = problem(
                RequestError(.methodNotAllowed), head: context.request.head, requestID: context.requestID)
            response.headers.append(("Allow", allowed.joined(separator: ", ")))
            return response
        case .found(let route, _):
            var context = context
            context.caller =
                route.access == .anyone
                ? access.anyone(context) : try await access.caller(of: context, for: route)
            try context.countChange(on: route)
            if route.mayHaveKey { context.idempotencyKey = try IdempotencyKey(of: context, on: route) }
            do {
                return try await route.handle(context)
            } catch let failure as FailureOfGrantHolder {
                throw failure.reason
            } catch {
                if let answer = try await context.replay(insteadOf: error) { return answer }
                throw context.visible(error)
            }
        }
    }

    private func match(_ head: HTTPRequestHead) -> Router.Match {
        router.match(head.method, fixedPath: head.path) ?? router.match(head.method, path: head.path)
    }

    private func languages(of head: HTTPRequestHead) -> RequestedLanguages {
        RequestedLanguages(
            query: head.value(of: .lang),
            cookie: head.headers.first("cookie").flatMap { Cookies.value(of: Cookies.language, in: [$0]) },
            acceptLanguage: head.headers.first("accept-language"))
    }

    // MARK: Errors

    private func problem(_ error: RequestError, head: HTTPRequestHead?, requestID: String) -> HTTPResponse {
        var problem = Problem(code: error.code, in: head.map(languages)?.language() ?? .english, error.values)
        problem.retryAfterSeconds = error.retryAfterSeconds ?? problem.retryAfterSeconds
        problem.requestId = requestID
        services.metrics.refused(problem.code)
        return .problem(problem)
    }

    /// Returns the problem of a request that is refused before `respond` runs.
    private func namedProblem(_ error: RequestError, head: HTTPRequestHead?) -> HTTPResponse {
        let requestID = services.requestIDs.next()
        var response = problem(error, head: head, requestID: requestID)
        response.headers.append(("X-Request-Id", requestID))
        response.tag = requestID
        return response
    }

    private func failure(_ error: any Error, _ context: RequestContext) -> HTTPResponse {
        let request = context.request
        var problem = Problem(of: error, in: context.language)
        // `StorageWatch` reports moved or damaged files once, so this log does not report them with every
        // rejected request.
        if problem.status >= 500, !error.isWatched {
            let path = RequestLog.redacted(request.path)
            services.log.note("request \(context.requestID): \(request.method) \(path): \(error)")
        }
        problem.requestId = context.requestID
        services.metrics.refused(problem.code)
        if PageErrors.wants(request) {
            return PageErrors.page(problem, of: (error as? OutsideWindow)?.meeting, context)
        }
        return .problem(problem)
    }
}

/// Makes short ids of requests, for logs and support. The first id is random; each further id is higher by
/// one.
final class RequestIDs: Sendable {
    private let start = UInt64.random(in: 0..<1 << 40) << 20
    private let count = Atomic<UInt64>(0)

    func next() -> String { String(start &+ count.wrappingAdd(1, ordering: .relaxed).newValue, radix: 36) }
}

extension Problem {
    /// Makes the problem for any error of a handler or a room. An unknown error is a bug in the server; its
    /// problem has no details.
    init(of error: any Error, in language: Language) {
        switch (error as? JournalError)?.unwrapped ?? error {
        case let refusal as Refusal: self.init(refusal, in: language)
        case let fault as JSONFault: self.init(fault, in: language)
        case let outside as OutsideWindow: self.init(outside.refusal, in: language)
        case JournalError.failed(let failure) where failure.reason == .moved:
            self.init(code: .storageUnavailable, in: language, saying: ProblemCode.storageMoved)
        case JournalError.failed(let failure) where [.damaged, .damageFound].contains(failure.reason):
            self.init(code: .storageUnavailable, in: language, saying: ProblemCode.storageDamaged)
        case JournalError.failed(let failure) where failure.reason == .unknownOutcome:
            self.init(code: .storageUnavailable, in: language, saying: ProblemCode.storageUnsure)
        case JournalError.failed(let failure) where failure.reason == .unfinished:
            self.init(code: .storageUnavailable, in: language, saying: ProblemCode.storageUnfinished)
        case JournalError.failed(let failure) where failure.reason == .tooManySteps:
            self.init(code: .tooMuchAtOnce, in: language)
        case JournalError.failed(let failure) where failure.reason == .incomplete:
            self.init(code: .internalError, in: language, saying: ProblemCode.storageIncomplete)
        // A repeated request would fail again.
        case JournalError.failed(let failure) where failure.reason == .unstorable:
            self.init(code: .internalError, in: language, saying: ProblemCode.unstorable)
        case JournalError.failed(let failure):
            self.init(code: failure.reason == .full ? .storageFull : .storageUnavailable, in: language)
        case let problem as Problem: self = problem
        case let error as RequestError:
            self.init(code: error.code, in: language, error.values)
            retryAfterSeconds = error.retryAfterSeconds ?? retryAfterSeconds
        case SecretsError.hasherBusy: self.init(code: .overloaded, in: language)
        default: self.init(code: .internalError, in: language)
        }
    }
}
