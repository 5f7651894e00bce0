internal import CommandLine
internal import Meetings
internal import Paper
internal import Phrases
internal import QRCodes
internal import Wire

/// Draws personal passes on paper. The name is beside the code, and never in it.
enum PassPaper {
    enum Layout: String, CaseIterable {
        /// A4 with eight cards and marks to cut them.
        case sheet
        /// One pass for each page of A6.
        case a6
        /// One badge for each page of 90 × 55 mm, with a large name.
        case badge

        fileprivate var page: PDFPage.Size {
            switch self {
            case .sheet: .a4
            case .a6: PDFPage.Size(width: 297.64, height: 419.53)
            case .badge: PDFPage.Size(width: 255.12, height: 155.91)
            }
        }

        fileprivate var columns: Int { self == .sheet ? 2 : 1 }
        fileprivate var rows: Int { self == .sheet ? 4 : 1 }
    }

    /// Returns the pages with these passes. Passes without an address are left out.
    /// - Parameter sessions: the words for the sessions that passes are for.
    static func pages(
        _ passes: [PassBody], of meeting: String, _ sessions: [SessionID: String], as layout: Layout
    ) throws(QRCodeError) -> [PDFPage] {
        var pages: [PDFPage] = []
        let perPage = layout.columns * layout.rows
        let (width, height) = (
            layout.page.width / Double(layout.columns), layout.page.height / Double(layout.rows)
        )
        for (index, pass) in passes.filter({ $0.url != nil }).enumerated() {
            let place = index % perPage
            if place == 0 {
                pages.append(PDFPage(title: meeting, size: layout.page))
                if perPage > 1 { addMarks(to: &pages[pages.count - 1], width, height, layout) }
            }
            let (row, column) = place.quotientAndRemainder(dividingBy: layout.columns)
            try add(
                pass, of: meeting, pass.sessionId.flatMap { sessions[$0] }, as: layout,
                left: Double(column) * width, top: Double(row) * height,
                width: width, height: height, to: &pages[pages.count - 1])
        }
        return pages
    }

    private static func add(
        _ pass: PassBody, of meeting: String, _ session: String?, as layout: Layout, left: Double,
        top: Double, width: Double, height: Double, to page: inout PDFPage
    ) throws(QRCodeError) {
        let code = try QRCode.encode(pass.url ?? "")
        let inset = layout == .badge ? 10.0 : 20
        guard layout != .a6 else {
            let side = width - 80
            page.add(
                text: pass.name, top: inset, most: 60, points: 24, isBold: true, left: inset,
                width: width - 2 * inset)
            page.add(code, left: 40, top: 95, side: side)
            page.add(
                text: meeting, top: 108 + side, most: session == nil ? 50 : 34, points: 14, left: inset,
                width: width - 2 * inset)
            if let session {
                page.add(
                    text: session, top: 145 + side, most: 30, points: 12, isBold: true, left: inset,
                    width: width - 2 * inset)
            }
            return
        }
        // The code is on the right, and the texts are beside it.
        let side = min(height - 2 * inset, width * 0.5)
        page.add(
            code, left: left + width - inset - side, top: top + (height - side) / 2, side: side)
        let space = width - side - 3 * inset
        let rest = height - 2 * inset
        page.add(
            text: pass.name, top: top + inset, most: rest * (session == nil ? 0.7 : 0.5),
            points: layout == .badge ? 22 : 18, isBold: true, left: left + inset, width: space)
        if let session {
            page.add(
                text: session, top: top + inset + rest * 0.52, most: rest * 0.26, points: 10, isBold: true,
                left: left + inset, width: space)
        }
        page.add(
            text: meeting, top: top + inset + rest * 0.8, most: rest * 0.2, points: 10,
            left: left + inset, width: space)
    }

    /// Adds a small cross to each corner of a card.
    private static func addMarks(
        to page: inout PDFPage, _ width: Double, _ height: Double, _ layout: Layout
    ) {
        let (length, thickness) = (8.5, 0.4)
        for row in 0...layout.rows {
            for column in 0...layout.columns {
                let (x, y) = (Double(column) * width, Double(row) * height)
                page.addRectangle(
                    left: x - length / 2, top: y - thickness / 2, width: length, height: thickness)
                page.addRectangle(
                    left: x - thickness / 2, top: y - length / 2, width: thickness, height: length)
            }
        }
    }
}

extension Invocation {
    /// Draws pages into a PDF file that only the user can read, because its QR codes are valid: the file of
    /// `--to`, or else `name`.
    /// - Parameter notDrawn: the message for pages that cannot be drawn.
    func draw(
        into name: String, orElse notDrawn: Phrase, _ makePages: () throws(QRCodeError) -> [PDFPage]
    ) throws(CommandFailure) {
        let pages = try CodeCommands.drawing(makePages)
        let bytes: [UInt8]
        do throws(PaperError) { bytes = try PDFPage.document(pages) } catch {
            throw .failed(notDrawn, ["reason": error.reason])
        }
        try write(bytes, to: arguments.value("to") ?? name, isPrivate: true)
    }
}

extension PDFPage {
    /// Adds a QR code without its quiet zone. Dark modules that are neighbours in a row are one rectangle.
    mutating func add(_ code: QRCode, left: Double, top: Double, side: Double) {
        let module = side / Double(code.size)
        for y in 0..<code.size {
            var x = 0
            while x < code.size {
                let start = x
                while x < code.size, code.isDark(x, y) { x += 1 }
                if x > start {
                    addRectangle(
                        left: left + Double(start) * module, top: top + Double(y) * module,
                        width: Double(x - start) * module, height: module)
                }
                x += 1
            }
        }
    }
}
