import Meetings
import Testing

@testable import Wire

struct AccountRequestTests {
    @Test func `the server accepts a sign-up whose fields are at their limits`() throws {
        let interests = Array(repeating: "\"\(chars(50))\"", count: 20).joined(separator: ",")
        let request = try read(
            SignUpRequest.self,
            #"""
            {"email":" Ada@example.org ","password":"\#(chars(128))","name":"\#(chars(100))",
             "birthDate":"2000-02-29","phone":"010-1234-5678","nickname":"\#(chars(30))",
             "interests":[\#(interests)],
             "locale":"\#(chars(35))"}
            """#)
        #expect(
            request.email == "Ada@example.org" && request.profile.interests?.count == 20
                && request.profile.birthDate == "2000-02-29" && request.profile.phone == "+821012345678"
                && request.profile.nickname?.count == 30)
        #expect(
            try read(SignUpRequest.self, #"{"email":"a@b","password":"8 things","name":"A"}"#).profile
                == Account.Profile())
    }

    @Test func `the server names every field of a sign-up that is beyond its limit`() throws {
        let interests = Array(repeating: "\"a\"", count: 21).joined(separator: ",")
        let found = try errors(
            SignUpRequest.self,
            #"""
            {"email":"a","password":"1234567","name":"",\#
            "birthDate":"2001-02-29","phone":"02-123-4567","nickname":"\#(chars(31))",\#
            "ageRange":{"min":40,"max":39},"interests":[\#(interests)],"locale":"\#(chars(36))"}
            """#
        )
        #expect(
            found == [
                FieldError("/email", .notAnEmail), FieldError("/password", .length(min: 8, max: 128)),
                FieldError("/name", .length(min: 1, max: 100)),
                FieldError("/birthDate", .notADate), FieldError("/phone", .notAPhoneNumber),
                FieldError("/interests", .count(min: 0, max: 20)),
                FieldError("/locale", .length(min: 1, max: 35)),
                FieldError("/nickname", .length(min: 1, max: 30)),
                FieldError("/ageRange/max", .range(min: 40, max: 120)),
            ])
        #expect(try errors(SignUpRequest.self, "{}").map(\.field) == ["/email", "/password", "/name"])
        #expect(
            try errors(SignUpRequest.self, #"{"email":"a@b","password":"\#(chars(129))","name":"A"}"#) == [
                FieldError("/password", .length(min: 8, max: 128))
            ])
    }

    @Test func `null empties a field of the profile in an edit, and an absent field stays`() throws {
        let edit = try read(
            EditAccountRequest.self,
            #"{"birthDate":null,"ageRange":null,"name":null,"phone":"+49 30 123456"}"#)
        #expect(edit.cleared == [.birthDate, .ageRange] && edit.name == nil)
        let old = Account.Profile(birthDate: "2001-05-20", gender: "female", ageRange: .all)
        #expect(
            old.updated(with: edit.profile, clearing: edit.cleared)
                == .init(phone: "+4930123456", gender: "female"))
    }

    @Test func `a page gets the rules by which requests are read`() throws {
        let rules = AccountRulesBody(at: Instant(rfc3339: "2026-11-21T12:00:00Z") ?? .init(seconds: 0))
        #expect(rules.birthDate == .init(min: "1900-01-01", max: "2026-11-22"))
        #expect(rules.gender.choices == ["female", "male", "other"])
        #expect(rules.password == .init(min: 8, max: 128) && rules.nickname.max == 30)
    }

    @Test func `an attendee who limits ages in groups of interest gives an age`() throws {
        let body = #""nickname":"Owl","keywords":["tea"]"#
        #expect(try read(MatchProfileRequest.self, "{\(body)}").ages == nil)
        let ages = try read(
            MatchProfileRequest.self, #"{\#(body),"age":27,"ageRange":{"min":20,"max":39}}"#
        ).ages
        #expect(ages?.group == 20 && ages?.range == AgeRange(min: 20, max: 39))
        #expect(
            try errors(MatchProfileRequest.self, #"{\#(body),"ageRange":{"min":20,"max":39}}"#) == [
                FieldError("/age", .missing)
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
            try errors(EditAccountRequest.self, #"{"password":"8 things"}"#) == [
                FieldError("/currentPassword", .missing)
            ])
        #expect(
            try errors(EditAccountRequest.self, #"{"password":"8 things","currentPassword":"x"}"#).isEmpty)
        #expect(try errors(EditAccountRequest.self, "{}").isEmpty)
        #expect(
            try errors(RefreshRequest.self, #"{"refreshToken":"\#(chars(201))"}"#) == [
                FieldError("/refreshToken", .length(min: 1, max: 200))
            ])
    }

    @Test func `the server refuses a password that many people use, in upper and lower case`() throws {
        for password in ["password", "PassWord1", "qwertyuiop", "123456789", "iloveyou123", "1q2w3e4r!"] {
            let body = #"{"email":"ada@b.example","password":"\#(password)","name":"A"}"#
            #expect(
                try errors(SignUpRequest.self, body) == [FieldError("/password", .wellKnownPassword)])
            #expect(
                try errors(
                    EditAccountRequest.self, #"{"password":"\#(password)","currentPassword":"\#(password)"}"#)
                    == [FieldError("/password", .wellKnownPassword)])
        }
        #expect(try errors(SignInRequest.self, #"{"email":"a@b","password":"password"}"#).isEmpty)
    }

    @Test func `the server refuses a password that is little more than the address`() throws {
        func isRefused(_ password: String) throws -> Bool {
            let body = #"{"email":"Minji.Kim@b.example","password":"\#(password)","name":"A"}"#
            return try errors(SignUpRequest.self, body)
                == [FieldError("/password", .passwordContainsAddress)]
        }
        #expect(try isRefused("minji.kim@b.example"))
        #expect(try isRefused("my address is MINJI.KIM@b.example, and has always been"))
        #expect(try isRefused("Minji.Kim2026!"))
        #expect(try !isRefused("minji.kim walks to the river"))
    }

    @Test func `the search finds every password of the list, and nothing else`() throws {
        let lines = NewPassword.list.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let words = lines.dropLast().map { String(decoding: $0, as: UTF8.self) }
        #expect(words.count > 5000 && lines.last?.isEmpty == true)
        #expect(words.allSatisfy { $0.count >= 8 && $0 == $0.lowercased() && NewPassword.isWellKnown($0) })
        #expect(
            zip(words, words.dropFirst()).allSatisfy { Array($0.utf8).lexicographicallyPrecedes($1.utf8) })
        for word in words.prefix(200) { #expect(!NewPassword.isWellKnown(word + "\u{1}")) }
        #expect(!NewPassword.isWellKnown("") && !NewPassword.isWellKnown("zzz zzz zzz zzz"))
    }
}
