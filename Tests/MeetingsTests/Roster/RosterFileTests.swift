import Testing

@testable import Meetings

@Suite struct RosterFileTests {
    private func read(_ text: String) throws(Refusal) -> [RosterFile.Line] {
        try RosterFile.people(in: Array(text.utf8))
    }

    private func errors(_ text: String) -> [FieldError] {
        do throws(Refusal) {
            _ = try read(text)
            return []
        } catch {
            if case .invalid(let errors) = error { return errors }
            return []
        }
    }

    private let kim = PersonDraft(name: "김지수", email: "kim@example.org", number: "2026-1")

    @Test(
        arguments: [
            "name,email,number\n김지수,kim@example.org,2026-1\n", "이름,이메일,학번\r\n김지수,kim@example.org,2026-1\r\n",
            "\u{FEFF}이름;이메일;번호\n김지수;kim@example.org;2026-1",
            "성명\t사번\tE-Mail Address\r김지수\t2026-1\tkim@example.org\r",
            "\"Full Name\",\"E-mail\",\"Student ID\"\n\"김지수\",\" kim@example.org \",\"2026-1\"\n",
            "sep=;\r\nNumber;Name;Mail\r\n2026-1;김지수;kim@example.org\r\n",
            "\n\nNo.,Note,NAME,E_MAIL\n,,,\n2026-1,\"a, \"\"b\"\"\nc\",김지수,kim@example.org\n\n",
        ])
    func `a roster is read from every format that spreadsheets write`(text: String) throws {
        #expect(try read(text).map(\.draft) == [kim])
    }

    @Test func `names are normalized, and empty cells are unknown values`() throws {
        let lines = try read("name,email,number\n  \u{1100}\u{1161} ,,\nLee,,7\n")
        #expect(lines.map(\.draft) == [PersonDraft(name: "가"), PersonDraft(name: "Lee", number: "7")])
    }

    @Test func `a record's line is the line in which it begins`() throws {
        let lines = try read("name,email\n\"A\nlong\",\nKim,\n\nLee,\n".replacing("A\nlong", with: "A"))
        #expect(lines.map(\.line) == [2, 3, 5])
        #expect(errors("name,note\nA,\"x\ny\"\n,z\n") == [FieldError("/lines/4/name", .missing)])
    }

    @Test func `every error names its line`() {
        #expect(
            errors(
                "name,email,number\n,a@example.org,\nKim,nowhere,\n"
                    + "\(String(repeating: "x", count: 101)),,\(String(repeating: "1", count: 51))\n"
            )
                == [
                    FieldError("/lines/2/name", .missing), FieldError("/lines/3/email", .notAnEmail),
                    FieldError("/lines/4/name", .length(min: 1, max: 100)),
                    FieldError("/lines/4/number", .length(min: 1, max: 50)),
                ])
        let many = "name\n" + String(repeating: "\"\u{7}\"\n", count: 500)
        #expect(errors(many).count == FieldError.mostReported)
    }

    @Test func `repeated people are reported together with the other wrong rows`() {
        let text =
            "name,email,number\nKim,kim@example.org,1\nLee,KIM@example.org,2\n"
            + ",lee@example.org,1\nPark,park@example.org,2\n"
        #expect(
            errors(text) == [
                FieldError("/lines/3/email", .sameAs("/lines/2")), FieldError("/lines/4/name", .missing),
                FieldError("/lines/5/number", .sameAs("/lines/3")),
            ])
    }

    @Test func `a file without a header, with a repeated column or with broken quotes is refused`() {
        #expect(errors("") == [FieldError("/lines/1", .noNameColumn)])
        #expect(errors("Kim,kim@example.org\n") == [FieldError("/lines/1", .noNameColumn)])
        #expect(errors("name,이름\nKim,김\n") == [FieldError("/lines/1/name", .repeated)])
        #expect(errors("name\n\"Kim\n") == [FieldError("/lines/2", .badQuotes)])
        #expect(errors("name\n\"Kim\"x\n") == [FieldError("/lines/2", .badQuotes)])
    }

    @Test func `a file that is not UTF-8 is refused with that reason`() {
        for bytes: [UInt8] in [[0xB1, 0xE8, 0x0A], [0xFF, 0xFE, 0x6E, 0x00], Array("name\nK\0\n".utf8)] {
            #expect(throws: Refusal.invalid([FieldError("", .notUTF8)])) { try RosterFile.people(in: bytes) }
        }
    }

    @Test func `a file may have as many lines as a roster may have people, and no more`() throws {
        let most = String(repeating: "a\n", count: RosterFile.mostPeople)
        #expect(try read("name\n" + most).count == RosterFile.mostPeople)
        #expect(throws: Refusal.limitReached(.person, limit: RosterFile.mostPeople)) {
            try read("name\n" + most + "a\n")
        }
    }

    @Test func `a line may have a hundred columns, and empty cells beyond them are ignored`() throws {
        let columns = "name" + String(repeating: ",", count: 99)
        #expect(try read(columns + ",,,\nKim,\n").map(\.draft.name) == ["Kim"])
        let error = FieldError("/lines/2", .tooManyColumns(most: 100))
        #expect(errors(columns + "\nKim" + String(repeating: ",", count: 99) + "x\n").isEmpty)
        #expect(errors(columns + "\nKim" + String(repeating: ",", count: 100) + "x\n") == [error])
        #expect(errors("name\n" + String(repeating: ",", count: 4 << 20) + "x") == [error])
    }

    @Test func `ten thousand lines are read`() throws {
        let text = "name,email\n" + (0..<10_000).map { "Person \($0),p\($0)@example.org\n" }.joined()
        let lines = try read(text)
        #expect(lines.count == 10_000 && lines.last?.line == 10_001)
    }
}
