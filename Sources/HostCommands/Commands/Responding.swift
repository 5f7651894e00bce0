internal import Client
internal import CommandLine
internal import Meetings
internal import Phrases
internal import Terminal
internal import Wire

/// Implements `respond`: asks the questions one after the other at a terminal, or reads all answers from a
/// file.
enum Responding {
    private typealias Messages = CommandPhrases.Messages
    private typealias Forms = CommandPhrases.Forms
    private typealias Fail = CommandPhrases.Fail

    static func run(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let (client, id) = try await attendee(call)
        var set = call.arguments.value("set")
        // Check first whether the attendee has already answered, so that nobody types answers that the server
        // rejects.
        let record = try await calling { () async throws(APIError) in try await client.ownRecord() }
        let first = set ?? QuestionSet.feedback
        let canChange = record.responses.contains { $0.set == first && $0.changeable }
        guard !record.responded.contains(first) || canChange else {
            throw .api(.problem(Problem(code: .alreadyResponded, in: call.language)))
        }
        while true {
            let name = set
            let asked = try await calling { () async throws(APIError) in
                try await client.questions(of: id, set: name)
            }.body
            guard !asked.questions.isEmpty else {
                throw .api(.problem(Problem(code: .noQuestions, in: call.language)))
            }
            let stored = try await answer(asked, in: id, client, call)
            if call.wantsJSON {
                call.json(stored)
            } else if let ended = stored.ended {
                call.note(Forms.ended, ["message": TerminalEscaping.safe(ended)])
            } else {
                call.note(Messages.answeredThanks)
            }
            // A file has the answers of only one set.
            guard let next = stored.next, call.mayAsk, call.arguments.value("answers") == nil else {
                return .success
            }
            call.note(Forms.goesOn, ["set": next])
            set = next
        }
    }

    private static func answer(
        _ asked: QuestionSetBody, in id: SessionID, _ client: APIClient, _ call: Invocation
    ) async throws(CommandFailure) -> ResponseBody {
        if let path = call.arguments.value("answers") {
            let answers = try read(try await call.contents(of: path), path, asked.questions)
            return try await calling { () async throws(APIError) in
                try await client.respond(in: id, set: asked.set, answers, promise: asked.promise)
            }
        }
        guard call.mayAsk else {
            throw .said(
                .usage, Fail.noTerminal,
                ["what": call.text(CommandPhrases.Sample.rating), "option": "--answers FILE"], next: nil)
        }
        call.note(notice(of: asked.promise))
        if asked.changeable { call.note(Phrase.Page.answersCanChange) }
        var answers: Answers = [:]
        var open = asked.questions
        while true {
            for question in open {
                let number = 1 + (asked.questions.firstIndex { $0.id == question.id } ?? 0)
                answers[question.id] = try await Asking.answer(
                    to: question, "\(number)/\(asked.questions.count)", beside: answers, call)
            }
            let given = answers
            do throws(APIError) {
                return try await client.respond(in: id, set: asked.set, given, promise: asked.promise)
            } catch {
                // Ask again for answers that the server rejected, for example because of a pattern that only
                // the server checks.
                let wrong = wrong(error, asked.questions)
                guard !wrong.isEmpty else { throw .api(error) }
                for (question, message) in wrong {
                    call.note(
                        Forms.notRight,
                        [
                            "title": QuestionText.text(question.title, call),
                            "message": TerminalEscaping.safe(message),
                        ])
                }
                open = wrong.map(\.question)
            }
        }
    }

    static func notice(of promise: AnswerPromise) -> Phrase {
        switch promise {
        case .anonymous: Phrase.Page.anonymous
        case .hidden: Phrase.Page.namesHidden
        case .named: Messages.namedNotice
        }
    }

    /// Returns the questions whose answers the server rejected, with the server's messages.
    static func wrong(_ error: APIError, _ questions: [Question]) -> [(question: Question, message: String)] {
        guard case .problem(let problem) = error, error.code == .invalidFields else { return [] }
        return (problem.errors ?? []).compactMap { error in
            questions.first { error.field == "/answers/\($0.id)" }.map { ($0, error.message) }
        }
    }

    /// Returns a client with the attendee's receipt, and the session. The receipt comes from
    /// `--receipt-file`, or from the receipts that this machine has saved: the receipt of the named session,
    /// or else the newest.
    static func attendee(_ call: Invocation) async throws(CommandFailure) -> (APIClient, SessionID) {
        let written = call.arguments.positional("SESSION")
        if let path = call.arguments.value("receipt-file") {
            let text = String(decoding: try await call.contents(of: path), as: UTF8.self)
            let client = try call.client(.bearer(String(text.prefix { !$0.isWhitespace })))
            return (
                client,
                try await calling { () async throws(APIError) in try await client.ownRecord() }.session.id
            )
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

    /// Reads answers from JSON. Its keys are the questions' ids, names or numbers (from 1).
    static func read(_ bytes: [UInt8], _ path: String, _ questions: [Question]) throws(CommandFailure)
        -> Answers
    {
        guard let written = try? WireJSON.decode([String: Answer].self, from: bytes) else {
            throw .failed(Fail.notAnswers, ["path": path])
        }
        var answers: Answers = [:]
        for (name, answer) in written {
            if let named = questions.first(where: { $0.name == name }) {
                answers[named.id] = answer
            } else if let number = Int(name), questions.indices.contains(number - 1) {
                answers[questions[number - 1].id] = answer
            } else if let id = QuestionID(name) {
                answers[id] = answer
            } else {
                throw .failed(Fail.notAnswers, ["path": path])
            }
        }
        return answers
    }
}

extension CommandPhrases.Forms {
    static let notRight = Phrase("{title}: {message}")
    static let goesOn = Phrase("The form continues: {set}")
    static let ended = Phrase("Your answers were not stored: {message}")
}

extension CommandPhrases.Messages {
    static let answeredThanks = Phrase("Thank you. Your answers are saved.")
    static let namedNotice = Phrase("The host can see your name with your answers.")
}

extension CommandPhrases.Fail {
    static let noReceipt = Phrase("no check-in for this session is saved here.")
    static let notAnswers = Phrase(
        "{path} does not contain answers. It must be a JSON object of question ids or numbers (\"1\", "
            + "\"2\", …) and answers.")
}
