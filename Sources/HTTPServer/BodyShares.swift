/// The bytes of medium and large bodies that the server stores, in two shares. Each share is for bodies of
/// one size, so that large uploads cannot use the memory that answers to questions need. Small bodies are in
/// no share.
struct BodyShares {
    enum Share: Int {
        case medium
        case large
    }

    private let settings: HTTPSettings
    private var used = [0, 0]

    init(_ settings: HTTPSettings) { self.settings = settings }

    /// The bytes in both shares.
    var bytes: Int { used[0] + used[1] }

    /// Returns the share for a body of at most this size, in bytes; nil for a small body.
    func share(forBodyOf size: Int) -> Share? {
        size <= settings.smallBody ? nil : size <= settings.mediumBody ? .medium : .large
    }

    /// Whether the share has room for more bytes.
    func hasRoom(for bytes: Int, in share: Share) -> Bool {
        used[share.rawValue] + bytes
            <= (share == .medium ? settings.mediumBodiesShare : settings.largeBodiesShare)
    }

    mutating func add(_ bytes: Int, to share: Share) { used[share.rawValue] += bytes }

    mutating func remove(_ bytes: Int, from share: Share) { used[share.rawValue] -= bytes }
}
