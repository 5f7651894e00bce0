import Testing

@testable import Wire

struct JSONLinesTests {
    private let text = """
        {
          "a": [1,
            {"b": "x,{[", "c~/d": [true,
              null]}, 3],
          "\\u0065": {"f":
            []}, "g": {}
        }
        """

    @Test func `values are found on the lines where they begin, members where their names stand`() {
        let wanted = [
            "": 1, "/a": 2, "/a/0": 2, "/a/1": 3, "/a/1/b": 3, "/a/1/c~0~1d": 3, "/a/1/c~0~1d/0": 3,
            "/a/1/c~0~1d/1": 4, "/a/2": 4, "/e": 5,
            "/e/f": 5, "/g": 6,
            // What is not there is told with what is around it.
            "/a/7": 2, "/a/1/x/y": 3, "/a/0/x": 2, "/e/f/0": 5, "/x": 1, "/g/h": 6,
        ]
        let lines = JSONLines(Array(text.utf8), of: wanted.keys)
        for (pointer, line) in wanted { #expect(lines.line(of: pointer) == line, "\(pointer)") }
        for (pointer, line) in wanted {
            #expect(JSONLines(Array(text.utf8), of: [pointer]).line(of: pointer) == line, "\(pointer)")
        }
    }

    @Test func `no line is looked up but those of the pointers`() {
        let lines = JSONLines(Array(text.utf8), of: ["/a/1"])
        #expect(lines.line(of: "/a/1") == 3 && lines.line(of: "/a") == 2)
        #expect(lines.line(of: "/e") == 1 && lines.line(of: "/a/2") == 2)
    }
}
