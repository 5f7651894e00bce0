import Client
import Testing

struct ServerAddressTests {
    @Test(
        arguments: [
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080", "127.0.0.1", 8080),
            ("HTTP://192.168.1.5:8080/", "http://192.168.1.5:8080", "192.168.1.5", 8080),
            ("localhost:9000", "http://localhost:9000", "localhost", 9000),
            ("example.org", "http://example.org", "example.org", 80),
            ("https://QRing.Example.org:443", "https://qring.example.org", "qring.example.org", 443),
            ("http://[::1]:8080", "http://[::1]:8080", "::1", 8080),
        ])
    func `a server's address is accepted in all forms that people write`(
        text: String, url: String, host: String, port: Int
    ) throws {
        let address = try #require(ServerAddress(text))
        #expect(address.url == url)
        #expect(address.host == host)
        #expect(address.port == port)
    }

    @Test(arguments: [
        "", "ftp://a", "http://", "http://a/b", "http://u@a", "http://a?b", "http://a:0", "http://a:70000",
    ])
    func `a text that is no server address is rejected`(text: String) {
        #expect(ServerAddress(text) == nil)
    }
}
