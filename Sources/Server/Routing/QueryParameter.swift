import HTTPServer
import Meetings
import Secrets
import Wire

/// A query parameter that a route declares. Handlers check a value against this declaration, so the API's
/// description always matches the check.
struct QueryParameter: Sendable {
    let name: String
    let schema: Schema
    var isRequired = false

    /// The highest number of items on a page, and the position at which a list continues.
    static let limit = QueryParameter(name: "limit", schema: .integer(min: 1, max: 200))
    static let cursor = QueryParameter(
        name: "cursor", schema: .string(min: nil, max: 300, format: nil, pattern: nil))
    /// The text that a list's items must contain.
    static let search = QueryParameter(
        name: "q", schema: .string(min: nil, max: 100, format: nil, pattern: nil))
    /// A question set's name.
    static let set = QueryParameter(
        name: "set", schema: .string(min: 1, max: 40, format: nil, pattern: "^[a-z0-9-]+$"))
    static let language = QueryParameter(
        name: "language", schema: .string(min: 2, max: 35, format: nil, pattern: LocalizedText.tagPattern))
    /// The format of a question file.
    static let format = QueryParameter(name: "format", schema: .oneOf(["qring", "subvey"]))
    /// Whether a CSV file begins with a byte order mark. Some spreadsheet programs need the mark to recognize
    /// UTF-8.
    static let byteOrderMark = QueryParameter(name: "bom", schema: .boolean)
    static let headings = QueryParameter(
        name: "headings", schema: .oneOf(TableForm.Headings.allCases.map(\.rawValue)))
    /// How the caller wants a CSV file (`TableForm`).
    static let tableForm = [headings, byteOrderMark]
    /// Whether a file of results has the statistics of the questions instead of the responses.
    static let statistics = QueryParameter(name: "statistics", schema: .boolean)
    /// The order of the choices in results (`ResultOrder`).
    static let order = QueryParameter(name: "order", schema: .oneOf(ResultOrder.allCases.map(\.rawValue)))
    /// The confirmation of a deletion: the name of the meeting or session, or the e-mail address of the
    /// account.
    static let confirm = QueryParameter(name: "confirm", schema: .anyText)
    static let archived = QueryParameter(name: "archived", schema: .boolean)
    /// Whether to answer what the request would change, without changing it.
    static let dryRun = QueryParameter(name: "dryRun", schema: .boolean)
    /// The person of a roster.
    static let person = QueryParameter(
        name: "person",
        schema: .string(min: 26, max: 26, format: nil, pattern: "^[0-9A-HJKMNP-TV-Z]{26}$"))
    /// The number of a door.
    static let door = QueryParameter(
        name: "door", schema: .integer(min: Door.numbers.lowerBound, max: Door.numbers.upperBound))
    static let absentInARow = QueryParameter(name: "absentInARow", schema: .integer(min: 1, max: 20))
    /// Whether to list only the people who meet the meeting's absence rule.
    static let met = QueryParameter(name: "met", schema: .boolean)
    static let status = QueryParameter(
        name: "status", schema: .oneOf(AttendanceStatus.allCases.map(\.rawValue)))
    /// The status of the listed questions from the audience. Attendees can list visible and answered ones.
    static let questionStatus = QueryParameter(
        name: "status", schema: .oneOf(AudienceQuestion.Status.allCases.map(\.rawValue)))
    /// The status of the listed replies.
    static let replyStatus = QueryParameter(
        name: "status", schema: .oneOf(Reply.Status.allCases.map(\.rawValue)))
    /// The words for the states of mails. Without one, the list has the mails that can still be sent.
    static let mailStates = MailDelivery.State.allCases.map(\.word)
    static let mailState = QueryParameter(name: "state", schema: .oneOf(mailStates))
    /// The part of an attendee's page to answer with: `forms` for the forms alone. Without it, the whole
    /// page.
    static let part = QueryParameter(name: "part", schema: .oneOf([Stage.forms]))
    /// The order of the questions on an attendee's page: the most votes first, or the newest first.
    static let questionOrder = QueryParameter(name: "order", schema: .oneOf(["votes", "time"]))
    /// Whether to list only the questions that the attendee asked, with all statuses.
    static let own = QueryParameter(name: "own", schema: .boolean)
    /// A day of the calendar.
    static let day = QueryParameter(
        name: "day", schema: .string(min: 10, max: 10, format: "date", pattern: nil))
    /// A keyword of groups of interest, which the listed people must have.
    static let keyword = QueryParameter(
        name: "keyword",
        schema: .string(min: nil, max: MatchPerson.mostCharacters.keyword, format: nil, pattern: nil))
    /// The sequence number after which events are listed.
    static let since = QueryParameter(name: "since", schema: .integer(min: 0, max: .max))
    static let email = QueryParameter(
        name: "email", schema: .string(min: 3, max: 254, format: "email", pattern: nil), isRequired: true)
    /// Whether to erase a removed attendee completely, so that nobody can undo the removal.
    static let erase = QueryParameter(name: "erase", schema: .boolean)
    /// The reason for a correction.
    static let note = QueryParameter(
        name: "note", schema: .string(min: nil, max: noteLength, format: nil, pattern: nil))
    /// The width and height of a square image, in pixels.
    static let size = QueryParameter(name: "size", schema: .integer(min: 64, max: 2048))
    /// Shows the check-in form for another person, although somebody has checked in with this phone. Its
    /// value has no meaning.
    static let another = QueryParameter(name: "another", schema: .anyText)
    /// The attendee's id, if several people checked in with this phone. With an unknown id, the page asks the
    /// visitor to choose a person.
    static let who = QueryParameter(name: "who", schema: .anyText)
    /// The ticket, the room and the position of an event stream.
    static let ticket = QueryParameter(name: "ticket", schema: .anyText)
    static let room = QueryParameter(name: "room", schema: .anyText, isRequired: true)
    static let position = QueryParameter(name: "since", schema: .anyText)
    /// The version, the transport and the session of Engine.IO.
    static let eio = QueryParameter(name: "EIO", schema: .anyText)
    static let transport = QueryParameter(name: "transport", schema: .anyText, isRequired: true)
    static let sid = QueryParameter(name: "sid", schema: .anyText)
    /// The language of the texts. Every route reads it, so no route declares it.
    static let lang = QueryParameter(name: "lang", schema: .anyText)
}

extension [QueryParameter] {
    /// Returns the parameters of a list in pages, followed by the list's own parameters.
    static func page(_ own: QueryParameter...) -> Self { [.limit, .cursor] + own }
}

extension HTTPRequestHead {
    /// Returns the first value of a query parameter, without checking it.
    func value(of parameter: QueryParameter) -> String? {
        rawQuery.isEmpty ? nil : queryValue(parameter.name)
    }
}

extension RequestContext {
    /// Returns the first value of a query parameter, without checking it. In debug builds, traps if the route
    /// does not declare the parameter, so that the tests of all routes prove that the description is
    /// complete.
    func query(_ parameter: QueryParameter) -> String? {
        assert(
            parameter.name == QueryParameter.lang.name
                || route?.query.contains { $0.name == parameter.name } == true,
            "\(request.method) \(request.path) does not declare ?\(parameter.name)")
        return request.head.value(of: parameter)
    }

    /// Returns the value as an integer; nil if the parameter is absent.
    /// - Throws: `Refusal.invalid` unless the value is an integer in the parameter's range.
    func integer(_ parameter: QueryParameter) throws -> Int? {
        guard let text = query(parameter) else { return nil }
        guard case .integer(let min, let max) = parameter.schema else {
            preconditionFailure("\(parameter.name) is not an integer")
        }
        let range = (min ?? .min)...(max ?? .max)
        guard let number = Int(text), range.contains(number) else {
            throw invalid(parameter, .range(min: range.lowerBound, max: range.upperBound))
        }
        return number
    }

    /// Returns the chosen value; nil if the parameter is absent.
    /// - Throws: `Refusal.invalid` unless the value is one of the parameter's choices.
    func choice(_ parameter: QueryParameter) throws -> String? {
        guard let text = query(parameter) else { return nil }
        guard case .oneOf(let choices) = parameter.schema else {
            preconditionFailure("\(parameter.name) has no choices")
        }
        guard choices.contains(text) else { throw invalid(parameter, .notOneOf(choices)) }
        return text
    }

    /// Returns the value as a Boolean; nil if the parameter is absent.
    /// - Throws: `Refusal.invalid` for any value other than `true` and `false`.
    func flag(_ parameter: QueryParameter) throws -> Bool? {
        switch query(parameter) {
        case nil: nil
        case "true": true
        case "false": false
        default: throw invalid(parameter, .notOneOf(["true", "false"]))
        }
    }

    /// Returns how the caller wants a CSV file.
    func tableForm() throws -> TableForm {
        TableForm(
            in: language, headings: try choice(.headings).flatMap(TableForm.Headings.init) ?? .words,
            byteOrderMark: try flag(.byteOrderMark) ?? false)
    }

    /// Returns the highest number of items on a page: `?limit=`, or 50.
    func limit() throws -> Int { try integer(.limit) ?? 50 }

    /// Returns the text in `?q=`; nil if it is absent or empty.
    func searched() throws -> String? {
        guard let text = query(.search), !text.isEmpty else { return nil }
        guard text.count <= 100 else { throw invalid(.search, .length(min: 0, max: 100)) }
        return text
    }

    /// Returns the person in `?person=`; nil if it is absent.
    func person() throws -> PersonID? {
        guard let text = query(.person) else { return nil }
        guard let id = PersonID(text) else { throw invalid(.person, .notAnID) }
        return id
    }

    /// Returns the date in `?day=`; nil if it is absent.
    func date() throws -> CivilDate? {
        guard let text = query(.day) else { return nil }
        guard let date = CivilDate(text) else { throw invalid(.day, .notADate) }
        return date
    }

    /// Returns the tag of the language in `?language=`; nil if it is absent.
    func languageTag() throws -> String? {
        guard let text = query(.language) else { return nil }
        guard let tag = LocalizedText.tag(text) else { throw invalid(.language, .notALanguage) }
        return tag
    }

    /// Returns the position in `?cursor=`; nil for the first page.
    func cursor() throws -> Cursor? {
        guard let text = query(.cursor) else { return nil }
        guard let cursor = Cursor(text) else { throw invalidCursor }
        return cursor
    }

    /// Returns the position in `?cursor=`, converted by `read`; nil for the first page.
    /// - Throws: `Refusal.invalid` if `read` returns nil.
    func cursor<Position>(_ read: (Cursor) -> Position?) throws -> Position? {
        guard let cursor = try cursor() else { return nil }
        guard let position = read(cursor) else { throw invalidCursor }
        return position
    }

    private var invalidCursor: Refusal { invalid(.cursor, .notAnID) }

    func invalid(_ parameter: QueryParameter, _ reason: FieldReason) -> Refusal {
        .invalid([FieldError("?\(parameter.name)", reason)])
    }
}

/// The position at which a list continues. Clients must not interpret its text.
struct Cursor: Sendable {
    let words: [String]

    init(_ words: String...) { self.words = words }

    init?(_ text: String) {
        guard text.utf8.count <= 300, let bytes = Crockford.decode(text),
            let words = String(validating: bytes, as: UTF8.self), !words.hasUnfitForLine
        else {
            return nil
        }
        self.words = words.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    }

    var text: String { Crockford.encode(Array(words.joined(separator: " ").utf8)) }

    /// Returns a word as an integer; nil if it is missing or malformed.
    func integer(_ index: Int) -> Int64? { words.indices.contains(index) ? Int64(words[index]) : nil }
}
