import CommandLine
import HostCommands
import Phrases
import Server

private typealias Messages = CommandPhrases.Description

/// The commands `qring openapi` and `qring asyncapi`. They print the API descriptions that a server of this
/// version serves, without a running server.
let descriptionCommands = [
    CommandDeclaration(
        "openapi", Messages.openAPI, examples: [.init("openapi > qring.json", Messages.openAPIExample)],
        hasServer: false
    ) {
        call throws(CommandFailure) in
        call.out(String(decoding: Description.openAPIText, as: UTF8.self))
        return .success
    },
    CommandDeclaration(
        "asyncapi", Messages.asyncAPI, examples: [.init("asyncapi > rooms.json", Messages.asyncAPIExample)],
        hasServer: false
    ) {
        call throws(CommandFailure) in
        call.out(String(decoding: Description.asyncAPIText, as: UTF8.self))
        return .success
    },
]

extension CommandPhrases {
    enum Description {
        static let openAPI = Phrase("print the description of the HTTP API (OpenAPI 3.1)")
        static let openAPIExample = Phrase("save it for a client generator")
        static let asyncAPI = Phrase("print the description of the rooms (AsyncAPI 3)")
        static let asyncAPIExample = Phrase("save it to a file")
    }
}
