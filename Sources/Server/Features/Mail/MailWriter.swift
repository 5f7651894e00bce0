package import Meetings
package import Outbound
package import Phrases

/// Writes the messages of mails, from the fields that the queue stores.
package struct MailWriter: Sendable {
    let sender: MailMessage.Mailbox
    /// The address of this server, with which all links begin. It never comes from a request.
    let origin: String

    /// - Parameters:
    ///   - sender: the mail address that receivers see as the sender.
    ///   - origin: the URL of this server, without a slash at the end.
    package init(sender: MailMessage.Mailbox, origin: String) {
        self.sender = sender
        self.origin = origin
    }

    /// Returns the message. It is the same for each attempt at the same mail, except for its date.
    package func message(for mail: OutgoingMail, at now: Instant) -> MailMessage {
        let language = Language(tag: mail.language) ?? .english
        let text = text(of: mail, in: language)
        return MailMessage(
            from: sender, to: mail.recipient, subject: text.subject, id: mail.id.text.lowercased(),
            seconds: now.milliseconds / 1000, language: language.rawValue, text: text.plain,
            html: text.html.text)
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

    private func text(of mail: OutgoingMail, in language: Language) -> MailText {
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
        }
        let server = origin.split(separator: "/").last.map(String.init) ?? origin
        let parts: [MailText.Part] =
            [.paragraph(Texts.greeting.text(in: language))] + about.parts
            + [.note(Texts.sentBy.text(in: language, ["server": server]))]
        return MailText(subject: about.subject, language: language, parts: parts)
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
