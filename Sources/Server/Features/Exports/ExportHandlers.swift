import HTTPServer
import Journal
import Meetings
import Phrases
import Wire

/// A meeting and its sessions as files that other programs read.
enum Exports {
    /// Rows are read a thousand at a time, and a session has a hundred thousand people at most: some ten
    /// megabytes.
    @concurrent
    static func attendance(_ context: RequestContext) async throws -> HTTPResponse {
        let (record, now) = (context.record, context.now)
        var table = AttendanceTable(
            record.session, of: record.meeting, in: context.language, at: now,
            byteOrderMark: try context.flag("bom") ?? false)
        let all = try await attendees(context)
        for start in stride(from: 0, to: all.count, by: 1000) {
            let page = all[start..<min(start + 1000, all.count)]
            let people = try await context.storage.read { rows throws(JournalError) -> [Person?] in
                var people: [Person?] = []
                for attendee in page {
                    let person: Person? =
                        if let id = try rows.person(inPlaceOf: attendee.id) { try rows.person(id) } else {
                            nil
                        }
                    people.append(person)
                }
                return people
            }
            for (attendee, person) in zip(page, people) { table.add(attendee, person: person) }
        }
        return file(
            "text/csv; charset=utf-8", table.bytes,
            name: "\(record.meeting.name) \(record.session.round).csv",
            plainName: "attendance-\(record.session.round).csv")
    }

    @concurrent
    static func calendar(_ context: RequestContext) async throws -> HTTPResponse {
        let (meeting, language) = (context.meeting, context.language)
        let sessions = try await context.storage.read { rows throws(JournalError) -> [Session] in
            var sessions: [Session] = []
            while true {
                let page = try rows.sessions(of: meeting.id, before: sessions.last?.round, limit: 500)
                sessions += page.map(\.session)
                if page.count < 500 { return sessions }
            }
        }
        let text = MeetingCalendar.text(
            of: meeting, sessions: sessions,
            title: {
                Phrase.Export.roundTitle.text(
                    in: language, ["name": meeting.name, "round": String($0.round)])
            },
            product: "-//QRing//\(ProductVersion.text)//EN", at: context.now)
        return file(
            "text/calendar; charset=utf-8", Array(text.utf8), name: "\(meeting.name).ics",
            plainName: "calendar.ics")
    }

    /// By name.
    static func attendees(_ context: RequestContext) async throws -> [Attendee] {
        let id = context.record.session.id
        let found = try await context.storage.read { rows throws(JournalError) -> [Attendee] in
            var found: [Attendee] = []
            while true {
                let page = try rows.attendees(
                    of: id, statuses: nil, text: nil, after: found.last?.id, limit: 1000)
                found += page
                if page.count < 1000 { return found }
            }
        }
        // Their keys are made once each: a comparison would make them again and again.
        return found.map { (key: IdentityKey($0.name).text, attendee: $0) }
            .sorted { ($0.key, $0.attendee.id) < ($1.key, $1.attendee.id) }.map(\.attendee)
    }

    /// RFC 6266: a name for everybody, and the real one for who reads RFC 8187.
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
