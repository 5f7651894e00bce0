import Glibc
import Journal
import SQLiteJournal
import Testing

@testable import Server

/// Tests of a server's end.
@Suite(.timeLimit(.minutes(1))) struct LifecycleTests {
    @Test func `an opened server that is dropped without a drain ends its threads and closes its port`()
        async throws
    {
        try await Site.inFolder { folder in
            let clock = HandClock(start)
            var settings = ServerSettings(dataFolder: folder)
            settings.listen = "127.0.0.1:0"
            settings.logFormat = .silent
            settings.metricsListen = "127.0.0.1:0"
            let engine = try SQLiteEngine(folder: folder)
            let storage = Storage(engine: engine, patterns: Matching()) { clock.now }
            var server: QRingServer? = try QRingServer(settings: settings, storage: storage, clock: clock)
            server?.open()
            let port = try #require(server?.port)
            #expect(connects(to: port))
            weak let services = server?.services.live
            server = nil
            try await eventually("the port is closed") { !connects(to: port) }
            // The storage holds the listener of commits, and with it the services, until it is closed.
            await storage.close()
            try await eventually("no thread holds the services") { services == nil }
        }
    }

    private func connects(to port: UInt16) -> Bool {
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}
