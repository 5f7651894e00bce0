/// Something that an answer must be, and what is said where it is not.
package struct Rule: Hashable, Sendable {
    package let test: Test
    /// At most 300 characters in each language; where it is empty, the server has words of its own.
    package var message: LocalizedText

    package init(_ test: Test, message: LocalizedText = .none) {
        self.test = test
        self.message = message
    }

    /// Nil bounds are open; both bounds belong to what is allowed.
    package enum Test: Hashable, Sendable {
        /// Anything but this. Of choices: not that one among them.
        case not(Value)
        /// Of numbers and stars.
        case minMax(min: Double?, max: Double?)
        /// Characters of a text as people count them, or how many choices.
        case minMaxLength(min: Int?, max: Int?)
        /// This very value. Of choices: that one among them.
        case sameAs(Value)
        /// What the other question of the set was answered with. `bare` where a form's file names it without
        /// a mark (`nick`, not `$nick`), so that it comes back as it was written.
        case sameAsQuestion(QuestionID, bare: Bool = false)
        /// A regular expression in RE2's syntax, found anywhere in a text unless it is anchored.
        case pattern(String)
    }

    package enum Value: Hashable, Sendable {
        case text(String)
        case number(Double)
    }

    package enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        case not, minMax, minMaxLength, sameAs, pattern
    }
}

extension Rule.Test {
    package var kind: Rule.Kind {
        switch self {
        case .not: .not
        case .minMax: .minMax
        case .minMaxLength: .minMaxLength
        case .sameAs, .sameAsQuestion: .sameAs
        case .pattern: .pattern
        }
    }

    /// Whether it says something of answers to such a question.
    package func applies(to kind: Question.Kind) -> Bool {
        switch (self, kind) {
        case (.not(let value), _), (.sameAs(let value), _): value.applies(to: kind)
        case (.minMax, .number), (.minMax, .rating): true
        case (.minMaxLength, .shortAnswer), (.minMaxLength, .multipleChoice): true
        case (.pattern, .shortAnswer): true
        case (.sameAsQuestion, _): true
        case (.minMax, _), (.minMaxLength, _), (.pattern, _): false
        }
    }
}

extension Rule.Value {
    fileprivate func applies(to kind: Question.Kind) -> Bool {
        switch (self, kind) {
        case (.text(let id), .multipleChoice(let choices, _, _)): choices.contains { $0.id == id }
        case (.text, .shortAnswer), (.number, .number), (.number, .rating): true
        default: false
        }
    }
}

/// The engine that patterns run on. It must take linear time and bounded memory whatever the pattern, or
/// refuse it.
package protocol PatternMatching: Sendable {
    /// Why `pattern` is not taken, in the engine's own words; nil where it is.
    func refusal(of pattern: String) -> String?
    /// Whether `text` holds a match. False for a pattern that is not taken.
    func matches(_ text: String, _ pattern: String) -> Bool
}

/// Takes no pattern: where no engine was given.
package struct NoPatterns: PatternMatching {
    package init() {}

    package func refusal(of pattern: String) -> String? { "patterns are not taken here" }
    package func matches(_ text: String, _ pattern: String) -> Bool { false }
}
