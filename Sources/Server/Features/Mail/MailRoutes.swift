extension RouteTable {
    /// The routes for people who want no mails.
    static let unsubscribing: [Route] = [
        Route(
            .get, "/unsubscribe/{token}", .anyone, does: "Show the page that ends mails to a person",
            gives: .page, Unsubscribing.open),
        Route(
            .post, "/unsubscribe/{token}", .anyone, does: "End mails to a person, by one request",
            gives: .page, Unsubscribing.submit),
    ]
}
