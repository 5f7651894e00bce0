import HTTPServer

enum Description {
    @Sendable static func openAPI(_ context: RequestContext) async throws -> HTTPResponse { .json([String: String]()) }
}
