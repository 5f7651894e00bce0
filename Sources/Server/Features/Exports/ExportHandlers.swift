import HTTPServer
import Journal
import Meetings
import Phrases
import Rooms
import Wire

/// The handlers that export a meeting and its sessions as files for other programs.
enum Exports {
    /// Returns the attendance as a file. Reads a thousand rows at a time. A session has at most a hundred
    /// thousand attendees, about ten megabytes.
    @concurrent
    static func attendance(_ context: RequestContext) async throws -> HTTPResponse {
        let (record, now) = (context.record, context.now)
        let consents = try await context.storage.read { rows throws(JournalError) in
            try rows.consents(of: record.meeting.id)
        }
        var table = AttendanceTable(
            record.session, of: record.meeting, try context.tableForm(), hasConsents: !consents.isEmpty,
            at: now)
        let all = try await attendees(context)
        for start in stride(from: 0, to: all.count, by: 1000) {
            let page = all[start..<min(start + 1000, all.count)]
            let people = try await context.storage.scan { rows throws(JournalError) -> [Person?] in
                var people: [Person?] = []
                for attendee in page {
                    let person: Person? =
                        if let id = try rows.person(inSlotOf: attendee.id) { try rows.person(id) } else {
                            nil
                        }
                    people.append(person)
                }
                return people
            }
            for (attendee, person) in zip(page, people) { table.add(attendee, person: person) }
        }
        table.add(unnamed: max(0, record.session.plannedCount - all.count))
        return file(
            "text/csv; charset=utf-8", table.bytes,
            name: "\(record.meeting.name) \(record.session.round).csv",
            plainName: "attendance-\(record.session.round).csv")
    }

    @concurrent
    static func calendar(_ context: RequestContext) async throws -> HTTPResponse {
        let meeting = context.meeting
        let sessions = try await context.storage.scan { rows throws(JournalError) -> [Session] in
            var sessions: [Session] = []
            while true {
                let page = try rows.sessions(of: meeting.id, before: sessions.last?.round, limit: 500)
                sessions += page.map(\.session)
                if page.count < 500 { return sessions }
            }
        }
        return calendar(of: meeting, sessions: sessions, context)
    }

    /// Returns these sessions of a meeting as a calendar file.
    static func calendar(of meeting: Meeting, sessions: [Session], _ context: RequestContext) -> HTTPResponse
    {
        let language = context.language
        let text = MeetingCalendar.text(
            of: meeting, sessions: sessions,
            title: {
                Phrase.Mail.calendarTitle.text(
                    in: language, ["name": meeting.name, "round": String($0.round)])
            },
            product: "-//QRing//\(ProductVersion.text)//EN", at: context.now)
        return file(
            "text/calendar; charset=utf-8", Array(text.utf8), name: "\(meeting.name).ics",
            plainName: "calendar.ics")
    }

    /// Returns the session's attendees, ordered by name.
    static func attendees(_ context: RequestContext) async throws -> [Attendee] {
        let id = context.record.session.id
        let found = try await context.storage.scan { rows throws(JournalError) -> [Attendee] in
            var found: [Attendee] = []
            while true {
                let page = try rows.attendees(
                    of: id, statuses: nil, text: nil, after: found.last?.id, limit: 1000)
                found += page
                if page.count < 1000 { return found }
            }
        }
        // Computes each sort key once, instead of at every comparison.
        return found.map { (key: IdentityKey($0.name).text, attendee: $0) }
            .sorted { ($0.key, $0.attendee.id) < ($1.key, $1.attendee.id) }.map(\.attendee)
    }

    /// Returns a file for download (RFC 6266). `plainName` is an ASCII name for every client; `name` is for
    /// clients that support RFC 8187.
    static func file(_ type: String, _ body: [UInt8], name: String, plainName: String) -> HTTPResponse {
        HTTPResponse(
            status: 200,
            headers: [
                ("Content-Type", type), ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
                (
                    "Content-Disposition",
                    "attachment; filename=\"\(plainName)\"; filename*=UTF-8''\(PercentCoding.encode(name))"
                ),
            ],
            body: body)
    }
}

/// The handlers that export a question set's results as files. A file has every published response, in random
/// order unless the set shows names. Texts that are hidden or held back are left out and counted.
enum ResultFiles {
    @concurrent
    static func table(_ context: RequestContext) async throws -> HTTPResponse {
        let form = try context.tableForm()
        let isStatistics = try context.flag(.statistics) ?? false
        let (results, shown, omitted) = try await shown(context)
        if isStatistics {
            let table = StatisticsTable(
                results.tallies, RepeatedTexts.among(shown, to: results.set), form)
            return file("text/csv; charset=utf-8", table.bytes, "csv", results.set, context)
        }
        var table = ResultsTable(results.set, of: context.record.meeting, omitting: omitted, form)
        for response in shown { table.add(response) }
        return file("text/csv; charset=utf-8", table.bytes, "csv", results.set, context)
    }

    @concurrent
    static func json(_ context: RequestContext) async throws -> HTTPResponse {
        let (results, shown, omitted) = try await shown(context)
        let (record, now) = (context.record, context.now)
        let body = ResultsFileBody(
            results.body(in: record, at: now), results.set, of: record.session, in: record.meeting, at: now,
            shown, omitting: omitted)
        return file("application/json", WireJSON.bytes(body), "json", results.set, context)
    }

    private static func shown(_ context: RequestContext) async throws -> (
        SetResults, [ShownResponse], [OmittedTexts]
    ) {
        let (name, session, language) = (
            try Feedback.name(context), context.record.session.id, context.language.rawValue
        )
        let order = try Feedback.order(context)
        let found = try await context.storage.scan { rows throws(JournalError) in
            try shown(name, of: session, in: language, from: rows)
        }
        guard let (results, responses, omitted) = found else { throw Refusal.notFound(.questionSet) }
        return (results.ordered(by: order), responses, omitted)
    }

    /// Returns results and responses of the same moment, so that the sums of the responses match the results.
    /// Returns nil if the session has no such set.
    static func shown(_ name: String, of session: SessionID, in language: String, from rows: any ReadableRows)
        throws(JournalError) -> (SetResults, [ShownResponse], [OmittedTexts])?
    {
        guard let set = try rows.questionSet(name, of: session)?.localized(in: language) else { return nil }
        let tallies = try rows.tallies(of: session, set: name)
        let moderation = try rows.textModeration(of: session, set: name)
        let judged = try judgedWords(of: set, moderation, from: rows)
        var omitted: [QuestionID: [TextStatus: Int]] = [:]
        var shown: [ShownResponse] = []
        var cursor: ResponseCursor?
        while true {
            let page = try rows.responses(of: session, set: name, after: cursor, limit: 1000)
            for response in page {
                var answers = set.shownAnswers(of: response, by: tallies)
                // No answer of this response is published. Its hour is therefore not published either.
                if answers.isEmpty { continue }
                for (id, answer) in answers where answer.shownText != nil {
                    let status = try rows.textStatus(in: response.id, to: id) ?? moderation.initialStatus
                    if status == .visible { continue }
                    answers[id] = answer.withoutText
                    omitted[id, default: [:]][status, default: 0] += 1
                }
                for (id, decided) in judged {
                    guard case .choices(let words, _)? = answers[id] else { continue }
                    let statuses = words.map { decided[CloudWord.key($0)] ?? moderation.initialStatus }
                    let visible = zip(words, statuses).filter { $1 == .visible }.map(\.0)
                    answers[id] = visible.isEmpty ? nil : .choices(visible)
                    for status in statuses where status != .visible {
                        omitted[id, default: [:]][status, default: 0] += 1
                    }
                }
                let attendee: Attendee? =
                    if let id = response.attendeeID, set.promise.showsNames {
                        try rows.attendee(behind: id)
                    } else {
                        nil
                    }
                shown.append(ShownResponse(response.showing(answers), by: attendee))
            }
            guard page.count == 1000, let last = page.last else { break }
            cursor = ResponseCursor(at: last.at, id: last.id)
        }
        let results = try ResultsReader.results(of: set, in: session, from: rows)
        let counts = set.questions.compactMap { question in
            omitted[question.id].map {
                OmittedTexts(questionId: question.id, hidden: $0[.hidden] ?? 0, pending: $0[.pending] ?? 0)
            }
        }
        return (results, set.promise.showsNames ? shown : shown.shuffled(), counts)
    }

    /// Returns the decisions about the words of each word cloud.
    private static func judgedWords(
        of set: QuestionSet, _ moderation: TextModeration, from rows: any ReadableRows
    ) throws(JournalError) -> [QuestionID: [String: TextStatus]] {
        var found: [QuestionID: [String: TextStatus]] = [:]
        for question in set.questions where question.countsWords {
            found[question.id] = try rows.wordStatuses(of: question.id)
        }
        return found
    }

    private static func file(
        _ type: String, _ bytes: [UInt8], _ ending: String, _ set: QuestionSet, _ context: RequestContext
    )
        -> HTTPResponse
    {
        let (meeting, round) = (context.record.meeting.name, context.record.session.round)
        return Exports.file(
            type, bytes, name: "\(meeting) \(round) \(set.name).\(ending)",
            plainName: "results-\(round)-\(set.name).\(ending)")
    }
}
