internal import Certificates
internal import Client
package import CommandLine
internal import Meetings
internal import Paper
internal import Phrases
internal import QRCodes
internal import RecordText
internal import Terminal
internal import Wire

/// The commands for certificates of attendance.
package enum CertificateCommands {
    private typealias Help = CommandPhrases.Help
    private typealias Messages = CommandPhrases.Certificates

    private static let session = CommandDeclaration.Option.value("session", "SESSION", Messages.session)
    private static let anyMeeting = CommandDeclaration.Positional("MEETING", Help.meeting, required: false)

    package static let all = [
        CommandDeclaration(
            "certificate create", Messages.create,
            examples: [
                .init("certificate create \"Study group\" --at-least 80%", Messages.createExample),
                .init("certificate create @ --session @", Messages.createSession),
                .init("certificate create @ jisoo@example.org --from 2026-03-01", Messages.createOne),
            ], positionals: [RosterCommands.meeting, RosterCommands.anyPerson],
            options: [
                session, .value("at-least", "PERCENT", Messages.atLeast),
                .value("from", "DAY", Messages.from), .value("until", "DAY", Messages.until),
                .json(of: CertificatesCreatedBody.self),
            ], notes: Messages.notes, run: create),
        CommandDeclaration(
            "certificate list", Messages.list,
            examples: [
                .init("certificate list @", Messages.list),
                .init("certificate list @ jisoo@example.org", Messages.listOne),
            ], positionals: [anyMeeting, RosterCommands.anyPerson],
            options: [.json(of: Page<CertificateBody>.self)],
            usesPager: true, run: list),
        CommandDeclaration(
            "certificate revoke", Messages.revoke,
            examples: [
                .init("certificate revoke @ jisoo@example.org", Messages.revoke),
                .init("certificate revoke @ --id JXYACRW7X7ABG7AX", Messages.revokeOne),
            ], positionals: [RosterCommands.meeting, RosterCommands.anyPerson],
            options: [session, .value("id", "ID", Messages.id)], run: revoke),
        CommandDeclaration(
            "certificate print", Messages.print,
            examples: [
                .init("certificate print @", Messages.printExample),
                .init("certificate print @ jisoo@example.org --to jisoo.pdf", Messages.printOne),
            ], positionals: [RosterCommands.meeting, RosterCommands.anyPerson],
            options: [session, .value("to", "FILE", Messages.file)], run: printCertificates),
        CommandDeclaration(
            "certificate badge", Messages.badge,
            examples: [
                .init("certificate badge @ jisoo@example.org --to jisoo.png", Messages.badgeExample),
                .init("certificate badge @ jisoo@example.org --format jwt --to -", Messages.badgeJWT),
            ], positionals: [RosterCommands.meeting, RosterCommands.person],
            options: [
                session, .oneOf("format", BadgeFormat.allCases.map(\.rawValue), Messages.format),
                .value("to", "FILE", Messages.badgeFile),
            ], run: badge),
        CommandDeclaration(
            "certificate mail", Messages.mail,
            examples: [
                .init("certificate mail @", Messages.mailExample),
                .init("certificate mail @ jisoo@example.org", Messages.mailOne),
            ], positionals: [RosterCommands.meeting, RosterCommands.anyPerson],
            options: [.json(of: CertificatesMailedBody.self)], run: mail),
        CommandDeclaration(
            "certificate keys", Messages.keys,
            examples: [.init("certificate keys --json > keys.json", Messages.keysExample)],
            options: [.json(of: CertificateKeysBody.self)], run: keys),
        CertificateVerification.declaration,
    ]

    private enum BadgeFormat: String, CaseIterable { case png, jwt }

    private static func create(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let percent = try percent(call)
        let (from, until) = (try day("from", call), try day("until", call))
        if call.arguments.value("session") != nil {
            for name in ["at-least", "from", "until"] where call.arguments.value(name) != nil {
                throw .usage(.together("--session", "--\(name)"))
            }
        }
        let (host, meeting, person) = try await RosterCommands.targetAndPerson(call)
        let new = NewCertificates(
            person: person?.id, session: try await RosterCommands.namedSession(call, host)?.id,
            atLeastPercent: percent,
            from: from, until: until)
        let made = try await calling { () async throws(APIError) in
            try await host.createCertificates(new, in: meeting)
        }
        if call.wantsJSON {
            call.json(made)
            return .success
        }
        call.note(
            Messages.created, ["created": String(made.created), "existing": String(made.existing)])
        if made.notEntitled > 0 {
            call.note(Messages.notEntitled, ["count": String(made.notEntitled)])
        }
        if made.nameTooLong > 0 {
            call.note(Messages.nameTooLong, ["count": String(made.nameTooLong)])
        }
        if made.walkIns > 0 { call.note(Messages.walkIns, ["count": String(made.walkIns)]) }
        if made.revoked > 0 { call.note(Messages.leftRevoked, ["count": String(made.revoked)]) }
        if made.created > 0 { call.note(Messages.next, ["meeting": RosterCommands.named(call)]) }
        return .success
    }

    /// Reads `80` or `80%`.
    private static func percent(_ call: Invocation) throws(CommandFailure) -> Int? {
        guard let written = call.arguments.value("at-least") else { return nil }
        guard let percent = Int(written.hasSuffix("%") ? String(written.dropLast()) : written),
            (1...100).contains(percent)
        else { throw .usage(.notReadable("--at-least", written, expected: "80%")) }
        return percent
    }

    private static func day(_ name: String, _ call: Invocation) throws(CommandFailure) -> CivilDate? {
        guard let written = call.arguments.value(name) else { return nil }
        guard let day = CivilDate(written) else {
            throw .usage(.notReadable("--\(name)", written, expected: "2026-03-01"))
        }
        return day
    }

    private static func list(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let (host, meeting, person) = try await RosterCommands.targetAndPerson(call)
        let certificates = try await calling { () async throws(APIError) in
            try await host.certificates(of: meeting, person: person?.id)
        }
        if call.wantsJSON {
            call.json(Page(items: certificates, nextCursor: nil))
            return .success
        }
        guard !certificates.isEmpty else {
            call.noteNothing(isSearch: person != nil)
            return .success
        }
        var table = Table(
            [
                CommandPhrases.Messages.headName, Messages.headFor, Messages.headState, Messages.headIssued,
                Messages.headNumber,
            ].map { call.text($0) })
        for certificate in certificates {
            let isValid = certificate.revokedAt == nil
            table.add(
                [
                    certificate.name ?? call.text(Messages.nameDeleted), subject(of: certificate, call),
                    call.text(isValid ? Messages.valid : Messages.revoked),
                    WallTime(certificate.issuedAt, in: .current).text, certificate.id.number,
                ], [2: isValid ? .good : .bad])
        }
        call.out(table)
        return .success
    }

    private static func subject(of certificate: CertificateBody, _ call: Invocation) -> String {
        guard let series = certificate.series else { return call.text(Messages.oneSession) }
        return call.text(
            Messages.share, ["attended": String(series.attended), "held": String(series.held)])
    }

    private static func revoke(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        if let written = call.arguments.value("id") {
            guard let id = CertificateID(number: written) ?? CertificateID(written) else {
                throw .usage(.notReadable("--id", written, expected: "JXYACRW7X7ABG7AX"))
            }
            if call.arguments.positional("PERSON") != nil { throw .usage(.together("PERSON", "--id")) }
            let (host, meeting) = try await RosterCommands.target(call)
            try await calling { () async throws(APIError) in
                try await host.revokeCertificate(id, of: meeting)
            }
            call.note(Messages.saidRevoked, ["count": "1"])
            return .success
        }
        guard call.arguments.positional("PERSON") != nil else {
            throw .said(
                .usage, Messages.revokeWhom, [:], next: "qring certificate list \(RosterCommands.named(call))"
            )
        }
        let (host, meeting, certificates) = try await valid(call)
        for certificate in certificates {
            try await calling { () async throws(APIError) in
                try await host.revokeCertificate(certificate.id, of: meeting)
            }
        }
        call.note(Messages.saidRevoked, ["count": String(certificates.count)])
        return .success
    }

    /// The most pages of one file, which the program draws in memory.
    private static let mostPages = CertificateEvidence.mostInFile

    private static func printCertificates(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let (host, _, certificates) = try await valid(call)
        let addresses = certificates.compactMap(\.url)
        guard !addresses.isEmpty else {
            throw .said(
                .notFound, Messages.none, [:], next: "qring certificate create \(RosterCommands.named(call))")
        }
        guard addresses.count <= mostPages else {
            throw .failed(
                Messages.tooMany, ["count": String(addresses.count), "most": String(mostPages)])
        }
        try call.draw(into: "certificates.pdf", orElse: Messages.notDrawn) { () throws(QRCodeError) in
            try CertificatePaper.pages(
                addresses, of: CertificateVerification.shown(host.server.url, addresses[0]),
                in: call.language)
        }
        return .success
    }

    private static func badge(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let format = call.choice("format", of: BadgeFormat.self) ?? .png
        let (host, meeting, certificates) = try await valid(call)
        guard let certificate = certificates.last(where: { $0.url != nil }), let url = certificate.url else {
            throw .said(
                .notFound, Messages.none, [:], next: "qring certificate create \(RosterCommands.named(call))")
        }
        let credential = try await calling { () async throws(APIError) in
            try await host.openBadge(of: certificate.id, in: meeting)
        }.credential
        var bytes = Array(credential.utf8)
        if format == .png {
            let image = try CodeCommands.drawing { () throws(QRCodeError) in
                try QRCode.encode(url).png(modulePixels: 8)
            }
            bytes = OpenBadge.png(image, with: credential)
        }
        try call.write(bytes, to: call.arguments.value("to") ?? "badge.\(format.rawValue)", isPrivate: true)
        return .success
    }

    private static func mail(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let (host, meeting, person) = try await RosterCommands.targetAndPerson(call)
        let mailed = try await calling { () async throws(APIError) in
            try await host.mailCertificates(of: meeting, person: person?.id)
        }
        if call.wantsJSON {
            call.json(mailed)
            return .success
        }
        call.note(Messages.mailed, ["count": String(mailed.queued)])
        if mailed.mailedBefore > 0 {
            call.note(Messages.mailedBefore, ["count": String(mailed.mailedBefore)])
        }
        if mailed.withoutAddress > 0 {
            call.note(Messages.withoutAddress, ["count": String(mailed.withoutAddress)])
        }
        if mailed.limitReached { call.note(Messages.limitReached) }
        return .success
    }

    private static func keys(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let client = try call.client()
        let keys = try await calling { () async throws(APIError) in try await client.certificateKeys() }
        if call.wantsJSON {
            call.json(keys)
            return .success
        }
        guard !keys.keys.isEmpty else {
            call.noteNothing(isSearch: false)
            return .success
        }
        var table = Table([Messages.headKey, Messages.headPublicKey].map { call.text($0) })
        for key in keys.keys { table.add([key.kid, key.x]) }
        call.out(table)
        return .success
    }

    // MARK: The people and their certificates

    /// Returns the valid certificates of the named person, or of the whole meeting: all of them, or those of
    /// the session of `--session`.
    private static func valid(_ call: Invocation) async throws(CommandFailure) -> (
        APIClient, MeetingID, [CertificateBody]
    ) {
        let (host, meeting, person) = try await RosterCommands.targetAndPerson(call)
        let session = try await RosterCommands.namedSession(call, host)
        let certificates = try await calling { () async throws(APIError) in
            try await host.certificates(of: meeting, person: person?.id)
        }.filter { $0.revokedAt == nil && (session == nil || $0.sessionId == session?.id) }
        guard !certificates.isEmpty else {
            throw .said(
                .notFound, Messages.none, [:], next: "qring certificate create \(RosterCommands.named(call))")
        }
        return (host, meeting, certificates)
    }
}

/// Verifies certificates with the public keys of their server, which a file or the server itself gives.
enum CertificateVerification {
    private typealias Messages = CommandPhrases.Certificates

    static let declaration = CommandDeclaration(
        "certificate verify", Messages.verify,
        examples: [
            .init("certificate verify certificates.pdf", Messages.verifyExample),
            .init("certificate verify badge.png --keys keys.json", Messages.verifyOffline),
            .init("certificate verify HTTPS://QRING.EXAMPLE.ORG/A/…", Messages.verifyAddress),
        ], positionals: [.init("CERTIFICATE", Messages.source)],
        options: [.value("keys", "FILE", Messages.keysFile), .json(of: Finding.self)],
        notes: Messages.verifyNotes, hasServer: false, run: verify)

    /// The result for one certificate.
    struct Finding: Codable, Sendable {
        /// `signatureValid` if only a file of keys was used, so that nobody knows whether the certificate was
        /// revoked.
        let result: String
        /// The server that was asked, or whose saved keys were used.
        let issuer: String?
        let name: String?
        let meeting: String?
        let attendance: String?
        let id: CertificateID?
    }

    /// The most bytes of a file that is read. A PDF file of `mostInFile` pages is smaller.
    private static let mostBytes = 200_000_000
    /// The most bytes of a file of keys. A server has at most `CertificateKey.most` of them.
    private static let mostBytesOfKeys = 1_000_000

    private static func verify(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let source = call.arguments.positional("CERTIFICATE") ?? ""
        let found = try await evidence(in: source, call)
        let file = try await savedKeys(for: found, call)
        guard file != nil || CertificateEvidence.hasFewServers(found) else {
            throw .failed(
                Messages.tooManyServers, ["most": String(CertificateEvidence.mostServers)])
        }
        var worst = ExitCode.success
        var known: [String: CertificateKeysBody] = [:]
        for evidence in found {
            let finding: Finding
            let code: ExitCode
            if let file {
                (finding, code) = judge(
                    evidence, by: file, of: evidence.server ?? file.issuer, verdict: nil, call)
            } else {
                guard let server = evidence.server, let address = ServerAddress(server) else {
                    throw .failed(Messages.noServer)
                }
                let client = try call.client(at: address)
                let keys: CertificateKeysBody
                if let read = known[server] {
                    keys = read
                } else {
                    keys = try await calling { () async throws(APIError) in
                        try await client.certificateKeys()
                    }
                    known[server] = keys
                }
                var verdict: CertificateVerdict?
                if evidence.isGenuine(by: keys) {
                    verdict = try await calling { () async throws(APIError) in
                        try await client.verifyCertificate(evidence.code)
                    }.verdict
                }
                (finding, code) = judge(evidence, by: keys, of: server, verdict: verdict, call)
            }
            if call.wantsJSON { call.jsonLine(finding) } else { say(finding, call) }
            if code != .success, worst != .conflict { worst = code }
        }
        return worst
    }

    /// Reads the file of `--keys`. Its keys must be of the server that the certificates name, because
    /// anybody can write a file of keys with another issuer.
    private static func savedKeys(for found: [CertificateEvidence], _ call: Invocation)
        async
        throws(CommandFailure) -> CertificateKeysBody?
    {
        guard let path = call.arguments.value("keys") else { return nil }
        let bytes = try await call.contents(of: path, most: mostBytesOfKeys)
        guard let keys = try? WireJSON.decode(CertificateKeysBody.self, from: bytes) else {
            throw .failed(Messages.notKeys, ["file": path])
        }
        if let other = found.first(where: { !$0.isOfServer(of: keys) }) {
            throw .failed(
                Messages.keysOfOther,
                [
                    "file": path, "issuer": TerminalEscaping.safe(keys.issuer),
                    "server": TerminalEscaping.safe(other.server ?? ""),
                ])
        }
        return keys
    }

    /// Finds the certificates in an address, in a file, or in the standard input.
    private static func evidence(in source: String, _ call: Invocation) async throws(CommandFailure)
        -> [CertificateEvidence]
    {
        if let payload = CertificateCode.payload(in: source) { return [.code(payload, address: source)] }
        if let badge = OpenBadge.Read(source) { return [.badge(badge)] }
        if CertificateCode.server(in: source) != nil { throw .failed(Messages.notReadable) }
        let file = try await call.contents(of: source, most: mostBytes)
        guard file.count <= mostBytes else { throw .failed(Messages.notReadable) }
        if OpenBadge.isPNG(file) {
            guard let badge = OpenBadge.credential(in: file).flatMap({ OpenBadge.Read($0) }) else {
                throw .failed(Messages.noBadge)
            }
            return [.badge(badge)]
        }
        if file.count <= OpenBadge.mostBytes {
            let text = String(decoding: file, as: UTF8.self)
            if let badge = OpenBadge.Read(text) { return [.badge(badge)] }
            if let payload = CertificateCode.payload(in: text) { return [.code(payload, address: text)] }
        }
        let most = CertificateEvidence.mostInFile
        let found = CertificateCode.addresses(in: file, most: most + 1).compactMap { address in
            CertificateCode.payload(in: address).map { CertificateEvidence.code($0, address: address) }
        }
        guard !found.isEmpty else { throw .failed(Messages.notReadable) }
        guard found.count <= most else { throw .failed(Messages.tooManyInFile, ["most": String(most)]) }
        return found
    }

    /// - Parameters:
    ///   - server: the server that was asked, or whose saved keys were used. What the server states about
    ///     itself does not count, because a forger's server can state anything.
    ///   - verdict: what the server says; nil if it was not asked.
    private static func judge(
        _ evidence: CertificateEvidence, by keys: CertificateKeysBody, of server: String,
        verdict: CertificateVerdict?, _ call: Invocation
    ) -> (Finding, ExitCode) {
        guard evidence.isGenuine(by: keys) else {
            return (
                Finding(
                    result: "notGenuine", issuer: server, name: nil, meeting: nil, attendance: nil,
                    id: nil), .conflict
            )
        }
        let (result, code): (String, ExitCode) =
            switch verdict {
            case nil: ("signatureValid", .success)
            case .valid: ("valid", .success)
            case .unknown: ("unknown", .success)
            case .revoked: ("revoked", .conflict)
            case .notGenuine: ("notGenuine", .conflict)
            }
        switch evidence {
        case .code(let payload, _):
            let statement = payload.statement
            return (
                Finding(
                    result: result, issuer: server, name: statement.name,
                    meeting: [statement.meeting, statement.title].filter { !$0.isEmpty }.joined(
                        separator: " – "), attendance: statement.attendance.text(in: call.language),
                    id: statement.id), code
            )
        case .badge(let badge):
            return (
                Finding(
                    result: result, issuer: server, name: badge.name, meeting: badge.achievement,
                    attendance: badge.criteria,
                    id: CertificateCode.payload(in: badge.url)?.statement.id), code
            )
        }
    }

    private static func say(_ finding: Finding, _ call: Invocation) {
        let phrase =
            switch finding.result {
            case "valid": Messages.isValid
            case "signatureValid": Messages.signatureIsValid
            case "unknown": Messages.isUnknown
            case "revoked": Messages.isRevoked
            default: Messages.isNotGenuine
            }
        call.out(phrase, ["server": TerminalEscaping.safe(finding.issuer ?? "")])
        for text in [finding.name, finding.meeting, finding.attendance] {
            if let text, !text.isEmpty { call.out("  " + TerminalEscaping.safe(text)) }
        }
    }

    /// The server's public address without its scheme, as the certificate's address has it.
    static func shown(_ server: String, _ address: String) -> String {
        let url = CertificateCode.server(in: address) ?? server
        return url.split(separator: "/").dropFirst().joined(separator: "/")
    }
}

extension CommandPhrases {
    /// The texts of `qring certificate`.
    enum Certificates {
        static let session = Phrase("for one session that is over, instead of the whole series")
        static let create = Phrase("issue certificates of attendance")
        static let createExample = Phrase("for everybody who was in at least 80 % of the series")
        static let createSession = Phrase("for everybody who checked in to the last session")
        static let createOne = Phrase("one person's share of the sessions since March")
        static let atLeast = Phrase(
            "the smallest share of the sessions that are over; excused sessions do not count")
        static let from = Phrase("the first day whose sessions count, such as 2026-03-01")
        static let until = Phrase("the last day whose sessions count")
        static let notes = Phrase(
            "The QR code holds the whole certificate, with the server's signature. Anybody can verify it for "
                + "years, also after the meeting was deleted. A repetition issues nothing twice. If the "
                + "attendance has changed, a new certificate replaces the old one.")
        static let created = Phrase(
            "{created} {created|certificate|certificates} issued. {existing} {existing|person has|people "
                + "have} the same one already.")
        static let notEntitled = Phrase(
            "{count} {count|person gets|people get} none: too few sessions, or not checked in.")
        static let nameTooLong = Phrase(
            "{count} {count|name is|names are} too long for a certificate. Shorten {count|it|them} on the "
                + "roster or in the session's attendance, and repeat the command.")
        static let walkIns = Phrase(
            "{count} {count|attendee is|attendees are} not on the roster, and {count|gets|get} none. Check "
                + "{count|the name|their names}, add {count|the person|them} by qring meeting roster keep, "
                + "and repeat the command.")
        static let leftRevoked = Phrase(
            "A host has revoked the {count|certificate|certificates} of {count} {count|person|people}, who "
                + "{count|gets|get} none. To issue one again, name the person.")
        static let next = Phrase(
            "Print them by qring certificate print {meeting}, or send them by qring certificate mail "
                + "{meeting}")
        static let list = Phrase("list the certificates of a meeting")
        static let listOne = Phrase("the certificates of one person")
        static let headFor = Phrase("FOR", context: "certificate")
        static let headState = Phrase("STATE", context: "certificate")
        static let headIssued = Phrase("ISSUED")
        static let headNumber = Phrase("NUMBER", context: "certificate")
        static let headKey = Phrase("KEY", context: "certificate")
        static let headPublicKey = Phrase("PUBLIC KEY")
        static let nameDeleted = Phrase("(name deleted)")
        static let oneSession = Phrase("one session")
        static let share = Phrase("{attended} of {held}")
        static let valid = Phrase("valid", context: "certificate")
        static let revoked = Phrase("revoked", context: "certificate")
        static let revoke = Phrase("end the certificates of a person")
        static let revokeOne = Phrase("one certificate, whose number is in the list")
        static let revokeWhom = Phrase("Name a person, or a certificate by --id.")
        static let id = Phrase("the number of a certificate")
        static let saidRevoked = Phrase("{count} {count|certificate|certificates} revoked.")
        static let print = Phrase("write certificates to a PDF file")
        static let printExample = Phrase("all valid ones, each on a page of A4")
        static let printOne = Phrase("the certificates of one person")
        static let file = Phrase("the PDF file (default certificates.pdf; - means standard output)")
        static let none = Phrase("there is no valid certificate.")
        static let tooMany = Phrase(
            "there are {count} certificates, and a file holds at most {most}. Name a person, or a session by "
                + "--session.")
        static let notDrawn = Phrase("the certificates cannot be drawn: {reason}.")
        static let badge = Phrase("write a certificate as Open Badge")
        static let badgeExample = Phrase("an image that holds the signed badge")
        static let badgeJWT = Phrase("the signed badge alone")
        static let format = Phrase("png: an image (default), or jwt: the signed text")
        static let badgeFile = Phrase("the file (default badge.png or badge.jwt; - means standard output)")
        static let mail = Phrase("send certificates by mail")
        static let mailExample = Phrase("to everybody on the roster who has got none by mail")
        static let mailOne = Phrase("to one person, also once more")
        static let mailed = Phrase("{count} {count|mail is|mails are} on the way.")
        static let mailedBefore = Phrase("{count} {count|certificate was|certificates were} sent before.")
        static let withoutAddress = Phrase(
            "{count} {count|certificate has|certificates have} no receiver: no e-mail address on the roster, "
                + "or the person wants no mails.")
        static let limitReached = Phrase(
            "The limit of mails in 24 hours is reached. Repeat the command tomorrow: it sends the rest.")
        static let keys = Phrase("show the public keys that verify the certificates of a server")
        static let keysExample = Phrase("saves them, to verify certificates without a network")
        static let verify = Phrase("verify a certificate")
        static let verifyExample = Phrase("all certificates in a PDF file of this program")
        static let verifyOffline = Phrase("a badge, without a network")
        static let verifyAddress = Phrase("the content of a QR code")
        static let source = Phrase(
            "the content of the QR code, or a file: PDF, PNG badge, JWT or text; - means standard input")
        static let keysFile = Phrase(
            "a file of qring certificate keys --json; without it, the server in the certificate is asked")
        static let verifyNotes = Phrase(
            "The exit code is 6 if a certificate was revoked or is not genuine. A scan or a photo of a "
                + "certificate cannot be read: scan its QR code, and give its content.")
        static let notKeys = Phrase(
            "{file} has no public keys. Save them by qring certificate keys --json.")
        static let keysOfOther = Phrase(
            "{file} has the keys of {issuer}, and the certificate is from {server}. Use the keys of "
                + "{server}, if you trust it.")
        static let tooManyInFile = Phrase(
            "the file holds more than {most} certificates. Verify smaller files.")
        static let tooManyServers = Phrase(
            "the file holds certificates of more than {most} servers. Verify the certificates of each server "
                + "alone.")
        static let noServer = Phrase(
            "the certificate names no server. Give the whole address, or its keys by --keys.")
        static let notReadable = Phrase(
            "there is no certificate here. Give the whole content of the QR code, or the PDF file that qring "
                + "has written.")
        static let noBadge = Phrase("this image holds no badge. Scan its QR code, and give its content.")
        static let isValid = Phrase("VALID: issued by {server}, and not revoked")
        static let signatureIsValid = Phrase(
            "GENUINE: issued by {server}. Only the server knows whether it was revoked")
        static let isUnknown = Phrase(
            "GENUINE: issued by {server}, and not revoked before the server deleted its record")
        static let isRevoked = Phrase("NOT VALID: {server} says that it was revoked")
        static let isNotGenuine = Phrase("NOT GENUINE: no key of {server} has signed it")
    }
}
