import Client
import CommandLine
import Foundation
import HostCommands
import Journal
import Phrases
import Server

private typealias Messages = CommandPhrases.Serve

/// `qring demo`: a server in this process, on a database that goes with it, and the demo against it over
/// HTTP.
let demoCommand = CommandDeclaration(
    "demo", Messages.demoSummary,
    examples: [.init("demo --attendees 40 --over 10s --exit", Messages.demoExample)],
    options: Demo.Options.declared + [
        .flag("local", Messages.demoLocal), .value("listen", "ADDRESS:PORT", Messages.demoListen),
    ],
    hasServer: false
) { call throws(CommandFailure) in
    var options = try Demo.Options(call)
    let folder = FileManager.default.temporaryDirectory.appending(path: "qring-demo-\(UUID().uuidString)")
        .path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let isLocal = call.arguments.has("local")
    let host = isLocal ? "127.0.0.1" : "0.0.0.0"
    var settings = ServerSettings(dataFolder: folder)
    settings.logFormat = .silent
    settings.signUp = .open
    settings.listen = call.arguments.value("listen") ?? "\(host):8080"

    let serving = try startAnywhere(
        settings, host: host, isFixed: call.arguments.value("listen") != nil, call)
    serving.server.open()
    options.isInReach = !serving.server.address.isLoopback
    call.note(
        options.isInReach ? Messages.demoNetwork : Messages.demoHere, ["url": serving.server.address.url])
    let result: Result<ExitCode, CommandFailure>
    do throws(CommandFailure) {
        guard let address = ServerAddress("http://127.0.0.1:\(serving.server.port)") else {
            throw .ended(.failed)
        }
        result = .success(try await Demo.run(server: address, options, call))
    } catch {
        result = .failure(error)
    }
    await serving.server.drain()
    return try result.get()
}

/// On port 8080, or on any other where that is taken.
private func startAnywhere(
    _ settings: ServerSettings, host: String, isFixed: Bool, _ call: Invocation
) throws(CommandFailure) -> Serving {
    do {
        return try Serving(settings)
    } catch QRingServer.StartError.door where !isFixed {
        var elsewhere = settings
        elsewhere.listen = "\(host):0"
        return try start(elsewhere, call)
    } catch {
        return try start(settings, call)
    }
}
