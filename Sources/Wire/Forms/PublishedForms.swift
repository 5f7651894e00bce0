package import Meetings

/// The answers to a published form, by the names of its questions: `{"answers": {…}}`, or only the inner
/// object.
package struct FormAnswersRequest: Readable, Sendable {
    package let values: [String: PublishedForm.Value]
    /// The errors of values that could not be read, by field name. The form reports these errors together
    /// with all other errors of the answers.
    package let unread: [String: FieldReason]
    /// Whether the request has only the inner object.
    package let isFlat: Bool

    package init(reading fields: Fields) {
        let value = Schema.any([.string(min: 0, max: 5000, format: nil, pattern: nil), .number, Self.list])
        let members = fields.members(PublishedForm.wrapper, of: value, most: Self.most) { key, node in
            .success((key, node))
        }
        self.init(members ?? [], isFlat: false)
    }

    private init(_ members: [(key: String, value: JSONNode)], isFlat: Bool) {
        var (values, unread): ([String: PublishedForm.Value], [String: FieldReason]) = ([:], [:])
        for (key, node) in members {
            switch Self.value(node) {
            case .success(let value): values[key] = value
            case .failure(let reason): unread[key] = reason
            }
        }
        (self.values, self.unread, self.isFlat) = (values, unread, isFlat)
    }

    /// Reads the answers from the inner object, which has no `answers` around it.
    /// - Throws: `Refusal.invalid` if the document is no object, or has more members than a set has
    ///   questions.
    package init(flat document: JSONDocument) throws(Refusal) {
        guard document.root.isObject else {
            throw .invalid([FieldError("/\(PublishedForm.wrapper)", .wrongType(expected: "object"))])
        }
        let members = document.root.members.filter { !$0.value.isNull }
        guard members.count <= Self.most else {
            throw .invalid([FieldError("", .count(min: 0, max: Self.most))])
        }
        self.init(members, isFlat: true)
    }

    private static let most = QuestionSet.mostQuestions
    private static let list = Schema.array(
        .string(min: 0, max: 5000, format: nil, pattern: nil), min: 0, max: 50)

    /// Reads a value by its JSON type. The question later checks that the type is right.
    private static func value(_ node: JSONNode) -> Result<PublishedForm.Value, FieldReason> {
        if let text = node.string { return .success(.text(text)) }
        if let number = node.number { return .success(.number(number)) }
        let texts = node.elements.compactMap(\.string)
        guard node.isArray, texts.count == node.elements.count, texts.count <= 50 else {
            return .failure(.wrongType(expected: "string, number or array"))
        }
        return .success(.texts(texts))
    }
}

/// The answer to a submission, in the format of published forms: `{"status": 200, "data": {"isSuccess": true,
/// "nextTypeId": "1"}}`.
package struct SubveyAnswerBody: Codable, Hashable, Sendable {
    package let status: Int
    package let data: FormOutcome

    package init(_ data: FormOutcome) {
        status = 200
        self.data = data
    }
}

/// The result of a submission, in the format of published forms.
package struct FormOutcome: Codable, Hashable, Sendable {
    /// Whether the answers were stored.
    package let isSuccess: Bool
    /// The form that follows. If no form follows, null is written, because clients expect the key.
    package let nextTypeId: String?

    package init(isSuccess: Bool, nextTypeId: String? = nil) {
        self.isSuccess = isSuccess
        self.nextTypeId = nextTypeId
    }

    private enum CodingKeys: String, CodingKey { case isSuccess, nextTypeId }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(isSuccess, forKey: .isSuccess)
        if let nextTypeId {
            try container.encode(nextTypeId, forKey: .nextTypeId)
        } else {
            try container.encodeNil(forKey: .nextTypeId)
        }
    }
}

extension FormOutcome: SchemaDescribed {
    static var schema: Schema {
        .object([
            Schema.Field(name: "isSuccess", isRequired: true, schema: .boolean),
            Schema.Field(name: "nextTypeId", isRequired: true, schema: .any([String.schema, .null])),
        ])
    }
    static var example: FormOutcome { FormOutcome(isSuccess: true) }
}
