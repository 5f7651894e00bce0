import Bench
import Foundation
import HostCommands

// This list declares all commands of the program: the commands of hosts and attendees, and the commands that
// need the server's modules.
end(
    with: await HostCommands.run(
        arguments: Array(CommandLine.arguments.dropFirst()), environment: ProcessInfo.processInfo.environment,
        extra: [serveCommand, demoCommand] + descriptionCommands + adminCommands + BenchCommands.all))
