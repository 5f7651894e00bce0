import Terminal
import Testing

@testable import CommandLine

struct ProgressLineTests {
    private func line(_ done: Int, of all: Int, after elapsed: Duration, width: Int? = 80, plain: Bool = true)
        -> String
    {
        ProgressLine("copying", done: done, of: all, elapsed: elapsed).text(width: width, plain: plain)
    }

    @Test func `the progress line has the share, the counts and the estimated remaining time`() {
        #expect(
            line(25, of: 100, after: .seconds(10))
                == "copying [########                      ]  25%  25/100  ETA 0:30")
        #expect(
            line(0, of: 100, after: .seconds(10)) == "copying [                              ]   0%  0/100")
        #expect(
            line(100, of: 100, after: .seconds(10))
                == "copying [##############################] 100%  100/100")
        #expect(line(1, of: 3, after: .seconds(3600)).hasSuffix("ETA 2:00:00"))
    }

    @Test func `the progress line shows 100 percent only if the work is complete`() {
        #expect(line(999, of: 1000, after: .seconds(1)).contains(" 99%"))
        #expect(line(1200, of: 1000, after: .seconds(1)).contains("100%  1000/1000"))
    }

    @Test(arguments: [20, 30, 40, 60, 200])
    func `the progress line is always shorter than the terminal's line`(width: Int) {
        #expect(DisplayWidth.of(line(123, of: 10_000, after: .seconds(5), width: width)) < width)
        #expect(
            DisplayWidth.of(
                ProgressLine("체크인", done: 1, of: 2, elapsed: .seconds(5)).text(width: width, plain: false))
                < width)
    }
}
