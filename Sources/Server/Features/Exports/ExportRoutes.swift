import Meetings
import Wire

extension RouteTable {
    /// The routes for files for other programs and for printers. Closures call the `@concurrent` handlers,
    /// because a `@concurrent` function as a value crashes the compiler here (6.3.1,
    /// DefaultInitializerIsolation).
    static let exports: [Route] = [
        Route(
            .get, "/api/v1/meetings/{id}/calendar.ics", .member(.viewer, of: .meeting),
            does: "Export a meeting's sessions as a calendar",
            gives: .file("text/calendar"), refuses: .ofScan
        ) { context in try await context.alone { try await Exports.calendar(context) } },
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
            does: "Export a session's attendance as CSV",
            query: QueryParameter.tableForm, gives: .file("text/csv"), refuses: .ofScan
        ) { context in try await context.alone { try await Exports.attendance(context) } },
        Route(
            .get, "/api/v1/sessions/{id}/sheet.html", .member(.viewer, of: .session),
            does: "Draw a printable attendance sheet of a session",
            gives: .file("text/html"), refuses: .ofScan
        ) { context in try await context.alone { try await Prints.sheet(context) } },
    ]

    /// The routes for the responses to a question set as files.
    static let resultFiles: [Route] = [
        Route(
            .get, "/api/v1/sessions/{id}/results.csv", .member(.viewer, of: .session),
            does: "Export a set's responses or statistics as CSV",
            query: [.set, .statistics, .order] + QueryParameter.tableForm, gives: .file("text/csv"),
            refuses: .ofScan
        ) { context in try await context.alone { try await ResultFiles.table(context) } },
        Route(
            .get, "/api/v1/sessions/{id}/results.json", .member(.viewer, of: .session),
            does: "Export a set's results and responses as JSON",
            query: [.set, .order], gives: .json(ResultsFileBody.self), refuses: .ofScan
        ) { context in try await context.alone { try await ResultFiles.json(context) } },
    ]
}
