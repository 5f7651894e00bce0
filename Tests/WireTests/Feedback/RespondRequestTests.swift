import Meetings
import Testing
import Wire

struct RespondRequestTests {
    private let id = Sample.stars.id.text
    private let other = Sample.text.id.text

    @Test func `the reader takes each answer's type from its JSON type`() throws {
        let request = try read(
            RespondRequest.self, #"{"answers":{"\#(id)":4,"\#(other)":"가","\#(Sample.choice.id)":["a","b"]}}"#
        )
        #expect(request.set == "feedback" && request.shown == .unknown)
        #expect(
            try read(RespondRequest.self, #"{"answers":{},"anonymous":false,"promise":"hidden"}"#).shown
                == ShownPromise(anonymous: false, promise: .hidden))
        #expect(
            request.answers == [
                Sample.stars.id: .rating(4), Sample.text.id: .text("가"),
                Sample.choice.id: .choices(["a", "b"]),
            ])
        #expect(try read(RespondRequest.self, #"{"set":"poll","answers":{"\#(id)":null}}"#).answers.isEmpty)
    }

    @Test func `the server names each wrong answer by its path`() throws {
        #expect(try errors(RespondRequest.self, "{}") == [FieldError("/answers", .missing)])
        #expect(
            try errors(RespondRequest.self, #"{"answers":[]}"#) == [
                FieldError("/answers", .wrongType(expected: "object"))
            ])
        #expect(
            try errors(
                RespondRequest.self, #"{"set":"","answers":{"\#(id)":true,"\#(other)":["a",1],"x/y":1}}"#)
                == [
                    FieldError("/set", .length(min: 1, max: 40)),
                    FieldError("/answers/\(id)", .wrongType(expected: "array, string, number or object")),
                    FieldError("/answers/\(other)", .unknownChoice),
                    FieldError("/answers/x~1y", .unknownQuestion),
                ])
    }

    @Test func `the reader leaves unusable answers to the set if nothing else is wrong`() throws {
        let request = try read(
            RespondRequest.self,
            #"""
            {"answers":{"\#(id)":{"other":"x"},\#
            "\#(other)":{"choices":["a"],"other":1},\#
            "x/y":true,"\#(Sample.choice.id)":["a"]}}
            """#
        )
        #expect(request.answers == [Sample.choice.id: .choices(["a"])])
        #expect(
            request.unusable
                == UnusableAnswers(
                    values: [
                        Sample.stars.id: .wrongType(expected: "array, string, number or object"),
                        Sample.text.id: .wrongType(expected: "string"),
                    ], names: ["x/y"]))
    }

    @Test func `an answer may have choices with an "other" text, or a number with decimals`() throws {
        let request = try read(
            RespondRequest.self,
            #"{"answers":{"\#(id)":{"choices":["a","x"],"other":"Tea"},"\#(other)":4.25}}"#)
        #expect(
            request.answers == [
                Sample.stars.id: .choices(["a", "x"], other: "Tea"), Sample.text.id: .number(4.25),
            ])
        let plain = try read(RespondRequest.self, #"{"answers":{"\#(id)":{"choices":["a"],"other":null}}}"#)
        #expect(plain.answers == [Sample.stars.id: .choices(["a"])])
    }

    @Test func `an answer is repeated if one question id is written in two spellings`() throws {
        let id = QuestionID(high: .max, low: 0).text
        #expect(
            try errors(RespondRequest.self, #"{"answers":{"\#(id)":1,"\#(id.lowercased())":2}}"#) == [
                FieldError("/answers", .repeated)
            ])
    }
}
