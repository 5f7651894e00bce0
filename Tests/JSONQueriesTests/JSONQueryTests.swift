import JSONQueries
import Testing

struct JSONQueryTests {
    private func results(of program: String, on json: String) throws -> [String] {
        var found: [String] = []
        try JSONQuery(program).run(on: Array(json.utf8)) { result in
            switch result {
            case .text(let text): found.append("text \(text)")
            case .json(let json): found.append(String(decoding: json, as: UTF8.self))
            }
            return true
        }
        return found
    }

    @Test(
        arguments: [
            (".a", #"{"a":1}"#, ["1"]),
            (".items[].name", #"{"items":[{"name":"가"},{"name":"b"}]}"#, ["text 가", "text b"]),
            ("empty", "1", []), ("{b:.a}", #"{"a":[1,{"c":null}]}"#, [#"{"b":[1,{"c":null}]}"#]),
            (".a", #"{"a":"x\u0000y"}"#, ["text x\u{0}y"]), ("length", #""글""#, ["1"]),
        ])
    func `a program gives its results in order, and texts without quotation marks`(
        program: String, json: String, expected: [String]
    ) throws {
        #expect(try results(of: program, on: json) == expected)
    }

    @Test(arguments: [".[", "nothing(1)", ".a |", "{"])
    func `a wrong program is an error with the message of jq`(program: String) {
        do {
            _ = try JSONQuery(program)
            Issue.record("it was accepted")
        } catch {
            guard case .program(let message) = error else { return #expect(Bool(false), "\(error)") }
            #expect(!message.isEmpty && !message.contains("\n"))
        }
    }

    @Test func `a program that does not fit the data is an error after the results before it`() throws {
        var count = 0
        #expect(throws: JSONQueryError.run("Cannot index number with string \"a\"")) {
            try JSONQuery(".[].a").run(on: Array(#"[{"a":1},2]"#.utf8)) { _ in
                count += 1
                return true
            }
        }
        #expect(count == 1)
        #expect(throws: JSONQueryError.self) { try JSONQuery(".").run(on: Array("{".utf8)) { _ in true } }
    }

    @Test func `an endless program ends when its results are not wanted`() throws {
        var count = 0
        try JSONQuery("repeat(1)").run(on: [UInt8(ascii: "1")]) { _ in
            count += 1
            return count < 1000
        }
        #expect(count == 1000)
    }

    @Test func `programs of many tasks give their own results`() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<20 {
                group.addTask {
                    var found: [JSONQuery.Result] = []
                    try JSONQuery(".+1").run(on: Array("\(number)".utf8)) { result in
                        found.append(result)
                        return true
                    }
                    #expect(found == [.json(Array("\(number + 1)".utf8))])
                }
            }
            try await group.waitForAll()
        }
    }
}
