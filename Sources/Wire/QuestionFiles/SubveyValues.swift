/// What stands in a field at first: a text, a number, or what there is to choose from.
package enum SubveyPlaceholder: Codable, Hashable, Sendable {
    case text(String)
    case number(Double)
    case options([SubveyBody.Option])

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else {
            self = .options(try container.decode([SubveyBody.Option].self))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .number(let number): try container.encode(SubveyBound(number))
        case .options(let options): try container.encode(options)
        }
    }
}

/// What a rule compares with: a text, a number, or two bounds with `"-"` where one is open.
package enum SubveyTarget: Codable, Hashable, Sendable {
    case text(String)
    case number(Double)
    case bounds(Double?, Double?)

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else {
            let bounds = try container.decode([SubveyBound].self)
            self = .bounds(bounds.first?.number, bounds.last?.number)
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .number(let number): try container.encode(SubveyBound(number))
        case .bounds(let least, let most): try container.encode([SubveyBound(least), SubveyBound(most)])
        }
    }
}

/// A number, whole where it is, or `"-"`.
private struct SubveyBound: Codable {
    let number: Double?

    init(_ number: Double?) { self.number = number }

    init(from decoder: any Decoder) throws {
        number = try? decoder.singleValueContainer().decode(Double.self)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch number {
        case nil: try container.encode("-")
        case let number?:
            if let whole = Int(exactly: number) {
                try container.encode(whole)
            } else {
                try container.encode(number)
            }
        }
    }
}

extension SubveyPlaceholder: SchemaDescribed {
    static var schema: Schema {
        .any([
            String.schema, .number,
            .array(SchemaRecorder.schema(of: SubveyBody.Option.self), min: 0, max: nil),
        ])
    }
    static var example: SubveyPlaceholder { .text("") }
}

extension SubveyTarget: SchemaDescribed {
    static var schema: Schema {
        .any([String.schema, .number, .array(.any([.number, .oneOf(["-"])]), min: 2, max: 2)])
    }
    static var example: SubveyTarget { .text("") }
}
