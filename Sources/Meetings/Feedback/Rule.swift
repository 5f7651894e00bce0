/// A condition for an answer, and the message for an answer that breaks it.
package struct Rule: Hashable, Sendable {
    package let test: Test
    /// The host's message, at most 300 characters in each language. If the message is empty, the server uses
    /// its own message.
    package var message: LocalizedText
    /// The pattern of the test as a form's file wrote it, between slashes or not; nil if the notation follows
    /// from the pattern.
    package var written: String?

    package init(_ test: Test, message: LocalizedText = .none, written: String? = nil) {
        self.test = test
        self.message = message
        self.written = written
    }

    /// The condition of a rule. If a bound is nil, there is no limit on that side. A bound belongs to the
    /// allowed range.
    package enum Test: Hashable, Sendable {
        /// The answer must differ from this value. If the question has choices, the attendee must not choose
        /// this choice.
        case not(Value)
        /// The number (or the number of stars) must be within these bounds.
        case minMax(min: Double?, max: Double?)
        /// The length of the answer must be within these bounds. The length of a text is its number of
        /// characters as people count them (grapheme clusters). The length of a choice answer is its number
        /// of choices.
        case minMaxLength(min: Int?, max: Int?)
        /// The answer must equal this value. If the question has choices, the attendee must choose this
        /// choice.
        case sameAs(Value)
        /// The answer must equal the answer to another question of the set. `bare` is true if the imported
        /// file refers to that question without a mark (`nick` instead of `$nick`). An export then writes the
        /// reference in the same way.
        case sameAsQuestion(QuestionID, bare: Bool = false)
        /// The text must contain a match of this regular expression in RE2's syntax. The match can be
        /// anywhere, unless the expression has anchors.
        case pattern(String)
    }

    /// A value to compare with answers: a text, the id of a choice, or a number.
    package enum Value: Hashable, Sendable {
        case text(String)
        case number(Double)
    }

    /// The kinds of conditions. Their raw values are their names in JSON.
    package enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        case not, minMax, minMaxLength, sameAs, pattern
    }
}

extension Rule.Test {
    /// The kind of this condition.
    package var kind: Rule.Kind {
        switch self {
        case .not: .not
        case .minMax: .minMax
        case .minMaxLength: .minMaxLength
        case .sameAs, .sameAsQuestion: .sameAs
        case .pattern: .pattern
        }
    }

    /// Returns whether the condition can apply to answers to questions of the given kind.
    package func applies(to kind: Question.Kind) -> Bool {
        let kind = kind.definition
        return switch self {
        case .not(let value), .sameAs(let value): kind.compares(with: value)
        case .sameAsQuestion: true
        case .minMax, .minMaxLength, .pattern: kind.limits.contains(self.kind)
        }
    }
}

/// The engine that matches patterns. The engine must match every pattern in linear time and bounded memory,
/// or reject the pattern.
package protocol PatternMatching: Sendable {
    /// Returns the engine's reason for rejecting `pattern`. Returns nil if the pattern is valid.
    func refusal(of pattern: String) -> String?
    /// Returns whether `text` contains a match of the pattern. Returns false for a pattern that the engine
    /// rejects.
    func matches(_ text: String, _ pattern: String) -> Bool
}

/// A pattern engine that rejects every pattern. Callers without patterns use it.
package struct NoPatterns: PatternMatching {
    package init() {}

    package func refusal(of pattern: String) -> String? { "patterns are not supported" }
    package func matches(_ text: String, _ pattern: String) -> Bool { false }
}

extension Rule.Test {
    /// Returns whether `answer` meets the condition. If the condition cannot apply to this kind of answer,
    /// the result is true. If the condition refers to another question without an answer, the result is
    /// false. A number never equals a text.
    /// - Parameter answers: the answers to the other questions of the set.
    package func holds(for answer: Answer, beside answers: Answers, by patterns: any PatternMatching) -> Bool
    {
        switch self {
        case .not(let value): !value.isGiven(in: answer)
        case .sameAs(let value): value.isGiven(in: answer)
        case .sameAsQuestion(let id, _): answers[id] == answer
        case .minMax(let min, let max):
            if case .number(let number) = answer {
                number >= min ?? -.infinity && number <= max ?? .infinity
            } else {
                true
            }
        case .minMaxLength(let min, let max):
            answer.length.map { $0 >= min ?? 0 && $0 <= max ?? .max } ?? true
        case .pattern(let pattern):
            if case .text(let text) = answer { patterns.matches(text, pattern) } else { true }
        }
    }
}

extension Rule.Value {
    fileprivate func isGiven(in answer: Answer) -> Bool {
        switch (self, answer) {
        case (.text(let id), .choices(let ids, _)): ids.contains(id)
        case (.text(let text), .text(let given)): text == given
        case (.number(let number), .number(let given)): number == given
        default: false
        }
    }
}

extension Answer {
    /// The length of the answer; nil for a number. For a text, the length is its number of characters as
    /// people count them (grapheme clusters, UAX #29). For choices, it is their number.
    fileprivate var length: Int? {
        switch self {
        case .text(let text): text.count
        case .choices(let ids, _): ids.count
        case .number: nil
        }
    }
}

// MARK: Eligibility and branches

extension QuestionSet {
    /// Returns the first eligibility rule that `answers` break. If there is such a rule, the form ends with
    /// the rule's message. Returns nil if the attendee is eligible. The caller must have checked `answers`.
    package func ending(for answers: Answers, by patterns: any PatternMatching) -> Rule? {
        for question in asked {
            guard let answer = answers[question.id] else { continue }
            if let rule = question.eligibility.first(where: {
                !$0.test.holds(for: answer, beside: answers, by: patterns)
            }) {
                return rule
            }
        }
        return nil
    }

    /// Returns the name of the set that follows these answers. The first branch whose condition holds
    /// decides. If no condition holds, the set's own `next` follows. Returns nil if the form ends.
    package func next(after answers: Answers, by patterns: any PatternMatching) -> String? {
        for question in asked {
            guard let answer = answers[question.id] else { continue }
            if let branch = question.branches.first(where: {
                $0.test.holds(for: answer, beside: answers, by: patterns)
            }) {
                return branch.next
            }
        }
        return next
    }

    /// The names of all sets that can follow this set.
    package var possibleNextSets: Set<String> {
        Set(questions.flatMap { $0.branches.map(\.next) } + [next].compactMap { $0 })
    }
}
