internal import Client
internal import Meetings
internal import Phrases
internal import Wire

/// `respond`: the questions, one after the other at a terminal, or all answers from a file.
enum Responding {
    private typealias Say = CommandPhrases.Say
    private typealias Fail = CommandPhrases.Fail

    static func run(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let (client, id) = try await attendee(call)
        let set = call.arguments.value("set")
        // Nobody should write answers that are then refused.
        let record = try await calling { () async throws(APIError) in try await client.ownRecord() }
        guard !record.responded.contains(set ?? QuestionSet.feedback) else {
            throw .api(.problem(Problem(code: .alreadyResponded, in: call.language)))
        }
        let asked = try await calling { () async throws(APIError) in try await client.questions(of: id, set: set) }.body
        let answers: Answers
        if let path = call.arguments.value("answers") {
            answers = try read(try await call.contents(of: path), path, asked.questions)
        } else {
            guard call.console.inIsTerminal else {
                throw .said(
                    .usage, Fail.noTerminal, ["what": call.text(CommandPhrases.Sample.rating), "option": "--answers FILE"], next: nil)
            }
            call.note(asked.anonymous ? Phrase.Page.anonymous : Say.namedNotice)
            answers = try await ask(call, asked.questions)
        }
        let stored = try await calling { () async throws(APIError) in try await client.respond(in: id, set: set, answers) }
        if call.wantsJSON { call.json(stored) } else { call.note(Say.answeredThanks) }
        return .success
    }

    /// By `--receipt`, or by the receipts that were saved here: of the session that is named, else the newest.
    private static func attendee(_ call: Invocation) async throws(CommandFailure) -> (APIClient, SessionID) {
        let written = call.arguments.positional("SESSION")
        if let receipt = call.arguments.value("receipt") {
            let client = try call.client(.bearer(receipt))
            return (client, try await calling { () async throws(APIError) in try await client.ownRecord() }.session.id)
        }
        let (settings, given) = (try call.settings(), try call.givenServer())
        let saved = settings.servers.filter { given == nil || $0.url == given }
            .flatMap { server in server.receipts.map { (server: server.url, receipt: $0) } }
        let fitting = saved.filter { _, receipt in
            guard let written, written != "@" else { return true }
            return IdentityKey(receipt.meetingName) == IdentityKey(written)
                || written.utf8.count >= 4 && receipt.sessionId.text.hasPrefix(written.uppercased())
        }
        guard let (server, receipt) = fitting.max(by: { $0.receipt.savedAt < $1.receipt.savedAt }) else {
            throw .said(.notFound, Fail.noReceipt, [:], next: "qring checkin CODE --name … --email …")
        }
        return (try call.client(.bearer(receipt.receipt), at: server), receipt.sessionId)
    }

    /// Questions are named by id or by number, from 1.
    static func read(_ bytes: [UInt8], _ path: String, _ questions: [Question]) throws(CommandFailure) -> Answers {
        guard let written = try? WireJSON.decode([String: Answer].self, from: bytes) else { throw .failed(Fail.notAnswers, ["path": path]) }
        var answers: Answers = [:]
        for (name, answer) in written {
            if let number = Int(name), questions.indices.contains(number - 1) {
                answers[questions[number - 1].id] = answer
            } else if let id = QuestionID(name) {
                answers[id] = answer
            } else {
                throw .failed(Fail.notAnswers, ["path": path])
            }
        }
        return answers
    }

    private static func ask(_ call: Invocation, _ questions: [Question]) async throws(CommandFailure) -> Answers {
        var answers: Answers = [:]
        for (index, question) in questions.enumerated() {
            let hint = call.text(question.required ? Say.required : Say.optional)
            call.console.errLine("\n\(index + 1)/\(questions.count) \(ForeignText.safe(question.title)) (\(hint))")
            if !question.detail.isEmpty { call.console.errLine(ForeignText.safe(question.detail)) }
            if case .multipleChoice(let choices, _, _) = question.kind {
                for (place, choice) in choices.enumerated() {
                    call.console.errLine("  \(letter(place)) \(ForeignText.safe(choice.label))")
                }
            }
            while true {
                guard let typed = await call.console.ask(prompt(call, question), hidden: false) else { throw .failed(Fail.inputEnded) }
                let isEmpty = typed.allSatisfy(\.isWhitespace)
                if isEmpty, !question.required { break }
                if !isEmpty, let answer = answer(typed, to: question) {
                    answers[question.id] = answer
                    break
                }
                call.note(Say.again)
            }
        }
        return answers
    }

    private static func prompt(_ call: Invocation, _ question: Question) -> String {
        switch question.kind {
        case .multipleChoice(_, let min, let max):
            max == 1 ? call.text(Say.chooseOne) : call.text(Say.chooseSome, ["min": String(min), "max": String(max)])
        case .shortAnswer(let maxLength): call.text(Say.text, ["max": String(maxLength)])
        case .rating(let scale): call.text(Say.stars, ["scale": String(scale)])
        }
    }

    private static func letter(_ place: Int) -> String {
        place < 26 ? String(Character(UnicodeScalar(UInt8(97 + place)))) : String(place + 1)
    }

    /// Nil where it does not fit the question; the server judges again.
    static func answer(_ typed: String, to question: Question) -> Answer? {
        let words = typed.lowercased().split { $0 == "," || $0.isWhitespace }.map(String.init)
        switch question.kind {
        case .multipleChoice(let choices, let min, let max):
            // Letters stand for places; a choice's own id or number will do, too.
            let places = words.map { word in
                choices.indices.first { letter($0) == word || String($0 + 1) == word } ?? choices.firstIndex { $0.id.lowercased() == word }
            }
            let known = places.compactMap(\.self)
            guard known.count == words.count, Set(known).count == known.count, (min...max).contains(known.count) else { return nil }
            return .choices(known.map { choices[$0].id })
        case .shortAnswer(let maxLength): return typed.count <= maxLength ? .text(typed) : nil
        case .rating(let scale): return words.count == 1 ? Int(words[0]).flatMap { (1...scale).contains($0) ? .rating($0) : nil } : nil
        }
    }
}
