import Glibc
import Journal
import Server

// Until the command line is there: qring serve --listen A --data DIR [--log silent]
var settings = ServerSettings(dataFolder: "data")
let words = Array(CommandLine.arguments.dropFirst(2))
for (name, value) in zip(words, words.dropFirst()) {
    switch name {
    case "--listen": settings.listen = value
    case "--data": settings.dataFolder = value
    case "--signup": settings.signUp = .init(rawValue: value) ?? .invite
    case "--public-url": settings.publicURL = value
    case "--log": settings.logFormat = .init(rawValue: value) ?? .text
    default: break
    }
}
try await Serving(settings).run()
