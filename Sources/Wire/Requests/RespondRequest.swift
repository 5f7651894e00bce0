package import Meetings

package struct RespondRequest: Readable, Sendable {
    package let set: String
    package let answers: Answers

    package init(reading fields: Fields) {
        set = fields.text("set", 1...40) ?? QuestionSet.feedback
        let read = fields.members("answers", required: true, of: Answer.schema, most: QuestionSet.mostQuestions) {
            (key, node) -> Result<(QuestionID, Answer), FieldReason> in
            guard let id = QuestionID(key) else { return .failure(.unknownQuestion) }
            return Answer.read(node).map { (id, $0) }
        }
        answers = Dictionary(read ?? []) { first, _ in first }
        // Ids are read in either case, so that two keys can mean one question.
        if answers.count != read?.count ?? 0 { fields.fail("answers", .repeated) }
    }

    package init(set: String, answers: Answers) {
        self.set = set
        self.answers = answers
    }
}

extension Answer {
    fileprivate static var schema: Schema {
        .any([
            .array(.string(min: 1, max: 40, format: nil, pattern: nil), min: 0, max: 50),
            .string(min: 0, max: 5000, format: nil, pattern: nil),
            .integer(min: 1, max: 10),
        ])
    }

    /// By its JSON type alone; whether it fits its question is the question's to say.
    fileprivate static func read(_ node: JSONNode) -> Result<Answer, FieldReason> {
        if let stars = node.integer { return .success(.rating(stars)) }
        if let text = node.string { return text.utf8.count <= 20_000 ? .success(.text(text)) : .failure(.length(min: 1, max: 5000)) }
        guard node.isArray else { return .failure(.wrongType(expected: "array, string or integer")) }
        let elements = node.elements
        let ids = elements.compactMap(\.string)
        return ids.count == elements.count && ids.count <= 50 ? .success(.choices(ids)) : .failure(.unknownChoice)
    }
}
