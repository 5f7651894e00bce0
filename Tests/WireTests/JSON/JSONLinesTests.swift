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

    @Test func `the finder returns a value's line, or the line of a member's name`() {
        let wanted = [
            "": 1, "/a": 2, "/a/0": 2, "/a/1": 3, "/a/1/b": 3, "/a/1/c~0~1d": 3, "/a/1/c~0~1d/0": 3,
            "/a/1/c~0~1d/1": 4, "/a/2": 4, "/e": 5,
            "/e/f": 5, "/g": 6,
            // These values are missing, so the finder returns the line of the nearest object or array around
            // each.
            "/a/7": 2, "/a/1/x/y": 3, "/a/0/x": 2, "/e/f/0": 5, "/x": 1, "/g/h": 6,
        ]
        let lines = JSONLines(Array(text.utf8), of: wanted.keys)
        for (pointer, line) in wanted { #expect(lines.line(of: pointer) == line, "\(pointer)") }
        for (pointer, line) in wanted {
            #expect(JSONLines(Array(text.utf8), of: [pointer]).line(of: pointer) == line, "\(pointer)")
        }
    }

    @Test func `the finder looks up only the pointers that it was given`() {
        let lines = JSONLines(Array(text.utf8), of: ["/a/1"])
        #expect(lines.line(of: "/a/1") == 3 && lines.line(of: "/a") == 2)
        #expect(lines.line(of: "/e") == 1 && lines.line(of: "/a/2") == 2)
    }
}
