/// How a screen is drawn.
package struct ScreenSettings: Hashable, Sendable {
    package var isColourful: Bool
    /// Whether characters beyond ASCII may be written.
    package var isUTF8: Bool
    /// Whether the cursor can be moved (not with `TERM=dumb`); otherwise each picture is printed below the
    /// one before.
    package var canMove: Bool

    package init(isColourful: Bool = true, isUTF8: Bool = true, canMove: Bool = true) {
        self.isColourful = isColourful
        self.isUTF8 = isUTF8
        self.canMove = canMove
    }
}
