import Journal
import Meetings
import Outbound
import Synchronization

/// A mail that a courier sends now, with the records that it is about.
struct LeasedMail: Sendable {
    let mail: OutgoingMail
    /// The session as it is now; nil if the mail is about none.
    let session: AnnouncedSession?
    /// The device that a push message goes to.
    let device: Device?
    /// The present names of the people whom the mail names.
    let names: [PersonID: String]
    /// The certificate that the mail links to, with the key that signs it.
    let certificate: Certificate?

    struct Certificate {
        let statement: CertificateStatement
        let key: CertificateKey
    }

    init(_ mail: OutgoingMail, of due: LeaseMails.Outcome) {
        self.mail = mail
        session = mail.session.flatMap { due.sessions[$0] }
        device = due.devices[mail.id]
        names = if case .absences = mail.content { due.names } else { [:] }
        if let statement = due.certificates[mail.id], let key = due.certificateKey {
            certificate = Certificate(statement: statement, key: key)
        } else {
            certificate = nil
        }
    }
}

/// Sends the mails of a lane, for example by a mail server or as files.
protocol MailCarrier: Sendable {
    /// The mails as the operator's log names them.
    var subject: String { get }
    /// Sends the mail. Returns nil if the attempt was cancelled, so that nobody knows its outcome.
    func attempt(_ leased: LeasedMail, at now: Instant) async -> MailAttempt?
}

/// The result of one attempt to send a mail.
struct MailAttempt {
    let outcome: MailDelivery.Outcome
    /// The state of the service, as far as this attempt shows it.
    var service = MailLine.Service.up
    /// Whether the device or the web hook exists no more.
    var isGone = false
    /// The least pause before the next attempt, which the receiver wants.
    var retryAfter: Duration?

    init(outcome: MailDelivery.Outcome, _ service: MailLine.Service = .up) {
        self.outcome = outcome
        self.service = service
    }

    /// Returns nil if the attempt was cancelled.
    init?(_ error: TransportError) {
        switch error {
        case .cancelled: return nil
        case .mailNotTaken(let failure):
            switch failure.kind {
            case .refused: self.init(outcome: .refused(reply: failure.reply))
            case .deferred: self.init(outcome: .deferred(reply: failure.reply))
            case .misconfigured:
                self.init(outcome: .deferred(reply: failure.reply), .down)
            }
        case .timedOut: self.init(outcome: .deferred(reply: "no answer in time"), .down)
        case .unreachable(let detail): self.init(outcome: .deferred(reply: detail), .down)
        case .addressRefused, .responseTooLarge:
            self.init(outcome: .deferred(reply: "\(error)"), .down)
        }
    }

    /// The answer of the service for push messages.
    init(push answer: OutboundResponse) {
        if PushHook.isGone(answer) {
            self.init(outcome: .refused(reply: "410"))
            isGone = true
        } else {
            self.init(status: answer.status)
            // One platform may be down, and the others not.
            if (500..<600).contains(answer.status), answer.status != 503 { service = .unsure }
        }
    }

    /// The answer of the service for phones. It refuses one number by 400 or 422. Any other answer but
    /// success means that the service cannot take messages now.
    init(status: Int) {
        switch status {
        case 200..<300: self.init(outcome: .delivered)
        case 400, 422: self.init(outcome: .refused(reply: "\(status)"))
        default: self.init(outcome: .deferred(reply: "\(status)"), .down)
        }
    }
}

/// Hands mails over to the operator's mail server.
struct MailServerCarrier: MailCarrier {
    let server: SMTPTransport
    let writer: MailWriter
    let subject: String

    func attempt(_ leased: LeasedMail, at now: Instant) async -> MailAttempt? {
        do throws(TransportError) {
            try await server.send(writer.message(for: leased, at: now))
            return MailAttempt(outcome: .delivered)
        } catch {
            return MailAttempt(error)
        }
    }
}

/// Posts codes to the operator's service for phones.
struct PhoneCarrier: MailCarrier {
    let hook: PhoneHook
    let writer: MailWriter
    let subject: String

    func attempt(_ leased: LeasedMail, at now: Instant) async -> MailAttempt? {
        do throws(TransportError) {
            return MailAttempt(status: try await hook.send(writer.phoneMessage(for: leased.mail), at: now))
        } catch {
            return MailAttempt(error)
        }
    }
}

/// Posts messages for devices to the operator's service for push messages.
struct PushCarrier: MailCarrier {
    let hook: PhoneHook
    let writer: MailWriter
    let subject: String

    func attempt(_ leased: LeasedMail, at now: Instant) async -> MailAttempt? {
        // `LeaseMails` gives no push message without its device and its session.
        guard let device = leased.device, let session = leased.session,
            let message = writer.pushMessage(for: leased.mail, to: device, about: session)
        else { return MailAttempt(outcome: .refused(reply: "no device")) }
        do throws(TransportError) {
            return MailAttempt(push: try await hook.post(message, at: now))
        } catch {
            return MailAttempt(error)
        }
    }
}

/// Writes mails as files, because the operator has set no service that takes them.
final class OutboxCarrier: MailCarrier {
    let subject: String
    private let outbox: Outbox
    private let writer: MailWriter
    private let log: RequestLog
    /// The note of the missing service; nil after it was logged.
    private let note: Mutex<String?>

    init(_ outbox: Outbox, _ writer: MailWriter, _ log: RequestLog, subject: String, missing: String) {
        (self.outbox, self.writer, self.log, self.subject) = (outbox, writer, log, subject)
        note = Mutex("\(missing) written as files to \(outbox.folder)")
    }

    func attempt(_ leased: LeasedMail, at now: Instant) async -> MailAttempt? {
        let mail = leased.mail
        do throws(OutboxFailure) {
            try outbox.write(writer.message(for: leased, at: now), of: mail.id)
        } catch {
            return MailAttempt(outcome: .deferred(reply: error.description), .down)
        }
        let unsaid = note.withLock { note in
            defer { note = nil }
            return note
        }
        if let unsaid { log.note(unsaid) }
        return MailAttempt(outcome: .delivered)
    }
}

extension Services {
    /// Returns the carrier of one of `Channel.ofServices`: the operator's service, or files if the operator
    /// has set none.
    func carrier(of channel: OutgoingMail.Channel, parallel: Int) -> any MailCarrier {
        let sender = settings.mail.sender(at: addresses.own)
        let writer = MailWriter(
            sender: .init(name: "QRing", address: sender), origin: addresses.own.url, keys: keys)
        let environment = settings.mail.environment
        let (subject, missing): (String, String)
        switch channel {
        case .mail:
            subject = "mails"
            if let server = settings.mail.server {
                return MailServerCarrier(
                    server: SMTPTransport(
                        server, sender: sender, parallel: parallel, environment: environment),
                    writer: writer, subject: subject)
            }
            missing = "no mail server is set (--smtp-url): mails are"
        case .phone:
            subject = "codes to phones"
            if let hook = settings.mail.phoneHook {
                return PhoneCarrier(
                    hook: PhoneHook(hook, parallel: parallel, environment: environment), writer: writer,
                    subject: subject)
            }
            missing = "no service for codes to phones is set (--phone-hook-url): they are"
        case .device:
            subject = "messages to devices"
            if let hook = settings.mail.pushHook {
                return PushCarrier(
                    hook: PhoneHook(hook, parallel: parallel, environment: environment), writer: writer,
                    subject: subject)
            }
            missing = "no service for push messages is set (--push-hook-url): they are"
        case .hook: preconditionFailure("web hooks belong to hosts")
        }
        return OutboxCarrier(
            Outbox(folder: settings.outboxFolder), writer, log, subject: subject, missing: missing)
    }
}
