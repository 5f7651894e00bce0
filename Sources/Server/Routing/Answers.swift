import HTTPServer
import Journal
import Meetings
import Wire

extension HTTPResponse {
    /// Encodes a value as JSON. By default caches must not store answers of the API.
    static func json(
        _ value: some Encodable, status: Int = 200, headers: [(name: String, value: String)] = []
    ) -> HTTPResponse {
        var response = json(encoded: WireJSON.bytes(value), status: status)
        response.headers += headers
        return response
    }

    /// Makes the answer from encoded JSON.
    static func json(encoded body: [UInt8], status: Int) -> HTTPResponse {
        HTTPResponse(
            status: status,
            headers: [("Content-Type", "application/json"), ("Cache-Control", "no-store")], body: body)
    }

    /// Encodes a value as JSON, with its version as the entity tag.
    static func json(
        _ value: some Versioned, status: Int = 200, headers: [(name: String, value: String)] = []
    ) -> HTTPResponse {
        let tag = value.taggedVersion.map { [("ETag", "\"v\($0)\"")] } ?? []
        return HTTPResponse(
            status: status,
            headers: [("Content-Type", "application/json"), ("Cache-Control", "no-store")] + tag + headers,
            body: WireJSON.bytes(value))
    }

    /// Encodes a value as JSON. The entity tag is the version of the resource that the value is a part of.
    static func json(_ value: some Encodable, status: Int = 200, version: Int) -> HTTPResponse {
        json(value, status: status, headers: [("ETag", "\"v\(version)\"")])
    }

    static var noContent: HTTPResponse { HTTPResponse(status: 204) }

    static func problem(_ problem: Problem) -> HTTPResponse {
        var headers = [("Content-Type", "application/problem+json"), ("Cache-Control", "no-store")]
        if let seconds = problem.retryAfterSeconds { headers.append(("Retry-After", String(seconds))) }
        if problem.status == 401 { headers.append(("WWW-Authenticate", "Bearer")) }
        return HTTPResponse(status: problem.status, headers: headers, body: WireJSON.bytes(problem))
    }

    /// Sends a browser to another page, which it loads by GET.
    static func seeOther(_ path: String) -> HTTPResponse {
        HTTPResponse(status: 303, headers: [("Location", path), ("Cache-Control", "no-store")])
    }

    /// Returns a page with headers against framing, content sniffing and content of other sites.
    static func html(_ html: HTML, status: Int = 200, cookies: [String] = []) -> HTTPResponse {
        page(Array(html.text.utf8), status: status, cookies: cookies)
    }

    /// Returns the same for the bytes of a page.
    static func page(_ body: [UInt8], status: Int = 200, cookies: [String] = []) -> HTTPResponse {
        HTTPResponse(
            status: status,
            headers: [
                ("Content-Type", HTML.mediaType), ("Cache-Control", "no-store"),
                ("Content-Security-Policy", PageSafety.policy),
                ("Referrer-Policy", "no-referrer"), ("X-Content-Type-Options", "nosniff"),
            ] + cookies.map { ("Set-Cookie", $0) },
            body: body)
    }
}

enum PageSafety {
    /// The content security policy: no inline scripts, no inline style sheet but the phones' own, and nothing
    /// from other origins. Images may be blobs, because the projector fetches the code's image with its
    /// token.
    static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self' \(PageHead.styleHash); img-src 'self' blob: "
        + "data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
}

/// Makes the bodies of records for the API. Only some callers may see the codes in them.
extension RequestContext {
    enum Audience {
        /// Members and presenters, who see the join code and the check-in URL.
        case member
        case attendee
    }

    /// - Parameter moment: the time that the body describes; nil for the time of the request.
    func sessionBody(_ record: SessionRecord, for audience: Audience, at moment: Instant? = nil)
        -> SessionBody
    {
        let now = moment ?? now
        var body = SessionBody(
            record.session, of: record.meeting, headCount: record.headCount, feedback: record.feedback,
            at: now)
        switch audience {
        case .member:
            let code = code(of: record.session)
            body.joinCode = code.joinCode
            body.checkInUrl = code.url
            if record.session.namesDeletedAt == nil {
                body.namesUntil = services.settings.retention.names.map {
                    max(record.session.endsAt + $0, record.session.feedbackClosesAt)
                }
            }
        case .attendee:
            let isFixed = record.feedback.hasFixedAnonymity(in: record.session, at: now)
            body.feedback = SessionBody.Feedback(record.feedback, tellsAnonymity: isFixed)
        }
        return body
    }

    func meetingBody(_ record: SessionRecord, role: Role) -> MeetingBody {
        var body = MeetingBody(record.meeting, role: role, latest: record.session)
        body.meetingUrl = address.meetingURL(code: MeetingCode.text(of: record.meeting, keys: services.keys))
        return body
    }

    /// Returns the meeting for a steward, who may know its name only.
    func stewardBody(_ record: SessionRecord) -> MeetingBody {
        let meeting = record.meeting
        let named = Meeting(
            id: meeting.id, name: meeting.name, timeZone: meeting.timeZone, createdAt: meeting.createdAt)
        return MeetingBody(named, role: .steward, latest: record.session)
    }

    func code(of session: Session) -> CodeBody {
        Services.code(of: session, at: codeNow, address: address, keys: services.keys)
    }
}

extension Services {

    /// Returns the code to show at `moment` on the code clock.
    static func code(of session: Session, at moment: Instant, address: PublicAddress, keys: Keys) -> CodeBody
    {
        let url = address.checkInURL(code: CheckInCode.text(of: session, at: moment, keys: keys))
        switch session.codeKind {
        case .static: return CodeBody(url: url, joinCode: session.joinCode, expiresInMs: nil)
        case .rotating:
            return CodeBody(
                url: url, joinCode: RotatingJoinCode.text(of: session, at: moment, keys: keys),
                expiresInMs: Int(CodeSchedule.remaining(at: moment).wholeMilliseconds))
        }
    }
}
