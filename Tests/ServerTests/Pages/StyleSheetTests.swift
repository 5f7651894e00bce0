import Testing

@testable import Server

/// Tests of the style sheets that the server joins.
@Suite struct StyleSheetTests {
    @Test(arguments: ["/page.css", "/present.css"])
    func `a style sheet has no imports and no comments`(path: String) {
        let sheet = StyleSheet.joined(path)
        #expect(!sheet.contains("@import") && !sheet.contains("/*") && !sheet.contains("*/"))
        #expect(sheet.count { $0 == "{" } == sheet.count { $0 == "}" })
    }

    @Test func `the phones' style sheet begins with the colours`() {
        let sheet = StyleSheet.joined("/page.css")
        #expect(sheet.contains("--ink:var(--light, #") && sheet.contains(".pass"))
    }

    @Test func `a style sheet has no spaces that CSS does not need, except those of an empty property`() {
        let sheet = StyleSheet.joined("/page.css")
        #expect(sheet.contains(":root{--light:initial;--dark: ;color-scheme:light}"))
        #expect(!sheet.contains("\n") && !sheet.contains(" {"))
    }
}
