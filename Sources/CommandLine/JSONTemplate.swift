internal import FoundationEssentials
internal import Phrases
internal import Terminal

/// The text of `--template`, which prints each row of an answer: `{name}\t{attendance.present}\n`. The names
/// are those of `--json`. `qring help formatting` has the grammar.
struct JSONTemplate {
    private enum Part {
        case text(String)
        /// The names of a field with dots.
        case field([String])
    }

    private let parts: [Part]

    /// The most bytes of a template.
    static let mostBytes = 4096

    /// - Parameter option: the option `--json` of the command, which knows the fields.
    /// - Throws: `.usage` if the template is malformed or names an unknown field; `.said` if it is too long.
    init(_ text: String, fieldsOf option: CommandDeclaration.Option) throws(CommandFailure) {
        guard text.utf8.count <= Self.mostBytes else {
            throw .said(
                .usage, CommandPhrases.Fail.longTemplate, ["limit": String(Self.mostBytes)],
                next: "qring help formatting")
        }
        do throws(UsageError) { parts = try Self.parts(of: text, option) } catch { throw .usage(error) }
    }

    private static func parts(of text: String, _ option: CommandDeclaration.Option) throws(UsageError)
        -> [Part]
    {
        let malformed = UsageError.notReadable("--template", text, expected: #"'{name}\t{id}\n'"#)
        var (parts, literal, rest) = ([Part](), "", text[...])
        while let character = rest.popFirst() {
            switch character {
            case "{" where rest.first == "{", "}" where rest.first == "}":
                literal.append(character)
                rest.removeFirst()
            case "{":
                guard let end = rest.firstIndex(of: "}"), end > rest.startIndex else { throw malformed }
                let field = String(rest[..<end])
                try option.check(field: field)
                rest = rest[rest.index(after: end)...]
                parts += [.text(literal), .field(field.split(separator: ".").map(String.init))]
                literal = ""
            case "\\":
                guard let escaped = rest.popFirst(), let meant = escapes[escaped] else { throw malformed }
                literal.append(meant)
            case "}": throw malformed
            default: literal.append(character)
            }
        }
        guard !text.isEmpty else { throw malformed }
        return parts + [.text(literal)]
    }

    private static let escapes: [Character: Character] = ["n": "\n", "t": "\t", "\\": "\\"]

    /// Returns the text of each item of a page, of each element of an array, or of one object.
    /// - Parameter bytes: JSON without white space between its tokens.
    func applied(to bytes: [UInt8]) -> String {
        (JSONTokens.elements(of: bytes) ?? [bytes[...]]).map { row in
            parts.map { part in
                switch part {
                case .text(let text): text
                // As in a table, a value stays on its line and cannot move the cursor.
                case .field(let path): TerminalEscaping.safe(Self.text(of: path[...], in: row))
                }
            }.joined()
        }.joined()
    }

    /// Returns a value as text. The values of a list have commas between them; a missing value is empty.
    private static func text(of path: ArraySlice<String>, in value: ArraySlice<UInt8>) -> String {
        if value.first == UInt8(ascii: "[") {
            return JSONTokens.parts(of: value).map { text(of: path, in: $0) }.joined(separator: ", ")
        }
        if let name = path.first {
            guard value.first == UInt8(ascii: "{"),
                let found = JSONTokens.members(of: value).first(where: { $0.key == name })
            else { return "" }
            return text(of: path.dropFirst(), in: found.value)
        }
        let json = String(decoding: value, as: UTF8.self)
        if json == "null" { return "" }
        guard value.first == UInt8(ascii: "\"") else { return json }
        return (try? JSONDecoder().decode(String.self, from: Data(value))) ?? json
    }
}

extension CommandPhrases.Fail {
    static let longTemplate = Phrase("--template can have at most {limit} bytes.")
}
