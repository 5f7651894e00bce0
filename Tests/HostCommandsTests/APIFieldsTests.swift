import CommandLine
import Testing

@testable import HostCommands

struct APIFieldsTests {
    private func json(text: [String] = [], typed: [String] = []) async throws -> String {
        var fields = APIFields()
        for field in text { try fields.add(text: field) }
        for field in typed {
            try await fields.add(typed: field) { (_) async throws(CommandFailure) in "content" }
        }
        return String(decoding: fields.json, as: UTF8.self)
    }

    @Test func `texts stay texts, and typed fields keep the types of JSON`() async throws {
        #expect(try await json(text: ["a=1", "b=", "c=x=y"]) == #"{"a":"1","b":"","c":"x=y"}"#)
        #expect(
            try await json(typed: ["a=1", "b=true", "c=null", "d=-2.5e3", "e=x", "f=01", "g=@file", "h=- 1"])
                == #"{"a":1,"b":true,"c":null,"d":-2.5e3,"e":"x","f":"01","g":"content","h":"- 1"}"#)
    }

    @Test func `brackets make objects and lists, and a field that an object has begins the next one`()
        async throws
    {
        #expect(
            try await json(text: ["s[a]=1", "s[b][c]=2", "l[]=x", "l[]=y"])
                == #"{"s":{"a":"1","b":{"c":"2"}},"l":["x","y"]}"#)
        #expect(
            try await json(text: ["q[][k]=1", "q[][t]=2", "q[][k]=3"])
                == #"{"q":[{"k":"1","t":"2"},{"k":"3"}]}"#)
        #expect(
            try await json(text: ["q[][k]=1", "q[][c][][l]=A", "q[][c][][l]=B", "q[][k]=2"])
                == #"{"q":[{"k":"1","c":[{"l":"A"},{"l":"B"}]},{"k":"2"}]}"#)
    }

    @Test(arguments: ["a", "=x", "a[b=1", "[a]=1", "a=1|a[b]=2", "a[]=1|a[b]=2", "a[b]=1|a[]=2"])
    func `a malformed field is rejected`(written: String) async {
        await #expect(throws: UsageError.self) {
            try await json(text: written.split(separator: "|").map(String.init))
        }
    }

    @Test func `fields are items of a query, and objects are none`() throws {
        var fields = APIFields()
        try fields.add(text: "q=Kim & Lee")
        #expect(try fields.query().map(\.value) == ["Kim & Lee"])
        try fields.add(text: "a[b]=1")
        #expect(throws: UsageError.self) { try fields.query() }
    }
}
