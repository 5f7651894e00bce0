import Phrases
import Wire

extension Route {
    /// Every problem that can come instead of what the route gives: what any request can meet, what follows
    /// from the declaration, and what the route's own rules bring.
    var problems: Set<ProblemCode> {
        var problems: Set<ProblemCode> = [
            .badRequest, .requestTimeout, .bodyTooLarge, .headersTooLarge, .internalError, .overloaded,
            .storageUnavailable,
        ]
        problems.formUnion(refuses)
        problems.formUnion(access.problems)
        // A cookie comes by itself, so that a write with one must come from our own pages.
        if access.proofs.contains(.cookie), method != .get { problems.insert(.originNotAllowed) }
        if pattern.contains("{") { problems.insert(.notFound) }
        switch body {
        case .none: break
        case .json, .upload:
            problems.formUnion([
                .notJSON, .jsonTooDeep, .jsonKeyTooLong, .jsonTooManyValues, .unsupportedMediaType,
                .invalidFields,
            ])
        case .image: problems.insert(.notAnImage)
        case .form: problems.formUnion([.unsupportedMediaType, .invalidFields])
        }
        if query.contains(where: { $0.schema != .anyText }) { problems.insert(.invalidFields) }
        if mayHaveKey { problems.insert(.invalidFields) }
        if keepsAnswer { problems.insert(.idempotencyKeyUsed) }
        if takesVersion { problems.insert(.versionMismatch) }
        if needsVersion { problems.formUnion([.preconditionRequired, .invalidFields]) }
        if ![.get, .options].contains(method) { problems.insert(.storageFull) }
        return problems
    }

    /// The same by status, in order.
    var refusals: [RouteRefusal] {
        Dictionary(grouping: problems, by: \.status)
            .map {
                RouteRefusal(
                    codes: $1.sorted { $0.rawValue < $1.rawValue }, asPage: !pattern.hasPrefix("/api/"),
                    forAnyOrigin: isForAnyOrigin)
            }
            .sorted { $0.status < $1.status }
    }
}

extension Access {
    fileprivate var problems: Set<ProblemCode> {
        switch self {
        case .anyone: []
        case .signedIn: [.notSignedIn]
        case .operator: [.notSignedIn, .notAllowed]
        case .member, .memberOrPresenter: [.notSignedIn, .notAllowed, .notFound]
        case .memberOrAttendee: [.notSignedIn, .notAllowed, .notFound, .receiptNotValid]
        case .attendee: [.receiptNotValid, .tooManyAttempts]
        }
    }
}

/// The problems of one status that a route can answer with. Routes share what they have alike.
struct RouteRefusal: Hashable, Sendable {
    let codes: [ProblemCode]
    /// Outside the API a browser is given a page, where it asks for one.
    let asPage: Bool
    var forAnyOrigin = false

    /// Of all its codes.
    var status: Int { codes[0].status }

    var name: String {
        codes.map(\.rawValue).joined(separator: ".") + (asPage ? "-page" : "")
            + (forAnyOrigin ? "-any-origin" : "")
    }

    var response: DescribedResponse {
        let said = codes.map { "`\($0.rawValue)`: \($0.phrases.title.text(in: .english))." }.joined(
            separator: " ")
        var headers = [DescribedResponse.requestID, DescribedResponse.cacheControl]
        if forAnyOrigin { headers += DescribedResponse.anyOrigin }
        switch status {
        case 401: headers.append(asPage ? DescribedResponse.pageAuthenticate : DescribedResponse.authenticate)
        case 405: headers.append(DescribedResponse.allow)
        case 426: headers.append(DescribedResponse.upgrade)
        case 429, 503: headers.append(DescribedResponse.retryAfter)
        default: break
        }
        let code = Schema.Field(name: "code", isRequired: true, schema: .oneOf(codes.map(\.rawValue)))
        let problem = DescribedContent(schema: .all([.reference("Problem"), .object([code])]))
        return DescribedResponse(
            description: said, headers: headers,
            content: [("application/problem+json", problem)]
                + (asPage ? [("text/html", DescribedContent(schema: .anyText))] : []))
    }
}
