import Meetings
import Phrases
import Wire

/// A person's exported data as a page that people can read: a table for each part.
struct DataSheet {
    let body: PersonalDataBody
    let language: Language

    private typealias Words = Phrase.Data
    /// A line of a table: a label and a value. Lines without a value are left out.
    private typealias Line = (label: Phrase, value: String?)

    func html() -> HTML {
        var parts: [HTML] = []
        if let data = body.account { parts += account(data) }
        if !body.people.isEmpty { parts.append(table(Words.rosters, body.people.flatMap(lines))) }
        for checkIn in body.checkIns {
            let title = Words.checkIn.text(
                in: language, ["meeting": checkIn.meeting, "round": String(checkIn.round)])
            parts.append(table(titled: title, lines(checkIn), answers(checkIn)))
        }
        if !body.replies.isEmpty {
            let lines = body.replies.map { reply -> Line in
                let guests = reply.guests == 0 ? "" : " +\(reply.guests)"
                return (
                    Phrase.Reply.reply,
                    "\(reply.status.phrase.text(in: language))\(guests) · \(time(reply.changedAt))"
                )
            }
            parts.append(table(Phrase.Reply.reply, lines))
        }
        if !body.mails.isEmpty {
            let lines = body.mails.map { mail -> Line in
                let kind = word(mail.kind, in: Words.mailKinds)
                let state = word(mail.state, in: Words.mailStates)
                return (Words.email, "\(mail.recipient) · \(kind) · \(time(mail.queuedAt)) · \(state)")
            }
            parts.append(table(Words.mails, lines))
        }
        if !body.devices.isEmpty {
            let lines = body.devices.map { device -> Line in
                (Words.id, "\(device.id) · \(device.platform.rawValue) · \(time(device.createdAt))")
            }
            parts.append(table(Words.devices, lines))
        }
        if !body.unsubscriptions.isEmpty {
            let all = Words.allMeetings.text(in: language)
            let lines = body.unsubscriptions.map { (Words.meeting, $0.meeting ?? all) as Line }
            parts.append(table(Words.unsubscriptions, lines))
        }
        if parts.isEmpty { parts.append("<p>\(Words.nothing.text(in: language))</p>") }
        let leftOut = body.leftOut.map { part -> HTML in "<li>\(part.reason)</li>" }
        return """
            <p class="note">\(Words.madeAt.text(in: language, ["time": time(body.exportedAt)]))</p>
            \(parts)
            <section class="card"><h2>\(Words.leftOut.text(in: language))</h2><ul>\(leftOut)</ul></section>
            """
    }

    private func account(_ data: PersonalDataBody.AccountData) -> [HTML] {
        let account = data.account
        var parts = [
            table(
                Words.account,
                [
                    (Words.id, account.id.text), (Words.name, account.name), (Words.email, account.email),
                    (Words.state, word(account.state.rawValue, in: Words.accountStates)),
                    (Words.phone, account.phone),
                    (Words.birthDate, account.birthDate),
                    (Words.gender, account.gender.map { word($0, in: Words.genders) }),
                    (Words.interests, account.interests?.joined(separator: ", ")),
                    (Words.nickname, account.nickname),
                    (Words.searchable, yesOrNo(account.searchable)),
                    (Words.ageRange, account.ageRange.map(ages)),
                    (Words.notifications, yesOrNo(account.notifications)),
                    (Words.language, account.locale), (Words.created, time(account.createdAt)),
                    (Words.terms, data.termsAcceptedAt.map(time)),
                ])
        ]
        let signIns = data.signIns.map { signIn -> Line in
            (Words.device, "\(signIn.client) · \(signIn.address) · \(time(signIn.signedInAt))")
        }
        let meetings = data.meetings.map { ($0.role.phrase, $0.meeting) as Line }
        let invitations = data.invitations.map { invitation -> Line in
            (invitation.role.phrase, "\(invitation.meeting) · \(time(invitation.expiresAt))")
        }
        let links = data.presenterLinks.map { (Words.created, time($0.createdAt)) as Line }
        let webhooks = data.webhooks.map { hook -> Line in
            let events = hook.events.map(\.rawValue).joined(separator: ", ")
            return (Words.id, "\(hook.id) · \(hook.host) · \(hook.meeting) · \(events) · \(hook.state)")
        }
        for (title, lines) in [
            (Words.signIns, signIns), (Words.meetings, meetings), (Words.invitations, invitations),
            (Words.links, links), (Words.webhooks, webhooks),
        ] where !lines.isEmpty { parts.append(table(title, lines)) }
        return parts
    }

    private func lines(_ person: PersonalDataBody.PersonData) -> [Line] {
        [
            (Words.meeting, person.meeting), (Words.name, person.name), (Words.email, person.email),
            (Words.number, person.number),
        ]
            + person.passes.map { pass in
                (Thing.pass.phrase, time(pass.createdAt) + (pass.revokedAt.map { " – \(time($0))" } ?? ""))
            } + person.certificates.map(line) + person.removed.flatMap(lines)
    }

    private func line(_ certificate: PersonalDataBody.CertificateData) -> Line {
        (
            Thing.certificate.phrase,
            time(certificate.issuedAt) + (certificate.revokedAt.map { " – \(time($0))" } ?? "")
        )
    }

    private func lines(_ correction: PersonalDataBody.CorrectionData) -> [Line] {
        let before = [
            correction.before?.name, correction.before?.identity, correction.typed?.name,
            correction.typed?.identity, correction.note,
        ].compactMap { $0 }
        return [
            (Words.reason, correction.reason),
            (Words.before, before.isEmpty ? nil : before.joined(separator: " · ")),
        ]
    }

    private func lines(_ checkIn: PersonalDataBody.CheckInData) -> [Line] {
        var lines: [Line] = [
            (Words.time, "\(time(checkIn.startsAt)) – \(time(checkIn.endsAt))"),
            (Words.name, checkIn.stored?.name), (Words.identity, checkIn.stored?.identity),
            (Words.typedName, checkIn.typed?.name), (Words.typedIdentity, checkIn.typed?.identity),
            (Words.status, checkIn.status.phrase.text(in: language)),
            (Words.checkedIn, checkIn.checkedInAt.map(time)), (Words.agreedTo, checkIn.consentText),
            (Words.note, checkIn.note),
            (Words.address, checkIn.network), (Words.deviceMark, checkIn.deviceMark),
        ]
        if let certificate = checkIn.certificate { lines.append(line(certificate)) }
        lines += checkIn.doorEntries.map { (Thing.satellite.phrase, time($0.at)) }
        lines += checkIn.corrections.flatMap(self.lines)
        if !checkIn.answeredSets.isEmpty {
            lines.append((Words.answeredSets, checkIn.answeredSets.joined(separator: ", ")))
        }
        for question in checkIn.questions { lines.append((Words.question, question.text)) }
        for vote in checkIn.votes {
            lines.append((Words.vote, vote.text ?? Words.hiddenText.text(in: language)))
        }
        if let groups = checkIn.groups {
            lines += [
                (Words.nickname, groups.nickname),
                (Words.keywords, groups.keywords.isEmpty ? nil : groups.keywords.joined(separator: ", ")),
                (Words.ageGroup, groups.ageGroup.map { "\($0)–\($0 + 9)" }),
                (Words.ageRange, groups.ageRange.map(ages)),
            ]
            lines += groups.lines.map { (Words.groupLine, $0) }
            lines += groups.reports.map { (Words.groupReport, $0) }
        }
        return lines
    }

    private func answers(_ checkIn: PersonalDataBody.CheckInData) -> [HTML] {
        checkIn.answers.map { "<tr><th scope=\"row\">\($0.question)</th><td>\($0.answer)</td></tr>" }
    }

    private func table(_ title: Phrase, _ lines: [Line]) -> HTML {
        table(titled: title.text(in: language), lines)
    }

    private func table(titled title: String, _ lines: [Line], _ more: [HTML] = []) -> HTML {
        let rows = lines.compactMap { line -> HTML? in
            line.value.map { value in
                "<tr><th scope=\"row\">\(line.label.text(in: language))</th><td>\(value)</td></tr>"
            }
        }
        return """
            <section class="card"><h2>\(title)</h2><table class="data"><tbody>\(rows)\(more)</tbody></table>\
            </section>
            """
    }

    private func yesOrNo(_ value: Bool?) -> String? {
        value.map { ($0 ? Words.yes : Words.no).text(in: language) }
    }

    private func word(_ value: String, in table: [String: Phrase]) -> String {
        table[value]?.text(in: language) ?? value
    }

    private func ages(_ range: AgeRange) -> String { "\(range.min)–\(range.max)" }

    private func time(_ moment: Instant) -> String { WallTime(moment, in: .utc).text }
}
