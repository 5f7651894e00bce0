import FrontDoor
import HTTPServer

/// A second address of an offline door, with TLS, because browsers allow the camera only there. Real servers
/// stand behind a proxy that does this better.
package struct TLSSettings: Sendable {
    /// The listening address, as `ServerSettings.listen`.
    package let listen: String
    /// The certificate chain and its key, both in PEM.
    package let certificate: String
    package let key: String

    package init(listen: String, certificate: String, key: String) {
        (self.listen, self.certificate, self.key) = (listen, certificate, key)
    }
}

final class TLSListener: Sendable {
    private let door: FrontDoor
    private let http: HTTPServer
    /// The address for phones in the same network.
    let url: String

    init(_ tls: TLSSettings, _ responder: Responder, _ doorSettings: DoorSettings)
        throws(QRingServer.StartError)
    {
        guard let listen = ListenAddress(tls.listen), listen.path == nil else {
            throw .badAddress(tls.listen)
        }
        var settings = HTTPSettings()
        settings.tls = TLSCertificate(certificate: tls.certificate, key: tls.key)
        do throws(HTTPServerError) {
            http = try HTTPServer(settings: settings, responder: responder)
        } catch { throw .badCertificate }
        do throws(FrontDoorError) {
            door = try FrontDoor(listen: listen, settings: doorSettings)
        } catch { throw .door(error) }
        let plain = PublicAddress(listening: listen, port: door.port).url
        url = "https" + plain.dropFirst("http".count)
    }

    func open() {
        http.start()
        // No websocket is needed at a door, and the first bytes of a connection are encrypted.
        let adopt: FrontDoor.HandOver = { [http] in http.adopt($0, peer: $1.address, holding: $2) }
        door.open(onHTTP: adopt, onUpgrade: adopt)
    }

    func close(within time: Duration) async {
        door.close()
        await http.drain(within: time)
    }
}
