internal import Client
package import CommandLine
internal import Meetings
internal import Phrases
internal import RecordText
internal import Terminal
internal import Wire

package enum ResultCommands {
    private typealias Help = CommandPhrases.Help
    private typealias Forms = CommandPhrases.Forms
    private typealias Messages = CommandPhrases.Messages

    package static let all = [
        CommandDeclaration(
            "results", Help.results,
            examples: [
                .init("results @", Help.results), .init("results @ --follow", Help.resultsFollow),
                .init("results @ --csv results.csv", Forms.csv), .init("results @ --json", Help.json),
            ],
            positionals: [.init("SESSION", Help.session, required: false)],
            options: [
                .value("set", "NAME", Help.set), .flag("follow", Help.resultsFollow),
                .value("csv", "FILE", Forms.csv),
                .flag("bom", Forms.byteOrderMark), .json(of: ResultsBody.self),
            ], run: results)
    ]

    private static func results(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        if call.arguments.has("follow"), call.arguments.value("csv") != nil {
            throw .usage(.together("--follow", "--csv"))
        }
        let host = try call.host()
        let session = try await Reference(call.arguments.positional("SESSION") ?? "@", host).session()
        let name = call.arguments.value("set")
        if call.arguments.has("follow") {
            return try await FollowingResults.run(call, host, session, set: name)
        }
        if let path = call.arguments.value("csv") {
            let hasMark = call.arguments.has("bom")
            let file = try await calling { () async throws(APIError) in
                try await host.resultsFile(of: session.id, set: name, byteOrderMark: hasMark)
            }
            try call.write(file, to: path)
            return .success
        }
        show(
            try await calling { () async throws(APIError) in try await host.results(of: session.id, set: name)
            }, call)
        return .success
    }

    static func show(_ results: ResultsBody, _ call: Invocation) {
        if call.wantsJSON { return call.json(results) }
        let rate = "\(Int((results.responseRate * 100).rounded())) %"
        call.out(Messages.responses, ["count": String(results.responses), "rate": rate])
        tellTallies(results, call)
    }

    /// Prints how many responses are held back, and then a chart for each question.
    static func tellTallies(_ results: ResultsBody, _ call: Invocation) {
        if results.pending > 0 {
            let waiting = call.text(CommandPhrases.Tally.pending, ["count": String(results.pending)])
            call.console.out(TextWrapping.lines(waiting, indent: 0, width: call.console.width))
        }
        for tally in results.tallies { call.console.out("\n" + TallyText.write(tally, call)) }
    }
}

extension CommandPhrases.Forms {
    static let csv = Phrase(
        "write the answers to a CSV file, - for standard output",
        "답변을 CSV 파일로 저장, -는 표준 출력")
    static let byteOrderMark = Phrase(
        "add a byte order mark, so that spreadsheets detect UTF-8",
        "스프레드시트가 UTF-8을 알아보도록 BOM 추가")
}

extension CommandPhrases.Help {
    static let resultsFollow = Phrase("print the results again whenever they change", "결과가 바뀔 때마다 다시 출력")
    static let results = Phrase("show the results as bars", "결과를 막대로 보기")
}

extension CommandPhrases.Messages {
    static let responses = Phrase(
        "{count} answered ({rate} of those checked in)",
        "{count}명이 답변했습니다(체크인 인원의 {rate})")
}
