import Pages

/// The script of a phone's page, `/page.js`: several modules of `Public`, joined into one when the server
/// starts.
///
/// A hall of phones opens the page at the same moment, and each file would be one more request of each phone.
/// In `Public` each module imports what it needs, so that it can be read and tested alone.
enum PhoneScript {
    /// The joined modules; a module comes after those that it imports. Their top-level names differ.
    static let modules = ["/phrase.js", "/words.js", "/device.js", "/fields.js", "/page.js"]
    /// The address of the joined script.
    static let path = "/page.js"

    /// Returns the joined script, without the imports among its modules.
    static func joined(_ files: [PublicFile]) -> [UInt8] {
        let texts = modules.map { module in
            guard let file = files.first(where: { $0.path == module }) else {
                preconditionFailure("\(module) is not compiled in")
            }
            return String(decoding: file.bytes, as: UTF8.self)
                .replacing(#/(?m)^import [^;]* from "\.(/[^"]*)";\n/#) { line in
                    modules.contains(String(line.1)) ? "" : String(line.0)
                }
        }
        return Array(texts.joined(separator: "\n").utf8)
    }

    /// Returns the text of a module of `Public`. If it is not joined itself, its imports of the joined
    /// modules lead to the joined script, so that each of them is loaded once.
    static func redirected(_ module: PublicFile) -> [UInt8] {
        // The joined modules are in the top folder; `./fields.js` of a module in another folder is another file.
        guard !modules.contains(module.path), module.path.lastIndex(of: "/") == module.path.startIndex
        else { return module.bytes }
        let text = String(decoding: module.bytes, as: UTF8.self).replacing(#/from "\.(/[^"]*)";/#) { clause in
            modules.contains(String(clause.1)) ? "from \".\(path)\";" : String(clause.0)
        }
        return Array(text.utf8)
    }
}
