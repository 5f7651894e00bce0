import Wire

/// What a request may carry beside its body.
struct DescribedParameter: Encodable, Sendable {
    let name: String
    let `in`: String
    var description: String?
    let required: Bool
    let schema: Schema

    /// By their names among the components.
    static let shared: [(name: String, value: DescribedParameter)] = [
        (
            "lang",
            DescribedParameter(
                name: "lang", in: "query",
                description: "The language of what is said: `en` or `ko`. Before Accept-Language.",
                required: false,
                schema: .anyText)
        ),
        (
            "if_match",
            DescribedParameter(
                name: "If-Match", in: "header",
                description: "The ETag that was read; 412 where somebody has changed it since.",
                required: false, schema: .anyText)
        ),
        (
            "if_match_needed",
            DescribedParameter(
                name: "If-Match", in: "header",
                description:
                    "The ETag that was read; 412 where somebody has changed it since. `*` overwrites "
                    + "whatever is there.",
                required: true, schema: .anyText)
        ),
        (
            "if_match_or_none",
            DescribedParameter(
                name: "If-Match", in: "header",
                description:
                    "The ETag that was read; 412 where somebody has changed it since. `*` overwrites "
                    + "whatever is there. "
                    + "It or If-None-Match is needed.",
                required: false, schema: .anyText)
        ),
        (
            "if_none_match_any",
            DescribedParameter(
                name: "If-None-Match", in: "header",
                description:
                    "`*` instead of If-Match: creates a new resource. 412 if it exists already, or if "
                    + "If-Match is sent too.",
                required: false, schema: .oneOf(["*"]))
        ),
        (
            "if_none_match",
            DescribedParameter(
                name: "If-None-Match", in: "header",
                description: "The ETag of what the caller has; 304 where it is still that.",
                required: false, schema: .anyText)
        ),
        (
            "idempotency_key",
            DescribedParameter(
                name: IdempotencyKey.header, in: "header",
                description: "The same key and body within 24 hours give the same answer.",
                required: false,
                schema: .string(min: 1, max: IdempotencyKey.longest, format: nil, pattern: "^[!-~]+$"))
        ),
    ]
}

extension Route {
    var parameters: [Described<DescribedParameter>] {
        var parameters: [Described<DescribedParameter>] = pattern.split(separator: "/").filter {
            $0.hasPrefix("{")
        }.map {
            let name = String($0.dropFirst().dropLast())
            return .here(
                DescribedParameter(
                    name: name, in: "path", required: true, schema: Self.schema(ofPathPart: name)))
        }
        parameters += query.map {
            .here(
                DescribedParameter(
                    name: $0.name, in: "query", required: neededQuery.contains($0.name), schema: $0.schema))
        }
        parameters.append(.component("parameters/lang"))
        switch (takesVersion, method) {
        case (true, .patch): parameters.append(.component("parameters/if_match_needed"))
        case (true, .put):
            parameters += ["if_match_or_none", "if_none_match_any"].map { .component("parameters/\($0)") }
        case (true, _): parameters.append(.component("parameters/if_match"))
        case (false, _): break
        }
        if case .keptFile = gives { parameters.append(.component("parameters/if_none_match")) }
        if mayHaveKey { parameters.append(.component("parameters/idempotency_key")) }
        return parameters
    }

    /// Ids are named so in every pattern.
    private static func schema(ofPathPart name: String) -> Schema {
        switch name {
        case "id",
            _ where name.hasSuffix("Id"):
            .id
        case "set": .string(min: 1, max: 40, format: nil, pattern: "^[a-z0-9-]+$")
        default: .string(min: 1, max: nil, format: nil, pattern: nil)
        }
    }
}

extension Access {
    /// What a caller shows to prove who they are.
    enum Proof: String, CaseIterable, Sendable {
        case account, cookie, receipt, presenter

        var scheme: DescribedSecurity {
            switch self {
            case .account:
                DescribedSecurity(
                    type: "http", description: "An access token, from POST /api/v1/tokens.", scheme: "bearer")
            case .cookie:
                DescribedSecurity(
                    type: "apiKey",
                    description:
                        "The access token as the pages hold it; writes must come from the server's own "
                        + "pages.",
                    in: "cookie", name: Cookies.signIn)
            case .receipt:
                DescribedSecurity(
                    type: "http", description: "A receipt, from POST /api/v1/check-ins.", scheme: "bearer")
            case .presenter:
                DescribedSecurity(
                    type: "http", description: "A presenter link's token, for its own session.",
                    scheme: "bearer")
            }
        }
    }

    /// Any one of them will do; none for what anyone may.
    var proofs: [Proof] {
        switch self {
        case .anyone: []
        case .signedIn, .operator, .member: [.account, .cookie]
        case .memberOrPresenter: [.account, .cookie, .presenter]
        case .memberOrAttendee: [.account, .cookie, .receipt]
        case .attendee: [.receipt]
        }
    }
}

struct DescribedSecurity: Encodable, Sendable {
    let type: String
    let description: String
    var scheme: String?
    var `in`: String?
    var name: String?
}
