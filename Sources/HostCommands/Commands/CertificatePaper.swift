internal import Certificates
internal import Meetings
internal import Paper
internal import Phrases
internal import QRCodes
internal import Wire

/// Draws certificates on paper: A4 in landscape format. All texts come from the signed code itself.
enum CertificatePaper {
    private typealias Texts = Phrase.Certificate

    private static let size = PDFPage.Size(width: 841.89, height: 595.28)
    /// The colour of the product's pages in the light scheme.
    private static let accent = PDFPage.Ink(red: 0x43, green: 0x38, blue: 0xCA)
    private static let soft = PDFPage.Ink(red: 0x55, green: 0x5B, blue: 0x6E)

    /// Returns a page for each address of a certificate.
    /// - Parameter server: the server's address, without its scheme.
    static func pages(_ addresses: [String], of server: String, in language: Language) throws(QRCodeError)
        -> [PDFPage]
    {
        var pages: [PDFPage] = []
        for address in addresses {
            guard let statement = CertificateCode.payload(in: address)?.statement else { continue }
            pages.append(try page(statement, at: address, of: server, in: language))
        }
        return pages
    }

    private static func page(
        _ statement: CertificateStatement, at address: String, of server: String, in language: Language
    ) throws(QRCodeError) -> PDFPage {
        let code = try QRCode.encode(address)
        let title = Texts.title.text(in: language)
        var page = PDFPage(title: "\(title) – \(statement.name)", size: size)
        addFrame(to: &page)
        let (left, width) = (70.0, size.width - 140)
        func add(
            _ text: String, top: Double, most: Double, points: Double, isBold: Bool = false,
            ink: PDFPage.Ink = .black
        ) {
            page.add(
                text: text, top: top, most: most, points: points, isBold: isBold, left: left, width: width,
                ink: ink)
        }
        add(title, top: 70, most: 48, points: 34, isBold: true, ink: accent)
        add(Texts.certifies.text(in: language), top: 130, most: 24, points: 14, ink: soft)
        add(statement.name, top: 158, most: 74, points: 46, isBold: true)
        page.addRectangle(
            left: size.width / 2 - 170, top: 238, width: 340, height: 1, ink: accent)
        add(Texts.attended.text(in: language), top: 250, most: 24, points: 14, ink: soft)
        add(statement.meeting, top: 278, most: 62, points: 26, isBold: true)
        if !statement.title.isEmpty { add(statement.title, top: 342, most: 26, points: 17) }
        add(
            statement.attendance.text(in: language), top: statement.title.isEmpty ? 346 : 374, most: 26,
            points: 16)

        let side = 118.0
        let place = (left: size.width - 70 - side, top: size.height - 62 - side)
        page.add(code, left: place.left, top: place.top, side: side)
        page.addLink(to: address, left: place.left, top: place.top, width: side, height: side)
        let lines = [
            (
                Texts.issuedBy.text(
                    in: language, ["day": statement.issuedOn.text, "server": server]),
                PDFPage.Ink.black
            ), (Texts.numbered.text(in: language, ["number": statement.id.number]), soft),
            (Texts.scan.text(in: language), soft),
        ]
        for (index, line) in lines.enumerated() {
            page.add(
                text: line.0, top: size.height - 122 + 20 * Double(index), most: 18, points: 11, left: left,
                width: place.left - left - 20, ink: line.1, alignment: .leading)
        }
        return page
    }

    /// Adds two frames: a wide one, and a thin one inside it.
    private static func addFrame(to page: inout PDFPage) {
        for (inset, thickness) in [(26.0, 3.0), (34.0, 0.8)] {
            let (width, height) = (size.width - 2 * inset, size.height - 2 * inset)
            for (left, top, width, height) in [
                (inset, inset, width, thickness),
                (inset, size.height - inset - thickness, width, thickness),
                (inset, inset, thickness, height),
                (size.width - inset - thickness, inset, thickness, height),
            ] {
                page.addRectangle(left: left, top: top, width: width, height: height, ink: accent)
            }
        }
    }
}
