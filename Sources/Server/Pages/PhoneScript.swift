import Pages

/// The scripts of the pages for attendees: a module of `Public` and all modules that it imports, which the
/// server joins when it starts.
///
/// In a hall, many phones open the page at the same moment, and each separate file would cost another request
/// of each phone. In `Public`, each module imports the modules that it needs, so that each can be read and
/// tested alone. The first script checks people in. The second one loads after it, and imports what it needs
/// of the first, so that no module is loaded twice.
struct PhoneScript {
    /// The address of the script for forms.
    static let path = "/page.js"
    /// The address of the script for people who are checked in. It imports from `/page.js`.
    static let laterPath = "/own.js"

    /// A line that the server cannot join with other modules.
    struct Fault: Error, Equatable, CustomStringConvertible {
        let module: String
        /// The number of the line, from 1; 0 if the whole module is missing.
        let line: Int
        let reason: String

        var description: String { "Public\(module):\(line): \(reason)" }
    }

    private let texts: [String: String]
    /// The script that the phone has loaded before, which is imported and not joined.
    private let earlier: String?
    /// The names that this script imports from the earlier one.
    private var borrowed: [String] = []
    /// The modules that were joined so far or are being joined.
    private var modules: Set<String> = []
    /// The lines of the joined script.
    private var lines: [Substring] = []
    /// The modules that declare each top-level name.
    private var declared: [String: String] = [:]

    /// Returns the joined script without comments and indentation. A module comes after the modules that it
    /// imports.
    /// - Parameters:
    ///   - texts: the texts of modules by their paths.
    ///   - root: the path of the module to begin with.
    ///   - earlier: the path of a script that the phone has loaded before.
    /// - Throws: `Fault` at the first line that does not follow the rules: a comment has its own lines; an
    ///   import is one line without `as`; no text spans several lines; top-level names differ.
    static func joined(
        _ texts: [String: String], from root: String = path, after earlier: String? = nil
    ) throws(Fault) -> String {
        var script = PhoneScript(texts: texts, earlier: earlier)
        try script.add(root)
        var imports = ""
        if let earlier, !script.borrowed.isEmpty {
            imports = "import { \(script.borrowed.joined(separator: ", ")) } from \".\(earlier)\";\n"
        }
        return imports + script.lines.map { "\($0)\n" }.joined()
    }

    /// Returns the joined scripts of `Public` by their paths. A test proves that their modules follow the
    /// rules.
    static func joinedFiles() -> [String: String] {
        do {
            let texts = files
            return [path: try joined(texts), laterPath: try joined(texts, from: laterPath, after: path)]
        } catch { preconditionFailure("\(error)") }
    }

    /// The modules of `Public` by their paths.
    static var files: [String: String] {
        let scripts = PublicFile.all.filter { $0.path.hasSuffix(".js") }
        return Dictionary(
            uniqueKeysWithValues: scripts.map { ($0.path, String(decoding: $0.bytes, as: UTF8.self)) })
    }

    // Compiling a regex takes longer than to match all lines with it, so a script compiles each only once.
    /// An import, or an export of another module's names. Neither is needed in the joined script.
    private let importLine = #/(?:import|export) \{ (\w+(?:, \w+)*) \} from "\.(/[\w-]+\.js)";/#
    /// The beginning of a declaration at the top level.
    private let declaration = #/(?:export )?(?:async )?(?:function|class|const|let) (\w+)/#

    private init(texts: [String: String], earlier: String?) {
        self.texts = texts
        self.earlier = earlier
    }

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
            } else if let (_, names, imported) = line.wholeMatch(of: importLine)?.output {
                if String(imported) == earlier {
                    try borrow(names.split(separator: ", ").map(String.init), for: module, at: index + 1)
                } else {
                    try add(String(imported))
                }
            } else {
                if line.hasPrefix("import") {
                    throw fault(#"Write the import as: import { a, b } from "./module.js";"#)
                }
                if line.hasPrefix("export"), line.prefixMatch(of: declaration) == nil {
                    throw fault("Write export in front of a declaration, or export { a } from a module.")
                }
                if line.count(where: { $0 == "`" }) % 2 != 0 { throw fault("A text spans lines.") }
                if let name = line.prefixMatch(of: declaration)?.output.1 {
                    if let other = declared.updateValue(module, forKey: String(name)) {
                        throw fault("\(other) declares \(name), too.")
                    }
                }
                own.append(code)
            }
        }
        lines += own
    }

    /// Imports names from the earlier script.
    private mutating func borrow(_ names: [String], for module: String, at line: Int) throws(Fault) {
        for name in names where !borrowed.contains(name) {
            if let other = declared.updateValue(earlier ?? "", forKey: name) {
                throw Fault(module: module, line: line, reason: "\(other) declares \(name), too.")
            }
            borrowed.append(name)
        }
    }
}
