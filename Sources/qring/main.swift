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
do {
    try await Serving(settings).run()
} catch {
    // An error that left main would be printed as a crash of ours.
    let line = Array("qring: \(error)\n".utf8)
    _ = write(2, line, line.count)
    exit(1)
}
