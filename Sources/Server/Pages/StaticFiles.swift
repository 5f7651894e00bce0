import Foundation
import HTTPServer
import Pages
import Secrets

/// The files of `Public` that are served as they are, compiled in, with entity tags of their contents.
struct StaticFiles: Sendable {
    private struct File: Sendable {
        let type: String
        let body: [UInt8]
        let tag: String

        init(_ type: String, _ body: [UInt8]) {
            self.type = type
            self.body = body
            tag = "\"\(Crockford.encode(Secrets.fingerprint(of: body)))\""
        }
    }

    /// Pages are filled in by a handler first, and are no files.
    private static let types = ["css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8"]

    /// Where Debian's libjs-chart.js puts Chart.js. The plots of the host's page have tables beside them,
    /// which stand alone without it.
    static let chartPlace = "/usr/share/javascript/chart.js/chart.min.js"

    private let files: [String: File]

    init(chartAt place: String = chartPlace) {
        var files: [String: File] = [:]
        for file in PublicFile.all {
            guard let type = Self.types[String(file.path.split(separator: ".").last ?? "")] else { continue }
            files[file.path] = File(type, file.bytes)
        }
        if let chart = FileManager.default.contents(atPath: place) {
            files["/chart.js"] = File(Self.types["js"] ?? "", Array(chart))
        }
        self.files = files
    }

    /// Nil for what is no file.
    func response(to request: HTTPRequest) -> HTTPResponse? {
        guard let file = files[request.path] else { return nil }
        let headers = [
            ("ETag", file.tag), ("Cache-Control", "no-cache"), ("X-Content-Type-Options", "nosniff"),
        ]
        // RFC 9110 §13.1.2: one of the tags, weak or strong, or any.
        let asked = request.headers.first("if-none-match") ?? ""
        if asked.contains(file.tag) || asked == "*" {
            return HTTPResponse(status: 304, headers: headers, body: file.body)
        }
        return HTTPResponse(status: 200, headers: headers + [("Content-Type", file.type)], body: file.body)
    }
}
