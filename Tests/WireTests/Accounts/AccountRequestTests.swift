import Meetings
import Testing
import Wire

struct AccountRequestTests {
    @Test func `the server accepts a sign-up whose fields are at their limits`() throws {
        let interests = Array(repeating: "\"\(chars(50))\"", count: 20).joined(separator: ",")
        let request = try read(
            SignUpRequest.self,
            #"""
            {"email":" Ada@example.org ","password":"\#(chars(200))","name":"\#(chars(100))",
             "birthDate":"2000-02-29","phone":"\#(chars(30))","interests":[\#(interests)],
             "locale":"\#(chars(35))"}
            """#)
        #expect(
            request.email == "Ada@example.org" && request.profile.interests?.count == 20
                && request.profile.birthDate == "2000-02-29")
        #expect(
            try read(SignUpRequest.self, #"{"email":"a@b","password":"12345678","name":"A"}"#).profile
                == Account.Profile())
    }

    @Test func `the server names every field of a sign-up that is beyond its limit`() throws {
        let interests = Array(repeating: "\"a\"", count: 21).joined(separator: ",")
        let found = try errors(
            SignUpRequest.self,
            #"""
            {"email":"a","password":"1234567","name":"",\#
            "birthDate":"2001-02-29","phone":"\#(chars(31))",\#
            "interests":[\#(interests)],"locale":"\#(chars(36))"}
            """#
        )
        #expect(
            found == [
                FieldError("/email", .notAnEmail), FieldError("/password", .length(min: 8, max: 200)),
                FieldError("/name", .length(min: 1, max: 100)),
                FieldError("/birthDate", .notADate), FieldError("/phone", .length(min: 1, max: 30)),
                FieldError("/interests", .count(min: 0, max: 20)),
                FieldError("/locale", .length(min: 1, max: 35)),
            ])
        #expect(try errors(SignUpRequest.self, "{}").map(\.field) == ["/email", "/password", "/name"])
        #expect(
            try errors(SignUpRequest.self, #"{"email":"a@b","password":"\#(chars(201))","name":"A"}"#) == [
                FieldError("/password", .length(min: 8, max: 200))
            ])
    }

    @Test func `the server uses a password exactly as it was written`() throws {
        #expect(
            try read(SignUpRequest.self, #"{"email":"a@b","password":"  \n\t    ","name":"A"}"#).password
                == "  \n\t    ")
    }

    @Test func `a sign-in request may have a short password, but not an empty one`() throws {
        #expect(try read(SignInRequest.self, #"{"email":"a@b","password":"x"}"#).client == "")
        #expect(
            try errors(SignInRequest.self, #"{"email":"a@b","password":""}"#) == [
                FieldError("/password", .length(min: 1, max: 200))
            ])
    }

    @Test func `a request for a new password must contain the current password`() throws {
        #expect(
            try errors(EditAccountRequest.self, #"{"password":"12345678"}"#) == [
                FieldError("/currentPassword", .missing)
            ])
        #expect(
            try errors(EditAccountRequest.self, #"{"password":"12345678","currentPassword":"x"}"#).isEmpty)
        #expect(try errors(EditAccountRequest.self, "{}").isEmpty)
        #expect(
            try errors(RefreshRequest.self, #"{"refreshToken":"\#(chars(201))"}"#) == [
                FieldError("/refreshToken", .length(min: 1, max: 200))
            ])
    }
}
