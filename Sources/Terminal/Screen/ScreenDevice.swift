/// A terminal that is drawn on. For one thread alone.
protocol ScreenDevice: AnyObject {
    var size: Size { get }
    func draw(_ grid: Grid)
    /// What was typed since, without waiting.
    func read() -> [ScreenEvent]
    /// The terminal is another size now.
    func resize()
    /// The next drawing draws everything.
    func forget()
    /// Gives the terminal back as it was. Drawing takes it again, so that this also serves before a stop
    /// (Ctrl-Z).
    func close()
}
