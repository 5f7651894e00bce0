/// How a front door treats those who have not said what they want.
package struct DoorSettings: Sendable {
    /// The one form of request that is an upgrade.
    package var grammar = UpgradeGrammar()
    /// How long a connection may take until its first bytes tell HTTP from an upgrade. Default 10 s; at least
    /// 10 ms.
    package var decisionDeadline: Duration = .seconds(10)
    /// How many connections may be undecided at once. One more closes the one that has waited longest: an
    /// honest client speaks at once, so that this is hardly ever one. Default 4,096; at least 1.
    package var waitingLimit = 4_096
    /// How long nothing is accepted after the system ran out of descriptors or memory. Default 100 ms.
    package var exhaustionPause: Duration = .milliseconds(100)
    /// How many connections the system may hold before they are accepted; it may cap this further
    /// (`net.core.somaxconn`). Default 4,096.
    package var backlog: Int32 = 4_096

    /// How many connections one address may hold, waiting or handed on, whole: of IPv6 one network of 64
    /// bits. One more is turned away. A hall's phones share an address, and each has a few connections.
    /// Default 10,000; at least 1.
    package var connectionsPerAddress = 10_000
    /// Addresses that the limit does not concern: everybody comes from a proxy's.
    package var unlimited = AddressRanges()

    package init() {}
}
