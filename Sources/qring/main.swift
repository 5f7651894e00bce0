import FoundationEssentials
import HostCommands

// This list declares all commands of the program: the commands of hosts and attendees, and the commands that
// need the server's modules.
var words = Array(CommandLine.arguments.dropFirst())
if words.first == "bench" {
    BenchProgram.run(words.dropFirst())
    // The program is not installed. Its options mean nothing to this one.
    words = ["bench"] + words.filter { ["--help", "-h"].contains($0) }
}
let console = RecordingConsole()
end(
    with: await HostCommands.run(
        arguments: words, environment: ProcessInfo.processInfo.environment,
        extra: [
            serveCommand.readingSettings, demoCommand, benchCommand,
            DoorCommand.declaration(keepingOffline: keepOfflineDoor),
        ] + descriptionCommands
            + adminCommands(console).map(\.readingSettings), console: console))
