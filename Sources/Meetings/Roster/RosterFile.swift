/// Reads a roster from the text of a spreadsheet. The header names the columns in English or Korean. Each
/// line below the header describes one person.
package enum RosterFile {
    /// One person of the file.
    package struct Line: Hashable, Sendable {
        /// The number of the line in the file, counted from 1.
        package let line: Int
        package let draft: PersonDraft
    }

    /// The columns that the reader recognizes.
    package enum Column: String, CaseIterable, Sendable {
        case name, email, number

        /// The headings of this column, in lower case and without spaces, hyphens, underscores and full
        /// stops.
        package var spellings: Set<String> {
            switch self {
            case .name:
                ["name", "fullname", "studentname", "displayname", "이름", "성명", "성함", "참석자", "학생이름", "회원명"]
            case .email:
                ["email", "mail", "emailaddress", "mailaddress", "이메일", "이메일주소", "메일", "메일주소", "전자우편"]
            case .number:
                [
                    "number", "no", "id", "studentnumber", "studentid", "studentno", "staffnumber", "staffid",
                    "employeenumber",
                    "employeeid",
                    "번호", "학번", "사번", "직번", "교번", "회원번호", "직원번호",
                ]
            }
        }
    }

    /// The largest number of people on a roster.
    package static let mostPeople = 20_000

    /// Returns the people of the file. The JSON pointer of every error contains the line, such as
    /// `/lines/12/email`. Columns without a known heading are ignored.
    /// - Throws: `limitReached` if there are more than `mostPeople` lines below the header; `invalid` for all
    ///   other errors, at most `FieldError.mostReported` of them.
    package static func people(in bytes: [UInt8]) throws(Refusal) -> [Line] {
        let records: [SeparatedText.Record]
        do throws(SeparatedText.Failure) {
            records = try SeparatedText.records(of: bytes, most: mostPeople + 1)
        } catch {
            switch error {
            case .notUTF8: throw .invalid([FieldError("", .notUTF8)])
            case .badQuotes(let line): throw .invalid([FieldError("/lines/\(line)", .badQuotes)])
            case .tooManyRecords: throw .limitReached(.person, limit: mostPeople)
            case .tooManyColumns(let line):
                throw .invalid([
                    FieldError("/lines/\(line)", .tooManyColumns(most: SeparatedText.mostColumns))
                ])
            }
        }
        guard let header = records.first else { throw .invalid([FieldError("/lines/1", .noNameColumn)]) }
        let columns = try columns(of: header)
        var errors: [FieldError] = []
        var lines: [Line] = []
        var people = DistinctPeople()
        for record in records.dropFirst() {
            func cell(_ column: Column) -> String {
                guard let index = columns[column], record.cells.indices.contains(index) else { return "" }
                return record.cells[index]
            }
            let checked = PersonDraft.checked(
                name: cell(.name), email: cell(.email), number: cell(.number),
                at: { "/lines/\(record.line)/\($0)" })
            switch checked {
            case .success(let draft):
                // Report repeated people together with all other errors, so that the host can correct the
                // whole file at once.
                errors += people.repeats(of: draft, at: "/lines/\(record.line)")
                lines.append(Line(line: record.line, draft: draft))
            case .failure(let found): errors += found.errors
            }
            if errors.count >= FieldError.mostReported { break }
        }
        guard errors.isEmpty else { throw .invalid(Array(errors.prefix(FieldError.mostReported))) }
        return lines
    }

    private static func columns(of header: SeparatedText.Record) throws(Refusal) -> [Column: Int] {
        var columns: [Column: Int] = [:]
        for (index, cell) in header.cells.enumerated() {
            let heading = IdentityKey(cell).text.filter { !$0.isWhitespace && !"-_.".contains($0) }
            guard let column = Column.allCases.first(where: { $0.spellings.contains(heading) }) else {
                continue
            }
            // If two columns have the same meaning, the reader cannot know which one to use.
            guard columns[column] == nil else {
                throw .invalid([FieldError("/lines/\(header.line)/\(column.rawValue)", .repeated)])
            }
            columns[column] = index
        }
        guard columns[.name] != nil else {
            throw .invalid([FieldError("/lines/\(header.line)", .noNameColumn)])
        }
        return columns
    }
}

extension PersonDraft {
    /// All errors in one entry of a roster.
    package struct Errors: Error { package let errors: [FieldError] }

    /// Returns the normalized fields, or throws all errors. The e-mail address and the number may be empty.
    /// - Parameter pointer: returns the JSON pointer of the field with the given name.
    package static func checked(
        name: String, email: String, number: String, at pointer: (String) -> String
    ) -> Result<PersonDraft, Errors> {
        var errors: [FieldError] = []
        var draft = PersonDraft(name: "")
        if let name = PersonalText.normalized(name) {
            draft.name = name
        } else {
            errors.append(FieldError(pointer("name"), name.isEmpty ? .missing : .length(min: 1, max: 100)))
        }
        if !email.allSatisfy(\.isWhitespace) {
            if let email = EmailAddress.normalized(email) {
                draft.email = email
            } else {
                errors.append(FieldError(pointer("email"), .notAnEmail))
            }
        }
        if !number.allSatisfy(\.isWhitespace) {
            if let number = PersonalText.normalized(number, limit: 50) {
                draft.number = number
            } else {
                errors.append(FieldError(pointer("number"), .length(min: 1, max: 50)))
            }
        }
        return errors.isEmpty ? .success(draft) : .failure(Errors(errors: errors))
    }
}
