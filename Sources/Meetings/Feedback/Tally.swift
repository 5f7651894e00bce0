/// The running result of one question. The server updates it with each response and never counts all answers
/// again.
package struct TallyCount: Hashable, Sendable, Codable {
    /// The number of answers to this question.
    package private(set) var answers: Int
    /// The count of each choice in the question's order (of yes and no in the order of `YesNo`), or the
    /// count of each number of stars or point, beginning with one; the lists of `RankingCounts` for a
    /// ranking. Empty for other kinds.
    package internal(set) var counts: [Int]
    /// The distribution of the answers to a number question, or of the days of a date question as days since
    /// 1970. Nil for other kinds of questions, and if there are no answers.
    package private(set) var numbers: NumberCounts?
    /// The changes of the counts of words, by key (`CloudWord`), that the rows do not contain yet. Nil if
    /// there are none. The counts are in rows of their own, because their number grows with the answers.
    package private(set) var words: [String: Int]?

    /// Makes a tally without answers, for a set with this promise.
    package init(for question: Question, _ promise: AnswerPromise = .anonymous) {
        answers = 0
        counts = Array(repeating: 0, count: question.kind.definition.countedRows(promise))
    }

    /// Makes a tally with these counts, without numbers and words.
    package init(answers: Int, counts: [Int]) {
        self.answers = answers
        self.counts = counts
    }

    /// Adds an answer to the tally. The answer must fit the question.
    package mutating func add(_ answer: Answer, to question: Question) { change(answer, of: question, by: 1) }
    /// Removes an answer that was added before.
    package mutating func remove(_ answer: Answer, from question: Question) {
        change(answer, of: question, by: -1)
    }

    private mutating func change(_ answer: Answer, of question: Question, by difference: Int) {
        answers += difference
        question.kind.definition.count(answer, by: difference, in: &self)
    }

    /// Changes the number of answers with this number of units, or this day.
    mutating func change(_ units: Int, by difference: Int) {
        var changed = numbers ?? NumberCounts()
        if difference > 0 { changed.add(units) } else { changed.remove(units) }
        numbers = changed.count == 0 ? nil : changed
    }

    /// Changes the number of answers with the word of this key.
    mutating func change(_ word: String, by difference: Int) {
        var changed = words ?? [:]
        let count = changed[word, default: 0] + difference
        changed[word] = count == 0 ? nil : count
        words = changed.isEmpty ? nil : changed
    }

    /// Removes all answers.
    package mutating func removeAll() {
        self = TallyCount(answers: 0, counts: Array(repeating: 0, count: counts.count))
    }

    /// Returns the changes of the counts of words, and removes them from the tally.
    package mutating func takeWords() -> [String: Int] {
        defer { words = nil }
        return words ?? [:]
    }

    /// Adds counts of words that are in rows of their own.
    package mutating func add(_ counts: [WordCount]) {
        for counted in counts { change(counted.word, by: counted.count) }
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
        for (word, count) in other.words ?? [:] { change(word, by: count) }
    }

    /// The average number of stars or average point; nil if there are no answers.
    package var average: Double? {
        guard answers > 0 else { return nil }
        let sum = counts.enumerated().reduce(0) { $0 + ($1.offset + 1) * $1.element }
        return Double(sum) / Double(answers)
    }

    /// The standard deviation of the stars or points (of the population); nil if there are no answers.
    package var deviation: Double? {
        guard let average else { return nil }
        let squares = counts.enumerated().reduce(0.0) {
            $0 + (Double($1.offset + 1) - average) * (Double($1.offset + 1) - average) * Double($1.element)
        }
        return (squares / Double(answers)).squareRoot()
    }

    /// Returns whether both tallies count the same answers (`NumberCounts.agrees(with:)`).
    package func agrees(with other: TallyCount) -> Bool {
        guard answers == other.answers, counts == other.counts, words == other.words else { return false }
        guard let numbers, let others = other.numbers else {
            return self.numbers == nil && other.numbers == nil
        }
        return numbers.agrees(with: others)
    }
}

extension Answer {
    /// Returns whether a tally of `question` can count this answer.
    package func fits(_ question: Question) -> Bool {
        question.kind.definition.counts(self)
    }
}
