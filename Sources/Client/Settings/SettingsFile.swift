internal import Foundation
internal import Glibc
internal import Wire

/// The file of `SavedSettings`: mode 0600, because it holds tokens, and always replaced whole, so that a
/// crash leaves the old or the new one.
package struct SettingsFile: Hashable, Sendable {
    package let path: String

    package init(path: String) { self.path = path }

    /// `$XDG_CONFIG_HOME/qring/config.json`, or under `~/.config` where that is unset, empty or relative (XDG
    /// Base Directory Specification).
    package init(environment: [String: String]) {
        let home = environment["HOME"] ?? "/"
        let base =
            environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "\(home)/.config"
        path = "\(base)/qring/config.json"
    }

    /// What is saved; nothing where there is no file. A file that others may read is closed to them first.
    package func load() throws(SettingsFileError) -> SavedSettings {
        var status = stat()
        guard stat(path, &status) == 0 else {
            if errno == ENOENT || errno == ENOTDIR { return SavedSettings() }
            throw .notReadable(path: path, reason: String(cString: strerror(errno)))
        }
        if status.st_mode & 0o077 != 0 { chmod(path, 0o600) }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw .notReadable(path: path, reason: String(cString: strerror(EACCES)))
        }
        do {
            return try WireJSON.decode(SavedSettings.self, from: [UInt8](data))
        } catch {
            throw .notSettings(path: path)
        }
    }

    /// Reads, changes and writes, alone among all processes that use this call.
    package func update(_ change: (inout SavedSettings) -> Void) throws(SettingsFileError) {
        let folder = (path as NSString).deletingLastPathComponent
        try make(folder: folder)
        // The lock is on a file of its own: the settings themselves are another file after each change.
        let lock = open("\(path).lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard lock >= 0 else { throw failure() }
        defer { close(lock) }
        while flock(lock, LOCK_EX) != 0 {
            guard errno == EINTR else { throw failure() }
        }
        var settings = try load()
        change(&settings)
        try write(WireJSON.bytes(settings))
    }

    /// With the folders above it, each for this user alone.
    private func make(folder: String) throws(SettingsFileError) {
        var path = folder.hasPrefix("/") ? "" : "."
        for part in folder.split(separator: "/") {
            path += "/\(part)"
            guard mkdir(path, 0o700) != 0, errno != EEXIST else { continue }
            // Of a folder that is there and may not be written to, some systems say so first.
            let reason = String(cString: strerror(errno))
            var status = stat()
            guard stat(path, &status) == 0 else { throw .notWritable(path: folder, reason: reason) }
        }
    }

    private func write(_ bytes: [UInt8]) throws(SettingsFileError) {
        let draft = "\(path).\(getpid()).new"
        unlink(draft)
        let file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw failure() }
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count > 0 {
                written += count
            } else if errno != EINTR {
                let error = failure()
                close(file)
                unlink(draft)
                throw error
            }
        }
        let synced = fsync(file) == 0
        close(file)
        guard synced, rename(draft, path) == 0 else {
            let error = failure()
            unlink(draft)
            throw error
        }
    }

    private func failure() -> SettingsFileError {
        .notWritable(path: path, reason: String(cString: strerror(errno)))
    }
}

package enum SettingsFileError: Error, Hashable, Sendable {
    case notReadable(path: String, reason: String)
    case notWritable(path: String, reason: String)
    /// There is something else in it; it is left as it is.
    case notSettings(path: String)
}
