import Certificates
import Journal
import Meetings
import Secrets
import Testing
import Wire

@testable import Server

/// Tests of the routes for certificates, of their verification, and of their page.
@Suite struct CertificateTests {
    /// A meeting whose session is over. Kim of the roster was there, and Lee was not.
    private struct Hall {
        let site: Site
        let cast: Cast
        let kim: PersonID
        var certificates: String { "/api/v1/meetings/\(cast.meeting)/certificates" }

        func json<Body: Decodable>(
            _ type: Body.Type, _ method: String, _ path: String, _ json: String? = nil
        ) async throws -> Body {
            let answer = try await site.send(method, path, bearer: cast[.host], json: json)
            #expect(answer.status == 200, "\(answer.text)")
            return try WireJSON.decode(Body.self, from: answer.body)
        }

        func create(_ body: String) async throws -> CertificatesCreatedBody {
            try await json(CertificatesCreatedBody.self, "POST", certificates, body)
        }

        func list(_ query: String = "") async throws -> [CertificateBody] {
            try await json(Page<CertificateBody>.self, "GET", "\(certificates)\(query)").items
        }

        func code(of certificate: CertificateBody) throws -> String {
            String(try #require(certificate.url?.split(separator: "/").last))
        }

        /// Issues a certificate to the attendee who is not on the roster.
        func issueWalkIn() async throws {
            let session = cast.session
            let walkIn = try await site.storage.read { rows throws(JournalError) -> AttendeeID? in
                for attendee in try rows.attendees(
                    of: session, statuses: [.present], text: nil, after: nil, limit: 9)
                where try rows.person(inSlotOf: attendee.id) == nil { return attendee.id }
                return nil
            }
            let id = try #require(walkIn)
            #expect(
                try await create(#"{"sessionId": "\#(session)", "attendeeId": "\#(id)"}"#).created == 1)
        }

        func verdict(on code: String) async throws -> CertificateVerdictBody {
            try await json(CertificateVerdictBody.self, "GET", "/api/v1/certificates/\(code)")
        }
    }

    private func afterSession(_ body: (Hall) async throws -> Void) async throws {
        try await Site.open { site in
            let cast = try await site.cast()
            func add(_ name: String) async throws -> PersonID {
                try await site.storage.perform(
                    AddPerson(
                        meeting: cast.meeting,
                        draft: PersonDraft(name: name, email: "\(name.lowercased())@example.org"),
                        actor: cast.owner)
                ).id
            }
            let kim = try await add("Kim")
            _ = try await add("Lee")
            _ = try await site.storage.perform(
                CheckIn(
                    session: cast.session, moment: at(1), method: .qr, grant: nil, name: "Kim",
                    email: "kim@example.org"))
            site.clock.set(at(61))
            try await body(Hall(site: site, cast: cast, kim: kim))
        }
    }

    @Test func `people of the roster get certificates of a session, and walk-ins only by a host's choice`()
        async throws
    {
        try await afterSession { hall in
            let body = #"{"sessionId": "\#(hall.cast.session)"}"#
            #expect(try await hall.create(body) == CertificatesCreatedBody(created: 1, walkIns: 1))
            #expect(try await hall.create(body) == CertificatesCreatedBody(existing: 1, walkIns: 1))
            try await hall.issueWalkIn()
            let all = try await hall.list()
            #expect(Set(all.compactMap(\.name)) == ["Kim", "Person"])
            #expect(all.allSatisfy { $0.sessionId == hall.cast.session && $0.series == nil })
            let url = try #require(try await hall.list("?person=\(hall.kim)").first?.url)
            #expect(url.contains("/A/") && url == url.uppercased() && !url.contains("KIM"))
            let other = try await hall.site.send(
                "POST", hall.certificates, bearer: hall.cast[.host],
                json: #"{"sessionId": "\#(SessionID.makeTimeless())"}"#)
            #expect(other.status == 404)
        }
    }

    @Test func `a share of the series goes to the people who reach it`() async throws {
        try await afterSession { hall in
            let made = try await hall.create(#"{"atLeastPercent": 80}"#)
            #expect(made == CertificatesCreatedBody(created: 1, notEntitled: 1))
            let certificate = try #require(try await hall.list().first)
            #expect(certificate.personId == hall.kim)
            #expect(certificate.series?.attended == 1 && certificate.series?.held == 1)
            let later = try await hall.create(#"{"from": "2199-01-01"}"#)
            #expect(later == CertificatesCreatedBody(notEntitled: 2))
        }
    }

    @Test func `a session that is not over, and contradictory fields, are refused with a reason`()
        async throws
    {
        try await afterSession { hall in
            let later = try await hall.site.storage.perform(
                ContinueMeeting(
                    meeting: hall.cast.meeting, startsAt: at(300), endsAt: at(360), actor: hall.cast.owner))
            for (body, code) in [
                (#"{"sessionId": "\#(later.session.id)"}"#, "session_not_over"),
                (#"{"sessionId": "\#(hall.cast.session)", "atLeastPercent": 5}"#, "not_together"),
                (#"{"attendeeId": "\#(AttendeeID.makeTimeless())"}"#, "required"),
                (#"{"from": "2026-02-02", "until": "2026-02-01"}"#, "ends_before_start"),
                (#"{"personId": "\#(PersonID.makeTimeless())"}"#, "unknown_person"),
            ] {
                let answer = try await hall.site.send(
                    "POST", hall.certificates, bearer: hall.cast[.host], json: body)
                #expect(answer.status == 422 || answer.status == 400)
                #expect(answer.text.contains(code), "\(body): \(answer.text)")
            }
        }
    }

    @Test func `the list continues page by page`() async throws {
        try await afterSession { hall in
            _ = try await hall.create(#"{"sessionId": "\#(hall.cast.session)"}"#)
            try await hall.issueWalkIn()
            _ = try await hall.create("{}")
            var (seen, cursor): ([CertificateID], String?) = ([], nil)
            repeat {
                let page = try await hall.json(
                    Page<CertificateBody>.self, "GET",
                    "\(hall.certificates)?limit=1\(cursor.map { "&cursor=\($0)" } ?? "")")
                seen += page.items.map(\.id)
                cursor = page.nextCursor
            } while cursor != nil
            #expect(seen.count == 3 && Set(seen).count == 3)
        }
    }

    @Test func `the server says valid, then revoked at once, and genuine after the meeting is gone`()
        async throws
    {
        try await afterSession { hall in
            _ = try await hall.create(#"{"sessionId": "\#(hall.cast.session)"}"#)
            try await hall.issueWalkIn()
            let all = try await hall.list()
            let codes = try all.map(hall.code)
            #expect(try await hall.verdict(on: codes[0]).verdict == .valid)
            #expect(try await hall.verdict(on: codes[0].lowercased()).certificate?.name == all[0].name)
            let answer = try await hall.site.send(
                "DELETE", "\(hall.certificates)/\(all[0].id)", bearer: hall.cast[.host])
            #expect(answer.status == 204)
            let revoked = try await hall.verdict(on: codes[0])
            #expect(revoked.verdict == .revoked && revoked.revokedAt == at(61))
            #expect(try await hall.list().first?.url == nil)
            try await hall.site.storage.perform(
                DeleteMeeting(id: hall.cast.meeting, confirmation: "Meeting", actor: hall.cast.owner))
            #expect(try await hall.verdict(on: codes[0]).verdict == .revoked)
            let unknown = try await hall.verdict(on: codes[1])
            #expect(unknown.verdict == .unknown && unknown.certificate?.name == all[1].name)
        }
    }

    @Test func `changed, cut and foreign texts are not genuine, and tell no name`() async throws {
        try await afterSession { hall in
            _ = try await hall.create(#"{"sessionId": "\#(hall.cast.session)"}"#)
            let code = try hall.code(of: try #require(try await hall.list().first))
            let changed =
                String(code.dropLast(100)) + (code.dropLast(99).last == "0" ? "1" : "0") + code.suffix(99)
            for text in [changed, String(code.dropLast(8)), "X", String(repeating: "0", count: 2000)] {
                let answer = try await hall.verdict(on: text)
                #expect(answer == CertificateVerdictBody(.notGenuine))
            }
        }
    }

    @Test func `the published keys verify a certificate after a rotation, without the server`() async throws {
        try await afterSession { hall in
            _ = try await hall.create(#"{"sessionId": "\#(hall.cast.session)"}"#)
            let before = try #require(try await hall.list().first)
            let first = try hall.code(of: before)
            _ = try await hall.site.storage.perform(
                ReplaceCertificateKey(by: CertificateSigner.newKey(hall.site.keys)))
            let after = try #require(try await hall.list().first)
            let second = try hall.code(of: after)
            #expect(before.id == after.id && first != second)
            let keys = try await hall.json(
                CertificateKeysBody.self, "GET", "/.well-known/qring-keys.json")
            #expect(keys.keys.map(\.kid) == ["1", "2"])
            for code in [first, second] {
                #expect(keys.isGenuine(try #require(CertificateCode.payload(in: code))))
                #expect(try await hall.verdict(on: code).verdict == .valid)
            }
        }
    }

    @Test func `after the loss of all secrets, the next request makes a key, and old codes stay valid`()
        async throws
    {
        try await afterSession { hall in
            let body = #"{"sessionId": "\#(hall.cast.session)"}"#
            _ = try await hall.create(body)
            let old = try hall.code(of: try #require(try await hall.list().first))
            // A key that another secret has sealed, as after the replacement of all secrets.
            let foreign = Ed25519Key()
            _ = try await hall.site.storage.perform(
                ReplaceCertificateKey(
                    by: NewSigningKey(
                        publicKey: foreign.publicKey,
                        secret: foreign.sealed(for: [], with: [UInt8](repeating: 9, count: 32)))))
            #expect(try await hall.list().allSatisfy { $0.url == nil })
            #expect(try await hall.create(body).existing == 1)
            let certificate = try #require(try await hall.list().first)
            #expect(try await hall.verdict(on: try hall.code(of: certificate)).verdict == .valid)
            #expect(try await hall.verdict(on: old).verdict == .valid)
        }
    }

    @Test func `a badge is verified by the published keys, and a revoked certificate has none`() async throws
    {
        try await afterSession { hall in
            _ = try await hall.create(#"{"sessionId": "\#(hall.cast.session)"}"#)
            let certificate = try #require(try await hall.list("?person=\(hall.kim)").first)
            let path = "\(hall.certificates)/\(certificate.id)/badge"
            let body = try await hall.json(OpenBadgeBody.self, "GET", path)
            let badge = try #require(OpenBadge.Read(body.credential))
            let keys = try await hall.json(
                CertificateKeysBody.self, "GET", "/.well-known/qring-keys.json")
            #expect(badge.isGenuine(by: keys) && badge.name == "Kim" && badge.url == certificate.url)
            _ = try await hall.site.send(
                "DELETE", "\(hall.certificates)/\(certificate.id)", bearer: hall.cast[.host])
            #expect(try await hall.site.send("GET", path, bearer: hall.cast[.host]).status == 404)
        }
    }

    @Test func `the page shows the certificate and its verdict, and no log has its text`() async throws {
        try await afterSession { hall in
            _ = try await hall.create(#"{"sessionId": "\#(hall.cast.session)"}"#)
            let certificate = try #require(try await hall.list("?person=\(hall.kim)").first)
            let code = try hall.code(of: certificate)
            let page = try await hall.site.send("GET", "/A/\(code)")
            #expect(page.status == 200 && page.text.contains("Valid:") && page.text.contains("Kim"))
            #expect(page[header: "set-cookie"] == nil)
            let korean = try await hall.site.send("GET", "/a/\(code.lowercased())?lang=ko")
            #expect(korean.text.contains("유효합니다"))
            let forged = try await hall.site.send("GET", "/A/\(code.dropLast(8))")
            #expect(forged.text.contains("Not genuine") && !forged.text.contains("Kim"))
            _ = try await hall.site.send("GET", "/api/v1/certificates/\(code)")
            #expect(!hall.site.log.all.contains { $0.uppercased().contains(code.prefix(40)) })
            #expect(hall.site.log.all.contains { $0.contains("/A/…") && !$0.contains("127.0.0.1") })
            #expect(hall.site.log.all.contains { $0.contains("/api/v1/certificates/…") })
        }
    }
}
