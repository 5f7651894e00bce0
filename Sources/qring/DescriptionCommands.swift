import CommandLine
import HostCommands
import Phrases
import Server

private typealias Messages = CommandPhrases.Description

/// `qring openapi` and `qring asyncapi`: what a server of this version would say of itself, without one.
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
