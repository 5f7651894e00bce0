import Certificates
import HTTPServer
import Journal
import Meetings
import Phrases
import Wire

/// The handlers for certificates of attendance.
enum CertificateHandlers {
    /// A certificate with what its body needs.
    private struct Found {
        let certificate: Certificate
        let statement: CertificateStatement?
        let session: SessionID?

        init(_ certificate: Certificate, _ rows: any ReadableRows) throws(JournalError) {
            self.certificate = certificate
            statement = try rows.statement(of: certificate)
            if case .session(let attendee) = certificate.subject {
                session = try rows.attendee(attendee)?.sessionID
            } else {
                session = nil
            }
        }
    }

    /// Lists certificates, the oldest first. The cursor names the last one.
    static func list(_ context: RequestContext) async throws -> HTTPResponse {
        let (limit, meeting, only) = (try context.limit(), context.meeting.id, try context.person())
        let after = try context.cursor { cursor in
            guard cursor.words.count == 2, let milliseconds = Int64(cursor.words[0]),
                let id = CertificateID(cursor.words[1])
            else { return nil as CertificateCursor? }
            return CertificateCursor(issuedAt: Instant(milliseconds: milliseconds), id: id)
        }
        let (found, key) = try await context.scanAlone {
            rows throws(JournalError) -> ([Found], CertificateKey?) in
            let certificates: [Certificate]
            if let only {
                guard try rows.person(only)?.meetingID == meeting else { return ([], nil) }
                certificates = try rows.certificates(ofPersonAndSlots: only).filter { certificate in
                    after.map { ($0.issuedAt, $0.id) < (certificate.issuedAt, certificate.id) } ?? true
                }
            } else {
                certificates = try rows.certificates(of: meeting, after: after, limit: limit + 1)
            }
            var found: [Found] = []
            for certificate in certificates.prefix(limit + 1) {
                found.append(try Found(certificate, rows))
            }
            return (found, try rows.newestCertificateKey())
        }
        let signer = key.flatMap { CertificateSigner($0, keys: context.services.keys) }
        let items = found.prefix(limit).map { body($0, signer, context) }
        let last = found.count > limit ? found[limit - 1].certificate : nil
        let next = last.map { Cursor(String($0.issuedAt.milliseconds), $0.id.text).text }
        return .json(Page(items: items, nextCursor: next))
    }

    private static func body(_ found: Found, _ signer: CertificateSigner?, _ context: RequestContext)
        -> CertificateBody
    {
        var url: String?
        if found.certificate.isValid, let statement = found.statement, let signer {
            url = context.address.certificateURL(code: signer.text(of: statement))
        }
        return CertificateBody(
            found.certificate, name: found.statement?.name, session: found.session, url: url)
    }

    // MARK: Issue

    /// Issues certificates, in parts. Each part is complete in itself, and a repeated request continues where
    /// the first one has ended.
    static func create(_ context: RequestContext, _ request: CreateCertificatesRequest) async throws
        -> HTTPResponse
    {
        let issue = Issue(context: context, key: try await newKey(context))
        let total = try await context.inTurn {
            if let session = request.sessionId {
                return try await issue.forSession(session, request)
            }
            return try await issue.forSeries(request)
        }
        return .json(total)
    }

    private struct Issue {
        let context: RequestContext
        let key: NewSigningKey

        func forSession(_ session: SessionID, _ request: CreateCertificatesRequest) async throws
            -> CertificatesCreatedBody
        {
            let (meeting, now) = (context.meeting.id, context.now)
            let one = try await context.storage.read { rows throws(JournalError) -> AttendeeID? in
                guard let record = try rows.session(session), record.meeting.id == meeting else {
                    throw .refused(.notFound(.session))
                }
                guard record.session.isOver(at: now) else {
                    throw .refused(.invalid([FieldError("/sessionId", .sessionNotOver)]))
                }
                if record.session.namesDeletedAt != nil { throw .refused(.namesDeleted) }
                if let person = request.personId {
                    guard try rows.person(person)?.meetingID == meeting else {
                        throw .refused(.invalid([FieldError("/personId", .unknownPerson)]))
                    }
                    return try rows.attendee(of: person, in: session)?.id
                }
                if let attendee = request.attendeeId, try rows.attendee(attendee)?.sessionID != session {
                    throw .refused(.invalid([FieldError("/attendeeId", .unknownAttendee)]))
                }
                return request.attendeeId
            }
            var total = CertificatesCreatedBody()
            if request.personId != nil || request.attendeeId != nil {
                guard let one else { return CertificatesCreatedBody(notEntitled: 1) }
                try await issue([.session(one)], isNamed: true, &total)
                return total
            }
            var last: AttendeeID?
            repeat {
                let (attendees, named) = try await context.storage.scan { [last] rows throws(JournalError) in
                    let attendees = try rows.attendees(
                        of: session, statuses: [.present, .late], text: nil, after: last,
                        limit: IssueCertificates.mostAtOnce)
                    guard try rows.hasRoster(meeting) else { return (attendees, attendees.map(\.id)) }
                    // Walk-ins have typed their names themselves.
                    var named: [AttendeeID] = []
                    for attendee in attendees where try rows.person(inSlotOf: attendee.id) != nil {
                        named.append(attendee.id)
                    }
                    return (attendees, named)
                }
                total.walkIns += attendees.count - named.count
                try await issue(named.map { .session($0) }, &total)
                last = attendees.count == IssueCertificates.mostAtOnce ? attendees.last?.id : nil
            } while last != nil
            return total
        }

        func forSeries(_ request: CreateCertificatesRequest) async throws -> CertificatesCreatedBody {
            let (meeting, now) = (context.meeting, context.now)
            let range = range(request)
            var total = CertificatesCreatedBody()
            func add(_ shares: SeriesShares, of count: Int, isNamed: Bool = false) async throws {
                let percent = request.atLeastPercent ?? 0
                let entitled = shares.people.filter { $0.share.isAtLeast(percent: percent) }
                total.notEntitled += count - entitled.count
                try await issue(
                    entitled.map { .series($0.person, $0.share) }, lacksSessions: shares.lacksSessions,
                    isNamed: isNamed, &total)
            }
            if let id = request.personId {
                let shares = try await context.storage.scan { rows throws(JournalError) in
                    guard let person = try rows.person(id), person.meetingID == meeting.id else {
                        throw .refused(.invalid([FieldError("/personId", .unknownPerson)]))
                    }
                    return try rows.shares(of: [person], in: meeting, starting: range, at: now)
                }
                try await add(shares, of: 1, isNamed: true)
                return total
            }
            var last: RosterPosition?
            repeat {
                let (people, shares) = try await context.storage.scan { [last] rows throws(JournalError) in
                    let people = try rows.people(
                        of: meeting.id, archived: false, text: nil, after: last,
                        limit: IssueCertificates.mostAtOnce)
                    return (people, try rows.shares(of: people, in: meeting, starting: range, at: now))
                }
                try await add(shares, of: people.count)
                last = people.count == IssueCertificates.mostAtOnce ? people.last?.position : nil
            } while last != nil
            return total
        }

        /// The first and the last moment at which counted sessions begin.
        private func range(_ request: CreateCertificatesRequest) -> ClosedRange<Instant> {
            func midnight(_ date: CivilDate) -> Instant {
                WallTime(minutesSince1970: date.daysSince1970 * 1440).instant(in: context.meeting.timeZone)
            }
            let first = request.from.map(midnight) ?? Instant(milliseconds: 0)
            let last =
                request.until.map {
                    midnight(CivilDate(daysSince1970: $0.daysSince1970 + 1)) - .milliseconds(1)
                } ?? context.now
            return min(first, last)...last
        }

        private func issue(
            _ subjects: [Certificate.Subject], lacksSessions: Bool = false, isNamed: Bool = false,
            _ total: inout CertificatesCreatedBody
        ) async throws {
            guard !subjects.isEmpty else { return }
            let outcome = try await context.storage.perform(
                IssueCertificates(
                    for: subjects, in: context.meeting.id, key: key, lacksSessions: lacksSessions,
                    isNamed: isNamed, isNoted: total.created > 0, actor: context.accountID))
            total.created += outcome.created
            total.existing += outcome.existing
            total.nameTooLong += outcome.tooLong
            total.notEntitled += outcome.gone
            total.revoked += outcome.revoked
        }
    }

    /// Returns a key for the case that the server has none, or one whose secret it cannot open any more,
    /// because the operator has replaced all secrets.
    private static func newKey(_ context: RequestContext) async throws -> NewSigningKey {
        let keys = context.services.keys
        let newest = try await context.storage.read { rows throws(JournalError) in
            try rows.newestCertificateKey()
        }
        let unreadable = newest.flatMap { CertificateSigner($0, keys: keys) == nil ? $0.number : nil }
        return CertificateSigner.newKey(keys, replacing: unreadable)
    }

    static func revoke(_ context: RequestContext) async throws -> HTTPResponse {
        try await context.storage.perform(
            RevokeCertificate(
                id: try context.id(Certificate.self, .certificate, named: "certificateId"),
                meeting: context.meeting.id, actor: context.accountID))
        return .noContent
    }

    static func badge(_ context: RequestContext) async throws -> HTTPResponse {
        let id = try context.id(Certificate.self, .certificate, named: "certificateId")
        let meeting = context.meeting.id
        let (statement, key) = try await context.storage.read {
            rows throws(JournalError) -> (CertificateStatement?, CertificateKey?) in
            guard let certificate = try rows.certificate(id), certificate.meeting == meeting,
                certificate.isValid
            else { return (nil, nil) }
            return (try rows.statement(of: certificate), try rows.newestCertificateKey())
        }
        guard let statement, let key, let signer = CertificateSigner(key, keys: context.services.keys) else {
            throw Refusal.notFound(.certificate)
        }
        return .json(
            OpenBadgeBody(
                credential: signer.openBadge(statement, at: context.address, in: context.language)))
    }

    static func mail(_ context: RequestContext, _ request: MailCertificatesRequest) async throws
        -> HTTPResponse
    {
        let key = try await newKey(context)
        func send(_ receivers: MailCertificates.Receivers, isNoted: Bool = false) async throws
            -> MailCertificates.Outcome
        {
            try await context.storage.perform(
                MailCertificates(
                    of: context.meeting.id, to: receivers, key: key, language: context.language.rawValue,
                    isNoted: isNoted, actor: context.accountID))
        }
        if let person = request.personId {
            return .json(CertificatesMailedBody(try await send(.person(person))))
        }
        let total = try await context.inTurn {
            var total = try await send(.everybody(after: nil))
            while let next = total.next {
                let part = try await send(.everybody(after: next), isNoted: total.queued > 0)
                total.queued += part.queued
                total.withoutAddress += part.withoutAddress
                total.mailedBefore += part.mailedBefore
                (total.isLimited, total.next) = (total.isLimited || part.isLimited, part.next)
            }
            return total
        }
        return .json(CertificatesMailedBody(total))
    }

    // MARK: Verification

    static func keys(_ context: RequestContext) async throws -> HTTPResponse {
        let keys = try await context.storage.read { rows throws(JournalError) in try rows.certificateKeys() }
        return .json(CertificateKeysBody(issuer: context.address.url, keys))
    }

    static func verify(_ context: RequestContext) async throws -> HTTPResponse {
        .json(try await verdict(context))
    }

    /// Judges the certificate in the path. The signature is checked first, so that a text of a stranger costs
    /// no look-up of a certificate.
    fileprivate static func verdict(_ context: RequestContext) async throws -> CertificateVerdictBody {
        guard let text = context.parameters["code"], text.utf8.count <= CertificateCode.mostCharacters,
            let payload = CertificateCode.payload(in: text)
        else { return CertificateVerdictBody(.notGenuine) }
        return try await context.storage.read { rows throws(JournalError) in
            guard let key = try rows.certificateKey(Int(payload.key)),
                CertificateCode.isGenuine(payload, by: key.publicKey)
            else { return CertificateVerdictBody(.notGenuine) }
            let found = try rows.verdict(on: payload.statement)
            guard found.verdict != .notGenuine else { return CertificateVerdictBody(.notGenuine) }
            return CertificateVerdictBody(found.verdict, revokedAt: found.revokedAt, payload.statement)
        }
    }
}

extension CertificatesMailedBody {
    fileprivate init(_ outcome: MailCertificates.Outcome) {
        self.init(
            queued: outcome.queued, withoutAddress: outcome.withoutAddress,
            mailedBefore: outcome.mailedBefore, limitReached: outcome.isLimited)
    }
}

/// The page of a certificate, which a phone shows after it has scanned the QR code.
enum CertificatePages {
    private typealias Texts = Phrase.Certificate

    static func show(_ context: RequestContext) async throws -> HTTPResponse {
        let language = context.language
        let answer = try await CertificateHandlers.verdict(context)
        let (sentence, look): (Phrase, HTML) =
            switch answer.verdict {
            case .valid: (Texts.valid, "done")
            case .revoked: (Texts.revoked, "told bad")
            case .unknown: (Texts.unknown, "told")
            case .notGenuine: (Texts.notGenuine, "told bad")
            }
        let title = Texts.title.text(in: language)
        let revokedOn = answer.revokedAt.map { String($0.rfc3339.prefix(10)) } ?? ""
        let verdict = sentence.text(in: language, ["server": context.address.typed, "day": revokedOn])
        let facts: HTML? = answer.certificate.map { Self.facts(of: $0, context) }
        return .html(
            PageFrame(language: language, title: title, here: context.request.path).page(
                """
                <p class="eyebrow">QRing</p><h1>\(title)</h1>
                <div class="\(look)" role="status"><p>\(verdict)</p></div>
                \(facts)
                """))
    }

    private static func facts(of certificate: CertificateStatementBody, _ context: RequestContext) -> HTML {
        let language = context.language
        var rows = [(Texts.name, certificate.name), (Texts.meeting, certificate.meeting)]
        if let title = certificate.title { rows.append((Texts.session, title)) }
        rows += [
            (Texts.attendance, certificate.attendance(in: language)),
            (Texts.issued, certificate.issuedOn), (Texts.issuer, context.address.typed),
            (Texts.number, certificate.id.number),
        ]
        let lines = rows.map { row -> HTML in "<dt>\(row.0.text(in: language))</dt><dd>\(row.1)</dd>" }
        return "<dl class=\"facts\">\(lines)</dl>"
    }
}
