import HTTPServer
import Journal
import Meetings
import Wire

extension RouteTable {
    /// The route for the absences over a meeting's sessions.
    static let absences: [Route] = [
        Route(
            .get, "/api/v1/meetings/{id}/absences", .member(.viewer, of: .meeting),
            does: "List the absences of the people on the roster",
            query: .page(.met), gives: .json(Page<AbsencesBody>.self), refuses: .ofScan,
            AbsenceHandlers.list)
    ]
}

enum AbsenceHandlers {
    /// The most people whom one request looks at. A list of the people who meet the rule can therefore have a
    /// page without people, and a cursor.
    private static let mostPeople = 400

    /// Lists people in the order of the roster. The cursor names the last person who was looked at.
    static func list(_ context: RequestContext) async throws -> HTTPResponse {
        let (limit, meeting, now) = (try context.limit(), context.meeting, context.now)
        let after = try context.cursor { cursor in
            cursor.words.first.flatMap { PersonID($0) }.map {
                RosterPosition(sortKey: cursor.words.dropFirst().joined(separator: " "), id: $0)
            }
        }
        let onlyMet = try context.flag(.met) ?? false
        // A session is over after its end.
        let until = now - .milliseconds(1)
        let (items, next) = try await context.scanAlone {
            rows throws(JournalError) -> ([AbsencesBody], RosterPosition?) in
            var items: [AbsencesBody] = []
            let most = onlyMet ? Self.mostPeople : limit
            let people = try rows.people(
                of: meeting.id, archived: false, text: nil, after: after, limit: most + 1)
            for (index, person) in people.enumerated() {
                if index == most || items.count == limit { return (items, people[index - 1].position) }
                let absences = Absences(try rows.pastAttendance(of: person, in: meeting, until: until))
                let meetsRule = meeting.absenceRule?.isMet(by: absences) ?? false
                if meetsRule || !onlyMet {
                    items.append(AbsencesBody(person, absences, meetsRule: meetsRule))
                }
            }
            return (items, nil)
        }
        return .json(Page(items: items, nextCursor: next.map { Cursor($0.id.text, $0.sortKey).text }))
    }
}
