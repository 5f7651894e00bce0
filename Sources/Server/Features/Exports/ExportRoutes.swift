import Meetings
import Wire

extension RouteTable {
    /// Files for other programs and for printers. Concurrent handlers are called in closures, because a `@concurrent`
    /// function as a value crashes the compiler here (6.3.1, DefaultInitializerIsolation).
    static let exports: [Route] = [
        Route(
            .get, "/api/v1/meetings/{id}/calendar.ics", .member(.viewer, of: .meeting),
            does: "Give a meeting's sessions as a calendar",
            gives: .file("text/calendar")
        ) { try await Exports.calendar($0) },
        Route(
            .get, "/api/v1/meetings/{id}/poster.html", .member(.viewer, of: .meeting),
            does: "Draw a poster with the meeting code",
            gives: .file("text/html")
        ) { try await Prints.posterPage($0) },
        Route(
            .get, "/api/v1/meetings/{id}/poster.pdf", .member(.viewer, of: .meeting),
            does: "Draw a poster with the meeting code, as PDF",
            gives: .file("application/pdf")
        ) { try await Prints.poster($0) },
        Route(
            .get, "/api/v1/sessions/{id}/attendance.csv", .member(.viewer, of: .session),
            does: "Give a session's attendance for a spreadsheet",
            query: [.byteOrderMark], gives: .file("text/csv")
        ) { try await Exports.attendance($0) },
        Route(
            .get, "/api/v1/sessions/{id}/sheet.html", .member(.viewer, of: .session),
            does: "Draw a session's attendance sheet for a printer",
            gives: .file("text/html")
        ) { try await Prints.sheet($0) },
    ]

    /// The responses to a question set as files.
    static let resultFiles: [Route] = [
        Route(
            .get, "/api/v1/sessions/{id}/results.csv", .member(.viewer, of: .session),
            does: "Give a set's responses for a spreadsheet",
            query: [.set, .byteOrderMark], gives: .file("text/csv")
        ) { try await ResultFiles.table($0) },
        Route(
            .get, "/api/v1/sessions/{id}/results.json", .member(.viewer, of: .session),
            does: "Give a set's results and responses",
            query: [.set], gives: .json(ResultsFileBody.self)
        ) { try await ResultFiles.json($0) },
    ]
}
