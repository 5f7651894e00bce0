import Compression
import HTTPServer
import Pages
import Phrases
import Secrets
import Synchronization
import Threads
import Wire

/// The scripts and style sheets that browsers load: the joined files of `Public`. Each is made once: by
/// `prepare`, or by its first request.
///
/// A page names a file by an address with a hash of what the files are made from, so that a browser may store
/// it for a year. The same file without the hash, or with the hash of another version, must be revalidated.
final class StaticFiles: Sendable {
    private struct File: Sendable {
        let type: String
        let plain: [UInt8]
        let compressed: [UInt8]
        /// A weak entity tag, because it names both forms of the file (RFC 9110 §8.8.1).
        let tag: String

        init(_ type: String, _ plain: [UInt8]) {
            self.type = type
            self.plain = plain
            compressed = Gzip.compressed(plain)
            tag = "W/\"\(Crockford.encode(Secrets.fingerprint(of: plain)))\""
        }
    }

    private static let script = "text/javascript; charset=utf-8"
    private static let styleSheet = "text/css; charset=utf-8"
    private static let prefix = "/v/"
    /// The beginning of the addresses that browsers may store: `/v/` and a hash of the embedded files, the
    /// names and texts of phrases, and the version. Every page contains it, so it does not need the files.
    static let base: String = {
        let phrases = [Phrase.Host.all, Phrase.Page.examples].joined().map { "\($0.key)=\($0.value.english)" }
        let version = ProductVersion.commit ?? ProductVersion.text
        let texts = [PublicFile.list, HostPhrases.module, version] + phrases.sorted()
        let sources =
            [Array(texts.joined(separator: "\0").utf8), Array(PublicFile.contents)]
            + Language.allCases.map { Array($0.translations) }
        let hash = Secrets.fingerprint(of: sources.flatMap(Secrets.fingerprint))
        return prefix + Crockford.encode(hash).lowercased()
    }()

    private let made = Mutex<[String: File]>([:])

    /// Makes all files on a thread of low priority, ten seconds after the start. Immediately, this would take
    /// more processor time than the rest of the start, and a server that runs only briefly, as in tests,
    /// serves no page. Until then, and if no thread starts, each file's first request makes it.
    func prepare() {
        Task { [weak self] in
            try? await Task.sleep(for: .seconds(10))
            guard let self else { return }
            try? LoopThread(named: "files").start {
                // A request that needs them waits for this thread.
                _ = Self.scripts
                LoopThread.lowerPriority()
                for path in PublicFile.all.map(\.path) + Self.scripts.keys {
                    _ = self.file(at: path, makes: true)
                }
            }
        }
    }

    private func file(at path: String, makes: Bool) -> File? {
        if let file = made.withLock({ $0[path] }) { return file }
        guard makes, let file = Self.make(path) else { return nil }
        made.withLock { $0[path] = file }
        return file
    }

    /// Returns nil for HTML files, because handlers fill in their placeholders.
    private static func make(_ path: String) -> File? {
        if path.hasSuffix(".css"), PublicFile(at: path) != nil {
            return File(styleSheet, Array(StyleSheet.joined(path).utf8))
        }
        return scripts[path].map { File(script, Array(versioned($0).utf8)) }
    }

    private static let scripts = ScriptBundle.files()

    /// Returns the script with `base` before the addresses of other scripts, which are texts such as
    /// `"/rooms.js"`. Relative addresses need no change.
    private static func versioned(_ script: String) -> String {
        scripts.keys.reduce(script) { script, path in
            script.replacingBytes(of: "\"\(path)\"", with: "\"\(base)\(path)\"")
        }
    }

    /// Returns the requested file, or 304 if the client already has the current file; nil if there is no such
    /// file.
    /// - Parameter makes: whether to make the file if nobody did. The first script takes tens of
    ///   milliseconds.
    func response(to request: HTTPRequest, makes: Bool) -> HTTPResponse? {
        guard request.path.hasSuffix(".js") || request.path.hasSuffix(".css") else { return nil }
        var path = request.path
        var isVersioned = false
        if path.hasPrefix(Self.prefix), let end = path.dropFirst(Self.prefix.count).firstIndex(of: "/") {
            isVersioned = path[..<end] == Self.base
            path = String(path[end...])
        }
        guard let file = file(at: path, makes: makes) else { return nil }
        var headers = [
            ("ETag", file.tag), ("Vary", "Accept-Encoding"), ("X-Content-Type-Options", "nosniff"),
            ("Cache-Control", isVersioned ? "public, max-age=31536000, immutable" : "no-cache"),
        ]
        let isCompressed = Self.takesGzip(request.headers)
        let body = isCompressed ? file.compressed : file.plain
        // `If-None-Match` lists tags, weak or strong, or is `*` (RFC 9110 §13.1.2).
        let condition = request.headers.first("if-none-match") ?? ""
        if condition.contains(file.tag.dropFirst(2)) || condition == "*" {
            return HTTPResponse(status: 304, headers: headers, body: body)
        }
        headers.append(("Content-Type", file.type))
        if isCompressed { headers.append(("Content-Encoding", "gzip")) }
        return HTTPResponse(status: 200, headers: headers, body: body)
    }

    /// Whether the client accepts gzip (RFC 9110 §12.5.3).
    static func takesGzip(_ headers: HTTPHeaders) -> Bool {
        headers.all("accept-encoding").joined(separator: ",").split(separator: ",").contains { coding in
            let parts = coding.lowercased().split(separator: ";").map { $0.filter { !$0.isWhitespace } }
            guard parts.first == "gzip" else { return false }
            let quality = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 }
            return quality ?? 1 > 0
        }
    }
}

/// Joins a style sheet of `Public` with the sheets that it imports.
enum StyleSheet {
    /// Returns the sheet without its comments and in few bytes. Each line `@import "/look.css";` is replaced
    /// with that sheet. Traps if there is no such sheet.
    static func joined(_ path: String) -> String {
        guard let file = PublicFile(at: path) else { preconditionFailure("\(path) is not compiled in") }
        let text = String(decoding: file.bytes, as: UTF8.self)
        var joined = ""
        for line in withoutComments(text).split(separator: "\n") {
            let code = String(Substring(line.utf8.drop { $0 == UInt8(ascii: " ") }))
            if code.hasPrefix("@import \""), let end = code.dropFirst(9).firstIndex(of: "\"") {
                joined += Self.joined(String(code[code.index(code.startIndex, offsetBy: 9)..<end]))
            } else if !code.isEmpty {
                joined += withIcons(compact(code))
            }
        }
        return joined
    }

    /// Returns a line without the spaces that CSS does not need. A phone's first page includes the sheet.
    private static func compact(_ line: String) -> String {
        var line = line
        // Older browsers need the space of an empty custom property, such as `--dark: ;`.
        for (long, short) in [
            (": ", ":"), ("; ", ";"), (" {", "{"), ("{ ", "{"), (" }", "}"), (";}", "}"), (":;", ": ;"),
        ] {
            line = line.replacingBytes(of: long, with: short)
        }
        return "{};,".contains(line.last ?? " ") ? line : "\(line) "
    }

    /// Returns a line with the file of an icon instead of its address.
    private static func withIcons(_ line: String) -> String {
        guard let start = line.firstBytes(of: "url(\"/icons/"),
            let end = line[start.upperBound...].firstIndex(of: "\"")
        else { return line }
        let path = "/icons/" + line[start.upperBound..<end]
        return line[..<start.lowerBound] + "url(\"" + Icon.dataURL(of: path) + line[end...]
    }

    private static func withoutComments(_ text: String) -> String {
        var (code, rest) = ("", text)
        while let start = rest.firstBytes(of: "/*") {
            code += rest[..<start.lowerBound]
            rest = String(rest[start.upperBound...])
            rest = rest.firstBytes(of: "*/").map { String(rest[$0.upperBound...]) } ?? ""
        }
        return code + rest
    }
}
