import Bench
import Foundation
import HostCommands

// One list of declarations is everything that a person can start: the client's commands, and those that bring
// a server with them.
end(
    with: await HostCommands.run(
        arguments: Array(CommandLine.arguments.dropFirst()), environment: ProcessInfo.processInfo.environment,
        extra: [serveCommand, demoCommand] + descriptionCommands + adminCommands + BenchCommands.all))
