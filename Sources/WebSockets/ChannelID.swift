/// A channel's name: a number that the owner of the server allots.
package struct ChannelID: Hashable, Sendable {
    package let rawValue: UInt64

    package init(_ rawValue: UInt64) {
        self.rawValue = rawValue
    }
}
