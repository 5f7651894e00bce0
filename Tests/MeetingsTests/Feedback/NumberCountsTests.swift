import Foundation
import Meetings
import Seeds
import Testing

struct NumberCountsTests {
    private func counts(_ numbers: some Sequence<Int>) -> NumberCounts {
        var counts = NumberCounts()
        for number in numbers { counts.add(number) }
        return counts
    }

    @Test func `few different numbers are counted exactly`() {
        let found = counts([1, 2, 2, 3, 10])
        #expect(
            found.width == 1 && found.count == 5 && found.sum == 18 && found.least == 1 && found.most == 10)
        #expect(found.quantile(0) == 1 && found.quantile(0.25) == 2 && found.quantile(0.5) == 2)
        #expect(found.quantile(0.75) == 3 && found.quantile(1) == 10)
        #expect(counts([1, 2, 3, 4]).quantile(0.5) == 2.5)
        #expect(counts([-3]).quantile(0.25) == -3)
        #expect(NumberCounts().quantile(0.5) == nil && NumberCounts().bars.isEmpty)
    }

    @Test func `two hundred different numbers are counted one by one, and one more makes wider bins`() {
        #expect(counts(0..<200).width == 1)
        let wider = counts(0..<201)
        #expect(wider.width == 2 && wider.bins.count == 101 && wider.count == 201)
        #expect(counts(0..<401).width == 10)
    }

    @Test func `the size does not grow with the answers, and the quartiles stay near the exact ones`() throws
    {
        var random = SeededNumbers(seed: 3)
        let numbers = (0..<20_000).map { _ in Int.random(in: -50_000...1_000_000, using: &random) }
        let found = counts(numbers)
        let sorted = numbers.sorted()
        #expect(found.bins.count <= NumberCounts.mostBins)
        #expect(found.sum == numbers.reduce(0, +) && found.count == 20_000)
        #expect(found.least == sorted.first && found.most == sorted.last)
        for part in [0.25, 0.5, 0.75] {
            let wanted = Double(sorted[Int(part * 19_999)])
            #expect(abs(try #require(found.quantile(part)) - wanted) < Double(found.width))
        }
        #expect(found.bars.count <= NumberCounts.mostBars && found.bars.map(\.count).reduce(0, +) == 20_000)
        #expect(String(decoding: try JSONEncoder().encode(found), as: UTF8.self).utf8.count < 4096)
    }

    @Test(arguments: 1...5) func `the order and the grouping of answers do not matter`(seed: UInt64) {
        var random = SeededNumbers(seed: seed)
        let numbers = (0..<1500).map { _ in Int.random(in: -9_000...9_000, using: &random) }
        let one = counts(numbers)
        #expect(counts(numbers.shuffled(using: &random)) == one)
        var grouped = NumberCounts()
        for start in stride(from: 0, to: 1500, by: 3) { grouped.add(counts(numbers[start..<start + 3])) }
        #expect(grouped == one)
    }

    @Test func `a removed answer is not counted, and removing the last answer leaves no counts`() {
        var found = counts([5, 1, 9, 9])
        found.remove(9)
        #expect(found == counts([5, 1, 9]))
        found.remove(1)
        #expect(found.least == 5 && found.most == 9)
        found.remove(5)
        found.remove(9)
        #expect(found == NumberCounts())
    }

    @Test(arguments: 1...5)
    func `after answers are removed a recount agrees, although its bins can be narrower`(seed: UInt64) {
        var random = SeededNumbers(seed: seed)
        let numbers = (0..<900).map { _ in Int.random(in: 0...100_000, using: &random) }
        var found = counts(numbers)
        for number in numbers.prefix(880) { found.remove(number) }
        let recount = counts(numbers.suffix(20))
        #expect(found.width > recount.width && found.agrees(with: recount) && recount.agrees(with: found))
        var other = recount
        other.remove(numbers[890])
        other.add(numbers[890] + 50_000)
        #expect(!found.agrees(with: other))
    }

    /// Computes the expected results by sorting all answers.
    private struct Recount {
        var numbers: [Int] = []

        mutating func add(_ number: Int) {
            numbers.append(min(max(number, -Amount.mostUnits), Amount.mostUnits))
        }
        mutating func remove(_ number: Int) {
            let bounded = min(max(number, -Amount.mostUnits), Amount.mostUnits)
            if let index = numbers.firstIndex(of: bounded) { numbers.remove(at: index) }
        }
        var sum: Int { Int(numbers.reduce(Int128(0)) { $0 + Int128($1) }) }
    }

    @Test(arguments: 1...20) func `the counts of extreme numbers equal a recount`(seed: UInt64) throws {
        var random = SeededNumbers(seed: seed)
        let most = Amount.mostUnits
        let extremes = [
            Int.min, .min + 1, -most - 1, -most, 1 - most, -1, 0, 1, most - 1, most, most + 1, .max - 1, .max,
        ]
        func any() -> Int {
            Bool.random(using: &random)
                ? extremes[Int.random(in: 0..<extremes.count, using: &random)]
                : .random(in: -most...most, using: &random)
        }
        var (found, recount) = (NumberCounts(), Recount())
        for _ in 0..<600 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0 where !recount.numbers.isEmpty:
                let number = recount.numbers[Int.random(in: 0..<recount.numbers.count, using: &random)]
                found.remove(number)
                recount.remove(number)
            case 1:
                let numbers = (0..<3).map { _ in any() }
                found.add(counts(numbers))
                for number in numbers { recount.add(number) }
            default:
                let number = any()
                found.add(number)
                recount.add(number)
            }
        }
        let sorted = recount.numbers.sorted()
        #expect(found.count == sorted.count && found.sum == recount.sum)
        #expect(found.bins.values.reduce(0, +) == sorted.count && found.bins.count <= NumberCounts.mostBins)
        let (least, greatest) = (try #require(found.least), try #require(found.most))
        #expect(
            abs(least - sorted[0]) < found.width && abs(greatest - sorted[sorted.count - 1]) < found.width)
        for part in [0, 0.25, 0.5, 0.75, 1] {
            let place = Int((part * Double(sorted.count - 1)).rounded())
            let quantile = try #require(found.quantile(part))
            // The quantile may lie outside of its neighbouring answers by at most the width of a bin.
            let near =
                Double(
                    sorted[max(0, place - 1)] - found.width)...Double(
                    sorted[min(sorted.count - 1, place + 1)] + found.width)
            #expect(near.contains(quantile))
        }
        #expect(
            found.bars.count <= NumberCounts.mostBars && found.bars.map(\.count).reduce(0, +) == sorted.count)
        #expect(found.agrees(with: counts(recount.numbers)))
        #expect(try JSONDecoder().decode(NumberCounts.self, from: JSONEncoder().encode(found)) == found)
    }

    @Test(arguments: [1, -1]) func `a sum beyond the largest integer saturates and does not trap`(
        sign: Int
    ) {
        var found = counts([sign * Amount.mostUnits, 7])
        // After 40 doublings there are 2⁴⁰ answers, which is more than any set can have.
        for _ in 0..<40 { found.add(found) }
        #expect(found.sum == (sign > 0 ? Int.max : Int.min) && found.count == 2 << 40)
        found.add(sign * Amount.mostUnits)
        found.remove(-sign * Amount.mostUnits)
        found.remove(sign * Amount.mostUnits)
        #expect(found.count == 2 << 40 && found.bars.count <= NumberCounts.mostBars)
    }

    @Test func `a sum of the largest number of responses fits in an integer`() {
        let (sum, overflows) = QuestionSet.mostResponses.multipliedReportingOverflow(by: Amount.mostUnits)
        #expect(!overflows && sum > 0 && QuestionSet.mostResponses >= 2 * PublishedForm.mostResponses)
        let question = Question(
            id: QuestionID(high: 0, low: 1), title: "?", kind: .number(min: nil, max: nil, decimals: 4))
        var tally = TallyCount(for: question)
        for number in [
            1e9, -1e9, -0.0, 1e9, Double.leastNonzeroMagnitude, .greatestFiniteMagnitude, -.infinity, .nan,
        ] {
            tally.add(.number(number), to: question)
        }
        #expect(tally.answers == 8 && tally.numbers?.count == 5 && tally.numbers?.sum == Amount.mostUnits)
    }

    @Test func `bars have one round width, and empty bars between them are included`() {
        let found = counts([0, 1, 5, 11])
        #expect(found.bars.map(\.count) == [1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1])
        let wider = counts([0, 1, 5, 12])
        #expect(
            wider.bars.map(\.from) == [0, 2, 4, 6, 8, 10, 12]
                && wider.bars.map(\.count) == [2, 0, 1, 0, 0, 0, 1])
        let first = counts([-7, 23]).bars.first
        #expect(first?.from == -10 && first?.to == -5 && first?.count == 1)
    }

    @Test func `number counts round-trip through JSON`() throws {
        for found in [NumberCounts(), counts([1, -2, 2]), counts(stride(from: 0, to: 5000, by: 7))] {
            #expect(try JSONDecoder().decode(NumberCounts.self, from: JSONEncoder().encode(found)) == found)
        }
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(
                NumberCounts.self, from: Data(#"{"width":1,"count":1,"sum":1,"bins":[1]}"#.utf8))
        }
    }

    @Test func `decimal numbers are exact in units`() {
        #expect(Amount.units(0.1 + 0.2, decimals: 1) == 3 && Amount.units(0.3, decimals: 0) == nil)
        #expect(
            Amount.units(1e9, decimals: 4) == 10_000_000_000_000 && Amount.units(1e9 + 1, decimals: 0) == nil)
        #expect(Amount.text(4) == "4" && Amount.text(0.25) == "0.25" && Amount.text(-1.5) == "-1.5")
    }
}
