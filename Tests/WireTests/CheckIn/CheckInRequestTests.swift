import Meetings
import Testing
import Wire

struct AttendeeRequestTests {
    @Test func `a client requests a grant with a QR code or a join code`() throws {
        #expect(try read(GrantRequest.self, #"{"code":"x"}"#).code == "x")
        #expect(try read(GrantRequest.self, #"{"joinCode":"k7q x2m"}"#).joinCode == "k7q x2m")
        #expect(try errors(GrantRequest.self, "{}") == [FieldError("/code", .missing)])
        #expect(try errors(GrantRequest.self, #"{"code":null}"#) == [FieldError("/code", .missing)])
        #expect(
            try errors(GrantRequest.self, #"{"code":""}"#) == [FieldError("/code", .length(min: 1, max: 500))]
        )
        #expect(
            try errors(GrantRequest.self, #"{"joinCode":"\#(chars(33, "K"))"}"#) == [
                FieldError("/joinCode", .length(min: 1, max: 32))
            ])
    }

    @Test func `the server names every missing or wrong field of a check-in`() throws {
        #expect(
            try errors(CheckInRequest.self, "{}") == [
                FieldError("/name", .missing), FieldError("/code", .missing),
            ])
        #expect(
            try errors(
                CheckInRequest.self,
                #"{"grant":"g","name":"\#(chars(101))","email":"x","number":"\#(chars(51))"}"#) == [
                    FieldError("/name", .length(min: 1, max: 100)), FieldError("/email", .notAnEmail),
                    FieldError("/number", .length(min: 1, max: 50)),
                ])
        #expect(
            try errors(CheckInRequest.self, #"{"grant":5,"name":"A"}"#) == [
                FieldError("/grant", .wrongType(expected: "string"))
            ])
    }

    @Test func `an attendee checks in with a name and an e-mail address or number`() throws {
        let request = try read(
            CheckInRequest.self, #"{"grant":"g","name":" 김민준 ","email":"kim@example.org"}"#)
        #expect(request.name == "김민준")
        #expect(request.email == "kim@example.org" && request.number == nil)
        #expect(
            try errors(RenameRequest.self, #"{"name":"\n"}"#) == [
                FieldError("/name", .length(min: 1, max: 100))
            ])
    }
}
