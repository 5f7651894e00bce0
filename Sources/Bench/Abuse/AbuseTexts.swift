internal import Meetings

/// The bodies of the worst requests.
enum AbuseTexts {
    /// 100 characters of 9 bytes, which the server must compose (NFC).
    static let name = String(repeating: "\u{1100}\u{1161}\u{11A8}", count: 100)

    /// 50 questions of all kinds, with names for a published form.
    static let questions = (0..<50).map { number in
        let kind = kind(of: number)
        return #"{"name":"q\#(number)","title":"Question \#(number)","kind":"\#(kind)"\#(limits(of: kind))}"#
    }.joined(separator: ",")

    /// Returns the kind of the question at this place.
    static func kind(of number: Int) -> Question.KindName {
        Question.KindName.allCases[number % Question.KindName.allCases.count]
    }

    /// Returns the fields of the largest question of this kind.
    private static func limits(of kind: Question.KindName) -> String {
        switch kind {
        case .multipleChoice: #","maxSelections":12,"choices":[\#(choices)]"#
        case .shortAnswer: #","maxLength":5000"#
        case .rating: #","scale":10"#
        case .number: #","decimals":4"#
        case .wordCloud: #","maxWords":3"#
        case .scale: #","scale":10,"points":[\#(points)]"#
        case .yesNo, .date: ""
        case .ranking: #","choices":[\#(choices)]"#
        }
    }

    private static let points = (1...10).map { #"{"point":\#($0),"label":"Point \#($0)"}"# }.joined(
        separator: ",")

    private static let choices = (0..<12).map { #"{"label":"Choice \#($0)"}"# }.joined(separator: ",")

    /// A list of 200 words of 40 characters, none of which is in any text of the stage.
    static func words(_ letter: Character) -> String {
        let words = (100..<300).map { "\"\(String(repeating: letter, count: 37))\($0)\"" }
        return "{\"words\":[\(words.joined(separator: ","))]}"
    }

    /// Answers to all questions, by their names.
    static func formAnswers(_ turn: Int) -> String {
        let answers = (0..<50).map { number in
            let value =
                switch kind(of: number) {
                case .multipleChoice: #"["a","b","c","d"]"#
                case .rating, .scale: "\(turn % 10 + 1)"
                case .number: "\(turn * 7919 % 1_000_000).\(turn % 9000 + 1000)"
                // Each turn adds three words that no other turn has.
                case .wordCloud: #"["\#(turn)가","\#(turn)나","\#(turn)다"]"#
                case .yesNo: #""yes""#
                case .ranking: turn % 2 == 0 ? #"["l","k","j","i","h","g","f","e"]"# : #"["a","c","b"]"#
                case .date: "\"\(2000 + turn % 100)-\(10 + turn % 3)-\(10 + turn % 19)\""
                case .shortAnswer: "\"\(String(repeating: "Text \(turn) ", count: 20))\""
                }
            return #""q\#(number)":\#(value)"#
        }
        return #"{"answers":{\#(answers.joined(separator: ","))}}"#
    }

    /// A word of 28 characters that the server must compose, in capital letters of double width.
    private static let longWord = String(repeating: "\u{1112}\u{1161}\u{11AB}\u{FF21}", count: 14)

    /// Answers to all questions, by their ids.
    static func answers(_ questions: [String]) -> String {
        let answers = questions.enumerated().map { number, id in
            let value =
                switch kind(of: number) {
                case .multipleChoice: #"["a","b","c","d","e","f","g","h","i","j","k","l"]"#
                case .rating, .scale: "7"
                case .number: "123456.7891"
                case .wordCloud: "[\"\(longWord)1\",\"\(longWord)2\",\"\(longWord)3\"]"
                case .yesNo: #""no""#
                case .ranking: #"["l","k","j","i","h","g","f","e","d","c","b","a"]"#
                case .date: #""2026-11-22""#
                case .shortAnswer: "\"\(String(repeating: "가나다라마 ", count: 80))\""
                }
            return "\"\(id)\":\(value)"
        }
        return #"{"answers":{\#(answers.joined(separator: ","))}}"#
    }

    /// A roster as JSON, below the limit of 4 MB. Each version changes every name.
    static func roster(_ people: Int, version: Int) -> [UInt8] {
        var bytes = Array(#"{"people":["#.utf8)
        for number in 0..<people {
            if number > 0 { bytes.append(44) }
            let name = "가나다라마바사 \(number) \(version)"
            bytes += #"{"name":"\#(name)","email":"p\#(number)@bench.example","number":"\#(number)"}"#.utf8
        }
        return bytes + Array("]}".utf8)
    }

    /// A roster as CSV, with 100 columns in each line.
    static func table(_ people: Int, version: Int) -> [UInt8] {
        let columns = (3..<100).map { "c\($0)" }.joined(separator: ",")
        var bytes = Array("name,email,number,\(columns)\n".utf8)
        for number in 0..<people {
            bytes += "가나 \(number) \(version),p\(number)@bench.example,\(number)".utf8
            bytes += String(repeating: ",", count: 97).utf8
            bytes.append(10)
            if bytes.count > 4_000_000 { break }
        }
        return bytes
    }

    private static let languages = [
        "en", "ko", "ja", "zh", "de", "fr", "es", "it", "pt", "nl", "sv", "da", "fi", "pl", "cs", "ru", "uk",
        "tr", "vi", "th",
    ]

    /// A file of 50 questions, in as many languages as fit into so many bytes.
    static func translated(_ bytes: Int) -> [UInt8] {
        let text = String(repeating: "가", count: 200)
        let titles = languages.prefix(max(1, bytes / 50 / 640)).map { #""\#($0)":"\#(text)""# }
        let questions = (0..<50).map { _ in #"{"kind":"rating","titles":{\#(titles.joined(separator: ","))}}"#
        }
        return Array(#"{"questions":[\#(questions.joined(separator: ","))]}"#.utf8)
    }

    /// 50 questions with 20 choices each, in one language.
    static let choiceQuestions = (0..<50).map { number in
        let choices = (0..<20).map { #"{"label":"C\#($0)"}"# }.joined(separator: ",")
        return #"{"title":"Question \#(number)","kind":"multipleChoice","choices":[\#(choices)]}"#
    }.joined(separator: ",")

    static let shortQuestion = #"{"title":"Short","kind":"yesNo"}"#

    /// A file of so many bytes with values that are no questions.
    static func values(_ bytes: Int) -> [UInt8] {
        let zeros = min(200_000, max(0, (bytes - 40) / 2))
        let rest = max(0, bytes - zeros * 2 - 40)
        return Array(#"{"questions":[0"#.utf8) + Array(repeating: [44, 48], count: zeros).flatMap(\.self)
            + Array(",\"".utf8) + [UInt8](repeating: 97, count: rest) + Array("\"]}".utf8)
    }
}
