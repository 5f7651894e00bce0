import Foundation
import Meetings

/// Counts the answers that the input describes, and compares the counts with a naive recount.
func fuzzCounts(_ bytes: [UInt8]) {
    // A recount of more answers would take too long for a search.
    var source = bytes.prefix(700)
    if (source.popFirst() ?? 0) & 1 == 0 { compareNumbers(&source) } else { compareTallies(&source) }
}

extension ArraySlice<UInt8> {
    /// Returns the next number of the input, small or large.
    fileprivate mutating func number() -> Int {
        let kind = popFirst() ?? 0
        let small = Int(Int8(bitPattern: popFirst() ?? 0))
        switch kind & 3 {
        case 0: return small
        case 1: return small * 256 + Int(popFirst() ?? 0)
        case 2: return small * 65_536 * 256 + Int(popFirst() ?? 0)
        default: return small < 0 ? -Amount.mostUnits - small : Amount.mostUnits - small
        }
    }
}

// MARK: Numbers

private func compareNumbers(_ source: inout ArraySlice<UInt8>) {
    var (counts, answers, hasRemoved) = (NumberCounts(), [Int](), false)
    while !source.isEmpty {
        switch (source.popFirst() ?? 0) % 4 {
        case 0, 1:
            let number = source.number()
            counts.add(number)
            answers.append(bounded(number))
        case 2 where !answers.isEmpty:
            let index = Int(source.popFirst() ?? 0) % answers.count
            counts.remove(answers.remove(at: index))
            hasRemoved = !answers.isEmpty
        default:
            var other = NumberCounts()
            for _ in 0..<Int(source.popFirst() ?? 0) % 40 {
                let number = source.number()
                other.add(number)
                answers.append(bounded(number))
            }
            counts.add(other)
        }
    }
    compare(counts, answers, hasRemoved)
}

private func bounded(_ number: Int) -> Int { min(max(number, -Amount.mostUnits), Amount.mostUnits) }

private func bin(_ number: Int, _ width: Int) -> Int {
    let (quotient, rest) = number.quotientAndRemainder(dividingBy: width)
    return rest < 0 ? quotient - 1 : quotient
}

private func bins(_ answers: [Int], _ width: Int) -> [Int: Int] {
    Dictionary(answers.map { (bin($0, width), 1) }, uniquingKeysWith: +)
}

private func compare(_ counts: NumberCounts, _ answers: [Int], _ hasRemoved: Bool) {
    let width = counts.width
    must(counts.count == answers.count, "every answer is counted")
    must(counts.sum == answers.reduce(0, +), "the sum is the sum of the answers")
    must(counts.bins == bins(answers, width), "each bin has the answers in it")
    must(counts.bins.count <= NumberCounts.mostBins, "there are at most so many bins")
    guard let least = answers.min(), let most = answers.max() else {
        return must(counts == NumberCounts(), "without answers nothing is left")
    }
    let slack = hasRemoved ? width - 1 : 0
    must(abs((counts.least ?? .min / 2) - least) <= slack, "the smallest answer")
    must(abs((counts.most ?? .min / 2) - most) <= slack, "the largest answer")
    if !hasRemoved {
        var narrowest = 1
        while bins(answers, narrowest).count > NumberCounts.mostBins {
            narrowest *= String(narrowest).first == "1" ? 2 : 5
        }
        must(width == narrowest, "the bins are as narrow as they may be, in any order of the answers")
    }
    let sorted = answers.sorted()
    for part in [0, 0.25, 0.5, 0.75, 1] {
        let rank = part * Double(sorted.count - 1)
        let low = Double(sorted[Int(rank)])
        let high = Double(sorted[min(Int(rank) + 1, sorted.count - 1)])
        let exact = low + (high - low) * (rank - Double(Int(rank)))
        let error = abs((counts.quantile(part) ?? .infinity) - exact)
        must(error <= (width == 1 ? max(1, abs(exact)) * 1e-9 : Double(width)), "a quantile")
    }
    let bars = counts.bars
    must((1...NumberCounts.mostBars).contains(bars.count), "there are at most so many bars")
    for (bar, next) in zip(bars, bars.dropFirst()) { must(bar.to == next.from, "bars leave no gap") }
    for bar in bars {
        must(bar.to - bar.from == bars[0].to - bars[0].from, "all bars are equally wide")
        let inside = answers.count { (bar.from..<bar.to).contains($0) }
        must(bar.count == inside, "a bar has the answers in it")
    }
    let stored = (try? JSONEncoder().encode(counts)).flatMap {
        try? JSONDecoder().decode(NumberCounts.self, from: $0)
    }
    must(stored == counts, "stored counts are read as they were")
    var recount = NumberCounts()
    for answer in answers { recount.add(answer) }
    must(counts.agrees(with: recount), "the counts agree with a recount")
}

// MARK: Tallies

private func compareTallies(_ source: inout ArraySlice<UInt8>) {
    let choices = ["a", "b", "c", "d"].map { Question.Choice(id: $0, label: $0) }
    let kinds: [Question.Kind] = [
        .multipleChoice(choices: choices, minSelections: 0, maxSelections: 4), .rating(scale: 10),
        .number(min: nil, max: nil, decimals: 2), .shortAnswer(maxLength: 10),
        .scale(points: 7, labels: [:]), .yesNo, .date(earliest: nil, latest: nil), .wordCloud(most: 3),
        .ranking(choices: choices, most: 4),
    ]
    let kind = kinds[Int(source.popFirst() ?? 0) % kinds.count]
    let question = Question(id: .makeTimeless(), title: "Q", kind: kind)
    var (tally, held, answers) = (TallyCount(for: question), TallyCount(for: question), [Answer]())
    while !source.isEmpty {
        let step = source.popFirst() ?? 0
        if step % 4 == 0, !answers.isEmpty, held.answers == 0 {
            tally.remove(answers.remove(at: Int(source.popFirst() ?? 0) % answers.count), from: question)
        } else if step % 4 == 1 {
            // Held-back answers are published together.
            tally.add(held)
            held = TallyCount(for: question)
        } else {
            let byte = source.popFirst() ?? 0
            let answer: Answer =
                switch kind {
                case .multipleChoice:
                    .choices(choices.indices.filter { byte >> $0 & 1 == 1 }.map { choices[$0].id })
                case .rating: .rating(Int(byte) % 10 + 1)
                case .number: .number(Amount.number(source.number() % 100_000_000_000, decimals: 2))
                case .shortAnswer: .text("\(byte)")
                case .scale: .rating(Int(byte) % 7 + 1)
                case .yesNo: .choices([byte & 1 == 0 ? "yes" : "no"])
                case .ranking:
                    .choices((0...Int(byte % 4)).map { choices[(Int(byte >> 2) + $0) % choices.count].id })
                case .date: .text(CivilDate(daysSince1970: Int64(source.number() % 20_000)).text)
                case .wordCloud: .choices((0...Int(byte >> 6 % 3)).map { "w\((Int(byte) + $0) % 9)" })
                }
            guard answer.fits(question) else { continue }
            if step % 4 == 2 { held.add(answer, to: question) } else { tally.add(answer, to: question) }
            answers.append(answer)
        }
    }
    tally.add(held)
    compare(tally, answers, question)
}

private func compare(_ tally: TallyCount, _ answers: [Answer], _ question: Question) {
    must(tally.answers == answers.count, "every answer is counted")
    var recount = TallyCount(for: question)
    for answer in answers { recount.add(answer, to: question) }
    must(tally.agrees(with: recount), "a tally agrees with a recount")
    switch question.kind {
    case .multipleChoice(let choices, _, _):
        for (index, choice) in choices.enumerated() {
            let chosen = answers.count { answer in
                if case .choices(let ids, _) = answer { ids.contains(choice.id) } else { false }
            }
            must(tally.counts[index] == chosen, "a choice is counted as often as it was chosen")
        }
    case .rating(let scale):
        for stars in 1...scale {
            must(tally.counts[stars - 1] == answers.count { $0 == .rating(stars) }, "a rating is counted")
        }
    case .number(_, _, let decimals):
        let units = answers.compactMap { answer -> Int? in
            if case .number(let number) = answer { Amount.units(number, decimals: decimals) } else { nil }
        }
        must(tally.numbers?.sum ?? 0 == units.reduce(0, +), "the sum is the sum of the answers")
        must(tally.numbers?.count ?? 0 == units.count, "every number is counted")
    case .scale(let points, _):
        for point in 1...points {
            must(tally.counts[point - 1] == answers.count { $0 == .rating(point) }, "a point is counted")
        }
    case .yesNo:
        must(tally.counts.reduce(0, +) == answers.count, "everybody says yes or no")
    case .date: must(tally.numbers?.count ?? 0 == answers.count, "every day is counted")
    case .wordCloud:
        var words: [String: Int] = [:]
        for case .choices(let given, _) in answers {
            for word in Set(given.map(CloudWord.key)) { words[word, default: 0] += 1 }
        }
        must(tally.words ?? [:] == words, "a word is counted once for each person")
    case .ranking(let choices, _):
        let counts = RankingCounts(tally, choices: choices.count)
        let sizes = answers.map { if case .choices(let ids, _) = $0 { ids.count } else { 0 } }
        must(counts.first.reduce(0, +) == answers.count, "each answer has a first place")
        must(counts.ranked.reduce(0, +) == sizes.reduce(0, +), "each place is counted")
        let points = sizes.map { size in (0..<size).reduce(0) { $0 + choices.count - $1 } }
        must(counts.points.reduce(0, +) == points.reduce(0, +), "each place gives its points")
    case .shortAnswer: break
    }
}
