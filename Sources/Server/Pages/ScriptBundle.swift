import Pages
import Phrases

/// The scripts that browsers load. In `Public`, each module imports what it needs, so that each can be read
/// and tested alone. The server joins them: a script with all modules that it imports is one file, and so is
/// a script that another one loads later with `import("…")`.
///
/// In a hall, many phones open a page at the same moment, and each separate file would cost another request
/// of each phone; on a slow network, each import of an import would cost another round trip.
///
/// A joined file is a module. It stores each joined module's exports in one object of the page, so that a
/// module runs once even if several files contain it.
struct ScriptBundle {
    /// The script of the pages for attendees. It checks people in, and loads `laterPath` after that.
    static let phonePath = "/page.js"
    /// The script for people who are checked in.
    static let laterPath = "/own.js"
    static let hostPath = "/host/main.js"
    /// The scripts that pages name in their HTML. No page has two of them.
    static let roots = [phonePath, "/present.js", "/door.js", "/kiosk.js", hostPath]

    /// A line that the server cannot join with other modules.
    struct Fault: Error, Equatable, CustomStringConvertible {
        let module: String
        /// The number of the line, from 1; 0 if the whole module is missing.
        let line: Int
        let reason: String

        var description: String { "Public\(module):\(line): \(reason)" }
    }

    private let grammar = Grammar()
    /// The modules that were read, by their paths.
    private var modules: [String: Module] = [:]
    /// For each script: the modules that its page always has before it.
    private var earlier: [String: Set<String>] = [:]

    /// Returns the joined scripts by their paths, without comments and indentation: each of `roots`, and each
    /// script that one of them loads later. In a file, a module comes after the modules that it imports.
    /// - Parameter texts: the texts of modules by their paths.
    /// - Throws: `Fault` at the first line that does not follow the rules: a comment has its own lines; no
    ///   text spans several lines; an import names what it imports; only functions, classes and constants are
    ///   exported, where they are declared; no module imports itself through others.
    static func joined(_ texts: [String: String], from roots: [String] = roots) throws(Fault)
        -> [String: String]
    {
        var bundle = ScriptBundle()
        for root in roots { try bundle.read(root, of: texts) }
        bundle.findEarlier(roots)
        return Dictionary(uniqueKeysWithValues: bundle.earlier.keys.map { ($0, bundle.script($0)) })
    }

    /// Returns the joined scripts of `Public` by their paths, and its other modules as they are. The scripts
    /// of the host's page are there in each language. A test proves that the modules follow the rules.
    static func files() -> [String: String] {
        do {
            var files = texts()
            let host = try joined(files, from: [hostPath])
            files.merge(try joined(files, from: roots.filter { $0 != hostPath })) { _, joined in joined }
            files.merge(HostPhrases.added(to: host, first: hostPath)) { _, joined in joined }
            return files
        } catch { preconditionFailure("\(error)") }
    }

    /// Returns the modules of `Public`, and those that the server makes, by their paths.
    static func texts() -> [String: String] {
        var texts = [
            HostPhrases.path: HostPhrases.module, HostPhrases.examplesPath: HostPhrases.examples,
        ]
        for file in PublicFile.all where file.path.hasSuffix(".js") {
            texts[file.path] = String(decoding: file.bytes, as: UTF8.self)
        }
        return texts
    }

    /// Reads a module and all modules that it imports or loads later.
    private mutating func read(_ path: String, of texts: [String: String], under: [String] = []) throws(Fault)
    {
        if under.contains(path) { throw Fault(module: path, line: 0, reason: "It imports itself.") }
        guard modules[path] == nil else { return }
        guard let text = texts[path] else {
            throw Fault(module: path, line: 0, reason: "There is no such module.")
        }
        let module = try Module(text, at: path, grammar)
        for imported in module.imports { try read(imported, of: texts, under: under + [path]) }
        for (imported, names) in module.names {
            for name in names.map({ $0.split(separator: ":")[0] })
            where modules[imported]?.exports.contains(String(name)) != true {
                throw Fault(module: path, line: 0, reason: "\(imported) does not export \(name).")
            }
        }
        modules[path] = module
        for later in module.later { try read(later, of: texts) }
    }

    /// Returns the module and all modules that it imports, each after its own imports.
    private func parts(of path: String) -> [String] {
        var found: [String] = []
        func visit(_ path: String) {
            guard !found.contains(path), let module = modules[path] else { return }
            module.imports.forEach(visit)
            found.append(path)
        }
        visit(path)
        return found
    }

    /// Finds for each script the modules that its page always has before: all that each script which loads it
    /// contains or finds itself.
    private mutating func findEarlier(_ roots: [String]) {
        for root in roots { earlier[root] = [] }
        var queue = roots
        while let path = queue.popLast() {
            let parts = parts(of: path)
            let known = (earlier[path] ?? []).union(parts)
            for later in parts.compactMap({ modules[$0]?.later }).joined() {
                let common = earlier[later]?.intersection(known) ?? known
                guard earlier[later] != common else { continue }
                earlier[later] = common
                queue.append(later)
            }
        }
    }

    private func script(_ path: String) -> String {
        let parts = parts(of: path).filter { earlier[path]?.contains($0) != true }
        let exports = modules[path]?.exports ?? []
        var statements =
            ["const $=(globalThis.$qring??=Object.create(null));"] + parts.compactMap { modules[$0]?.wrapped }
        if !exports.isEmpty {
            statements.append("export const {\(exports.joined(separator: ","))}=\(Module.key(path));")
        }
        return statements.map { "\($0)\n" }.joined()
    }
}

/// The forms of lines that the server changes. Compiling a regex takes longer than to match all lines with
/// it, so a bundle compiles each only once.
private struct Grammar {
    let importing =
        #/(import|export) \{ (\w+(?: as \w+)?(?:, \w+(?: as \w+)?)*),? \} from "(\.?/[\w/-]+\.js)";/#
    let declaration = #/export (?:async )?(?:function\*?|class|const) (\w+)(?: =|\(| \{| extends)/#
    let loading = #/\bimport\("(\.?/[\w/-]+\.js)"\)/#
    /// A form of loading that stays after the known form is replaced.
    let otherLoading = #/\bimport\((?!"\/)/#
}

/// A module of `Public` as a part of a joined script.
private struct Module {
    private let path: String
    /// The paths of the modules that it imports, in the order of their imports.
    private(set) var imports: [String] = []
    /// The paths of the scripts that it loads later.
    private(set) var later: [String] = []
    /// The names that it exports.
    private(set) var exports: [String] = []
    /// For each imported module: the imported names, such as `a` or `a:b` for `a as b`.
    private(set) var names: [String: [String]] = [:]
    private var lines: [String] = []

    /// - Throws: `ScriptBundle.Fault`, see `ScriptBundle.joined`.
    init(_ text: String, at path: String, _ grammar: Grammar) throws(ScriptBundle.Fault) {
        self.path = path
        var isComment = false
        /// The lines so far of an import that spans several lines.
        var begun = ""
        for (index, line) in text.lines.enumerated() {
            func fault(_ reason: String) -> ScriptBundle.Fault {
                ScriptBundle.Fault(module: path, line: index + 1, reason: reason)
            }
            let code = Substring(line.utf8.drop { $0 == UInt8(ascii: " ") })
            if isComment || code.hasPrefix("/*") {
                let end = code.firstRange(of: "*/")?.upperBound
                guard end == nil || end == code.endIndex else { throw fault("Code follows a comment.") }
                isComment = end == nil
            } else if code.isEmpty || code.hasPrefix("//") {
                continue
            } else if !begun.isEmpty || line.hasPrefix("import ") || line.hasPrefix("export {") {
                begun += begun.isEmpty || begun.hasSuffix(" ") ? code : " \(code)"
                guard begun.hasSuffix(";") else { continue }
                guard let found = begun.wholeMatch(of: grammar.importing)?.output else {
                    throw fault(#"Write the import as: import { a, b as c } from "./module.js";"#)
                }
                add(
                    found.2.split(separator: ", ").map(String.init), of: String(found.3),
                    isExport: found.1 == "export")
                begun = ""
            } else {
                try add(line, code, grammar, fault: fault)
            }
        }
        if !begun.isEmpty {
            throw ScriptBundle.Fault(module: path, line: 0, reason: "An import does not end.")
        }
    }

    private mutating func add(_ given: [String], of module: String, isExport: Bool) {
        let module = absolute(module)
        if !imports.contains(module) { imports.append(module) }
        for name in given {
            let name = name.replacingBytes(of: " as ", with: ":")
            if !names[module, default: []].contains(name) { names[module, default: []].append(name) }
            if isExport { exports.append(String(name.split(separator: ":").last ?? "")) }
        }
    }

    private mutating func add(
        _ line: Substring, _ code: Substring, _ grammar: Grammar, fault: (String) -> ScriptBundle.Fault
    )
        throws(ScriptBundle.Fault)
    {
        var code = String(code)
        if line.hasPrefix("export") {
            guard let declared = line.prefixMatch(of: grammar.declaration) else {
                throw fault("Export a function, a class or a constant where it is declared.")
            }
            exports.append(String(declared.output.1))
            code.removeFirst("export ".count)
        }
        if line.hasPrefix("import"), !line.hasPrefix("import(") {
            throw fault("Import at the beginning of a line, with names.")
        }
        if line.utf8.count(where: { $0 == UInt8(ascii: "`") }) % 2 != 0 { throw fault("A text spans lines.") }
        if code.firstBytes(of: "import(") != nil { try replaceLoading(in: &code, grammar, fault: fault) }
        lines.append(code)
    }

    /// Replaces relative addresses of later scripts, because a joined module may be in a file of another
    /// folder.
    private mutating func replaceLoading(
        in code: inout String, _ grammar: Grammar, fault: (String) -> ScriptBundle.Fault
    ) throws(ScriptBundle.Fault) {
        for match in code.matches(of: grammar.loading) {
            let module = absolute(String(match.output.1))
            if !later.contains(module) { later.append(module) }
            code = code.replacingBytes(of: String(match.output.0), with: "import(\"\(module)\")")
        }
        if code.contains(grammar.otherLoading) {
            throw fault("Write the import as: import(\"./module.js\")")
        }
    }

    /// Returns the path of an imported module, which may be relative to this one's folder.
    private func absolute(_ module: String) -> String {
        guard module.hasPrefix("./") else { return module }
        return String(path[...(path.lastIndex(of: "/") ?? path.startIndex)]) + module.dropFirst(2)
    }

    /// The expression for the exports of a module. It is no address, so that no hash is added to it.
    static func key(_ path: String) -> String { "$[\"\(path.dropFirst().dropLast(".js".count))\"]" }

    /// The module as a statement that runs it, unless the page has it already.
    var wrapped: String {
        let taken = imports.map {
            "const {\(names[$0, default: []].joined(separator: ","))}=\(Self.key($0));"
        }
        let given = "return {\(exports.joined(separator: ","))};"
        return (["\(Self.key(path))??=(()=>{"] + taken + lines + [given, "})();"]).joined(separator: "\n")
    }
}
