import Testing

@testable import Bench

@Suite struct MeasuringTests {
    @Test func `percentiles are measured values, chosen by nearest rank`() throws {
        let summary = try #require(LatencySummary(nanoseconds: (1...100).reversed().map { $0 * 1_000_000 }))
        #expect(summary.count == 100 && summary.p50Ms == 50 && summary.p99Ms == 99 && summary.maxMs == 100)
    }

    @Test func `a single sample is every percentile, and no samples give no summary`() throws {
        let summary = try #require(LatencySummary(nanoseconds: [1_234_567]))
        #expect(summary.p50Ms == 1.235 && summary.p99Ms == 1.235 && summary.maxMs == 1.235)
        #expect(LatencySummary(nanoseconds: []) == nil)
    }

    @Test(arguments: [(0.0, 1), (0.2, 1), (0.21, 2), (0.5, 3), (0.99, 5), (1.0, 5)] as [(Double, UInt64)])
    func `the nearest rank is correct at the borders between two samples`(_ share: Double, _ expected: UInt64)
    {
        #expect(LatencySummary.rank(share, of: [1, 2, 3, 4, 5]) == expected)
    }

    @Test func `a commit summary compares two readings of metrics, without comments and labels`() {
        let before = MetricsReading(
            "# HELP a b\nqring_journal_commits_total 10\nqring_http_requests_total{class=\"2xx\"} 5\n")
        let after = MetricsReading(
            """
            qring_journal_commits_total 14
            qring_journal_commands_total 50
            qring_journal_busy_seconds_total 0.02
            qring_journal_commit_seconds_total 0.01
            """)
        #expect(before["qring_journal_commits_total"] == 10 && before["absent"] == 0)
        let summary = CommitSummary(from: before, to: after)
        #expect(
            summary.commits == 4 && summary.batch == 12.5 && summary.busyMs == 5 && summary.commitMs == 2.5)
    }

    @Test func `a figure is rounded to the requested number of decimals`() {
        #expect(
            Figures.text(1.5, 2) == "1.50" && Figures.text(12_345.4, 0) == "12345"
                && Figures.text(2.346, 2) == "2.35")
    }

    @Test func `a folder has the file system of the deepest mount that contains the folder`() {
        let mounts = ["/dev/vda / ext4 rw 0 0", "tmpfs /tmp tmpfs rw 0 0", "/dev/vdb /var/lib xfs rw 0 0"]
        #expect(MachineLine.fileSystem(of: "/tmp", mounts: mounts) == "tmpfs")
        #expect(MachineLine.fileSystem(of: "/tmpfiles", mounts: mounts) == "ext4")
        #expect(MachineLine.fileSystem(of: "/var/lib/qring", mounts: mounts) == "xfs")
        #expect(MachineLine.fileSystem(of: "/var/tmp", mounts: mounts) == "ext4")
    }

    @Test func `the port lookup finds the server's listening socket and ignores other sockets`() {
        let table = """
              sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
               0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 111 1
               1: 0100007F:1F91 0100007F:9999 01 00000000:00000000 00:00000000 00000000     0        0 222 1
               2: 0100007F:C001 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 333 1
            """
        #expect(ListeningPort.port(in: table, of: ["222", "333"]) == 0xC001)
        #expect(ListeningPort.port(in: table, of: ["222"]) == nil)
    }
}
