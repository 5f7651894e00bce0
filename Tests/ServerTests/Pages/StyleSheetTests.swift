import Testing

@testable import Server

/// Tests of the style sheets that the server joins.
@Suite struct StyleSheetTests {
    @Test(arguments: ["/page.css", "/present.css"])
    func `a style sheet has no imports and no comments`(path: String) {
        let sheet = StyleSheet.joined(path)
        #expect(!sheet.contains("@import") && !sheet.contains("/*") && !sheet.contains("*/"))
        #expect(sheet.split(separator: "{").count == sheet.split(separator: "}").count)
    }

    @Test func `the phones' style sheet begins with the colours`() {
        let sheet = StyleSheet.joined("/page.css")
        #expect(sheet.contains("--ink: var(--light, #") && sheet.contains(".pass"))
    }
}
