import Testing

@testable import Terminal

struct RepaintPacingTests {
    @Test func `a terminal that never answers gets every picture`() {
        var pacing = RepaintPacing()
        for _ in 0..<5 {
            #expect(pacing.mayDraw(isUrgent: false))
            pacing.drew()
        }
    }

    @Test func `after its first answer, one picture is on its way, and one more after a key`() {
        var pacing = RepaintPacing()
        pacing.drew()
        pacing.answered()
        #expect(pacing.mayDraw(isUrgent: false))
        pacing.drew()
        #expect(!pacing.mayDraw(isUrgent: false) && pacing.mayDraw(isUrgent: true))
        pacing.drew()
        #expect(!pacing.mayDraw(isUrgent: true))
        pacing.answered()
        #expect(!pacing.mayDraw(isUrgent: false) && pacing.mayDraw(isUrgent: true))
        pacing.answered()
        #expect(pacing.mayDraw(isUrgent: false))
    }

    @Test func `a lost answer holds pictures back only for a time`() {
        var pacing = RepaintPacing()
        pacing.answered()
        pacing.drew()
        pacing.forget()
        #expect(pacing.mayDraw(isUrgent: false))
    }
}
