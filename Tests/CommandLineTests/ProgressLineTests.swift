import Terminal
import Testing

@testable import CommandLine

struct ProgressLineTests {
    private func line(_ done: Int, of all: Int, after elapsed: Duration, width: Int? = 80, plain: Bool = true)
        -> String
    {
        ProgressLine("copying", done: done, of: all, elapsed: elapsed).text(width: width, plain: plain)
    }

    @Test func `a line has share, counts and the time that is left at this pace`() {
        #expect(
            line(25, of: 100, after: .seconds(10))
                == "copying [########                      ]  25 %  25/100  ETA 0:30")
        #expect(
            line(0, of: 100, after: .seconds(10)) == "copying [                              ]   0 %  0/100")
        #expect(
            line(100, of: 100, after: .seconds(10))
                == "copying [##############################] 100 %  100/100")
        #expect(line(1, of: 3, after: .seconds(3600)).hasSuffix("ETA 2:00:00"))
    }

    @Test func `a share is not rounded up to the whole`() {
        #expect(line(999, of: 1000, after: .seconds(1)).contains(" 99 %"))
        #expect(line(1200, of: 1000, after: .seconds(1)).contains("100 %  1000/1000"))
    }

    @Test(arguments: [20, 30, 40, 60, 200])
    func `it never breaks the line`(width: Int) {
        #expect(DisplayWidth.of(line(123, of: 10_000, after: .seconds(5), width: width)) < width)
        #expect(
            DisplayWidth.of(
                ProgressLine("체크인", done: 1, of: 2, elapsed: .seconds(5)).text(width: width, plain: false))
                < width)
    }
}
