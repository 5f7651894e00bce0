/// Decides when a screen may draw, so that a key shows soon also on a slow connection. After each picture,
/// the screen requests the terminal's status (ECMA-48 §8.3.35). The answer means that the terminal has drawn
/// the picture. Until then, a picture that only follows an update waits, and a newer one replaces it.
///
/// A terminal that has never answered gets every picture at once.
struct RepaintPacing {
    /// The time in milliseconds after which the screen no longer waits for an answer. A picture of 200×60
    /// cells takes about eight seconds at 2,400 bytes a second.
    static let patience = 10_000

    /// The pictures that the terminal has not confirmed.
    private(set) var unconfirmed = 0
    private(set) var hasAnswered = false

    /// - Parameter isUrgent: whether the picture shows the effect of a key. It waits only for an earlier
    ///   urgent picture.
    func mayDraw(isUrgent: Bool) -> Bool { !hasAnswered || unconfirmed < (isUrgent ? 2 : 1) }

    mutating func drew() { unconfirmed += 1 }

    mutating func answered() {
        unconfirmed = max(0, unconfirmed - 1)
        hasAnswered = true
    }

    /// Waits for no answer any more: the terminal gives none, or another program used it.
    mutating func forget() { (unconfirmed, hasAnswered) = (0, false) }
}
