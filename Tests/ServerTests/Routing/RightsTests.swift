import Journal
import Meetings
import Testing

@testable import Server

/// Tests of access rights: every route is called by every kind of caller.
@Suite struct RightsTests {
    private struct Row: Sendable {
        let route: String
        /// The expected statuses of all but a kiosk, in the order of `Holder.allCases`: nobody, stranger,
        /// viewer, host, owner, attendee, presenter, expired, steward.
        let expected: [Int]
        /// The status for a kiosk; nil if it is that of an expired token, which proves nothing either.
        var kiosk: Int?
        var all: [Int] { expected + [kiosk ?? expected[7]] }
        var json: String?
        var form: String?
        var query = ""
    }

    private static let anyone = [Int](repeating: 200, count: 9)
    private static let signedIn = [401, 200, 200, 200, 200, 401, 401, 401, 200]
    private static let member = [401, 403, 200, 200, 200, 401, 401, 401, 403]
    private static let host = [401, 403, 403, 200, 200, 401, 401, 401, 403]
    private static let owner = [401, 403, 403, 403, 200, 401, 401, 401, 403]
    private static let door = [401, 403, 403, 200, 200, 401, 401, 401, 200]
    private static let accountOrReceipt = [401, 200, 200, 200, 200, 200, 401, 401, 200]
    private static let receipt = [401, 401, 401, 401, 401, 200, 401, 401, 401]

    private static func giving(_ status: Int, _ expected: [Int]) -> [Int] {
        expected.map { $0 == 200 ? status : $0 }
    }

    private static let rows: [Row] = [
        Row(route: "GET /healthz", expected: anyone),
        Row(route: "GET /readyz", expected: anyone),
        Row(route: "GET /metrics", expected: anyone),
        Row(route: "GET /openapi.json", expected: anyone),
        Row(route: "GET /asyncapi.json", expected: anyone),
        // The request has no upgrade headers, so the route answers 426. A complete upgrade request never
        // reaches the route.
        Row(route: "GET /rooms", expected: giving(426, anyone)),
        Row(
            route: "POST /rooms/tickets",
            expected: [401, 201, 201, 201, 201, 201, 201, 401, 201]),
        // The request names no room. It never reaches the route, but the websockets' loop.
        Row(route: "GET /rooms/events", expected: [401] + [Int](repeating: 404, count: 8)),
        // Without a transport, there is nothing to poll. A token counts in a room only.
        Row(route: "GET /socket.io", expected: giving(400, anyone)),
        Row(route: "POST /socket.io", expected: giving(400, anyone)),

        Row(
            route: "POST /api/v1/accounts", expected: giving(201, anyone),
            json: #"{"email": "{unique}@example.org", "password": "correct horse", "name": "New"}"#),
        Row(route: "GET /api/v1/accounts/availability", expected: anyone, query: "?email=a@example.org"),
        Row(
            route: "POST /api/v1/accounts/verifications", expected: giving(202, anyone),
            json: #"{"email": "{unique}@example.org"}"#),
        Row(
            route: "PUT /api/v1/accounts/verifications", expected: giving(422, anyone),
            json: #"{"email": "{unique}@example.org", "code": "123456"}"#),
        Row(
            route: "POST /api/v1/accounts/password-resets", expected: giving(202, anyone),
            json: #"{"email": "{unique}@example.org"}"#),
        Row(
            route: "PUT /api/v1/accounts/password-resets", expected: giving(422, anyone),
            json: #"{"email": "{unique}@example.org", "code": "123456", "password": "correct horse"}"#),
        Row(
            route: "POST /api/v1/phone-tokens", expected: giving(202, anyone),
            json: #"{"phone": "010-1234-5678"}"#),
        Row(
            route: "PUT /api/v1/phone-tokens", expected: giving(422, anyone),
            json: #"{"phone": "+82 10 1234 5679", "code": "123456"}"#),
        // No account has this address, so the password is wrong for every caller.
        Row(
            route: "POST /api/v1/tokens", expected: giving(401, anyone),
            json: #"{"email": "{unique}@example.org", "password": "correct horse"}"#),
        Row(route: "GET /api/v1/tokens", expected: signedIn),
        Row(
            route: "POST /api/v1/tokens/refresh", expected: giving(201, anyone),
            json: #"{"refreshToken": "{refresh}"}"#),
        Row(
            route: "POST /api/v1/tokens/named", expected: giving(201, signedIn),
            json: #"{"name": "nightly", "access": "read"}"#),
        Row(route: "DELETE /api/v1/tokens/current", expected: giving(204, signedIn)),
        Row(route: "DELETE /api/v1/tokens/{job}", expected: giving(404, signedIn)),
        // Only the operator may do this, and no caller in the table is the operator.
        Row(
            route: "POST /api/v1/invitations", expected: giving(403, signedIn),
            json: #"{"email": "a@example.org"}"#),
        Row(route: "GET /api/v1/me", expected: signedIn),
        Row(route: "PATCH /api/v1/me", expected: signedIn, json: #"{"name": "Other"}"#),
        // The owner is the meeting's only owner, so the request needs a confirmation.
        Row(
            route: "DELETE /api/v1/me", expected: [401, 204, 204, 204, 409, 401, 401, 401, 204],
            json: #"{"password": "\#(castPassword)"}"#),

        Row(
            route: "POST /api/v1/meetings", expected: giving(201, signedIn),
            json:
                #"""
                {"name": "New", \#
                "session": {"startsAt": "2030-01-01T10:00:00Z", "endsAt": "2030-01-01T11:00:00Z"}}
                """#
        ),
        Row(route: "GET /api/v1/meetings", expected: signedIn),
        Row(route: "GET /api/v1/meetings/{meeting}", expected: member),
        Row(route: "PATCH /api/v1/meetings/{meeting}", expected: host, json: #"{"name": "Other"}"#),
        Row(
            route: "DELETE /api/v1/meetings/{meeting}", expected: giving(204, owner),
            query: "?confirm=Meeting"),
        Row(route: "GET /api/v1/meetings/{meeting}/qr.png", expected: member),
        Row(route: "GET /api/v1/meetings/{meeting}/qr.svg", expected: member),
        Row(route: "GET /api/v1/meetings/{meeting}/qr.txt", expected: member),
        Row(route: "GET /api/v1/meetings/{meeting}/sessions", expected: member),
        Row(
            route: "POST /api/v1/meetings/{meeting}/sessions", expected: giving(201, host),
            json: #"{"startsAt": "2030-01-01T10:00:00Z", "endsAt": "2030-01-01T11:00:00Z"}"#),
        Row(
            route: "POST /api/v1/meetings/{meeting}/sessions/repeat", expected: giving(201, host),
            json: #"{"rule": "weekly", "count": 2, "allowOverlap": true}"#),
        Row(route: "GET /api/v1/meetings/{meeting}/consents", expected: member),
        Row(route: "GET /api/v1/meetings/{meeting}/webhooks", expected: host),
        Row(
            route: "POST /api/v1/meetings/{meeting}/webhooks", expected: giving(201, host),
            json: #"{"url": "https://example.org/{unique}"}"#),
        Row(
            route: "DELETE /api/v1/meetings/{meeting}/webhooks/{hook}",
            expected: giving(404, host)),
        Row(
            route: "POST /api/v1/meetings/{meeting}/webhooks/{hook}/rotate", expected: giving(404, host)),
        Row(
            route: "POST /api/v1/meetings/{meeting}/webhooks/{hook}/test", expected: giving(404, host)),
        Row(
            route: "POST /api/v1/meetings/{meeting}/webhooks/{hook}/retry", expected: giving(404, host),
            json: "{}"),
        Row(
            route: "GET /api/v1/meetings/{meeting}/webhooks/{hook}/deliveries",
            expected: giving(404, host)),
        Row(route: "GET /api/v1/doors", expected: signedIn),
        Row(route: "GET /api/v1/sessions/{session}/door", expected: door),
        Row(route: "GET /api/v1/sessions/{session}/door/people", expected: door, query: "?q=person"),
        Row(
            route: "POST /api/v1/sessions/{session}/door/undo", expected: giving(404, door),
            json: #"{"sequence": 1}"#),
        Row(route: "GET /api/v1/meetings/{meeting}/absences", expected: member),
        Row(route: "GET /api/v1/meetings/{meeting}/passes", expected: host),
        Row(route: "POST /api/v1/meetings/{meeting}/passes", expected: host, json: "{}"),
        Row(route: "POST /api/v1/meetings/{meeting}/passes/renew", expected: host, json: "{}"),
        Row(route: "DELETE /api/v1/meetings/{meeting}/passes/{pass}", expected: giving(404, host)),
        Row(route: "POST /api/v1/meetings/{meeting}/passes/{pass}/renew", expected: giving(404, host)),
        Row(route: "POST /api/v1/meetings/{meeting}/pass-keys", expected: giving(201, host)),
        Row(
            route: "POST /api/v1/sessions/{session}/door", expected: door,
            json: #"{"scan": "HTTPS://QRING.EXAMPLE.ORG/P/X"}"#),
        Row(route: "GET /api/v1/sessions/{session}/satellites", expected: host),
        Row(
            route: "POST /api/v1/sessions/{session}/satellites", expected: giving(201, host),
            json: #"{"name": "Gate 1", "door": 1, "names": true}"#),
        Row(
            route: "DELETE /api/v1/sessions/{session}/satellites/{satellite}", expected: giving(404, host)),
        Row(route: "GET /api/v1/sessions/{session}/satellites/doubles", expected: host),
        Row(
            route: "POST /api/v1/sessions/{session}/satellites/{satellite}/held",
            expected: giving(404, host), json: #"{"accept": true}"#),
        Row(
            route: "POST /api/v1/satellites", expected: giving(422, anyone),
            json: #"{"code": "0", "publicKey": "\#(String(repeating: "A", count: 43))"}"#),
        // No caller in the table is an offline door.
        Row(route: "GET /api/v1/satellite/snapshot", expected: giving(401, anyone)),
        Row(
            route: "POST /api/v1/satellite/entries", expected: giving(401, anyone),
            json: #"{"clock": "2026-11-21T10:00:00Z"}"#),
        // The server of these tests is no offline door.
        Row(route: "GET /api/v1/offline-door", expected: giving(404, anyone)),
        Row(
            route: "POST /api/v1/offline-door/entries", expected: giving(404, anyone),
            json: #"{"satelliteId": "01KC3Z5H8T0000000000000000", "sealed": "AA"}"#),
        Row(route: "GET /P/{meetingCode}", expected: anyone),
        Row(route: "GET /door", expected: anyone),
        Row(route: "POST /api/v1/sessions/{session}/kiosk-links", expected: giving(201, host)),
        Row(route: "GET /api/v1/sessions/{session}/kiosk", expected: giving(401, anyone), kiosk: 200),
        Row(
            route: "POST /api/v1/sessions/{session}/kiosk/people", expected: giving(401, anyone), kiosk: 200,
            json: #"{"name": "Person"}"#),
        Row(
            route: "POST /api/v1/sessions/{session}/kiosk", expected: giving(401, anyone), kiosk: 200,
            json: #"{"scan": "HTTPS://QRING.EXAMPLE.ORG/P/X"}"#),
        Row(route: "GET /kiosk/{session}", expected: anyone),
        Row(route: "GET /api/v1/meetings/{meeting}/certificates", expected: host),
        Row(route: "POST /api/v1/meetings/{meeting}/certificates", expected: host, json: "{}"),
        Row(
            route: "DELETE /api/v1/meetings/{meeting}/certificates/{certificate}",
            expected: giving(404, host)),
        Row(
            route: "GET /api/v1/meetings/{meeting}/certificates/{certificate}/badge",
            expected: giving(404, host)),
        Row(route: "POST /api/v1/meetings/{meeting}/certificate-mails", expected: host, json: "{}"),
        Row(route: "GET /api/v1/certificates/{meetingCode}", expected: anyone),
        Row(route: "GET /.well-known/qring-keys.json", expected: anyone),
        Row(route: "GET /A/{meetingCode}", expected: anyone),
        Row(route: "GET /api/v1/sessions/{session}/reply-settings", expected: member),
        Row(
            route: "PATCH /api/v1/sessions/{session}/reply-settings", expected: host,
            json: #"{"mode": "open"}"#),
        // No host has opened the session for replies.
        Row(route: "GET /api/v1/sessions/{session}/reply-qr.svg", expected: giving(404, member)),
        Row(route: "GET /api/v1/sessions/{session}/replies", expected: member),
        Row(route: "GET /api/v1/sessions/{session}/replies.csv", expected: member),
        Row(
            route: "POST /api/v1/sessions/{session}/replies/{reply}/decision", expected: giving(404, host),
            json: #"{"approve": true}"#),
        Row(route: "DELETE /api/v1/sessions/{session}/replies/{reply}", expected: giving(404, host)),
        Row(
            route: "POST /api/v1/sessions/{session}/reply-mails", expected: giving(409, host), json: "{}"),
        Row(route: "GET /R/{meetingCode}", expected: giving(404, anyone)),
        Row(route: "POST /R/{meetingCode}", expected: giving(404, anyone), form: "answer=yes"),
        Row(route: "GET /R/own/x", expected: giving(404, anyone)),
        Row(route: "POST /R/own/x", expected: giving(404, anyone), form: "answer=yes"),
        Row(route: "GET /api/v1/meetings/{meeting}/roster", expected: host),
        Row(
            route: "POST /api/v1/meetings/{meeting}/roster", expected: giving(201, host),
            json: #"{"name": "Kim", "email": "{unique}@example.org"}"#),
        Row(
            route: "POST /api/v1/meetings/{meeting}/roster/keep", expected: host,
            json: #"{"sessionId": "{session}"}"#),
        Row(
            route: "PUT /api/v1/meetings/{meeting}/roster", expected: host,
            json: #"{"people": [{"name": "Kim"}]}"#),
        Row(
            route: "PATCH /api/v1/meetings/{meeting}/roster/{person}", expected: host,
            json: #"{"name": "Other"}"#),
        Row(route: "DELETE /api/v1/meetings/{meeting}/roster/{person}", expected: giving(204, host)),
        Row(route: "GET /api/v1/meetings/{meeting}/roster/{person}/export", expected: host),
        Row(route: "GET /api/v1/meetings/{meeting}/roster/{person}/export.html", expected: host),
        Row(
            route: "POST /api/v1/meetings/{meeting}/roster/{person}/erase", expected: giving(204, host)),
        Row(route: "GET /api/v1/meetings/{meeting}/actions", expected: host),
        Row(route: "GET /api/v1/me/export", expected: signedIn),
        Row(route: "GET /api/v1/me/export.html", expected: signedIn),
        // Only the operator may do this.
        Row(route: "GET /api/v1/users", expected: giving(403, signedIn)),
        Row(
            route: "POST /api/v1/users", expected: giving(403, signedIn),
            json: #"{"email": "a@example.org", "name": "A"}"#),
        Row(route: "GET /api/v1/users/{owner}", expected: giving(403, signedIn)),
        Row(route: "POST /api/v1/users/{owner}/suspend", expected: giving(403, signedIn)),
        Row(route: "POST /api/v1/users/{owner}/resume", expected: giving(403, signedIn)),
        Row(route: "POST /api/v1/users/{owner}/make-operator", expected: giving(403, signedIn)),
        Row(route: "POST /api/v1/users/{owner}/reset-password", expected: giving(403, signedIn)),
        Row(route: "DELETE /api/v1/users/{owner}", expected: giving(403, signedIn)),
        Row(route: "GET /api/v1/code-budgets", expected: giving(403, signedIn)),
        Row(route: "GET /api/v1/notices", expected: giving(403, signedIn)),
        Row(route: "GET /api/v1/mails", expected: giving(403, signedIn)),
        Row(route: "POST /api/v1/mails/{mail}/retry", expected: giving(403, signedIn)),
        Row(route: "DELETE /api/v1/mails/{mail}", expected: giving(403, signedIn)),
        Row(route: "GET /api/v1/actions", expected: giving(403, signedIn)),
        Row(route: "GET /api/v1/meetings/{meeting}/calendar.ics", expected: member),
        Row(route: "GET /api/v1/meetings/{meeting}/poster.html", expected: member),
        Row(route: "GET /api/v1/meetings/{meeting}/poster.pdf", expected: member),
        Row(route: "GET /api/v1/sessions/{session}/attendance.csv", expected: member),
        Row(route: "GET /api/v1/sessions/{session}/sheet.html", expected: member),
        Row(route: "GET /api/v1/sessions/{session}/preview.html", expected: member),

        Row(route: "GET /api/v1/meetings/{meeting}/members", expected: member),
        Row(
            route: "POST /api/v1/meetings/{meeting}/members", expected: giving(201, owner),
            json: #"{"email": "{unique}@example.org", "role": "host"}"#),
        // The owner is the last owner, so the role cannot change.
        Row(
            route: "PATCH /api/v1/meetings/{meeting}/members/{owner}", expected: giving(409, owner),
            json: #"{"role": "viewer"}"#),
        Row(
            route: "DELETE /api/v1/meetings/{meeting}/members/{owner}",
            expected: [401, 403, 403, 403, 409, 401, 401, 401, 403]),
        Row(route: "DELETE /api/v1/meetings/{meeting}/invitations/{unknown}", expected: giving(404, owner)),
        Row(route: "GET /api/v1/jobs/{job}", expected: giving(404, signedIn)),
        Row(route: "GET /api/v1/me/devices", expected: accountOrReceipt),
        Row(
            route: "POST /api/v1/me/devices", expected: giving(201, accountOrReceipt),
            json: #"{"token": "token-of-this-phone", "platform": "fcm"}"#),
        Row(route: "DELETE /api/v1/me/devices/{session}", expected: giving(404, accountOrReceipt)),
        Row(route: "GET /api/v1/me/invitations", expected: signedIn),
        Row(
            route: "POST /api/v1/me/invitations", expected: giving(422, signedIn),
            json: #"{"invitation": "{unknown}"}"#),
        Row(route: "DELETE /api/v1/me/invitations/{unknown}", expected: giving(404, signedIn)),
        Row(route: "PUT /api/v1/meetings/{meeting}/image", expected: giving(415, host), json: "{}"),
        // The meeting has no picture yet.
        Row(route: "GET /api/v1/meetings/{meeting}/image", expected: giving(404, member)),
        Row(route: "DELETE /api/v1/meetings/{meeting}/image", expected: giving(404, host)),

        Row(route: "GET /api/v1/sessions", expected: signedIn),
        // A stranger is in no meeting, so there is no nearest session.
        Row(route: "GET /api/v1/sessions/nearest", expected: [401, 204, 200, 200, 200, 401, 401, 401, 204]),
        Row(
            route: "POST /api/v1/sessions/overlap", expected: signedIn,
            json: #"{"startsAt": "2030-01-01T10:00:00Z", "endsAt": "2030-01-01T11:00:00Z"}"#),
        Row(route: "GET /api/v1/sessions/{session}", expected: member),
        Row(route: "PATCH /api/v1/sessions/{session}", expected: host, json: #"{"plannedCount": 5}"#),
        // This is the meeting's only session. Only an owner may delete it, because the meeting is deleted
        // with it.
        Row(
            route: "DELETE /api/v1/sessions/{session}", expected: giving(204, owner),
            query: "?confirm=Meeting"),
        Row(
            route: "GET /api/v1/sessions/{session}/qr.png",
            expected: [401, 403, 200, 200, 200, 401, 200, 401, 403]),
        Row(
            route: "GET /api/v1/sessions/{session}/qr.svg",
            expected: [401, 403, 200, 200, 200, 401, 200, 401, 403]),
        Row(
            route: "GET /api/v1/sessions/{session}/qr.txt",
            expected: [401, 403, 200, 200, 200, 401, 200, 401, 403]),
        Row(route: "GET /api/v1/sessions/{session}/presenter-links", expected: host),
        Row(route: "POST /api/v1/sessions/{session}/presenter-links", expected: giving(201, host)),
        Row(route: "DELETE /api/v1/sessions/{session}/presenter-links/{link}", expected: giving(204, host)),
        Row(route: "GET /api/v1/sessions/{session}/attendees", expected: member),
        Row(route: "GET /api/v1/sessions/{session}/arrivals", expected: member),
        Row(route: "GET /api/v1/sessions/{session}/presence", expected: member),
        Row(route: "GET /api/v1/sessions/{session}/journal", expected: member),
        Row(route: "GET /api/v1/sessions/{session}/review", expected: host),

        Row(route: "GET /api/v1/attendees/{attendee}", expected: member),
        Row(route: "PATCH /api/v1/attendees/{attendee}", expected: host, json: #"{"status": "excused"}"#),
        Row(route: "DELETE /api/v1/attendees/{attendee}", expected: giving(204, host)),
        Row(route: "POST /api/v1/attendees/{attendee}/merge", expected: host, json: #"{"into": "{other}"}"#),
        Row(route: "POST /api/v1/attendees/{attendee}/leave", expected: host),
        Row(route: "POST /api/v1/attendees/{attendee}/return", expected: host),
        Row(
            route: "POST /api/v1/sessions/{session}/attendees", expected: giving(201, host),
            json: #"{"name": "Kim", "email": "{unique}@example.org"}"#),
        Row(route: "POST /api/v1/sessions/{session}/undo", expected: host, json: #"{"sequence": {added}}"#),
        Row(
            route: "POST /api/v1/sessions/{session}/redo", expected: host,
            json: #"{"attendeeId": "{undone}"}"#),

        Row(
            route: "POST /api/v1/grants", expected: giving(201, anyone),
            json: #"{"joinCode": "{joinCode}"}"#),
        // The receipt's holder has already checked in.
        Row(
            route: "POST /api/v1/check-ins", expected: [201, 201, 201, 201, 201, 200, 201, 201, 201],
            json: #"{"joinCode": "{joinCode}", "name": "Kim", "email": "{unique}@example.org"}"#),
        Row(route: "GET /api/v1/check-ins/current", expected: receipt),
        Row(route: "GET /api/v1/check-ins/current/export", expected: receipt),
        Row(route: "PATCH /api/v1/check-ins/current", expected: receipt, json: #"{"name": "Other"}"#),
        Row(route: "POST /api/v1/check-ins/current/leave", expected: receipt),
        Row(route: "POST /api/v1/check-ins/current/return", expected: receipt),
        Row(route: "DELETE /api/v1/check-ins/current", expected: giving(204, receipt)),

        Row(
            route: "GET /api/v1/sessions/{session}/questions",
            expected: [401, 403, 200, 200, 200, 200, 401, 401, 403]),
        Row(route: "PUT /api/v1/sessions/{session}/questions", expected: host, json: #"{"questions": []}"#),
        Row(route: "GET /api/v1/sessions/{session}/sets", expected: member),
        Row(
            route: "POST /api/v1/sessions/{session}/questions/copy", expected: giving(201, host),
            json: #"{"from": "{session}", "set": "feedback", "as": "copy"}"#),
        Row(
            route: "PATCH /api/v1/sessions/{session}/sets/feedback", expected: host,
            json: #"{"shared": true}"#),
        Row(
            route: "POST /api/v1/sessions/{session}/polls", expected: giving(201, host),
            json: #"{"questions": [{"kind": "rating", "title": "How is it?"}]}"#),
        // Every session has this set, so nobody can delete it.
        Row(
            route: "DELETE /api/v1/sessions/{session}/sets/feedback", expected: giving(422, host)),
        Row(
            route: "POST /api/v1/sessions/{session}/responses", expected: giving(201, receipt),
            json: #"{"answers": {"{first}": 4}}"#),
        Row(route: "GET /api/v1/sessions/{session}/results", expected: member),
        Row(route: "GET /api/v1/questions/{question}/answers", expected: member),

        Row(
            route: "POST /api/v1/sessions/{session}/questions/import", expected: giving(201, host),
            json: #"{"questions": [{"kind": "rating", "title": "How was it?"}]}"#, query: "?set=imported"),
        Row(route: "GET /api/v1/sessions/{session}/questions/export", expected: member),
        Row(route: "GET /api/v1/sessions/{session}/results.csv", expected: member),
        Row(route: "GET /api/v1/sessions/{session}/results.json", expected: member),
        Row(
            route: "GET /api/v1/sessions/{session}/audience-settings",
            expected: [401, 403, 200, 200, 200, 200, 401, 401, 403]),
        Row(
            route: "PATCH /api/v1/sessions/{session}/audience-settings", expected: host,
            json: #"{"open": true}"#),
        Row(
            route: "GET /api/v1/sessions/{session}/audience-questions",
            expected: [401, 403, 200, 200, 200, 200, 401, 401, 403]),
        // No host has opened the questions, so attendees can neither ask nor vote. A host can write one down.
        Row(
            route: "POST /api/v1/sessions/{session}/audience-questions",
            expected: [401, 403, 403, 201, 201, 409, 401, 401, 403], json: #"{"text": "Why?"}"#),
        Row(
            route: "PATCH /api/v1/sessions/{session}/audience-questions/{audienceQuestion}", expected: host,
            json: #"{"status": "hidden"}"#),
        Row(
            route: "POST /api/v1/sessions/{session}/audience-questions/{audienceQuestion}/merge",
            expected: host, json: #"{"into": "{otherQuestion}"}"#),
        Row(
            route: "PUT /api/v1/sessions/{session}/audience-questions/{audienceQuestion}/vote",
            expected: giving(409, receipt)),
        Row(
            route: "DELETE /api/v1/sessions/{session}/audience-questions/{audienceQuestion}/vote",
            expected: giving(409, receipt)),
        Row(route: "GET /api/v1/sessions/{session}/audience-questions.csv", expected: member),
        Row(route: "GET /api/v1/sessions/{session}/audience-questions.json", expected: member),
        Row(route: "GET /api/v1/sessions/{session}/sets/feedback/moderation", expected: member),
        Row(
            route: "PATCH /api/v1/sessions/{session}/sets/feedback/moderation", expected: host,
            json: #"{"moderation": "before"}"#),
        // The question has no text yet.
        Row(
            route: "PATCH /api/v1/questions/{question}/answers/none", expected: giving(404, host),
            json: #"{"status": "hidden"}"#),
        Row(route: "GET /api/v1/meetings/{meeting}/held-words", expected: host),
        Row(
            route: "PUT /api/v1/meetings/{meeting}/held-words", expected: host,
            json: #"{"words": ["spam"]}"#),
        Row(route: "GET /api/v1/sessions/{session}/matching-settings", expected: member),
        Row(
            route: "PATCH /api/v1/sessions/{session}/matching-settings", expected: host,
            json: #"{"open": true}"#),
        // No host has switched groups of interest on. Attendees can look and leave.
        Row(route: "GET /api/v1/sessions/{session}/matching", expected: receipt),
        Row(
            route: "PUT /api/v1/sessions/{session}/matching/me", expected: giving(409, receipt),
            json: #"{"nickname": "Owl", "keywords": ["chess"]}"#),
        Row(route: "DELETE /api/v1/sessions/{session}/matching/me", expected: giving(204, receipt)),
        Row(
            route: "POST /api/v1/sessions/{session}/matching/requests", expected: giving(409, receipt),
            json: #"{"to": "{job}"}"#),
        Row(
            route: "PATCH /api/v1/sessions/{session}/matching/requests/{request}",
            expected: giving(409, receipt), json: #"{"accept": true}"#),
        Row(
            route: "PUT /api/v1/sessions/{session}/matching/match", expected: giving(409, receipt),
            json: #"{"text": "Hello"}"#),
        Row(route: "DELETE /api/v1/sessions/{session}/matching/match", expected: giving(204, receipt)),
        Row(
            route: "POST /api/v1/sessions/{session}/matching/blocks", expected: giving(409, receipt),
            json: #"{"person": "{job}"}"#),
        Row(route: "DELETE /api/v1/sessions/{session}/matching/blocks", expected: giving(204, receipt)),
        Row(
            route: "POST /api/v1/sessions/{session}/matching/reports", expected: giving(409, receipt),
            json: #"{"person": "{job}", "text": "Rude"}"#),
        Row(route: "GET /api/v1/sessions/{session}/matching/reports", expected: host),
        Row(
            route: "PATCH /api/v1/sessions/{session}/matching/reports/{report}",
            expected: giving(404, host), json: #"{"closed": true}"#),
        // No form is published here.
        Row(route: "GET /api/question/{typeID}", expected: giving(404, anyone)),
        Row(route: "OPTIONS /api/question/{typeID}", expected: giving(204, anyone)),
        Row(route: "POST /api/answers/{typeID}", expected: giving(404, anyone), json: #"{"answers": {}}"#),
        Row(route: "OPTIONS /api/answers/{typeID}", expected: giving(204, anyone)),

        Row(route: "GET /", expected: anyone),
        Row(route: "POST /", expected: anyone, form: "joinCode={joinCode}"),
        Row(route: "GET /{joinCode}", expected: anyone),
        Row(route: "GET /C/{code}", expected: anyone),
        // The request lacks the cookie that came with the form.
        Row(
            route: "POST /C/{code}", expected: giving(422, anyone),
            form: "grant={grant}&name=Kim&email=kim%40example.org"),
        Row(route: "GET /M/{meetingCode}", expected: anyone),
        Row(route: "GET /form/{typeID}", expected: giving(404, anyone)),
        Row(route: "POST /form/{typeID}", expected: giving(404, anyone), form: "q=7"),
        Row(route: "POST /feedback", expected: giving(401, anyone), form: "receipt=qrc_0"),
        // The phone's receipts are in its cookies, which this request lacks.
        Row(route: "GET /me/{session}", expected: giving(401, anyone)),
        Row(route: "GET /me/{session}/calendar.ics", expected: giving(401, anyone)),
        Row(route: "GET /me/{session}/picture", expected: giving(401, anyone)),
        Row(route: "GET /me/{session}/record", expected: giving(401, anyone)),
        Row(route: "POST /me/{session}/record", expected: giving(401, anyone), form: "do=rename&name=Kim"),
        // Nobody signed this link.
        Row(route: "GET /unsubscribe/x", expected: giving(404, anyone)),
        Row(route: "POST /unsubscribe/x", expected: giving(404, anyone)),
        Row(route: "GET /me/{session}/data", expected: giving(401, anyone)),
        Row(route: "GET /me/{session}/data.json", expected: giving(401, anyone)),
        Row(route: "GET /me/{session}/questions", expected: giving(401, anyone)),
        Row(route: "POST /me/{session}/questions", expected: giving(401, anyone), form: "do=ask&text=Why"),
        Row(route: "GET /me/{session}/groups", expected: giving(401, anyone)),
        Row(route: "POST /me/{session}/groups", expected: giving(401, anyone), form: "do=leave"),
        Row(route: "GET /present/{session}", expected: anyone),

        Row(route: "GET /host", expected: anyone),
        Row(route: "GET /host/sign-up", expected: anyone),
        // Sign-in by cookie is only for the server's own pages.
        Row(
            route: "POST /host/sign-in", expected: giving(403, anyone),
            json: #"{"email": "{unique}@example.org", "password": "correct horse"}"#),
        Row(
            route: "POST /host/phone-sign-in", expected: giving(403, anyone),
            json: #"{"phone": "010-1234-5678", "code": "123456"}"#),
        Row(route: "POST /host/renew", expected: giving(403, anyone)),
        Row(route: "POST /host/sign-out", expected: giving(204, signedIn)),
    ]

    /// Returns the row's method and path as the route table writes them.
    private static func pattern(_ row: Row) -> String {
        var path = row.route
        for (name, kind) in [
            ("{meeting}", "{id}"), ("{session}", "{id}"), ("{question}", "{id}"), ("{link}", "{linkId}"),
            ("{owner}", "{accountId}"), ("{job}", "{id}"), ("{mail}", "{mailId}"),
            ("{unknown}", "{invitationId}"), ("{attendee}", "{id}"), ("{person}", "{personId}"),
            ("{meetingCode}", "{code}"), ("{joinCode}", "{code}"),
            ("/sets/feedback", "/sets/{set}"), ("{audienceQuestion}", "{questionId}"),
            ("{request}", "{requestId}"), ("{hook}", "{webhookId}"), ("{pass}", "{passId}"),
            ("{certificate}", "{certificateId}"), ("{reply}", "{replyId}"), ("{satellite}", "{satelliteId}"),
            ("{report}", "{reportId}"),
            ("/answers/none", "/answers/{answerId}"), ("/unsubscribe/x", "/unsubscribe/{token}"),
            ("/R/own/x", "/R/own/{token}"),
        ] { path = path.replacing(name, with: kind) }
        return path
    }

    private static func fill(_ text: String, _ cast: Cast, _ site: Site, _ holder: Holder) -> String {
        let values = [
            "{meeting}": cast.meeting.text, "{session}": cast.session.text, "{question}": cast.question.text,
            "{link}": cast.link.text,
            "{attendee}": cast.attendee.id.text, "{person}": cast.person.text, "{owner}": cast.owner.text,
            "{unknown}": SessionID(high: 1, low: 1).text,
            "{mail}": SessionID(high: 1, low: 1).text, "{job}": SessionID(high: 1, low: 1).text,
            "{request}": SessionID(high: 1, low: 1).text, "{report}": SessionID(high: 1, low: 1).text,
            "{hook}": SessionID(high: 1, low: 1).text, "{pass}": SessionID(high: 1, low: 1).text,
            "{certificate}": SessionID(high: 1, low: 1).text, "{reply}": SessionID(high: 1, low: 1).text,
            "{satellite}": SessionID(high: 1, low: 1).text,
            "{first}": cast.firstQuestion.text,
            "{audienceQuestion}": cast.audienceQuestions[0].text,
            "{otherQuestion}": cast.audienceQuestions[1].text,
            "{refresh}": cast.refresh, "{joinCode}": cast.record.session.joinCode,
            "{grant}": cast.grant, "{unique}": "\(holder.rawValue)-\(cast.session.text.lowercased())",
            "{code}": CheckInCode.text(of: cast.record.session, at: site.clock.now, keys: site.keys),
            "{meetingCode}": MeetingCode.text(of: cast.record.meeting, keys: site.keys),
        ]
        return values.reduce(text) { $0.replacing($1.key, with: $1.value) }
    }

    /// Adds an attendee to the session if the body contains the id of that attendee or of the event that
    /// added it. The addition is undone if the body contains the id of an undone attendee.
    private static func added(_ json: String, _ cast: Cast, _ site: Site) async throws -> String {
        guard ["{other}", "{added}", "{undone}"].contains(where: json.contains) else { return json }
        let (other, record) = try await site.storage.perform(
            AddAttendee(session: cast.session, name: "Other", actor: cast.owner))
        if json.contains("{undone}") {
            _ = try await site.storage.perform(
                UndoCorrection(session: cast.session, .latest(of: other.id), actor: cast.owner))
            return json.replacing("{undone}", with: other.id.text)
        }
        return json.replacing("{other}", with: other.id.text).replacing(
            "{added}", with: String(record.sequence))
    }

    @Test func `every route has one row in the table, and every row has a route`() {
        let routes = RouteTable.all.map { "\($0.method.rawValue) \($0.pattern)" }.sorted()
        #expect(Self.rows.map(Self.pattern).sorted() == routes)
    }

    /// The server stores answers for keys only in `RequestContext.perform`, and for check-ins in `CheckIns`.
    /// A POST route that answers in another way would ignore its keys.
    @Test
    func `every successful POST is repeatable under its key, or its route declares that it ignores keys`()
        async throws
    {
        try await Site.open { site in
            _ = try await site.storage.perform(
                Act { transaction throws(JournalError) in try transaction.signIn("operator", minutes: 60) })
            for route in RouteTable.all where route.mayHaveKey {
                let row = try #require(
                    Self.rows.first { Self.pattern($0) == "\(route.method.rawValue) \(route.pattern)" })
                guard let index = row.all.firstIndex(where: { (200..<300).contains($0) }) else {
                    continue
                }
                let (holder, cast) = (
                    Holder.allCases[index], try await site.cast(anonymous: false, checkOut: .phones)
                )
                let parts = Self.fill(row.route, cast, site, holder).split(separator: " ")
                var json = row.json.map { Self.fill($0, cast, site, holder) }
                if let written = json { json = try await Self.added(written, cast, site) }
                let body = json
                func send() async throws -> Answer {
                    try await site.send(
                        String(parts[0]), String(parts[1]) + row.query, bearer: cast[holder], json: body,
                        headers: [("Idempotency-Key", "key")])
                }
                let (first, second) = (try await send(), try await send())
                #expect((200..<300).contains(first.status), "\(row.route): \(first.text)")
                #expect(first[header: "idempotency-replayed"] == nil)
                #expect(
                    second[header: "idempotency-replayed"] == (route.storesAnswer ? "true" : nil),
                    "\(row.route)")
                if route.storesAnswer {
                    #expect(second.status == first.status && second.body == first.body, "\(row.route)")
                }
            }
        }
    }

    @Test func `every edit of a versioned resource is refused unless it names a version`() async throws {
        let edits = RouteTable.all.filter { [.patch, .put].contains($0.method) }
        // Attendees edit their own name without a version, because this edit cannot overwrite a host's edit.
        // A code is used once. A vote overwrites nothing, and moderation names the new value of one thing. In
        // groups of interest, attendees change their own profile and answer once.
        #expect(
            edits.filter { !$0.needsVersion }.map(\.pattern) == [
                "/api/v1/accounts/verifications", "/api/v1/accounts/password-resets", "/api/v1/phone-tokens",
                "/api/v1/check-ins/current",
                "/api/v1/sessions/{id}/audience-questions/{questionId}/vote",
                "/api/v1/sessions/{id}/sets/{set}/moderation",
                "/api/v1/questions/{id}/answers/{answerId}",
                "/api/v1/sessions/{id}/matching/me",
                "/api/v1/sessions/{id}/matching/requests/{requestId}",
                "/api/v1/sessions/{id}/matching/match",
                "/api/v1/sessions/{id}/matching/reports/{reportId}",
            ])
        try await Site.open { site in
            for route in edits where route.needsVersion {
                let row = try #require(
                    Self.rows.first { Self.pattern($0) == "\(route.method.rawValue) \(route.pattern)" })
                let cast = try await site.cast(checkOut: .phones)
                let parts = Self.fill(row.route, cast, site, .owner).split(separator: " ")
                func send(_ headers: [(String, String)], as holder: Holder = .owner) async throws -> Answer {
                    try await site.send(
                        String(parts[0]), String(parts[1]) + row.query, bearer: cast[holder], json: row.json,
                        headers: headers,
                        saysWhatItSaw: false)
                }
                let refused = try await send([])
                #expect(
                    (refused.status, refused.string("code")) == (428, "precondition_required"),
                    "\(row.route): \(refused.text)")
                #expect(refused.string("detail")?.contains("If-Match: *") == true)
                // The server checks the caller's right before the version.
                #expect(try await send([], as: .nobody).status == 401, "\(row.route)")
                // No resource has this tag.
                let passed = try await send([("If-Match", "\"v77\"")])
                #expect(passed.status == (row.json == "{}" ? 415 : 412), "\(row.route): \(passed.text)")
            }
        }
    }

    @Test func `every route gives each caller the status that the caller's right allows`() async throws {
        try await Site.open { site in
            // The operator is the first account, and not in the cast.
            _ = try await site.storage.perform(
                Act { transaction throws(JournalError) in try transaction.signIn("operator", minutes: 60) })
            for row in Self.rows {
                #expect(row.all.count == Holder.allCases.count, "\(row.route)")
                for (holder, status) in zip(Holder.allCases, row.all) {
                    let cast = try await site.cast(checkOut: .phones)
                    let parts = Self.fill(row.route, cast, site, holder).split(separator: " ")
                    var json = row.json.map { Self.fill($0, cast, site, holder) }
                    if let written = json { json = try await Self.added(written, cast, site) }
                    let answer = try await site.send(
                        String(parts[0]), String(parts[1]) + row.query, bearer: cast[holder], json: json,
                        form: row.form.map { Self.fill($0, cast, site, holder) })
                    #expect(answer.status == status, "\(row.route) for \(holder): \(answer.text.prefix(300))")
                }
            }
        }
    }

    /// The routes on which a sign-in alone proves the caller, or the caller's role in a meeting.
    private static var rowsOfSignIns: [(row: Row, route: Route)] {
        rows.compactMap { row in
            let route = RouteTable.all.first { "\($0.method.rawValue) \($0.pattern)" == pattern(row) }
            guard let route, ![.anyone, .attendee, .kiosk, .satellite].contains(route.access) else {
                return nil
            }
            return (row, route)
        }
    }

    /// Sends the row's request with the owner's token. Returns status and problem code.
    private func answer(to row: Row, _ site: Site, _ cast: Cast, as holder: Holder = .owner) async throws
        -> String
    {
        let parts = Self.fill(row.route, cast, site, .owner).split(separator: " ")
        let answer = try await site.send(
            String(parts[0]), String(parts[1]) + row.query, bearer: cast[holder],
            json: row.json.map { Self.fill($0, cast, site, .owner) },
            form: row.form.map { Self.fill($0, cast, site, .owner) })
        return "\(answer.status) \(answer.string("code") ?? "")"
    }

    @Test func `on every route, an expired token and an ended account have their own problem`() async throws {
        try await Site.open { site in
            _ = try await site.storage.perform(
                Act { transaction throws(JournalError) in try transaction.signIn("operator", minutes: 60) })
            let (suspended, withdrawn) = (try await site.cast(checkOut: .phones), try await site.cast())
            _ = try await site.storage.perform(SuspendAccount(id: suspended.owner))
            let owner = withdrawn.owner
            try await site.storage.perform(
                Act { transaction throws(JournalError) in try transaction.rows.delete(owner) })
            #expect(Self.rowsOfSignIns.count > 80)
            for (row, _) in Self.rowsOfSignIns {
                #expect(
                    try await answer(to: row, site, suspended) == "403 account_suspended", "\(row.route)")
                #expect(
                    try await answer(to: row, site, withdrawn) == "401 account_withdrawn", "\(row.route)")
                #expect(
                    try await answer(to: row, site, suspended, as: .expired) == "403 account_suspended")
            }
            let expired = try await site.cast(checkOut: .phones)
            for (row, _) in Self.rowsOfSignIns {
                #expect(
                    try await answer(to: row, site, expired, as: .expired) == "401 token_expired",
                    "\(row.route)")
            }
        }
    }

    @Test func `if the server requires it, an account must verify its address before it does anything else`()
        async throws
    {
        try await Site.open {
            $0.requiresVerification = true
        } _: { site in
            let cast = try await site.cast(checkOut: .phones)
            var open: [String] = []
            for (row, route) in Self.rowsOfSignIns {
                if route.allowsUnverified { open.append(route.pattern) }
                // An allowed request may end the sign-in.
                let caller = route.allowsUnverified ? try await site.cast(checkOut: .phones) : cast
                let answer = try await answer(to: row, site, caller)
                #expect(
                    (answer == "403 account_not_verified") == !route.allowsUnverified,
                    "\(row.route): \(answer)")
            }
            #expect(
                Set(open) == [
                    "/api/v1/tokens", "/api/v1/tokens/current", "/api/v1/tokens/{id}", "/api/v1/me",
                    "/api/v1/me/export", "/api/v1/me/export.html", "/host/sign-out",
                ])
            let caller = try await site.rooms(bearer: cast[.host])
            #expect(await caller.end() == 4001)
        }
    }

    /// The routes that concern the account itself. No named token may use them, nor an operator's routes.
    private static let aboutTheAccount: Set = [
        "GET /api/v1/tokens", "POST /api/v1/tokens/named", "DELETE /api/v1/tokens/{id}", "PATCH /api/v1/me",
        "DELETE /api/v1/me", "GET /api/v1/me/devices", "POST /api/v1/me/devices",
        "DELETE /api/v1/me/devices/{id}", "GET /api/v1/me/invitations", "POST /api/v1/me/invitations",
        "DELETE /api/v1/me/invitations/{invitationId}", "POST /api/v1/invitations",
        "GET /api/v1/me/export", "GET /api/v1/me/export.html", "GET /api/v1/actions",
    ]
    /// The routes for which being signed in is enough, and that every named token may use.
    private static let forEveryToken: Set = [
        "GET /api/v1/me", "DELETE /api/v1/tokens/current", "POST /host/sign-out", "GET /api/v1/meetings",
        "GET /api/v1/sessions/nearest", "GET /api/v1/jobs/{id}", "GET /api/v1/doors",
    ]

    @Test(arguments: [("read", false), ("write", false), ("read", true), ("write", true)])
    func `a named token may use exactly the routes that its limits allow`(
        access: String, isOfOneMeeting: Bool
    ) async throws {
        try await Site.open { site in
            _ = try await site.storage.perform(
                Act { transaction throws(JournalError) in try transaction.signIn("operator", minutes: 60) })
            let cast = try await site.cast(checkOut: .phones)
            let other = try await site.send(
                "POST", "/api/v1/meetings", bearer: cast[.owner],
                json: #"""
                    {"name": "Other", "session": {"startsAt": "2031-01-01T10:00:00Z", \#
                    "endsAt": "2031-01-01T11:00:00Z"}}
                    """#)
            // A token of another meeting of the same owner, so that a wrong answer changes nothing here.
            let meeting = isOfOneMeeting ? #", "meetingId": "\#(other.string("meeting.id") ?? "")""# : ""
            var refused: Set<String> = []
            for (row, route) in Self.rowsOfSignIns {
                let made = try await site.send(
                    "POST", "/api/v1/tokens/named", bearer: cast[.owner],
                    json: #"{"name": "test", "access": "\#(access)"\#(meeting)}"#)
                let parts = Self.fill(row.route, cast, site, .owner).split(separator: " ")
                // Only the refusal counts, so the body may be wrong.
                let answer = try await site.send(
                    String(parts[0]), String(parts[1]) + row.query, bearer: made.string("token"), json: "{}")
                if answer.string("code") == "token_limited" {
                    #expect(answer.status == 403)
                    refused.insert("\(route.method.rawValue) \(route.pattern)")
                }
                if let id = made.string("id") {
                    _ = try await site.send("DELETE", "/api/v1/tokens/\(id)", bearer: cast[.owner])
                }
            }
            for (_, route) in Self.rowsOfSignIns {
                let name = "\(route.method.rawValue) \(route.pattern)"
                let isAllowed =
                    Self.forEveryToken.contains(name)
                    || !Self.aboutTheAccount.contains(name) && route.access != .operator && !isOfOneMeeting
                        && (access == "write" || route.method == .get)
                #expect(!refused.contains(name) == isAllowed, "\(name)")
            }
        }
    }

    @Test func `a token of one meeting lists only it, joins only its room, and its end ends the room`()
        async throws
    {
        try await Site.open { site in
            let cast = try await site.cast(checkOut: .phones)
            let made = try await site.send(
                "POST", "/api/v1/meetings", bearer: cast[.owner],
                json: #"""
                    {"name": "Other", "session": {"startsAt": "2031-01-01T10:00:00Z", \#
                    "endsAt": "2031-01-01T11:00:00Z"}}
                    """#)
            let token = try await site.send(
                "POST", "/api/v1/tokens/named", bearer: cast[.owner],
                json: #"{"name": "hall", "access": "read", "meetingId": "\#(cast.meeting)"}"#)
            let secret = token.string("token")
            let listed = try await site.send("GET", "/api/v1/meetings", bearer: secret)
            #expect(listed.text.contains(cast.meeting.text) && !listed.text.contains(#""name":"Other""#))
            let caller = try await site.rooms(bearer: secret)
            for room in ["home", "session:\(made.string("session.id") ?? "")"] {
                #expect(try await caller.join(room)?.string("error.code") == "token_limited")
            }
            #expect(try await caller.join("session:\(cast.session)")?.string("joined") != nil)
            let ended = try await site.send(
                "DELETE", "/api/v1/tokens/\(token.string("id") ?? "")", bearer: cast[.owner])
            #expect(ended.status == 204)
            #expect(await caller.end() == 4001)
            #expect(try await site.send("GET", "/api/v1/me", bearer: secret).status == 401)
        }
    }

    @Test func `a token of one meeting learns nothing of the other meetings and of the person`() async throws
    {
        try await Site.open { site in
            let cast = try await site.cast(checkOut: .phones)
            let other = try await site.send(
                "POST", "/api/v1/meetings", bearer: cast[.owner],
                json: #"""
                    {"name": "Other", "session": {"startsAt": "2031-01-01T10:00:00Z", \#
                    "endsAt": "2031-01-01T11:00:00Z"}}
                    """#)
            _ = try await site.send(
                "PATCH", "/api/v1/me", bearer: cast[.owner], json: #"{"birthDate": "1999-01-01"}"#)
            let token = try await site.send(
                "POST", "/api/v1/tokens/named", bearer: cast[.owner],
                json: #"{"name": "hall", "access": "write", "meetingId": "\#(cast.meeting)"}"#)
            let secret = token.string("token")
            let me = try await site.send("GET", "/api/v1/me", bearer: secret)
            #expect(me.status == 200 && !me.text.contains("1999"))
            let overlapping = try await site.send(
                "POST", "/api/v1/meetings/\(cast.meeting)/sessions", bearer: secret,
                json: #"{"startsAt": "2031-01-01T10:00:00Z", "endsAt": "2031-01-01T11:00:00Z"}"#)
            #expect(overlapping.string("code") == "session_overlap")
            #expect(!overlapping.text.contains("Other"))
            #expect(!overlapping.text.contains(other.string("session.id") ?? "none"))
            let copied = try await site.send(
                "POST", "/api/v1/sessions/\(cast.session)/questions/copy", bearer: secret,
                json: #"{"from": "\#(other.string("session.id") ?? "")"}"#)
            #expect(copied.string("code") == "token_limited")
        }
    }

    @Test(arguments: [("2020-01-01T00:00:00Z", 422), ("2190-01-01T00:00:00Z", 422)])
    func `a token ends within a year`(end: String, status: Int) async throws {
        try await Site.open { site in
            let cast = try await site.cast(checkOut: .phones)
            let made = try await site.send(
                "POST", "/api/v1/tokens/named", bearer: cast[.owner],
                json: #"{"name": "test", "access": "read", "expiresAt": "\#(end)"}"#)
            #expect(made.status == status && made.text.contains("not_a_lifetime"))
        }
    }
}
