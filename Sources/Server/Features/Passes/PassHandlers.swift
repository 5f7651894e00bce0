import HTTPServer
import Journal
import Meetings
import Phrases
import Wire

/// The handlers for personal passes.
enum PassHandlers {
    /// Lists passes in the order of the roster. The cursor names the last pass and its person.
    static func list(_ context: RequestContext) async throws -> HTTPResponse {
        let (limit, meeting) = (try context.limit(), context.meeting.id)
        let only = try context.person()
        let after = try context.cursor { cursor in
            guard cursor.words.count >= 2, let pass = PassID(cursor.words[0]),
                let person = PersonID(cursor.words[1])
            else { return nil as (pass: PassID, position: RosterPosition)? }
            let sortKey = cursor.words.dropFirst(2).joined(separator: " ")
            return (pass, RosterPosition(sortKey: sortKey, id: person))
        }
        let (found, key) = try await context.scanAlone {
            rows throws(JournalError) -> ([(pass: Pass, person: Person)], PassKey?) in
            let key = try rows.newestPassKey(of: meeting)
            var found: [(pass: Pass, person: Person)] = []
            func add(_ person: Person, after last: PassID?) throws(JournalError) {
                var passes = try rows.passes(of: person.id)[...]
                if let last, let index = passes.firstIndex(where: { $0.id == last }) {
                    passes = passes[(index + 1)...]
                }
                found += passes.prefix(limit + 1 - found.count).map { (pass: $0, person: person) }
            }
            if let id = only ?? after?.position.id, let person = try rows.person(id),
                person.meetingID == meeting
            {
                try add(person, after: after?.pass)
            }
            // A meeting without a key has no passes.
            guard only == nil, key != nil else { return (found, key) }
            var position = after?.position
            while found.count <= limit {
                let people = try rows.people(
                    of: meeting, archived: false, text: nil, after: position, limit: 500)
                for person in people where found.count <= limit { try add(person, after: nil) }
                guard people.count == 500, let last = people.last else { break }
                position = last.position
            }
            return (found, key)
        }
        let signer = key.flatMap { PassCode.Signer($0, keys: context.services.keys) }
        let items = found.prefix(limit).map { body($0.pass, $0.person, signer, context) }
        let last = found.count > limit ? found[limit - 1] : nil
        let next = last.map { Cursor($0.pass.id.text, $0.person.id.text, $0.person.position.sortKey).text }
        return .json(Page(items: items, nextCursor: next))
    }

    /// Gives passes to one person, or to the roster in parts. Each part is complete in itself, and a repeated
    /// request continues where the first one has ended.
    static func create(_ context: RequestContext, _ request: CreatePassesRequest) async throws
        -> HTTPResponse
    {
        let (meeting, actor) = (context.meeting.id, context.accountID)
        let key = try await newKey(context)
        func issue(_ receivers: IssuePasses.Receivers, isNoted: Bool = false) async throws
            -> IssuePasses.Outcome
        {
            try await context.storage.perform(
                IssuePasses(
                    meeting: meeting, to: receivers, session: request.sessionId, key: key, isNoted: isNoted,
                    actor: actor))
        }
        if let person = request.personId {
            return .json(PassesCreatedBody(try await issue(.person(person))))
        }
        let total = try await context.inTurn {
            var total = try await issue(.roster(after: nil))
            while let next = total.next {
                let part = try await issue(.roster(after: next), isNoted: total.created > 0)
                total.created += part.created
                total.existing += part.existing
                total.next = part.next
            }
            return total
        }
        return .json(PassesCreatedBody(total))
    }

    /// Replaces all passes of the meeting in parts, each complete in itself.
    static func renewAll(_ context: RequestContext, _ request: RenewPassesRequest) async throws
        -> HTTPResponse
    {
        let (meeting, actor, now) = (context.meeting.id, context.accountID, context.services.clock.now)
        let key = try await newKey(context)
        let before = min(request.createdBefore ?? now, now)
        let total = try await context.inTurn {
            var total = RenewPasses.Outcome(next: .start)
            while let place = total.next {
                let part = try await context.storage.perform(
                    RenewPasses(
                        of: meeting, createdBefore: before, after: place, key: key,
                        isNoted: total.renewed + total.revoked > 0, actor: actor))
                total.renewed += part.renewed
                total.revoked += part.revoked
                total.next = part.next
            }
            return total
        }
        return .json(PassesRenewedBody(renewed: total.renewed, revoked: total.revoked, createdBefore: before))
    }

    static func revoke(_ context: RequestContext) async throws -> HTTPResponse {
        try await context.storage.perform(
            RevokePass(
                id: try context.id(Pass.self, .pass, named: "passId"), meeting: context.meeting.id,
                actor: context.accountID))
        return .noContent
    }

    static func renew(_ context: RequestContext) async throws -> HTTPResponse {
        let meeting = context.meeting.id
        let command = RenewPass(
            id: try context.id(Pass.self, .pass, named: "passId"), meeting: meeting,
            key: try await newKey(context), actor: context.accountID)
        return try await context.perform(
            CommandWithReading(command) { pass, rows throws(JournalError) in
                (try rows.person(pass.person), try rows.newestPassKey(of: meeting))
            }
        ) { pass, read in
            let person = read.0 ?? Person(id: pass.person, meetingID: meeting, name: "")
            let signer = read.1.flatMap { PassCode.Signer($0, keys: context.services.keys) }
            return .json(body(pass, person, signer, context), status: 201)
        }
    }

    /// Returns a key for the case that the meeting has none, or one whose secret this server cannot open any
    /// more, because the operator has replaced all secrets.
    private static func newKey(_ context: RequestContext) async throws -> NewSigningKey {
        let (meeting, keys) = (context.meeting.id, context.services.keys)
        let newest = try await context.storage.read { rows throws(JournalError) in
            try rows.newestPassKey(of: meeting)
        }
        let unreadable = newest.flatMap { PassCode.Signer($0, keys: keys) == nil ? $0.number : nil }
        return PassCode.newKey(of: meeting, keys: keys, replacing: unreadable)
    }

    static func replaceKey(_ context: RequestContext) async throws -> HTTPResponse {
        let meeting = context.meeting.id
        return try await context.perform(
            ReplacePassKey(
                of: meeting, by: PassCode.newKey(of: meeting, keys: context.services.keys),
                actor: context.accountID)
        ) { .json(PassKeyBody(number: $0), status: 201) }
    }

    private static func body(
        _ pass: Pass, _ person: Person, _ signer: PassCode.Signer?, _ context: RequestContext
    ) -> PassBody {
        let url = pass.isValid ? signer.map { context.address.passURL(code: $0.text(of: pass.id)) } : nil
        return PassBody(pass, of: person, url: url)
    }
}

extension PassesCreatedBody {
    fileprivate init(_ outcome: IssuePasses.Outcome) {
        self.init(created: outcome.created, existing: outcome.existing)
    }
}

/// The page that a phone shows after it has scanned a pass. It is the same for each pass and for any other
/// text, and changes nothing: a pass is no receipt.
enum PassPages {
    static func about(_ context: RequestContext) -> HTTPResponse {
        let language = context.language
        let title = Phrase("A personal pass").text(in: language)
        let use = Phrase("Show it at the door. The staff scans it there, and checks you in.")
            .text(in: language)
        let care = Phrase(
            "Show it to nobody else: a person with a picture of it can be let in as you. If you have lost "
                + "it, ask the host for a new one."
        ).text(in: language)
        return .html(
            PageFrame(language: language, title: title).page(
                "<p class=\"eyebrow\">QRing</p><h1>\(title)</h1><p>\(use)</p><p>\(care)</p>"))
    }
}
