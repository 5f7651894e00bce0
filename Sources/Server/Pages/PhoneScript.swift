import Pages

/// The script of the pages for attendees, `/page.js`: the module of `Public` with this path and all modules
/// that it imports, which the server joins when it starts.
///
/// In a hall, many phones open the page at the same moment, and each separate file would cost another request
/// of each phone. In `Public`, each module imports the modules that it needs, so that each can be read and
/// tested alone. The modules that `/page.js` loads later import from `/page.js`, which exports what they
/// need, so that no module is loaded twice.
struct PhoneScript {
    /// The address of the joined script.
    static let path = "/page.js"

    /// A line that the server cannot join with other modules.
    struct Fault: Error, Equatable, CustomStringConvertible {
        let module: String
        /// The number of the line, from 1; 0 if the whole module is missing.
        let line: Int
        let reason: String

        var description: String { "Public\(module):\(line): \(reason)" }
    }

    private let texts: [String: String]
    /// The modules that were joined so far or are being joined.
    private var modules: Set<String> = []
    /// The lines of the joined script.
    private var lines: [Substring] = []
    /// The modules that declare each top-level name.
    private var declared: [String: String] = [:]

    /// Returns the joined script, without comments, which are a quarter of the bytes. A module comes after
    /// the modules that it imports.
    /// - Parameter texts: the texts of modules by their paths.
    /// - Throws: `Fault` at the first line that does not follow the rules: a comment has its own lines; an
    ///   import is one line without `as`; no text spans several lines; top-level names differ.
    static func joined(_ texts: [String: String]) throws(Fault) -> String {
        var script = PhoneScript(texts: texts)
        try script.add(path)
        return script.lines.map { "\($0)\n" }.joined()
    }

    /// Returns the joined script of `Public`. A test proves that its modules follow the rules.
    static func joinedFiles() -> [UInt8] {
        do { return Array(try joined(files).utf8) } catch { preconditionFailure("\(error)") }
    }

    /// The modules of `Public` by their paths.
    static var files: [String: String] {
        let scripts = PublicFile.all.filter { $0.path.hasSuffix(".js") }
        return Dictionary(
            uniqueKeysWithValues: scripts.map { ($0.path, String(decoding: $0.bytes, as: UTF8.self)) })
    }

    private init(texts: [String: String]) { self.texts = texts }

    private mutating func add(_ module: String) throws(Fault) {
        guard modules.insert(module).inserted else { return }
        guard let text = texts[module] else {
            throw Fault(module: module, line: 0, reason: "There is no such module.")
        }
        var isComment = false
        var own: [Substring] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            func fault(_ reason: String) -> Fault { Fault(module: module, line: index + 1, reason: reason) }
            let code = line.trimmingPrefix(while: { $0 == " " })
            if isComment || code.hasPrefix("/*") {
                let end = code.firstRange(of: "*/")?.upperBound
                guard end == nil || end == code.endIndex else { throw fault("Code follows a comment.") }
                isComment = end == nil
            } else if code.isEmpty || code.hasPrefix("//") {
                continue
            } else if let imported = line.wholeMatch(of: Self.importLine)?.output.1 {
                try add(String(imported))
            } else {
                if line.hasPrefix("import") {
                    throw fault(#"Write the import as: import { a, b } from "./module.js";"#)
                }
                if line.hasPrefix("export"), line.prefixMatch(of: Self.declaration) == nil {
                    throw fault("Write export in front of a declaration, or export { a } from a module.")
                }
                if line.count(where: { $0 == "`" }) % 2 != 0 { throw fault("A text spans lines.") }
                if let name = line.prefixMatch(of: Self.declaration)?.output.1 {
                    if let other = declared.updateValue(module, forKey: String(name)) {
                        throw fault("\(other) declares \(name), too.")
                    }
                }
                own.append(line)
            }
        }
        lines += own
    }

    /// An import, or an export of another module's names. Neither is needed in the joined script.
    private static var importLine: Regex<(Substring, Substring)> {
        #/(?:import|export) \{ \w+(?:, \w+)* \} from "\.(/[\w-]+\.js)";/#
    }

    /// The beginning of a declaration at the top level.
    private static var declaration: Regex<(Substring, Substring)> {
        #/(?:export )?(?:async )?(?:function|class|const|let) (\w+)/#
    }
}
