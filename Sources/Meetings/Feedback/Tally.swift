/// The running result of one question. The server updates it with each response and never counts all answers
/// again.
package struct TallyCount: Hashable, Sendable, Codable {
    /// The number of answers to this question.
    package private(set) var answers: Int
    /// The count of each choice in the question's order, or the count of each number of stars, beginning with
    /// one star. Empty for questions with texts or numbers.
    package private(set) var counts: [Int]
    /// The distribution of the answers to a number question. Nil for other kinds of questions, and if there
    /// are no answers.
    package private(set) var numbers: NumberCounts?

    /// Makes a tally without answers.
    package init(for question: Question) {
        answers = 0
        counts =
            switch question.kind {
            case .multipleChoice(let choices, _, _): Array(repeating: 0, count: choices.count)
            case .rating(let scale): Array(repeating: 0, count: scale)
            case .shortAnswer, .number: []
            }
    }

    /// Adds an answer to the tally. The answer must fit the question.
    package mutating func add(_ answer: Answer, to question: Question) { change(answer, of: question, by: 1) }
    /// Removes an answer that was added before.
    package mutating func remove(_ answer: Answer, from question: Question) {
        change(answer, of: question, by: -1)
    }

    private mutating func change(_ answer: Answer, of question: Question, by difference: Int) {
        answers += difference
        switch (question.kind, answer) {
        case (.multipleChoice(let choices, _, _), .choices(let ids, _)):
            for (index, choice) in choices.enumerated() where ids.contains(choice.id) {
                counts[index] += difference
            }
        case (.rating, .number(let stars)): counts[Int(stars) - 1] += difference
        case (.number(_, _, let decimals), .number(let number)):
            guard let steps = Amount.units(number, decimals: decimals) else { return }
            var changed = numbers ?? NumberCounts()
            if difference > 0 { changed.add(steps) } else { changed.remove(steps) }
            numbers = changed.count == 0 ? nil : changed
        default: break
        }
    }

    /// Adds the answers that `other` counts. `other` must be a tally of the same question.
    package mutating func add(_ other: TallyCount) {
        answers += other.answers
        for index in counts.indices { counts[index] += other.counts[index] }
        if let more = other.numbers {
            var all = numbers ?? NumberCounts()
            all.add(more)
            numbers = all
        }
    }

    /// The average number of stars; nil if there are no answers.
    package var average: Double? {
        guard answers > 0 else { return nil }
        let sum = counts.enumerated().reduce(0) { $0 + ($1.offset + 1) * $1.element }
        return Double(sum) / Double(answers)
    }

    /// Returns whether both tallies count the same answers (`NumberCounts.agrees(with:)`).
    package func agrees(with other: TallyCount) -> Bool {
        guard answers == other.answers, counts == other.counts else { return false }
        guard let numbers, let others = other.numbers else {
            return self.numbers == nil && other.numbers == nil
        }
        return numbers.agrees(with: others)
    }
}

extension Answer {
    /// Returns whether a tally of `question` can count this answer.
    package func fits(_ question: Question) -> Bool {
        switch (question.kind, self) {
        case (.multipleChoice(let choices, _, _), .choices(let ids, _)):
            ids.allSatisfy { id in choices.contains { $0.id == id } }
        case (.rating(let scale), .number(let stars)): Int(exactly: stars).map((1...scale).contains) ?? false
        case (.number(_, _, let decimals), .number(let number)):
            Amount.units(number, decimals: decimals) != nil
        case (.shortAnswer, .text): true
        default: false
        }
    }
}
