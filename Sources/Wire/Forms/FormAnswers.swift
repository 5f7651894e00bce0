/// What such a server says to answers: `{"status": 200, "data": {"isSuccess": true, "nextTypeId": "1"}}`.
package struct SubveyAnswerBody: Codable, Hashable, Sendable {
    package let status: Int
    package let data: FormOutcome

    package init(_ data: FormOutcome) {
        status = 200
        self.data = data
    }
}

package struct FormOutcome: Codable, Hashable, Sendable {
    /// False where nothing was kept.
    package let isSuccess: Bool
    /// The form that follows. Null is said where there is none: clients read the key in any case.
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
