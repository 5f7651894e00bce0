import HTTPServer
import Meetings
import Phrases
import Wire

/// The handler of notices: what the operator should look at while the server runs.
enum Notices {
    static func list(_ context: RequestContext) async throws -> HTTPResponse {
        .json(Page(items: unnamedProxies(context), nextCursor: nil))
    }

    private static func unnamedProxies(_ context: RequestContext) -> [NoticeBody] {
        let now = context.now
        return context.services.unnamedProxies.reported(at: now).map { proxy in
            NoticeBody(
                code: "unnamed_proxy",
                text: Phrase.Host.unnamedProxy.text(
                    in: context.language, ["address": proxy.address, "count": String(proxy.requests)]),
                lastAt: proxy.lastAt)
        }
    }
}
