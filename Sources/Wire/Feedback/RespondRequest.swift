package import Meetings

/// The request that answers a question set.
package struct RespondRequest: Readable, Sendable {
    package let set: String
    package let answers: Answers
    package let unusable: UnusableAnswers
    /// The promise that the form showed. If it has changed, the server refuses the answers.
    package let shown: ShownPromise

    package init(reading fields: Fields) {
        set = fields.text("set", 1...40) ?? QuestionSet.feedback
        (answers, unusable) = fields.answers(required: true)
        shown = ShownPromise(
            anonymous: fields.bool("anonymous"),
            promise: fields.choice("promise", of: AnswerPromise.self))
    }

    package init(set: String, answers: Answers) {
        self.set = set
        self.answers = answers
        unusable = .none
        shown = .unknown
    }
}

extension Fields {
    /// Reads `{questionId: value}`. The result is empty if the field is absent or malformed. The question set
    /// reports unusable values together with all other errors of the answers.
    func answers(required: Bool) -> (answers: Answers, unusable: UnusableAnswers) {
        var unusable = UnusableAnswers()
        let read = members("answers", required: required, of: Answer.schema, most: QuestionSet.mostQuestions)
        {
            (key, node) -> Result<(QuestionID, Answer)?, FieldReason> in
            guard let id = QuestionID(key) else {
                unusable.names.insert(key)
                deferFailure(of: key, in: "answers", .unknownQuestion)
                return .success(nil)
            }
            switch Answer.read(node) {
            case .success(let answer): return .success((id, answer))
            case .failure(let reason):
                unusable.values[id] = reason
                deferFailure(of: key, in: "answers", reason)
                return .success(nil)
            }
        }
        guard let found = read?.compactMap(\.self), !found.isEmpty else { return ([:], unusable) }
        let answers = Dictionary(found) { first, _ in first }
        // Ids ignore case, so two different keys can be the id of the same question.
        if answers.count != found.count { fail("answers", .repeated) }
        return (answers, unusable)
    }
}

extension Answer {
    static var schema: Schema {
        let ids = Schema.array(.string(min: 1, max: 40, format: nil, pattern: nil), min: 0, max: 50)
        let other = Schema.string(min: 0, max: Question.Choice.mostOtherCharacters, format: nil, pattern: nil)
        return .any([
            ids, .string(min: 0, max: 5000, format: nil, pattern: nil), .number,
            .object([
                Schema.Field(name: "choices", isRequired: true, schema: ids),
                Schema.Field(name: "other", isRequired: false, schema: other),
            ]),
        ])
    }

    /// Reads an answer by its JSON type. The question later checks that the type is right. The size of the
    /// body limits the number of answers.
    fileprivate static func read(_ node: JSONNode) -> Result<Answer, FieldReason> {
        if let number = node.number { return .success(.number(number)) }
        if let text = node.string { return .success(.text(text)) }
        if node.isArray { return ids(node).map { .choices($0) } }
        guard node.isObject, let choices = node["choices"], choices.isArray else {
            return .failure(.wrongType(expected: "array, string, number or object"))
        }
        let other = node["other"].flatMap { $0.isNull ? nil : $0 }
        if let other, other.string == nil { return .failure(.wrongType(expected: "string")) }
        return ids(choices).map { .choices($0, other: other?.string) }
    }

    private static func ids(_ node: JSONNode) -> Result<[String], FieldReason> {
        let elements = node.elements
        let ids = elements.compactMap(\.string)
        return ids.count == elements.count && ids.count <= 50 ? .success(ids) : .failure(.unknownChoice)
    }
}
