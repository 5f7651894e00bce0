import Journal
import Meetings
import Testing

/// A key pair as far as the journal looks at it.
private func newKey(_ byte: UInt8 = 1, replacing number: Int? = nil) -> NewSigningKey {
    NewSigningKey(publicKey: [byte, 2, 3], secret: [byte, 5, 6], replacing: number)
}

private let always = Instant(milliseconds: 0)...Instant(milliseconds: 4_000_000_000_000)

extension Stage {
    fileprivate func issue(
        _ subjects: [Certificate.Subject], in meeting: MeetingID, lacksSessions: Bool = false,
        isNamed: Bool = false, by host: AccountID
    ) async throws -> IssueCertificates.Outcome {
        try await perform(
            IssueCertificates(
                for: subjects, in: meeting, key: newKey(), lacksSessions: lacksSessions, isNamed: isNamed,
                actor: host))
    }

    /// Issues the certificate, and returns it.
    fileprivate func certificate(
        _ subject: Certificate.Subject, in meeting: MeetingID, by host: AccountID
    ) async throws -> Certificate {
        #expect(try await issue([subject], in: meeting, isNamed: true, by: host).created == 1)
        return try #require(try await certificates(in: meeting).last { $0.subject == subject && $0.isValid })
    }

    fileprivate func certificates(in meeting: MeetingID) async throws -> [Certificate] {
        try await storage.read { rows throws(JournalError) in
            try rows.certificates(of: meeting, after: nil, limit: 1000)
        }
    }

    fileprivate func verdict(on certificate: Certificate) async throws -> CertificateVerdict {
        try await storage.read { rows throws(JournalError) in
            try rows.verdict(on: certificate.id).verdict
        }
    }

    fileprivate func statement(of certificate: Certificate) async throws -> CertificateStatement? {
        try await storage.read { rows throws(JournalError) in try rows.statement(of: certificate) }
    }

    fileprivate func shares(of people: [Person], in meeting: Meeting, _ range: ClosedRange<Instant> = always)
        async throws -> [SeriesShare]
    {
        try await counted(people, in: meeting, range).people.map(\.share)
    }

    fileprivate func sessions(of meeting: MeetingID) async throws -> [Session] {
        try await storage.read { rows throws(JournalError) in
            try rows.sessions(of: meeting, before: nil, limit: 9).map(\.session)
        }
    }

    fileprivate func counted(_ people: [Person], in meeting: Meeting, _ range: ClosedRange<Instant> = always)
        async throws -> SeriesShares
    {
        try await storage.read { [now] rows throws(JournalError) in
            try rows.shares(of: people, in: meeting, starting: range, at: now)
        }
    }

    /// Creates a meeting with Kim on its roster, in whose session Kim has been. The session is over.
    fileprivate func afterSession() async throws -> (
        host: AccountID, record: SessionRecord, kim: Person, attendee: Attendee
    ) {
        let (host, record) = try await planned()
        let kim = try await add("Kim", email: "p1@example.org", to: record.meeting.id, by: host)
        now = at(0)
        let attendee = try await arrive(1, in: record.session.id)
        now = at(61)
        return (host, record, kim, attendee)
    }

    /// Adds two more sessions. Kim is late in the second one and excused from the third. All are over.
    fileprivate func afterSeries() async throws -> (host: AccountID, meeting: Meeting, kim: Person) {
        let (host, record, kim, _) = try await afterSession()
        for number in 1...2 {
            let next = try await perform(
                ContinueMeeting(
                    meeting: record.meeting.id, startsAt: at(100 * number), endsAt: at(100 * number + 60),
                    actor: host))
            if number == 1 {
                now = at(100 + next.session.lateAfterMinutes + 1)
                _ = try await arrive(1, in: next.session.id)
            } else {
                now = at(200)
                let slot = try #require(try await attendees(of: next.session.id).first)
                try await perform(CorrectAttendee(attendee: slot.id, status: .excused, actor: host))
            }
        }
        now = at(300)
        return (host, try #require(try await self.record(record.session.id)).meeting, kim)
    }
}

extension CommandRule {
    static let certificates: [CommandRule] = [
        CommandRule("an attendee gets a certificate of a session that is over, and the same one only once") {
            stage in
            let (host, record, _, attendee) = try await stage.afterSession()
            let meeting = record.meeting.id
            let certificate = try await stage.certificate(.session(attendee.id), in: meeting, by: host)
            #expect(certificate.id.high <= 0xFFFF && certificate.issuedAt == at(61))
            let again = try await stage.issue([.session(attendee.id)], in: meeting, by: host)
            #expect(again.created == 0 && again.existing == 1)
            #expect(try await stage.certificates(in: meeting) == [certificate])
            #expect(try await stage.verdict(on: certificate) == .valid)
            let statement = try #require(try await stage.statement(of: certificate))
            #expect(statement.name == "Kim" && statement.meeting == "Meeting")
            #expect(statement.id == certificate.id)
            guard case .session(_, let minutes) = statement.attendance else {
                Issue.record("another kind")
                return
            }
            #expect(minutes == 60)
        },
        CommandRule("nobody gets a certificate before the end, without a check-in, or from another meeting") {
            stage in
            let (host, record) = try await stage.planned()
            _ = try await stage.add("Kim", email: "p1@example.org", to: record.meeting.id, by: host)
            let slot = try #require(try await stage.attendees(of: record.session.id).first)
            stage.now = at(0)
            let lee = try await stage.arrive(2, in: record.session.id)
            let subjects = [slot, lee].map { Certificate.Subject.session($0.id) }
            stage.now = record.session.endsAt
            #expect(try await stage.issue(subjects, in: record.meeting.id, by: host).gone == 2)
            stage.now = at(61)
            let outcome = try await stage.issue(subjects, in: record.meeting.id, by: host)
            #expect(outcome.created == 1 && outcome.gone == 1)
            let other = try await stage.meeting(of: host, name: "Other", from: 100, to: 160)
            #expect(try await stage.issue(subjects, in: other.meeting.id, by: host).gone == 2)
        },
        CommandRule("a revoked certificate is not valid at once, and a new one has another id") { stage in
            let (host, record, _, attendee) = try await stage.afterSession()
            let meeting = record.meeting.id
            let first = try await stage.certificate(.session(attendee.id), in: meeting, by: host)
            try await stage.perform(RevokeCertificate(id: first.id, meeting: meeting, actor: host))
            try await stage.perform(RevokeCertificate(id: first.id, meeting: meeting, actor: host))
            #expect(try await stage.verdict(on: first) == .revoked)
            let second = try await stage.certificate(.session(attendee.id), in: meeting, by: host)
            #expect(second.id != first.id)
            #expect(try await stage.verdict(on: second) == .valid)
            #expect(try await stage.verdict(on: first) == .revoked)
            #expect(try await stage.certificates(in: meeting) == [second])
        },
        CommandRule("who lost a certificate by a host gets another one only if a host names the person") {
            stage in
            let (host, meeting, kim) = try await stage.afterSeries()
            let share = try #require(try await stage.shares(of: [kim], in: meeting).first)
            let slots = try await stage.storage.read { rows throws(JournalError) in
                try rows.attendees(inSlotsOf: kim.id)
            }
            let came = try #require(slots.min())
            for subject in [Certificate.Subject.series(kim.id, share), .session(came)] {
                let first = try await stage.certificate(subject, in: meeting.id, by: host)
                try await stage.perform(RevokeCertificate(id: first.id, meeting: meeting.id, actor: host))
                let outcome = try await stage.issue([subject], in: meeting.id, by: host)
                #expect(outcome.created == 0 && outcome.revoked == 1)
                #expect(try await stage.verdict(on: first) == .revoked)
                _ = try await stage.certificate(subject, in: meeting.id, by: host)
                #expect(try await stage.issue([subject], in: meeting.id, by: host).existing == 1)
            }
            // The server revokes the certificate of a corrected record, and no host has decided about it.
            try await stage.perform(CorrectAttendee(attendee: came, status: .absent, actor: host))
            try await stage.perform(CorrectAttendee(attendee: came, status: .present, actor: host))
            #expect(try await stage.issue([.session(came)], in: meeting.id, by: host).created == 1)
        },
        CommandRule("a revocation outlives the meeting, and a valid certificate is unknown afterwards") {
            stage in
            let (host, record, kim, attendee) = try await stage.afterSession()
            let meeting = record.meeting.id
            let revoked = try await stage.certificate(.session(attendee.id), in: meeting, by: host)
            try await stage.perform(RevokeCertificate(id: revoked.id, meeting: meeting, actor: host))
            let share = try #require(try await stage.shares(of: [kim], in: record.meeting).first)
            let valid = try await stage.certificate(.series(kim.id, share), in: meeting, by: host)
            try await stage.perform(
                DeleteMeeting(id: meeting, confirmation: record.meeting.name, actor: host))
            #expect(try await stage.verdict(on: revoked) == .revoked)
            #expect(try await stage.verdict(on: valid) == .unknown)
            #expect(try await stage.certificates(in: meeting).isEmpty)
        },
        CommandRule("a correction that ends a check-in revokes its certificate, and an erasure does not") {
            stage in
            let (host, record, _, attendee) = try await stage.afterSession()
            let (session, meeting) = (record.session.id, record.meeting.id)
            let certificate = try await stage.certificate(.session(attendee.id), in: meeting, by: host)
            try await stage.perform(CorrectAttendee(attendee: attendee.id, status: .late, actor: host))
            #expect(try await stage.verdict(on: certificate) == .valid)
            try await stage.perform(CorrectAttendee(attendee: attendee.id, status: .absent, actor: host))
            #expect(try await stage.verdict(on: certificate) == .revoked)
            for (name, erases, verdict) in [
                ("Lee", false, CertificateVerdict.revoked), ("Choi", true, .unknown),
            ] {
                let (added, _) = try await stage.perform(
                    AddAttendee(
                        session: session, name: name, email: "\(name)@example.org", note: nil,
                        status: .present, actor: host))
                let other = try await stage.certificate(.session(added.id), in: meeting, by: host)
                try await stage.perform(
                    RemoveAttendee(attendee: added.id, erases: erases, actor: host))
                #expect(try await stage.verdict(on: other) == verdict)
            }
        },
        CommandRule("an undone addition, a merge and an undone merge revoke the certificates of lost records")
        {
            stage in
            let (host, record, _, attendee) = try await stage.afterSession()
            let (session, meeting) = (record.session.id, record.meeting.id)
            func add(_ name: String) async throws -> Attendee {
                try await stage.perform(
                    AddAttendee(
                        session: session, name: name, email: "\(name)@example.org", note: nil,
                        status: .present, actor: host)
                ).0
            }
            let added = try await add("Lee")
            let ofAdded = try await stage.certificate(.session(added.id), in: meeting, by: host)
            _ = try await stage.undo(try await stage.last(in: session), in: session, by: host)
            #expect(try await stage.attendee(added.id) == nil)
            #expect(try await stage.verdict(on: ofAdded) == .revoked)
            let other = try await add("Choi")
            let absorbed = try await stage.certificate(.session(other.id), in: meeting, by: host)
            let remaining = try await stage.certificate(.session(attendee.id), in: meeting, by: host)
            _ = try await stage.perform(
                MergeAttendees(attendee: other.id, into: attendee.id, actor: host))
            #expect(try await stage.verdict(on: absorbed) == .revoked)
            #expect(try await stage.verdict(on: remaining) == .valid)
            _ = try await stage.undo(try await stage.last(in: session), in: session, by: host)
            #expect(try await stage.attendee(attendee.id)?.status.countsAsCheckedIn == true)
            #expect(try await stage.verdict(on: remaining) == .revoked)
        },
        CommandRule("a partial presence gives no certificate, and does not count in a share") { stage in
            let (host, record) = try await stage.planned()
            let (session, meeting) = (record.session.id, record.meeting)
            let kim = try await stage.add("Kim", email: "p1@example.org", to: meeting.id, by: host)
            _ = try await stage.perform(
                EditSession(
                    id: session, settings: SessionSettings(checkOut: .phones, minimumMinutes: 30), actor: host
                ))
            stage.now = at(0)
            guard case .checkedIn(let partial, _, _) = try await stage.checkIn(1, in: session) else {
                Issue.record("not checked in")
                return
            }
            let whole = try await stage.arrive(2, in: session)
            stage.now = at(5)
            _ = try await stage.perform(MoveOneself(Receipt(for: partial), .leave))
            stage.now = at(61)
            let subjects = [partial, whole].map { Certificate.Subject.session($0.id) }
            let outcome = try await stage.issue(subjects, in: meeting.id, by: host)
            #expect(outcome.created == 1 && outcome.gone == 1)
            #expect(try await stage.certificates(in: meeting.id).map(\.subject) == [subjects[1]])
            #expect(
                try await stage.shares(of: [kim], in: meeting)
                    == [SeriesShare(firstAt: at(0), lastAt: at(0), attended: 0, held: 1)])
        },
        CommandRule("a statement that differs from its record is not genuine") { stage in
            let (host, meeting, kim) = try await stage.afterSeries()
            let share = try #require(try await stage.shares(of: [kim], in: meeting).first)
            let certificate = try await stage.certificate(.series(kim.id, share), in: meeting.id, by: host)
            let attendee = AttendeeID.makeTimeless()
            let session = try #require(try await stage.sessions(of: meeting.id).first)
            /// Returns the verdict on what a thief of the key has signed.
            func verdict(_ subject: Certificate.Subject, _ issuedAt: Instant, name: String = "Kim")
                async throws -> CertificateVerdict
            {
                let forged = Certificate(
                    id: certificate.id, meeting: meeting.id, subject: subject, issuedAt: issuedAt)
                let made: CertificateStatement? =
                    switch subject {
                    case .session:
                        CertificateStatement(forged, name: name, session: session, meeting: meeting)
                    case .series(_, let share):
                        CertificateStatement(forged, name: name, share: share, meeting: meeting)
                    }
                guard let made else {
                    Issue.record("no statement")
                    return .unknown
                }
                return try await stage.storage.read { rows throws(JournalError) in
                    try rows.verdict(on: made).verdict
                }
            }
            func changed(_ attended: Int, _ held: Int) -> Certificate.Subject {
                .series(
                    kim.id,
                    SeriesShare(
                        firstAt: share.firstAt, lastAt: share.lastAt, attended: share.attended + attended,
                        held: share.held + held))
            }
            let (same, issued) = (certificate.subject, certificate.issuedAt)
            #expect(try await verdict(same, issued) == .valid)
            #expect(try await verdict(same, issued, name: "Kim Jisoo") == .valid)
            #expect(try await verdict(same, issued + .seconds(1)) == .notGenuine)
            #expect(try await verdict(changed(1, 1), issued) == .notGenuine)
            #expect(try await verdict(changed(0, 1), issued) == .notGenuine)
            #expect(try await verdict(.session(attendee), issued) == .notGenuine)
            try await stage.perform(
                RevokeCertificate(id: certificate.id, meeting: meeting.id, actor: host))
            #expect(try await verdict(same, issued) == .revoked)
        },
        CommandRule("sessions whose names were deleted are in neither number, and no smaller share replaces")
        {
            stage in
            let (host, meeting, kim) = try await stage.afterSeries()
            let share = try #require(try await stage.shares(of: [kim], in: meeting).first)
            #expect(share.attended == 2 && share.held == 2)
            let certificate = try await stage.certificate(.series(kim.id, share), in: meeting.id, by: host)
            let sessions = try await stage.sessions(of: meeting.id)
            let (first, second) = (
                try #require(sessions.first { $0.startsAt == at(0) }),
                try #require(sessions.first { $0.startsAt == at(100) })
            )
            // The names of the first session stay longer than those of the second one.
            _ = try await stage.perform(
                EditSession(
                    id: first.id, settings: SessionSettings(feedbackClosesHoursAfter: 720), actor: host))
            stage.now = second.endsAt + .hours(24 * 28) + .milliseconds(1)
            try await stage.forgetNames()
            let counted = try await stage.counted([kim], in: meeting)
            let smaller = SeriesShare(firstAt: at(0), lastAt: at(200), attended: 1, held: 1)
            #expect(counted.people.map(\.share) == [smaller] && counted.lacksSessions)
            let outcome = try await stage.issue(
                [.series(kim.id, smaller)], in: meeting.id, lacksSessions: true, by: host)
            #expect(outcome.existing == 1 && outcome.created == 0)
            #expect(try await stage.verdict(on: certificate) == .valid)
            let lee = try await stage.add("Lee", email: "p2@example.org", to: meeting.id, by: host)
            let other = try #require(try await stage.shares(of: [lee], in: meeting).first)
            #expect(other.attended == 0 && other.held == 2)
        },
        CommandRule("a share counts sessions that are over, without those from which the person was excused")
        {
            stage in
            let (host, meeting, kim) = try await stage.afterSeries()
            let lee = try await stage.add("Lee", email: "p2@example.org", to: meeting.id, by: host)
            // A session that is not over counts for nobody.
            _ = try await stage.perform(
                ContinueMeeting(meeting: meeting.id, startsAt: at(290), endsAt: at(350), actor: host))
            let shares = try await stage.shares(of: [kim, lee], in: meeting)
            #expect(
                shares == [
                    SeriesShare(firstAt: at(0), lastAt: at(200), attended: 2, held: 2),
                    SeriesShare(firstAt: at(0), lastAt: at(200), attended: 0, held: 3),
                ])
            let second = try await stage.shares(of: [kim], in: meeting, at(1)...at(199))
            #expect(second == [SeriesShare(firstAt: at(100), lastAt: at(100), attended: 1, held: 1)])
            #expect(try await stage.shares(of: [kim], in: meeting, at(1)...at(99)).isEmpty)
        },
        CommandRule("a certificate of a changed share replaces the earlier one of the same sessions") {
            stage in
            let (host, meeting, kim) = try await stage.afterSeries()
            let share = try #require(try await stage.shares(of: [kim], in: meeting).first)
            let first = try await stage.certificate(.series(kim.id, share), in: meeting.id, by: host)
            #expect(try await stage.issue([first.subject], in: meeting.id, by: host).existing == 1)
            let part = try #require(
                try await stage.shares(of: [kim], in: meeting, at(0)...at(150)).first)
            let ofPart = try await stage.certificate(.series(kim.id, part), in: meeting.id, by: host)
            #expect(try await stage.verdict(on: first) == .valid)
            let changed = SeriesShare(
                firstAt: share.firstAt, lastAt: share.lastAt, attended: share.attended - 1, held: share.held)
            let second = try await stage.certificate(.series(kim.id, changed), in: meeting.id, by: host)
            #expect(try await stage.verdict(on: first) == .revoked)
            #expect(
                try await stage.certificates(in: meeting.id)
                    == [ofPart, second].sorted {
                        ($0.issuedAt, $0.id) < ($1.issuedAt, $1.id)
                    })
        },
        CommandRule("a person has a limited number of certificates, and revoked ones make room") { stage in
            let (host, record, kim, _) = try await stage.afterSession()
            let meeting = record.meeting.id
            func subject(_ number: Int) -> Certificate.Subject {
                .series(
                    kim.id, SeriesShare(firstAt: at(number), lastAt: at(number), attended: 1, held: 1))
            }
            let most = Certificate.mostOfPerson
            let first = try await stage.certificate(subject(0), in: meeting, by: host)
            #expect(
                try await stage.issue((1..<most).map(subject), in: meeting, by: host).created == most - 1)
            await expectRefused(.limitReached(.certificate, limit: most)) {
                _ = try await stage.issue([subject(most)], in: meeting, by: host)
            }
            try await stage.perform(RevokeCertificate(id: first.id, meeting: meeting, actor: host))
            #expect(try await stage.issue([subject(most)], in: meeting, by: host).created == 1)
            let left = try await stage.certificates(in: meeting)
            #expect(left.count == most && !left.contains { $0.id == first.id })
            #expect(try await stage.verdict(on: first) == .revoked)
        },
        CommandRule("a name that is too long for a certificate gets none, and is counted") { stage in
            let (host, record, kim, _) = try await stage.afterSession()
            _ = try await stage.perform(
                EditPerson(
                    meeting: record.meeting.id, id: kim.id, name: String(repeating: "가", count: 67),
                    actor: host))
            let share = try #require(try await stage.shares(of: [kim], in: record.meeting).first)
            let outcome = try await stage.issue([.series(kim.id, share)], in: record.meeting.id, by: host)
            #expect(outcome.tooLong == 1 && outcome.created == 0)
        },
        CommandRule("the first certificate stores the server's key, and another key leaves the earlier ones")
        {
            stage in
            let (host, record, _, attendee) = try await stage.afterSession()
            _ = try await stage.certificate(.session(attendee.id), in: record.meeting.id, by: host)
            func keys() async throws -> [[UInt8]] {
                try await stage.storage.read { rows throws(JournalError) in
                    try rows.certificateKeys().map(\.publicKey)
                }
            }
            #expect(try await keys() == [[1, 2, 3]])
            #expect(try await stage.perform(ReplaceCertificateKey(by: newKey(9))) == 2)
            for (replaced, count) in [(1, 2), (2, 3)] {
                // Another request may have replaced the key meanwhile, so the number must be the newest one.
                _ = try await stage.perform(
                    IssueCertificates(
                        for: [.session(attendee.id)], in: record.meeting.id,
                        key: newKey(8, replacing: replaced), actor: host))
                #expect(try await keys().count == count)
            }
            let (newest, second, none) = try await stage.storage.read { rows throws(JournalError) in
                (try rows.newestCertificateKey(), try rows.certificateKey(2), try rows.certificateKey(4))
            }
            #expect(newest?.number == 3 && newest?.secret == [8, 5, 6])
            #expect(second?.publicKey == [9, 2, 3] && none == nil)
        },
        CommandRule("only hosts of the meeting issue, revoke and mail certificates") { stage in
            let (host, record, _, attendee) = try await stage.afterSession()
            let (meeting, stranger) = (record.meeting.id, try await stage.account(2).id)
            let certificate = try await stage.certificate(.session(attendee.id), in: meeting, by: host)
            await expectRefused(.notAllowed) {
                _ = try await stage.issue([certificate.subject], in: meeting, by: stranger)
            }
            await expectRefused(.notAllowed) {
                try await stage.perform(
                    RevokeCertificate(id: certificate.id, meeting: meeting, actor: stranger))
            }
            await expectRefused(.notAllowed) {
                _ = try await stage.perform(
                    MailCertificates(
                        of: meeting, to: .everybody(after: nil), key: newKey(), language: "en",
                        actor: stranger))
            }
            let other = try await stage.meeting(of: stranger, name: "Other")
            await expectRefused(.notFound(.certificate)) {
                try await stage.perform(
                    RevokeCertificate(id: certificate.id, meeting: other.meeting.id, actor: stranger))
            }
        },
        CommandRule("a certificate is mailed once, and again if a host names its person ten minutes later") {
            stage in
            let (host, record, kim, attendee) = try await stage.afterSession()
            let meeting = record.meeting.id
            let walkIn = try await stage.perform(
                AddAttendee(
                    session: record.session.id, name: "Lee", email: "lee@example.org", note: nil,
                    status: .present, actor: host)
            ).0
            _ = try await stage.issue([.session(attendee.id), .session(walkIn.id)], in: meeting, by: host)
            func send(_ receivers: MailCertificates.Receivers) async throws -> MailCertificates.Outcome {
                try await stage.perform(
                    MailCertificates(of: meeting, to: receivers, key: newKey(), language: "ko", actor: host))
            }
            let first = try await send(.everybody(after: nil))
            #expect(first.queued == 1 && first.withoutAddress == 1 && first.next == nil)
            let again = try await send(.everybody(after: nil))
            #expect(again.queued == 0 && again.mailedBefore == 1)
            // A host who presses twice sends one mail.
            stage.now = stage.now + Certificate.pauseBetweenMails - millisecond
            #expect(try await send(.person(kim.id)).mailedBefore == 1)
            stage.now = stage.now + millisecond
            #expect(try await send(.person(kim.id)).queued == 1)
            let due = try await stage.perform(LeaseMails(process: ID(high: 1, low: 1), limit: 9))
            #expect(due.leased.map(\.recipient) == ["p1@example.org", "p1@example.org"])
            #expect(due.leased.allSatisfy { $0.language == "ko" && $0.content.kind == .certificate })
            #expect(Set(due.certificates.values.map(\.name)) == ["Kim"] && due.certificateKey?.number == 1)
        },
        CommandRule("a mail goes only to the address that the roster still has, and to no archived person") {
            stage in
            let (host, record, kim, attendee) = try await stage.afterSession()
            let meeting = record.meeting.id
            let certificate = try await stage.certificate(.session(attendee.id), in: meeting, by: host)
            func queue() async throws -> MailCertificates.Outcome {
                try await stage.perform(
                    MailCertificates(
                        of: meeting, to: .everybody(after: nil), key: newKey(), language: "en", actor: host))
            }
            func leased() async throws -> [String] {
                try await stage.perform(LeaseMails(process: ID(high: 1, low: 1), limit: 9)).leased.map(
                    \.recipient)
            }
            #expect(try await queue().queued == 1)
            _ = try await stage.perform(
                EditPerson(meeting: meeting, id: kim.id, email: "kim@example.org", actor: host))
            #expect(try await leased().isEmpty)
            #expect(try await stage.certificates(in: meeting).map(\.mailedAt) == [nil])
            #expect(try await queue().queued == 1)
            #expect(try await leased() == ["kim@example.org"])
            stage.now = stage.now + .hours(25)
            let person = try #require(
                try await stage.storage.read { rows throws(JournalError) in try rows.person(kim.id) })
            #expect(person.email == "kim@example.org")
            _ = try await stage.perform(EditPerson(meeting: meeting, id: kim.id, archived: true, actor: host))
            let outcome = try await stage.perform(
                MailCertificates(of: meeting, to: .person(kim.id), key: newKey(), language: "en", actor: host)
            )
            #expect(outcome.queued == 0 && outcome.withoutAddress == 1)
            #expect(try await stage.verdict(on: certificate) == .valid)
        },
        CommandRule("a mail that nobody can sign is dropped, and a later request sends it") { stage in
            let (host, record, _, attendee) = try await stage.afterSession()
            let meeting = record.meeting.id
            _ = try await stage.certificate(.session(attendee.id), in: meeting, by: host)
            func queue(replacing key: Int? = nil) async throws -> Int {
                try await stage.perform(
                    MailCertificates(
                        of: meeting, to: .everybody(after: nil), key: newKey(7, replacing: key),
                        language: "en", actor: host)
                ).queued
            }
            func leased() async throws -> LeaseMails.Outcome {
                try await stage.perform(
                    LeaseMails(process: ID(high: 1, low: 1), limit: 9, canSign: { $0.number == 2 }))
            }
            #expect(try await queue() == 1)
            let dropped = try await leased()
            #expect(dropped.leased.isEmpty && dropped.unwanted == 1)
            #expect(try await stage.certificates(in: meeting).map(\.mailedAt) == [nil])
            #expect(try await queue(replacing: 1) == 1)
            let sent = try await leased()
            #expect(sent.leased.count == 1 && sent.certificateKey?.number == 2)
        },
        CommandRule("an own rename after the issue does not change what the server signs") { stage in
            let (host, record) = try await stage.planned()
            stage.now = at(0)
            let lee = try await stage.arrive(2, in: record.session.id)
            stage.now = at(61)
            let certificate = try await stage.certificate(
                .session(lee.id), in: record.meeting.id, by: host)
            let (renamed, _) = try await stage.perform(
                CorrectOwnName(receipt: Receipt(for: lee), name: "Professor Lee"))
            #expect(renamed.name == lee.name && renamed.seenByAttendee.name == "Professor Lee")
            #expect(try await stage.statement(of: certificate)?.name == lee.name)
            try await stage.expectWhole(record.session.id)
        },
        CommandRule("a mail with a certificate that was revoked meanwhile is not sent") { stage in
            let (host, record, _, attendee) = try await stage.afterSession()
            let meeting = record.meeting.id
            let certificate = try await stage.certificate(.session(attendee.id), in: meeting, by: host)
            _ = try await stage.perform(
                MailCertificates(
                    of: meeting, to: .everybody(after: nil), key: newKey(), language: "en", actor: host))
            try await stage.perform(RevokeCertificate(id: certificate.id, meeting: meeting, actor: host))
            let due = try await stage.perform(LeaseMails(process: ID(high: 1, low: 1), limit: 9))
            #expect(due.leased.isEmpty && due.unwanted == 1)
        },
        CommandRule(
            "mails with certificates stop at the limit of a day, and the rest follows later",
            limits: AccountLimits(mostMailsPerDay: 1)
        ) { stage in
            let (host, record, _, attendee) = try await stage.afterSession()
            let meeting = record.meeting.id
            let lee = try await stage.add("Lee", email: "p2@example.org", to: meeting, by: host)
            let share = SeriesShare(firstAt: at(0), lastAt: at(0), attended: 1, held: 1)
            _ = try await stage.issue(
                [.session(attendee.id), .series(lee.id, share)], in: meeting, by: host)
            func send() async throws -> MailCertificates.Outcome {
                try await stage.perform(
                    MailCertificates(
                        of: meeting, to: .everybody(after: nil), key: newKey(), language: "en", actor: host))
            }
            let first = try await send()
            #expect(first.queued == 1 && first.isLimited)
            stage.now = stage.now + .hours(25)
            let second = try await send()
            #expect(second.queued == 1 && second.mailedBefore == 1 && !second.isLimited)
        },
    ]
}
