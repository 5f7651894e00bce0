import Phrases
import Testing

@testable import CommandLine

struct JSONSelectionTests {
    private func selected(_ list: String, _ text: String) -> String {
        String(decoding: JSONSelection(list).applied(to: Array(text.utf8)), as: UTF8.self)
    }

    @Test(
        arguments: [
            ("id,name", #"{"name":"a","id":"1","x":2}"#, #"{"id":"1","name":"a"}"#),
            ("x", #"{"x":{"y":[1,{"z":","}]},"w":1}"#, #"{"x":{"y":[1,{"z":","}]}}"#),
            ("a", #"{"a":"\"},{\\","b":1}"#, #"{"a":"\"},{\\"}"#), ("b", #"{"a":1}"#, #"{"b":null}"#),
            ("b", "{}", #"{"b":null}"#),
            (
                "id", #"{"items":[{"id":1,"n":2},{"id":3}],"nextCursor":null}"#,
                #"{"items":[{"id":1},{"id":3}],"nextCursor":null}"#
            ),
            ("id", #"{"items":[],"nextCursor":"c"}"#, #"{"items":[],"nextCursor":"c"}"#),
            ("id", #"[{"id":1,"n":[2]},{"n":1}]"#, #"[{"id":1},{"id":null}]"#),
            ("a.b", #"{"a":{"b":1,"c":2},"d":3}"#, #"{"a":{"b":1}}"#),
            ("a.c,d,a.b", #"{"a":{"b":1,"c":2},"d":3}"#, #"{"a":{"c":2,"b":1},"d":3}"#),
            ("a.b", #"{"a":[{"b":1},{"c":2}]}"#, #"{"a":[{"b":1},{"b":null}]}"#),
            ("a.b", #"{"a":null}"#, #"{"a":null}"#), ("a,a.b", #"{"a":{"b":1,"c":2}}"#, #"{"a":{"b":1}}"#),
            ("한", #"{"한":"글","b":1}"#, #"{"한":"글"}"#), ("a", "7", "7"),
        ])
    func `the output has only the selected fields, in the order of the selection`(
        list: String, text: String, expected: String
    ) {
        #expect(selected(list, text) == expected)
    }
}
