/// The capabilities of the terminal that a screen may use.
package struct ScreenSettings: Hashable, Sendable {
    package var isColourful: Bool
    /// Whether the screen may write characters beyond ASCII.
    package var isUTF8: Bool
    /// Whether the terminal can move its cursor. With `TERM=dumb` it cannot, so each picture is printed below
    /// the previous one.
    package var canMove: Bool

    package init(isColourful: Bool = true, isUTF8: Bool = true, canMove: Bool = true) {
        self.isColourful = isColourful
        self.isUTF8 = isUTF8
        self.canMove = canMove
    }
}
