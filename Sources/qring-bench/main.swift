import Bench
import Foundation
import HostCommands

// The load tests, as a program of their own: hosts and operators do not need them. `qring bench …` runs this
// program. Its help therefore names the commands `qring bench …`.
let words = Array(CommandLine.arguments.dropFirst())
let asksForVersion = words == ["--version"]
exit(
    await HostCommands.run(
        arguments: asksForVersion ? words : ["bench"] + words,
        environment: ProcessInfo.processInfo.environment, extra: BenchCommands.all))
