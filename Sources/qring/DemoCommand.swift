import Client
import CommandLine
import FoundationEssentials
import Glibc
import HostCommands
import Journal
import Phrases
import Server

private typealias Messages = CommandPhrases.Serve

/// The command `qring demo`. It starts a server in this process, with a database that it deletes at the end,
/// and plays the demo against this server over HTTP.
let demoCommand = CommandDeclaration(
    "demo", Messages.demoSummary,
    examples: [.init("demo --attendees 40 --over 10s --exit", Messages.demoExample)],
    options: Demo.Options.declared + [
        .flag("local", Messages.demoLocal), .value("listen", "ADDRESS:PORT", Messages.demoListen),
    ],
    handlesSignals: true, hasServer: false
) { call throws(CommandFailure) in
    let options = try Demo.Options(call)
    // The dashboard handles signals itself.
    if options.showsDashboard { return try await playDemo(options, call) }
    return try await Interruption.cancelling(call.console) { () async throws(CommandFailure) in
        try await playDemo(options, call)
    }
}

/// Starts the server, plays the demo against it, and deletes its database.
private func playDemo(_ asked: Demo.Options, _ call: Invocation) async throws(CommandFailure) -> ExitCode {
    var options = asked
    let folder = FileManager.default.temporaryDirectory.appending(path: "qring-demo-\(UUID().uuidString)")
        .path
    let sweeper = FolderSweeper(folder, call.environment)
    defer { sweeper.sweep() }
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

/// Deletes a folder when this process ends, however it ends: a child process waits until no process
/// holds the write end of a pipe. A signal can end this process before it catches signals, or while it cleans
/// up.
private struct FolderSweeper {
    private let folder: String
    private let child: ChildProcess?
    private let pipe: Int32

    /// Starts the child. If the system cannot create a process, only `sweep` deletes the folder.
    init(_ folder: String, _ environment: [String: String]) {
        self.folder = folder
        var ends: [Int32] = [-1, -1]
        guard Glibc.pipe(&ends) == 0 else {
            (child, pipe) = (nil, -1)
            return
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        // A service manager, or a terminal that closes, sends these signals to all processes. The child must
        // live on to delete the folder.
        child = ChildProcess(
            shell: "trap '' TERM HUP; exec >/dev/null 2>&1; read -r end; rm -rf -- \"$1\"",
            [folder], environment: environment, input: ends[0], inOwnGroup: true)
        pipe = ends[1]
        close(ends[0])
    }

    /// Deletes the folder now. The caller must call this function once.
    func sweep() {
        if pipe >= 0 { close(pipe) }
        _ = child?.wait()
        try? FileManager.default.removeItem(atPath: folder)
    }
}

/// Starts a server on port 8080. If another program uses this port and `isFixed` is false, it takes any free
/// port.
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

extension CommandPhrases.Serve {
    static let demoSummary = Phrase(
        "start a server with a sample meeting and simulated attendees, and watch it live")
    static let demoLocal = Phrase("allow only this machine")
    static let demoListen = Phrase(
        "the address and port to listen on (default 0.0.0.0:8080, with --local 127.0.0.1:8080)")
    static let demoHere = Phrase("Only this machine can reach the server, so phones cannot scan the code.")
    static let demoNetwork = Phrase(
        "Phones on the same network can reach the server at {url}. Add --local to allow only this machine.")
    static let demoExample = Phrase("forty attendees in ten seconds, then exit")
}
