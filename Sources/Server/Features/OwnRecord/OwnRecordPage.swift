import HTTPServer
import Journal
import Meetings
import Phrases
import Wire

/// An attendee's own record: seen, mended, taken back. Forms that need no script; the receipt is the phone's
/// cookie, and each form repeats it.
enum OwnRecordPage {
    static func open(_ context: RequestContext) async throws -> HTTPResponse {
        let session = try context.id(Session.self, .session)
        let people = try await OwnPage.people(of: session, context)
        if let person = OwnPage.chosen(of: people, context) { return page(person, context) }
        guard !people.isEmpty else { throw Refusal.receiptNotValid }
        return OwnPage.choice(among: people, context)
    }

    static func submit(_ context: RequestContext) async throws -> HTTPResponse {
        if context.isFromAnotherSite { throw RequestError(.originNotAllowed) }
        let form = try context.form()
        let session = try context.id(Session.self, .session)
        // The cookie comes by itself, so the form must show that it was made for its holder.
        guard let receipt = form.first("receipt").flatMap({ Receipt($0, keys: context.services.keys) }),
            PhoneReceipts(context, of: session).all.contains(receipt),
            let person = try await OwnPage.people(of: session, context).first(where: { $0.receipt == receipt }
            )
        else { throw context.forged(.receiptNotValid) }
        return switch form.first("do") {
        case "mend": try await mend(person, to: form.first("name") ?? "", context)
        case "withdraw": try await withdraw(person, isSure: form.first("sure") != nil, context)
        default: throw RequestError(.badRequest)
        }
    }

    private static func mend(_ person: OwnPage.Person, to typed: String, _ context: RequestContext)
        async throws -> HTTPResponse
    {
        let name: String
        do throws(FieldReason) {
            name = try PersonalText.checked(typed)
        } catch {
            return page(
                person, context, typed: typed,
                error: FieldProblem(FieldError("/name", error), in: context.language).message)
        }
        let (attendee, record) = try await context.storage.perform(
            MendOwnName(attendee: person.receipt.attendeeID, name: name))
        return page(
            OwnPage.Person(receipt: person.receipt, attendee: attendee, record: record), context,
            isMended: true)
    }

    private static func withdraw(_ person: OwnPage.Person, isSure: Bool, _ context: RequestContext)
        async throws -> HTTPResponse
    {
        let language = context.language
        guard isSure else { return page(person, context, wantsAssurance: true) }
        let erased = try await context.storage.perform(WithdrawCheckIn(attendee: person.receipt.attendeeID))
        for id in erased { context.services.rooms?.end(attendee: id) }
        let session = person.record.session.id
        var receipts = PhoneReceipts(context, of: session)
        receipts.remove(person.receipt.attendeeID)
        return .html(
            PageFrame(language: language, title: person.record.meeting.name, here: "/").page(
                """
                <p class="eyebrow">\(person.record.meeting.name)</p>
                <h1 id="result">\(Phrase.Page.withdrawn.text(in: language))</h1>
                <p>\(Phrase.Page.withdrawnDetail.text(in: language))</p>
                <p><a href="/">\(Phrase.Page.join.text(in: language))</a></p>
                """),
            cookies: [
                receipts.cookie(for: session, seconds: OwnPage.seconds(person.record, context), context)
            ])
    }

    private static func page(
        _ person: OwnPage.Person, _ context: RequestContext, typed: String? = nil, error: String? = nil,
        isMended: Bool = false,
        wantsAssurance: Bool = false
    ) -> HTTPResponse {
        let (attendee, record, language) = (person.attendee, person.record, context.language)
        let receipt = person.receipt.text(keys: context.services.keys)
        let path = OwnPage.recordPath(of: person)
        let word: HTML? =
            isMended ? "<p class=\"done\" role=\"status\">\(Phrase.Page.mended.text(in: language))</p>" : nil
        let said: HTML? = error.map { "<span class=\"error\" id=\"name-error\">\($0)</span>" }
        let invalid: HTML = error == nil ? "" : " aria-invalid=\"true\" aria-describedby=\"name-error\""
        let unsure: HTML? =
            wantsAssurance
            ? "<p class=\"error\" role=\"alert\">\(Phrase.Page.beSure.text(in: language))</p>" : nil
        let identity: HTML? = attendee.identity.isEmpty ? nil : "<p>\(attendee.identity)</p>"
        return .html(
            PageFrame(
                language: language, title: Phrase.Page.myAttendance.text(in: language), here: path,
                words: PageWords.form
            ).page(
                """
                <p class="eyebrow">\(record.meeting.name)</p>
                <h1>\(Phrase.Page.myAttendance.text(in: language))</h1>
                \(word)
                <p><strong>\(attendee.name)</strong></p>
                \(identity)
                <p class="time">\(OwnPage.arrival(attendee, record, language))</p>
                <p><a href="\(OwnPage.path(of: person))">\(Phrase.Page.backToAnswers.text(in: language))</a></p>
                <form method="post" action="\(path)">
                <h2>\(Phrase.Page.mendName.text(in: language))</h2>
                <input type="hidden" name="receipt" value="\(receipt)">
                <input type="hidden" name="do" value="mend">
                <label for="name">\(Phrase.Page.name.text(in: language))</label>
                <input id="name" name="name" type="text" autocomplete="name" data-most-characters="100" value="\(typed ?? attendee.name)" required\(invalid)>
                \(said)
                <button type="submit">\(Phrase.Page.save.text(in: language))</button>
                <p class="note" role="status"></p>
                </form>
                <form method="post" action="\(path)" class="withdraw">
                <h2>\(Phrase.Page.withdraw.text(in: language))</h2>
                <p>\(Phrase.Page.withdrawMeans.text(in: language))</p>
                <input type="hidden" name="receipt" value="\(receipt)">
                <input type="hidden" name="do" value="withdraw">
                <label class="choice"><input type="checkbox" name="sure" value="yes" required> <span>\(Phrase.Page.sure.text(in: language))</span></label>
                \(unsure)
                <button type="submit" class="grave">\(Phrase.Page.withdrawNow.text(in: language))</button>
                <p class="note" role="status"></p>
                </form>
                """), status: error == nil && !wantsAssurance ? 200 : 422)
    }
}

extension RequestContext {
    /// Whether the browser says that another site's page sent this. Browsers that say nothing, or `null` as
    /// our pages' referrer policy has it, do not.
    var isFromAnotherSite: Bool {
        if request.headers.first("sec-fetch-site") != nil { return !isSameOrigin }
        guard let origin = request.headers.first("origin"), origin != "null" else { return false }
        return !isSameOrigin
    }
}
