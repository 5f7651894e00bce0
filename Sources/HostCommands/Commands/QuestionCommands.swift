internal import Client
internal import Meetings
internal import Phrases
internal import Wire

package enum QuestionCommands {
    private typealias Help = CommandPhrases.Help
    private typealias Say = CommandPhrases.Say
    private static let session = CommandDeclaration.Positional("SESSION", Help.session)
    private static let set = CommandDeclaration.Option.value("set", "NAME", Help.set)

    package static let all = [
        CommandDeclaration(
            "question list", Help.questionList, examples: [.init("question list @", Help.questionList)],
            positionals: [.init("SESSION", Help.session, required: false)], options: [set, .json], run: list),
        CommandDeclaration(
            "question set", Help.questionSet, examples: [.init("question set @ questions.json", Help.questionSetExample)],
            positionals: [session, .init("FILE", Help.questionFile)], options: [set, .json], run: replace),
        CommandDeclaration(
            "results", Help.results, examples: [.init("results @", Help.results), .init("results @ --json", Help.json)],
            positionals: [.init("SESSION", Help.session, required: false)], options: [set, .json], run: results),
    ]

    private static func list(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let host = try call.host()
        let session = try await Reference(call.arguments.positional("SESSION") ?? "@", host).session()
        let name = call.arguments.value("set")
        let set = try await calling { () async throws(APIError) in try await host.questions(of: session.id, set: name) }.body
        if call.wantsJSON {
            call.json(set)
            return .success
        }
        if set.questions.isEmpty { call.note(Say.nothing) }
        for (index, question) in set.questions.enumerated() {
            let required = question.required ? " (\(call.text(Say.required)))" : ""
            call.out("\(index + 1). \(ForeignText.safe(question.title)) [\(question.kindName.rawValue)]\(required)")
            if case .multipleChoice(let choices, _, _) = question.kind {
                for choice in choices { call.out("   \(choice.id)  \(ForeignText.safe(choice.label))") }
            }
        }
        return .success
    }

    private static func replace(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let host = try call.host()
        let path = call.arguments.positional("FILE") ?? "-"
        let drafts = try drafts(in: try await call.contents(of: path), path)
        let session = try await Reference(call.arguments.positional("SESSION") ?? "@", host).session()
        let name = call.arguments.value("set")
        let set = try await calling { () async throws(APIError) in
            let tag = try await host.questions(of: session.id, set: name).tag
            return try await host.setQuestions(of: session.id, set: name, drafts, ifMatch: tag)
        }.body
        if call.wantsJSON { call.json(set) } else { call.note(Say.questionsSet, ["count": String(set.questions.count)]) }
        return .success
    }

    /// An array of questions, or an object that has one under `questions`, such as `question list --json` prints.
    static func drafts(in bytes: [UInt8], _ path: String) throws(CommandFailure) -> [QuestionDraft] {
        struct Wrapped: Decodable { let questions: [QuestionDraft] }
        do {
            if bytes.first(where: { $0 > 32 }) == UInt8(ascii: "{") { return try WireJSON.decode(Wrapped.self, from: bytes).questions }
            return try WireJSON.decode([QuestionDraft].self, from: bytes)
        } catch let error as DecodingError {
            throw .failed(CommandPhrases.Fail.notQuestions, ["path": path, "reason": error.place])
        } catch {
            throw .failed(CommandPhrases.Fail.notQuestions, ["path": path, "reason": "JSON"])
        }
    }

    private static func results(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let host = try call.host()
        let session = try await Reference(call.arguments.positional("SESSION") ?? "@", host).session()
        let name = call.arguments.value("set")
        let results = try await calling { () async throws(APIError) in try await host.results(of: session.id, set: name) }
        if call.wantsJSON {
            call.json(results)
            return .success
        }
        let rate = "\(Int((results.responseRate * 100).rounded())) %"
        call.out(Say.responses, ["count": String(results.responses), "rate": rate])
        for tally in results.tallies { call.console.out("\n" + TallyText.write(tally, call)) }
        return .success
    }
}

extension DecodingError {
    /// Where it stopped: `/1/title`.
    fileprivate var place: String {
        let context: Context? =
            switch self {
            case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context), .dataCorrupted(let context):
                context
            @unknown default: nil
            }
        let path = context?.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: "/") ?? ""
        return "/\(path): \(context?.debugDescription ?? "JSON")"
    }
}
