import Phrases
import Testing

@testable import Server

/// Tests of the scripts that the server joins for browsers.
@Suite struct ScriptBundleTests {
    /// Returns the names of the modules that a joined script contains, in their order.
    private func parts(_ script: String?) -> [String] {
        (script ?? "").matches(of: #/(?m)^\$\["([\w/-]+)"\]\?\?=/#).map { String($0.output.1) }
    }

    @Test func `every page loads one script, and later ones that repeat no module`() throws {
        let scripts = try ScriptBundle.joined(ScriptBundle.texts())
        for root in ScriptBundle.roots { #expect(scripts[root] != nil, "\(root)") }
        for (path, script) in scripts {
            #expect(!script.contains(#/(?m)^(?:import |\/\/|\/\*)/#), "\(path)")
            #expect(Set(parts(script)).count == parts(script).count, "\(path)")
        }
        let phone = try #require(scripts[ScriptBundle.phonePath])
        #expect(phone.utf8.count < 21_500)
        let later = try #require(scripts[ScriptBundle.laterPath])
        #expect(Set(parts(phone)).isDisjoint(with: parts(later)))
        #expect(parts(later).last == "own" && later.contains("export const {"))
        let host = try #require(scripts["/host/main.js"])
        let live = try #require(scripts["/host/session-live.js"])
        #expect(parts(host).contains("rooms") && !parts(live).contains("rooms"))
        #expect(!parts(host).contains("host/ask-dialog") && scripts["/host/ask-dialog.js"] != nil)
    }

    @Test(arguments: Language.forHosts)
    func `the host's script has the phrases of one language`(language: Language) throws {
        let files = ScriptBundle.files()
        let script = try #require(files[HostPhrases.path(of: ScriptBundle.hostPath, in: language)])
        for one in Language.forHosts {
            let phrase = try #require(Phrase.Host.all["askNow"]).text(in: one)
            #expect(script.contains("\"\(phrase)\"") == (one == language))
        }
    }

    @Test(arguments: Language.forHosts)
    func `a later script of the host has the phrases that the first one lacks`(language: Language) throws {
        let files = ScriptBundle.files()
        func script(_ path: String) throws -> String {
            try #require(files[HostPhrases.path(of: path, in: language)])
        }
        func text(_ name: String) throws -> String {
            "\"\(try #require(Phrase.Host.all[name]).text(in: language))\""
        }
        let (first, operators) = (try script(ScriptBundle.hostPath), try script("/host/operator.js"))
        #expect(try !first.contains(text("mailNone")) && operators.contains(text("mailNone")))
        #expect(try first.contains(text("notReached")) && !operators.contains(text("notReached")))
        // Composed names: codeBudgetState_usedUp.
        #expect(try operators.contains(text("codeBudgetState_usedUp")))
        let address = "import(\"\(HostPhrases.path(of: "/host/operator.js", in: language))\")"
        #expect(first.contains(address))
    }

    @Test func `a module comes after its imports, keeps its names to itself, and loses its comments`() throws
    {
        let scripts = try ScriptBundle.joined(
            [
                "/page.js": """
                // Sends forms.
                import { b } from "./b.js";
                import {
                  a as first,
                  other,
                } from "/folder/a.js";
                export { other } from "/folder/a.js";

                /* A note. */
                b("/* a text */", first); // stays
                """,
                "/b.js": """
                import { a } from "./folder/a.js";
                /**
                 * Calls a.
                 */
                export const b = (text) => a(text);
                """,
                "/folder/a.js":
                    "export async function* a(text) {\n  // Yes.\n  return text;\n}\nexport class other {}\n",
            ], from: ["/page.js"])
        #expect(
            scripts == [
                "/page.js": """
                const $=(globalThis.$qring??=Object.create(null));
                $["folder/a"]??=(()=>{
                async function* a(text) {
                return text;
                }
                class other {}
                return {a,other};
                })();
                $["b"]??=(()=>{
                const {a}=$["folder/a"];
                const b = (text) => a(text);
                return {b};
                })();
                $["page"]??=(()=>{
                const {b}=$["b"];
                const {a:first,other}=$["folder/a"];
                b("/* a text */", first); // stays
                return {other};
                })();
                export const {other}=$["page"];

                """
            ])
    }

    @Test func `a later script contains each module that one of its pages lacks`() throws {
        let scripts = try ScriptBundle.joined(
            [
                "/one.js":
                    "import { a } from \"./a.js\";\nimport { b } from \"./b.js\";\nimport(\"./late.js\");",
                "/two.js": "import { a } from \"./a.js\";\nimport(\"/late.js\");",
                "/late.js":
                    "import { a } from \"./a.js\";\nimport { b } from \"./b.js\";\nimport(\"./last.js\");",
                "/last.js": "import { b } from \"./b.js\";\nexport const last = b;",
                "/a.js": "export const a = 1;", "/b.js": "export const b = 2;",
            ], from: ["/one.js", "/two.js"])
        #expect(parts(scripts["/one.js"]) == ["a", "b", "one"])
        #expect(parts(scripts["/two.js"]) == ["a", "two"])
        #expect(parts(scripts["/late.js"]) == ["b", "late"])
        #expect(parts(scripts["/last.js"]) == ["last"])
        #expect(scripts["/one.js"]?.contains("import(\"/late.js\")") == true)
    }

    @Test(arguments: [
        ("/* A note. */ send();", 1, "Code follows a comment."),
        ("/*\n * A note.\n */ send();", 3, "Code follows a comment."),
        ("import * as a from \"./a.js\";", 1, "Write the import as"),
        ("import a from \"./a.js\";", 1, "Write the import as"),
        ("import \"./a.js\";", 1, "Write the import as"),
        ("import {\n  a,\n} from \"../a.js\";", 3, "Write the import as"),
        ("import{ a } from \"./a.js\";", 1, "Import at the beginning"),
        ("export default 1;", 1, "Export a function"),
        ("export * from \"./a.js\";", 1, "Export a function"),
        ("export let a = 1;", 1, "Export a function"),
        ("export { a };", 1, "Write the import as"),
        ("export const a$b = 1;", 1, "Export a function"),
        ("import { b } from \"./a.js\";", 0, "/a.js does not export b."),
        ("run();\nimport('./a.js');", 2, "Write the import as"),
        ("later = () => import(\"../a.js\");", 1, "Write the import as"),
        ("const text = `a\n// b`;", 1, "A text spans lines."),
    ])
    func `a line that cannot be joined is reported with its module and number`(
        text: String, line: Int, reason: String
    ) {
        #expect {
            try ScriptBundle.joined(["/page.js": text, "/a.js": "export const a = 1;"], from: ["/page.js"])
        } throws: { error in
            let fault = error as? ScriptBundle.Fault
            return fault?.module == "/page.js" && fault?.line == line
                && fault?.reason.hasPrefix(reason) == true
        }
    }

    @Test func `a missing module, an unfinished import and a circle of imports are reported`() {
        #expect(throws: ScriptBundle.Fault(module: "/b.js", line: 0, reason: "There is no such module.")) {
            try ScriptBundle.joined(["/page.js": "import { b } from \"./b.js\";"], from: ["/page.js"])
        }
        #expect(throws: ScriptBundle.Fault(module: "/page.js", line: 0, reason: "An import does not end.")) {
            try ScriptBundle.joined(["/page.js": "import {\n  b,\n"], from: ["/page.js"])
        }
        #expect(throws: ScriptBundle.Fault(module: "/page.js", line: 0, reason: "It imports itself.")) {
            try ScriptBundle.joined(
                ["/page.js": "import { b } from \"./b.js\";", "/b.js": "import { a } from \"./page.js\";"],
                from: ["/page.js"])
        }
    }
}
