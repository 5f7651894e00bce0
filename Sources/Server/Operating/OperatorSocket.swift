import FoundationEssentials
import FrontDoor
import Glibc
import HTTPServer
package import Journal

/// A command line of the operator, as the command's process passes it to the server that has the data open.
package struct OperatorCommand: Codable, Sendable {
    package var words: [String]
    /// The variables that decide how the output looks: language, time zone, terminal.
    package var environment: [String: String]
    /// The columns of the terminals behind standard output and standard error; nil without a terminal.
    package var width: Int?
    package var errWidth: Int?
    /// The answers that the person has typed at the command's prompts, in order.
    package var answers: [String]
    /// The text that the command has read from its standard input, or from the file of a password.
    package var input: String
    /// Whether the command may ask questions.
    package var asks: Bool

    package init(
        words: [String], environment: [String: String], width: Int?, errWidth: Int?, answers: [String],
        input: String, asks: Bool
    ) {
        (self.words, self.environment, self.width, self.errWidth) = (words, environment, width, errWidth)
        (self.answers, self.input, self.asks) = (answers, input, asks)
    }
}

/// The output of the command, and its exit code.
package struct OperatorAnswer: Codable, Sendable {
    package var code: Int32
    package var out: String
    package var err: String

    package init(code: Int32, out: String, err: String) {
        (self.code, self.out, self.err) = (code, out, err)
    }
}

/// Runs the operator's commands. The server module knows no command lines.
package protocol OperatorCommands: Sendable {
    func run(_ command: OperatorCommand, on storage: Storage) async -> OperatorAnswer
}

/// The socket in the data folder through which the commands `qring admin …` reach the running server. Only
/// the server's user and the superuser can connect to it. These users can read and change the files anyway.
package final class OperatorSocket: Sendable {
    private let path: String
    private let door: FrontDoor
    private let http: HTTPServer

    /// Returns nil if the settings have no commands, or if the socket cannot be made, for example because the
    /// path is too long. The commands then need the server to be stopped.
    init?(services: Services) throws(QRingServer.StartError) {
        guard let commands = services.settings.operatorCommands else { return nil }
        path = OperatorSocket.path(in: services.settings.dataFolder)
        guard let listen = ListenAddress("unix:\(path)") else {
            services.log.note("admin commands need this server to be stopped: the path \(path) is too long")
            return nil
        }
        var settings = HTTPSettings()
        (settings.connectionLimit, settings.inFlightLimit) = (8, 2)
        do throws(HTTPServerError) {
            http = try HTTPServer(
                settings: settings, responder: CommandResponder(services: services, commands: commands))
        } catch { throw .http(error) }
        do throws(FrontDoorError) {
            var settings = DoorSettings()
            settings.socketMode = 0o600
            door = try FrontDoor(listen: listen, settings: settings)
        } catch {
            services.log.note("admin commands need this server to be stopped: \(error)")
            return nil
        }
    }

    /// Returns the absolute path of the socket.
    package static func path(in dataFolder: String) -> String {
        let folder =
            dataFolder.hasPrefix("/")
            ? dataFolder : "\(FileManager.default.currentDirectoryPath)/\(dataFolder)"
        return "\(folder)/operator.socket"
    }

    /// Whether a server accepts connections at the socket.
    package static func isOpen(in dataFolder: String) -> Bool {
        ListenAddress("unix:\(path(in: dataFolder))")?.acceptsConnections ?? false
    }

    func open() {
        http.start()
        let adopt: FrontDoor.HandOver = { [http] in http.adopt($0, peer: $1.address, holding: $2) }
        door.open(onHTTP: adopt, onUpgrade: adopt)
    }

    func close() async {
        door.close()
        unlink(path)
        await http.drain(within: .seconds(3))
    }
}

private struct CommandResponder: HTTPResponder {
    let services: Services
    let commands: any OperatorCommands

    private static let mostBytes = 65_536

    func admit(_ head: HTTPRequestHead) -> HTTPAdmission { .accept(bodyLimit: Self.mostBytes) }

    func respond(to request: HTTPRequest) async -> HTTPResponse {
        guard request.method == "POST", request.path == "/command",
            let command = try? JSONDecoder().decode(OperatorCommand.self, from: Data(request.body))
        else { return HTTPResponse(status: 400, headers: [], body: []) }
        let answer = await commands.run(command, on: services.storage)
        guard let body = try? JSONEncoder().encode(answer) else {
            return HTTPResponse(status: 500, headers: [], body: [])
        }
        return HTTPResponse(
            status: 200, headers: [("Content-Type", "application/json")], body: Array(body))
    }

    func refusal(_ reason: HTTPRefusal, head: HTTPRequestHead?) -> HTTPResponse {
        HTTPResponse(status: reason.status, headers: [], body: [])
    }
}
