import Synchronization

/// The images of codes that were drawn last, because screens and pages load the same image again and again.
///
/// An image depends only on its URL, format and size, so a stored image is never outdated: a renewed code has
/// another URL. The image gives no right either, because the route's access check has judged the caller
/// before.
///
/// Any thread may use it. There are two generations. When the younger one is full, it replaces the older one.
/// An image that is used moves to the younger one.
final class DrawnCodes: Sendable {
    struct Key: Hashable {
        let url: String
        let format: CodeImages.Format
        /// The width in pixels; 0 for a format without a size.
        let size: Int
    }

    private struct State {
        var young: [Key: [UInt8]] = [:]
        var old: [Key: [UInt8]] = [:]
        var youngBytes = 0
    }

    /// The most images and bytes of one generation.
    static let mostImages = 1000
    static let mostBytes = 4_000_000

    private let state = Mutex(State())

    /// The number of stored images.
    var count: Int { state.withLock { $0.young.count + $0.old.count } }

    subscript(key: Key) -> [UInt8]? {
        state.withLock { state in
            if let image = state.young[key] { return image }
            guard let image = state.old.removeValue(forKey: key) else { return nil }
            Self.store(image, key, &state)
            return image
        }
    }

    func store(_ image: [UInt8], _ key: Key) { state.withLock { Self.store(image, key, &$0) } }

    private static func store(_ image: [UInt8], _ key: Key, _ state: inout State) {
        guard image.count <= mostBytes, state.young[key] == nil else { return }
        if state.young.count >= mostImages || state.youngBytes + image.count > mostBytes {
            (state.old, state.young, state.youngBytes) = (state.young, [:], 0)
        }
        state.young[key] = image
        state.youngBytes += image.count
    }
}
