package import Meetings

/// A file of questions in any supported format: QRing's own format, a form with rules (`data.forms`, or the
/// answer that names the next form), or a questionnaire. The whole file is read. Every unknown field and
/// every other error is reported with its line.
package struct QuestionFile: Sendable {
    package let content: ImportedQuestions
    private let bytes: [UInt8]
    /// The pointers into the file, by the pointers into QRing's questions. Pointers that are the same in both
    /// are left out.
    private let filePointers: [String: String]

    /// The highest size of a file, in bytes.
    package static let mostBytes = 1 << 20

    enum Format: Sendable {
        case qring, form, formAnswer, questionnaire
    }

    /// The file's JSON before its format is known.
    package struct Text {
        package let document: JSONDocument
        fileprivate let bytes: [UInt8]

        /// Reads the JSON. It ignores the byte order mark that some editors write before UTF-8, and converts
        /// Korean text in CP949.
        /// - Throws: `JSONFault`.
        package init(_ bytes: [UInt8]) throws(JSONFault) {
            let marked = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
            self.bytes = SpreadsheetText.utf8(of: marked).bytes
            document = try JSONDocument(self.bytes)
        }
    }

    /// Reads the questions from the bytes of a file.
    /// - Throws: `JSONFault` or `Refusal`.
    package init(_ bytes: [UInt8], language: String?, patterns: (any PatternMatching)? = nil) throws {
        try self.init(try Text(bytes), language: language, patterns: patterns)
    }

    /// Reads the questions from a parsed file.
    /// - Parameters:
    ///   - language: the language of the texts, if the format does not name it; nil if the language is
    ///     unknown.
    ///   - patterns: the engine that checks the patterns of rules; nil if the command checks the patterns.
    /// - Throws: `Refusal.invalid` with the lines of the errors in the file.
    package init(_ text: Text, language: String?, patterns: (any PatternMatching)? = nil) throws(Refusal) {
        let document = text.document
        bytes = text.bytes
        guard let format = Self.format(of: document.root) else {
            throw .invalid([FieldError("", .unknownFormat, line: 1)])
        }
        do throws(Refusal) {
            switch format {
            case .qring:
                content = try Fields.read(QRingFile.self, from: document, wholly: true, patterns: patterns)
                    .content
                filePointers = [:]
            case .form:
                let isWrapped = document.root["data"] != nil
                let form =
                    isWrapped
                    ? try Fields.read(SubveyFile.self, from: document, wholly: true, patterns: patterns).form
                    : try Fields.read(SubveyForms.self, from: document, wholly: true, patterns: patterns)
                let read = try (form ?? SubveyForms(forms: [], escapes: [])).questions(
                    in: language, below: isWrapped ? "/data" : "")
                (content, filePointers) = (
                    ImportedQuestions(questions: read.questions, language: language), read.filePointers
                )
            case .formAnswer:
                let answer = try Fields.read(SubveyAnswerFile.self, from: document, wholly: true)
                (content, filePointers) = (
                    ImportedQuestions(questions: nil, about: .init(next: answer.next)),
                    ["/next": "/data/nextTypeId"]
                )
            case .questionnaire:
                content = try Fields.read(QuestionnaireFile.self, from: document, wholly: true).content(
                    in: language)
                filePointers = [:]
            }
        } catch { throw Self.located(error, bytes) }
    }

    private static func format(of root: JSONNode) -> Format? {
        if let data = root["data"], data.isObject { return data["isSuccess"] == nil ? .form : .formAnswer }
        if root["forms"] != nil { return .form }
        guard let questions = root["questions"] else { return nil }
        // A file in QRing's own format has no id.
        if questions.elements.isEmpty, root["id"] != nil { return .questionnaire }
        return questions.elements.contains { $0["type"] != nil && $0["kind"] == nil }
            ? .questionnaire : .qring
    }

    /// Returns the refusal with the pointers and lines of the file instead of the pointers into QRing's
    /// questions.
    package func located(_ refusal: Refusal) -> Refusal {
        guard case .invalid(let errors) = refusal else { return refusal }
        return Self.located(.invalid(errors.map { FieldError(filePointer(of: $0.field), $0.reason) }), bytes)
    }

    private func filePointer(of pointer: String) -> String {
        var front = pointer[...]
        while true {
            if let known = filePointers[String(front)] { return known + pointer[front.endIndex...] }
            guard let slash = front.lastIndex(of: "/") else { return pointer }
            front = front[..<slash]
        }
    }

    private static func located(_ refusal: Refusal, _ bytes: [UInt8]) -> Refusal {
        guard case .invalid(let errors) = refusal else { return refusal }
        let reported = errors.prefix(FieldError.mostReported)
        let lines = JSONLines(bytes, of: reported.map(\.field))
        let found = reported.map {
            FieldError($0.field, $0.reason, line: $0.line ?? lines.line(of: $0.field))
        }
        return .invalid(
            found.enumerated().sorted {
                ($0.element.line ?? 0, $0.offset) < ($1.element.line ?? 0, $1.offset)
            }.map(\.element))
    }
}

/// A file in QRing's own format: the fields of a set. The other fields of `GET …/questions` are ignored.
private struct QRingFile: Readable {
    let content: ImportedQuestions

    init(reading fields: Fields) {
        _ = fields.choice("format", of: QuestionFileBody.Format.self)
        for name in ["set", "publishedAs"] { _ = fields.text(name, 0...40) }
        for name in ["open", "shared", "anonymityFixed", "changeable", "oncePerDevice"] {
            _ = fields.bool(name)
        }
        for name in ["responses", "version", "position"] { _ = fields.integer(name, 0...Int.max) }
        content = ImportedQuestions(
            questions: fields.questions(required: true), about: QuestionSet.About(reading: fields),
            promise: ChosenPromise(reading: fields))
    }
}

/// A question set as a file in QRing's own format. The file can be imported again.
package struct QuestionFileBody: Codable, Hashable, Sendable {
    /// The `format` of the file.
    package enum Format: String, Codable, Hashable, Sendable, CaseIterable { case qring }

    package let format: Format
    package let set: String
    package let title: String?
    package let titles: LocalizedText?
    package let description: String?
    package let descriptions: LocalizedText?
    package let next: String?
    package let anonymous: Bool
    package let promise: AnswerPromise
    package let questions: [Question]

    package init(_ set: QuestionSet) {
        format = .qring
        self.set = set.name
        title = set.title.plainIfAny
        titles = set.title.byLanguage
        description = set.description.plainIfAny
        descriptions = set.description.byLanguage
        next = set.next
        anonymous = set.anonymous
        promise = set.promise
        questions = set.questions
    }
}
