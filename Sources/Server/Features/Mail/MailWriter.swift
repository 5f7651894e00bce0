package import Meetings
package import Outbound
package import Phrases
import Wire

/// Writes the messages of mails, from the fields that the queue stores.
package struct MailWriter: Sendable {
    let sender: MailMessage.Mailbox
    /// The address of this server, with which all links begin. It never comes from a request.
    let origin: String
    /// The keys that sign unsubscribe links; nil if the writer only writes mails that people requested.
    private let keys: Keys?

    /// - Parameters:
    ///   - sender: the mail address that receivers see as the sender.
    ///   - origin: the URL of this server, without a slash at the end.
    package init(sender: MailMessage.Mailbox, origin: String) {
        self.init(sender: sender, origin: origin, keys: nil)
    }

    init(sender: MailMessage.Mailbox, origin: String, keys: Keys?) {
        (self.sender, self.origin, self.keys) = (sender, origin, keys)
    }

    /// Returns the message. It is the same for each attempt at the same mail, except for its date, and except
    /// for facts of the session that have changed since.
    /// - Parameters:
    ///   - session: the session that the mail is about, as it is now; nil if it is about none.
    ///   - names: the present names of the people whom the mail names.
    package func message(
        for mail: OutgoingMail, about session: AnnouncedSession? = nil, names: [PersonID: String] = [:],
        at now: Instant
    ) -> MailMessage {
        message(for: mail, about: session, names, with: nil, at: now)
    }

    /// Returns the message of a mail that a courier sends now.
    func message(for leased: LeasedMail, at now: Instant) -> MailMessage {
        message(
            for: leased.mail, about: leased.session, leased.names, with: leased.certificate, at: now)
    }

    private func message(
        for mail: OutgoingMail, about session: AnnouncedSession?, _ names: [PersonID: String],
        with certificate: LeasedMail.Certificate?, at now: Instant
    ) -> MailMessage {
        let language = Language(tag: mail.language) ?? .english
        let announcement = Announcement(mail, about: session, in: language, origin: origin)
        let unsubscribeURL = unsubscribeURL(for: mail, about: announcement?.session)
        let text = text(of: mail, announcement, names, certificate, unsubscribeURL, in: language)
        return MailMessage(
            from: sender, to: mail.recipient, subject: text.subject, id: mail.id.text.lowercased(),
            seconds: now.milliseconds / 1000, language: language.rawValue, text: text.plain,
            html: text.html.text, unsubscribeURL: unsubscribeURL,
            calendar: announcement?.calendar(from: sender.address, to: mail.recipient, at: now))
    }

    private func unsubscribeURL(for mail: OutgoingMail, about session: AnnouncedSession?) -> String? {
        guard let keys else { return nil }
        let address = IdentityKey(mail.recipient)
        let link: UnsubscribeLink
        if case .invitation(_, _, _, _, _, let meeting) = mail.content {
            guard let meeting else { return nil }
            link = UnsubscribeLink(invited: address, to: meeting)
        } else if [.reply, .replyConfirmation].contains(mail.content.kind) {
            // The address may be on no roster.
            guard let meeting = mail.meeting else { return nil }
            link = UnsubscribeLink(invited: address, to: meeting)
        } else {
            // Only the owner of a device can end its messages.
            switch mail.content {
            case .push, .hook, .hookDisabled, .absences: return nil
            default: break
            }
            guard let owner = mail.owner, let meeting = session?.meeting ?? mail.meetingOfCertificate else {
                return nil
            }
            let person = PersonID(sameAs: owner.id)
            link = UnsubscribeLink(person: person, meeting: meeting, address: address, keys: keys)
        }
        return origin + link.path(keys: keys)
    }

    /// Returns a mail that only shows that mails arrive.
    package func test(to recipient: String, in language: Language, at now: Instant) -> MailMessage {
        typealias Texts = Phrase.Mail
        let text = MailText(
            subject: Texts.testSubject.text(in: language), language: language,
            parts: [
                .paragraph(Texts.greeting.text(in: language)), .paragraph(Texts.test.text(in: language)),
            ])
        return MailMessage(
            from: sender, to: recipient, subject: text.subject, id: MailID.makeTimeless().text.lowercased(),
            seconds: now.milliseconds / 1000, language: language.rawValue, text: text.plain,
            html: text.html.text)
    }

    private func text(
        of mail: OutgoingMail, _ announcement: Announcement?, _ names: [PersonID: String],
        _ certificate: LeasedMail.Certificate?,
        _ unsubscribeURL: String?, in language: Language
    ) -> MailText {
        typealias Texts = Phrase.Mail
        let about: (subject: String, parts: [MailText.Part])
        switch mail.content {
        case .verification(let code, let path):
            about = (
                Texts.verificationSubject.text(in: language, ["code": code]),
                codeParts(Texts.verification, code, Texts.verificationLink, path, of: mail, in: language)
            )
        case .passwordReset(let code, let path):
            about = (
                Texts.resetSubject.text(in: language),
                codeParts(Texts.reset, code, Texts.resetLink, path, of: mail, in: language)
            )
        case .phoneCode(let code):
            let text = Texts.phoneCode.text(in: language, ["code": code])
            about = (text, [.paragraph(text)])
        case .push(let message):
            let title = announcement?.session.fullTitle ?? "QRing"
            about = (title, [.paragraph(message.text(in: language))])
        case .invitation(_, let inviter, let meeting, let role, let path, _):
            let values = [
                "inviter": inviter, "name": meeting, "role": role.phrase.text(in: language),
            ]
            about = (
                Texts.invitationSubject.text(in: language, values),
                [
                    .paragraph(Texts.invitation.text(in: language, values)),
                    .link(label: Texts.invitationLink.text(in: language), url: origin + path),
                    .paragraph(Texts.invitationStranger.text(in: language)),
                ]
            )
        case .hookDisabled(let url, let name, let path):
            about = (
                Texts.hookDisabledSubject.text(in: language, ["name": name]),
                [
                    .paragraph(Texts.hookDisabled.text(in: language, ["url": url, "name": name])),
                    .link(label: Texts.hookDisabledLink.text(in: language), url: origin + path),
                ]
            )
        case .absences(let people, let path):
            about =
                AbsenceMail(
                    about: people, names, in: announcement?.session, link: origin + path, language
                ).text
        case .certificate: about = parts(of: certificate, in: language)
        case .replyConfirmation(let id): about = parts(of: id, nil, announcement, in: language)
        case .reply(let id, let news): about = parts(of: id, news, announcement, in: language)
        // The courier of a web hook writes no mail.
        case .hook: about = ("QRing", [])
        case .reminder, .moved, .cancelled, .feedbackOpen, .checkedInElsewhere:
            // `LeaseMails` gives no mail about a session that is gone.
            about = (announcement?.subject ?? "QRing", announcement?.parts ?? [])
        }
        var notes = [MailText.Part.note(Texts.sentBy.text(in: language, ["server": server]))]
        if let unsubscribeURL {
            let meeting = announcement?.session.meetingName ?? certificate?.statement.meeting
            let isReply = [.reply, .replyConfirmation].contains(mail.content.kind)
            let why = isReply ? Phrase.Reply.whyYou : Texts.whyYou
            let reason =
                meeting.map { why.text(in: language, ["name": $0]) }
                ?? Texts.whyInvited.text(in: language)
            let stop = Texts.unsubscribe.text(in: language)
            notes = [.footnote(reason, label: stop, url: unsubscribeURL)] + notes
        }
        let parts: [MailText.Part] =
            [.paragraph(Texts.greeting.text(in: language))] + about.parts + notes
        return MailText(subject: about.subject, language: language, parts: parts)
    }

    /// The address of the certificate is signed now, so that the queue has no name.
    private func parts(of certificate: LeasedMail.Certificate?, in language: Language) -> (
        subject: String, parts: [MailText.Part]
    ) {
        typealias Texts = Phrase.Certificate
        // `LeaseMails` gives no mail about a certificate that is gone, or that no key can sign.
        guard let certificate, let keys, let signer = CertificateSigner(certificate.key, keys: keys),
            let address = PublicAddress(url: origin)
        else { return ("QRing", []) }
        let values = ["name": certificate.statement.meeting]
        let url = address.certificateURL(code: signer.text(of: certificate.statement))
        return (
            Texts.mailSubject.text(in: language, values),
            [
                .paragraph(Texts.mail.text(in: language, values)),
                .link(label: Texts.mailLink.text(in: language), url: url),
            ]
        )
    }

    /// The text of a mail about a reply, with the link that is signed now.
    /// - Parameter news: nil for the mail that asks for a proof of the address.
    private func parts(
        of reply: ReplyID, _ news: ReplyNews?, _ about: Announcement?, in language: Language
    ) -> (subject: String, parts: [MailText.Part]) {
        typealias Texts = Phrase.Reply
        // `LeaseMails` gives no mail about a session that is gone.
        guard let about, let keys else { return ("QRing", []) }
        let url = origin + ReplyLink(reply, isMailed: true).path(keys: keys)
        let (subject, text, label): (Phrase, Phrase, Phrase) =
            switch news {
            case nil: (Texts.receivedSubject, Texts.confirmMail, Texts.confirm)
            case .received: (Texts.receivedSubject, Texts.receivedMail, Texts.open)
            case .invited: (Texts.invitedSubject, Texts.invitedMail, Texts.question)
            case .promoted: (Texts.promotedSubject, Texts.promotedMail, Texts.open)
            case .approved: (Texts.promotedSubject, Texts.approvedMail, Texts.open)
            case .declined: (Texts.declinedSubject, Texts.declinedMail, Texts.open)
            }
        let stranger: [MailText.Part] =
            news == nil ? [.paragraph(Texts.notYou.text(in: language))] : []
        return (
            about.text(subject),
            [.paragraph(about.text(text))] + about.facts + [.link(label: label.text(in: language), url: url)]
                + stranger
        )
    }

    private var server: String { origin.split(separator: "/").last.map(String.init) ?? origin }

    /// Returns the text message of a code to a phone.
    func phoneMessage(for mail: OutgoingMail) -> PhoneHook.Message {
        guard case .phoneCode(let code) = mail.content else {
            preconditionFailure("the channel of phones carries only codes")
        }
        let language = Language(tag: mail.language) ?? .english
        return PhoneHook.Message(
            id: mail.id.text, to: mail.recipient, language: language.rawValue, code: code,
            text: Phrase.Mail.phoneCode.text(in: language, ["code": code]))
    }

    /// Returns the request to the service for push messages; nil if the mail is none.
    func pushMessage(for mail: OutgoingMail, to device: Device, about session: AnnouncedSession)
        -> PushHook.Message?
    {
        guard case .push(let message) = mail.content else { return nil }
        let language = Language(tag: mail.language) ?? .english
        return PushHook.Message(
            id: mail.id.text, platform: device.platform, token: device.token, language: language.rawValue,
            kind: message.word, title: session.fullTitle, text: message.text(in: language),
            url: message.path(for: device, about: session.session).map { origin + $0 },
            session: session.session, collapse: "\(session.session)-\(message.word)",
            expiresAt: mail.expiresAt)
    }

    private func codeParts(
        _ request: Phrase, _ code: String, _ label: Phrase, _ path: String, of mail: OutgoingMail,
        in language: Language
    ) -> [MailText.Part] {
        typealias Texts = Phrase.Mail
        // 2026-11-22T10:00:00Z: the time without its seconds.
        let time = String(mail.expiresAt.rfc3339.dropFirst(11).prefix(5))
        return [
            .paragraph(request.text(in: language)), .code(code),
            .paragraph(Texts.orOpen.text(in: language)),
            .link(label: label.text(in: language), url: origin + path),
            .paragraph(Texts.codeExpires.text(in: language, ["time": time])),
            .paragraph(Texts.notYou.text(in: language)),
        ]
    }
}

extension OutgoingMail {
    /// The meeting of a mail with a certificate, which is about no session; nil for other mails.
    fileprivate var meetingOfCertificate: MeetingID? { content.kind == .certificate ? meeting : nil }
}
