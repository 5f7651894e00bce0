import FoundationEssentials
import HTTPServer
import Journal
import Meetings
import Paper
import Phrases
import QRCodes
import Wire

/// The handlers for printable pages: a session's attendance sheet, and a meeting's poster.
enum Prints {
    @concurrent
    static func sheet(_ context: RequestContext) async throws -> HTTPResponse {
        let (record, language, now) = (context.record, context.language, context.now)
        let (session, meeting, isOver) = (record.session, record.meeting, record.session.isOver(at: now))
        let zone = meeting.timeZone
        let rows = try await Exports.attendees(context).enumerated().map { number, attendee -> HTML in
            let status = attendee.status.shown(sessionIsOver: isOver)
            let arrival = attendee.checkedInAt.map { String(WallTime($0, in: zone).text.suffix(5)) } ?? ""
            // An awaited attendee gets an empty field to fill in by hand.
            let said = status == .awaited ? "" : status.phrase.text(in: language)
            return """
                <tr><td class="n">\(number + 1)</td><td>\(attendee.name)</td>\
                <td>\(attendee.identity)</td><td>\(said)</td>\
                <td>\(arrival)</td><td class="sign"></td></tr>

                """
        }
        let attendance = record.attendance(at: now)
        let title = Phrase.Export.sheetTitle.text(
            in: language, ["name": meeting.name, "round": String(session.round)])
        let counts = Phrase.Export.sheetCounts.text(
            in: language,
            [
                "present": String(attendance.present), "late": String(attendance.late),
                "absent": String(attendance.absent),
                "excused": String(attendance.excused), "awaited": String(attendance.awaited),
            ])
        let made = Phrase.Export.sheetMade.text(
            in: language, ["time": WallTime(now, in: zone).text, "zone": zone.name])
        let heads = [
            Phrase.Export.name, meeting.identifyBy == .number ? Phrase.Export.number : Phrase.Export.email,
            Phrase.Export.status,
            Phrase.Export.checkedInAt, Phrase.Export.signature,
        ].map { head -> HTML in "<th>\(head.text(in: language))</th>" }
        let content: HTML = """
            <h1>\(title)</h1>
            <p>\(WallTime(session.startsAt, in: zone).text) – \
            \(WallTime(session.endsAt, in: zone).text) · \(meeting.venue)</p>
            <p>\(counts)</p>
            <table><thead><tr><th></th>\(heads)</tr></thead><tbody>
            \(rows)</tbody></table>
            <footer>\(made)</footer>
            """
        return page(content, title: title, language)
    }

    private static let scanToCheckIn = Phrase("Scan to check in")

    @concurrent
    static func posterPage(_ context: RequestContext) async throws -> HTTPResponse {
        let (meeting, language) = (context.meeting, context.languageForAll(of: context.meeting))
        let picture = Data(try QRCode.encode(posterURL(context)).svg().utf8).base64EncodedString()
        let scan = scanToCheckIn.text(in: language)
        let lines = try await joinLines(context).map { line -> HTML in "<p>\(line)</p>" }
        let content: HTML = """
            <div class="poster"><h1>\(meeting.name)</h1>
            <p class="scan">\(scan)</p>
            <img src="data:image/svg+xml;base64,\(picture)" alt="\(scan)">
            \(lines)
            <p>\(meeting.venue)</p></div>
            """
        return page(content, title: meeting.name, language)
    }

    @concurrent
    static func poster(_ context: RequestContext) async throws -> HTTPResponse {
        let (meeting, language) = (context.meeting, context.languageForAll(of: context.meeting))
        let code = try QRCode.encode(posterURL(context))
        var page = PDFPage(title: meeting.name)
        page.add(text: meeting.name, top: 70, most: 110, points: 40, isBold: true)
        page.add(text: scanToCheckIn.text(in: language), top: 190, most: 40, points: 24)
        let side = 360.0
        let module = side / Double(code.size)
        let left = (PDFPage.width - side) / 2
        for y in 0..<code.size {
            for x in 0..<code.size where code.isDark(x, y) {
                page.addSquare(left: left + Double(x) * module, top: 275 + Double(y) * module, side: module)
            }
        }
        for (index, line) in try await joinLines(context).enumerated() {
            page.add(text: line, top: 660 + 40 * Double(index), most: 36, points: 16)
        }
        page.add(text: meeting.venue, top: 750, most: 40, points: 14)
        return HTTPResponse(
            status: 200,
            headers: [
                ("Content-Type", "application/pdf"), ("Cache-Control", "no-store"),
                ("X-Content-Type-Options", "nosniff"),
                ("Content-Disposition", "inline; filename=\"poster.pdf\""),
            ],
            body: try page.bytes())
    }

    /// Returns the lines for people who cannot scan: the address to open, and the join code of the session
    /// that is open for check-in or opens next. A code that rotates is only on the hall's screen.
    private static func joinLines(_ context: RequestContext) async throws -> [String] {
        let (meeting, now) = (context.meeting, context.now)
        let language = context.languageForAll(of: meeting)
        let record = try await context.storage.read { rows throws(JournalError) -> SessionRecord? in
            if let open = try rows.sessionOpenForCheckIn(of: meeting.id, at: now) { return open }
            return try rows.sessionOpeningNext(of: meeting.id, after: now)
        }
        let address = ["address": context.address.typed]
        guard let session = record?.session, session.codeKind == .static else {
            return [
                Phrase("or open {address} and enter the join code that the screen shows")
                    .text(in: language, address)
            ]
        }
        let start = PageMoment.text(session.startsAt, in: meeting.timeZone, language)
        return [
            Phrase("or open {address} and enter the join code").text(in: language, address),
            Phrase("{code} ({time})").text(in: language, ["code": session.joinCode, "time": start]),
        ]
    }

    private static func posterURL(_ context: RequestContext) -> String {
        context.address.meetingURL(
            code: MeetingCode.text(of: context.meeting, keys: context.services.keys))
    }

    /// Returns a self-contained page that people can save as a file. It includes its style sheet, and has no
    /// script.
    static func page(_ content: HTML, title: String, _ language: Language) -> HTTPResponse {
        let page: HTML = """
            <!doctype html>
            <html lang="\(language.rawValue)"><head><meta charset="utf-8"><title>\(title)</title>
            <style>
            body { font: 11pt/1.4 sans-serif; margin: 2em auto; max-width: 60em; padding: 0 1em; }
            table { border-collapse: collapse; width: 100%; }
            th, td { border: 1px solid #999; padding: .3em .5em; text-align: left; overflow-wrap: anywhere; }
            .data th { width: 30%; font-weight: normal; }
            .n { text-align: right; } .sign { min-width: 8em; }
            .poster { text-align: center; } .poster h1 { font-size: 32pt; overflow-wrap: anywhere; }
            .scan { font-size: 20pt; }
            .poster img { width: 13cm; max-width: 100%; } .poster p { overflow-wrap: anywhere; }
            @page { size: A4; margin: 15mm; }
            @media print {
            body { margin: 0; max-width: none; padding: 0; }
            thead { display: table-header-group; } tr { break-inside: avoid; }
            }
            </style></head>
            <body>
            \(content)
            </body></html>

            """
        let policy =
            "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action "
            + "'none'; frame-ancestors 'none'"
        return HTTPResponse(
            status: 200,
            headers: [
                ("Content-Type", "text/html; charset=utf-8"), ("Cache-Control", "no-store"),
                ("Content-Security-Policy", policy),
                ("Referrer-Policy", "no-referrer"), ("X-Content-Type-Options", "nosniff"),
            ],
            body: Array(page.text.utf8))
    }
}
