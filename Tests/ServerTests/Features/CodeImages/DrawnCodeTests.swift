import Journal
import Meetings
import Testing

@testable import Server

struct DrawnCodeTests {
    private func key(_ number: Int) -> DrawnCodes.Key {
        DrawnCodes.Key(url: "HTTP://A/\(number)", format: .png, size: 512)
    }

    @Test func `images are stored up to a limit, and the images in use stay`() {
        let drawn = DrawnCodes()
        for number in 0..<5000 {
            drawn.store([UInt8(truncatingIfNeeded: number)], key(number))
            #expect(drawn[key(0)] == [0])
            #expect(drawn.count <= 2 * DrawnCodes.mostImages)
        }
        #expect(drawn[key(4999)] == [UInt8(truncatingIfNeeded: 4999)])
        #expect(drawn[key(1)] == nil)
        let large = [UInt8](repeating: 1, count: DrawnCodes.mostBytes / 2 + 1)
        for number in 5000..<5010 { drawn.store(large, key(number)) }
        #expect(drawn.count == 2)
    }

    @Test func `a renewed code has a new image at once, and a deleted session has none`() async throws {
        try await Site.open { site in
            let cast = try await site.cast()
            let path = "/api/v1/sessions/\(cast.session)/qr.png"
            let first = try await site.send("GET", path, bearer: cast[.owner])
            #expect(first.status == 200)
            #expect(try await site.send("GET", path, bearer: cast[.owner]).body == first.body)
            #expect(site.services.drawnCodes.count == 1)
            _ = try await site.storage.perform(
                EditSession(id: cast.session, renewsCode: true, actor: cast.owner))
            let renewed = try await site.send("GET", path, bearer: cast[.owner])
            #expect(renewed.status == 200 && renewed.body != first.body)
            let smaller = try await site.send("GET", path + "?size=256", bearer: cast[.owner])
            #expect(smaller.status == 200 && smaller.body != renewed.body)
            #expect(try await site.send("GET", path).status == 401)
            _ = try await site.storage.perform(
                DeleteSession(id: cast.session, confirmation: "Meeting", actor: cast.owner))
            #expect(try await site.send("GET", path, bearer: cast[.owner]).status == 404)
        }
    }
}
