import Testing

@testable import Server

/// Tests of the script that phones load in one request.
@Suite struct PhoneScriptTests {
    private static let texts = PhoneScript.files

    /// The top-level modules that a module imports with its first lines.
    private func imports(_ text: String) -> Set<String> {
        Set(text.matches(of: #/(?m)^(?:import|export) .* from "\.(/.*)";/#).map { String($0.1) })
    }

    @Test func `the modules of the phones' script can be joined`() throws {
        let script = try PhoneScript.joined(Self.texts)
        #expect(script.contains("export function t(") && script.contains("export async function listen("))
        #expect(!script.contains("import {") && !script.contains("from \"."))
        #expect(script.utf8.count < 20_500)
        let later = try PhoneScript.joined(
            Self.texts, from: PhoneScript.laterPath, after: PhoneScript.path)
        #expect(
            later.matches(of: #/(?m)^import .*$/#).map { String($0.0.suffix(17)) } == ["from \"./page.js\";"])
        #expect(later.contains("export function open(") && !later.contains("function t("))
    }

    @Test func `a module that a phone loads later imports no part of the joined script twice`() throws {
        var parts: Set<String> = []
        func visit(_ module: String) {
            guard parts.insert(module).inserted else { return }
            for other in imports(Self.texts[module] ?? "") { visit(other) }
        }
        visit(PhoneScript.path)
        #expect(parts.count > 1)
        let page = try #require(Self.texts[PhoneScript.path])
        let later = page.matches(of: #/import\("\.(/.*?)"\)/#).map { String($0.1) }
        #expect(!later.isEmpty)
        for module in later {
            let found = imports(try #require(Self.texts[module]))
            #expect(found.intersection(parts) == [PhoneScript.path], "\(module)")
        }
    }

    @Test func `a module comes after the modules that it imports, and loses its comments`() throws {
        let script = try PhoneScript.joined([
            "/page.js": """
            // Sends forms.
            import { b } from "./b.js";
            export { a, other } from "./a.js";

            /* A note. */
            b("/* a text */"); // stays
            """,
            "/b.js": """
            import { a } from "./a.js";
            /**
             * Calls a.
             */
            export const b = (text) => a(text);
            """,
            "/a.js":
                "export function a(text) {\n  // Returns it.\n  return text;\n}\nexport let other = 1;\n",
        ])
        #expect(
            script == """
                export function a(text) {
                return text;
                }
                export let other = 1;
                export const b = (text) => a(text);
                b("/* a text */"); // stays

                """)
    }

    @Test(arguments: [
        ("/* A note. */ send();", 1, "Code follows a comment."),
        ("/*\n * A note.\n */ send();", 3, "Code follows a comment."),
        ("import { a as b } from \"./a.js\";", 1, "Write the import as"),
        ("import * as a from \"./a.js\";", 1, "Write the import as"),
        ("import { a } from \"./folder/a.js\";", 1, "Write the import as"),
        ("import {\n  a,\n} from \"./a.js\";", 1, "Write the import as"),
        ("export default 1;", 1, "Write export in front of a declaration"),
        ("export * from \"./a.js\";", 1, "Write export in front of a declaration"),
        ("const text = `a\n// b`;", 1, "A text spans lines."),
        ("import { a } from \"./a.js\";\nconst a = 1;", 2, "/a.js declares a, too."),
    ])
    func `a line that cannot be joined is reported with its module and number`(
        text: String, line: Int, reason: String
    ) {
        #expect {
            try PhoneScript.joined(["/page.js": text, "/a.js": "export const a = 1;"])
        } throws: { error in
            let fault = error as? PhoneScript.Fault
            return fault?.module == "/page.js" && fault?.line == line
                && fault?.reason.hasPrefix(reason) == true
        }
        #expect(throws: PhoneScript.Fault(module: "/b.js", line: 0, reason: "There is no such module.")) {
            try PhoneScript.joined(["/page.js": "import { b } from \"./b.js\";"])
        }
    }
}
