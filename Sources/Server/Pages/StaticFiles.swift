import Foundation
import HTTPServer
import Pages
import Secrets

/// The scripts and style sheets that browsers load: the files of `Public`, the joined script of the phones,
/// the phrases of the host's page, and Chart.js. The entity tag of each file is derived from its contents.
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

    private static let script = "text/javascript; charset=utf-8"
    private static let styleSheet = "text/css; charset=utf-8"

    /// The path at which Debian's package libjs-chart.js installs Chart.js. If the file is missing, the
    /// host's page shows its tables without plots.
    static let chartPath = "/usr/share/javascript/chart.js/chart.min.js"

    private let files: [String: File]

    init(chartAt path: String = chartPath) {
        var files: [String: File] = [:]
        for file in PublicFile.all {
            // HTML files are not served unchanged, because handlers fill in their placeholders.
            if file.path.hasSuffix(".css") {
                files[file.path] = File(Self.styleSheet, file.bytes)
            } else if file.path.hasSuffix(".js") {
                files[file.path] = File(Self.script, file.bytes)
            }
        }
        files[PhoneScript.path] = File(Self.script, PhoneScript.joinedFiles())
        files[HostPhrases.path] = File(Self.script, HostPhrases.module())
        if let chart = FileManager.default.contents(atPath: path) {
            files["/chart.js"] = File(Self.script, Array(chart))
        }
        self.files = files
    }

    /// Returns the requested file, or 304 if the client already has the current file; nil if there is no such
    /// file.
    func response(to request: HTTPRequest) -> HTTPResponse? {
        guard let file = files[request.path] else { return nil }
        let headers = [
            ("ETag", file.tag), ("Cache-Control", "no-cache"), ("X-Content-Type-Options", "nosniff"),
        ]
        // `If-None-Match` lists tags, weak or strong, or is `*` (RFC 9110 §13.1.2).
        let condition = request.headers.first("if-none-match") ?? ""
        if condition.contains(file.tag) || condition == "*" {
            return HTTPResponse(status: 304, headers: headers, body: file.body)
        }
        return HTTPResponse(status: 200, headers: headers + [("Content-Type", file.type)], body: file.body)
    }
}
