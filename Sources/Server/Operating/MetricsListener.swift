import FrontDoor
import HTTPServer
import Synchronization

/// A listener with a separate address that serves only `/metrics`. A firewall decides which clients can reach
/// the address.
final class MetricsListener: Sendable {
    private let door: FrontDoor
    private let http: HTTPServer

    var port: UInt16 { door.port }

    init(_ text: String, services: Services) throws(QRingServer.StartError) {
        guard let listen = ListenAddress(text) else { throw .badAddress(text) }
        var settings = HTTPSettings()
        settings.connectionLimit = 64
        let http: HTTPServer
        do throws(HTTPServerError) {
            http = try HTTPServer(settings: settings, responder: MetricsResponder(services: services))
        } catch { throw .http(error) }
        do throws(FrontDoorError) {
            door = try FrontDoor(listen: listen)
        } catch { throw .door(error) }
        self.http = http
    }

    func open() {
        http.start()
        let adopt: FrontDoor.HandOver = { [http] in http.adopt($0, peer: $1.address, holding: $2) }
        door.open(onHTTP: adopt, onUpgrade: adopt)
    }

    func close() async {
        door.close()
        await http.drain(within: .milliseconds(500))
    }
}

/// Answers requests for the metrics. Errors are plain text, because the programs that collect
/// metrics do not read problems in JSON.
private struct MetricsResponder: HTTPResponder {
    let services: Services

    func admit(_ head: HTTPRequestHead) -> HTTPAdmission { .accept(bodyLimit: 0) }

    func respond(to request: HTTPRequest) async -> HTTPResponse {
        guard request.path == "/metrics" else { return plain(404, "Only /metrics is here.") }
        guard request.method == "GET" || request.method == "HEAD" else {
            return plain(405, "GET /metrics", [("Allow", "GET, HEAD")])
        }
        return await Operations.metrics(of: services)
    }

    func refusal(_ reason: HTTPRefusal, head: HTTPRequestHead?) -> HTTPResponse {
        plain(reason.status, "refused")
    }

    private func plain(_ status: Int, _ text: String, _ headers: [(name: String, value: String)] = [])
        -> HTTPResponse
    {
        HTTPResponse(
            status: status, headers: [("Content-Type", "text/plain; charset=utf-8")] + headers,
            body: Array("\(text)\n".utf8))
    }
}
