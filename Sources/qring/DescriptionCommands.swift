import HostCommands
import Phrases
import Server

private typealias Say = CommandPhrases.Description

/// `qring openapi` and `qring asyncapi`: what a server of this version would say of itself, without one.
let descriptionCommands = [
    CommandDeclaration("openapi", Say.openAPI, examples: [.init("openapi > qring.json", Say.openAPIExample)], hasServer: false) {
        call throws(CommandFailure) in
        call.out(String(decoding: Description.openAPIText, as: UTF8.self))
        return .success
    },
    CommandDeclaration("asyncapi", Say.asyncAPI, examples: [.init("asyncapi > rooms.json", Say.asyncAPIExample)], hasServer: false) {
        call throws(CommandFailure) in
        call.out(String(decoding: Description.asyncAPIText, as: UTF8.self))
        return .success
    },
]
