import Pages

/// The script of the pages for attendees, `/page.js`: several modules of `Public`, which the server joins
/// when it starts.
///
/// In a hall, many phones open the page at the same moment, and each separate file would cost another request
/// of each phone. In `Public`, each module imports the modules that it needs, so that each can be read and
/// tested alone.
enum PhoneScript {
    /// The joined modules. A module comes after the modules that it imports. Their top-level names differ.
    static let modules = ["/phrase.js", "/words.js", "/device.js", "/fields.js", "/page.js"]
    /// The address of the joined script.
    static let path = "/page.js"

    /// Returns the joined script, without the imports among its modules and without their comments. Comments
    /// are a quarter of the bytes. In `Public`, every comment has its own line.
    static func joined(_ files: [PublicFile]) -> [UInt8] {
        let texts = modules.map { module in
            guard let file = files.first(where: { $0.path == module }) else {
                preconditionFailure("\(module) is not compiled in")
            }
            return String(decoding: file.bytes, as: UTF8.self)
                .replacing(#/(?m)^ *(//|/\*\*|\*).*\n/#, with: "")
                .replacing(#/(?m)^import [^;]* from "\.(/[^"]*)";\n/#) { line in
                    modules.contains(String(line.1)) ? "" : String(line.0)
                }
        }
        return Array(texts.joined(separator: "\n").utf8)
    }

    /// Returns the text of a module of `Public`. If the module is not part of the joined script, its imports
    /// of joined modules are replaced with imports of the joined script, so that no module is loaded twice.
    static func redirected(_ module: PublicFile) -> [UInt8] {
        // The joined modules are in the top folder; in another folder, `./fields.js` names another file.
        guard !modules.contains(module.path), module.path.lastIndex(of: "/") == module.path.startIndex
        else { return module.bytes }
        let text = String(decoding: module.bytes, as: UTF8.self).replacing(#/from "\.(/[^"]*)";/#) { clause in
            modules.contains(String(clause.1)) ? "from \".\(path)\";" : String(clause.0)
        }
        return Array(text.utf8)
    }
}
