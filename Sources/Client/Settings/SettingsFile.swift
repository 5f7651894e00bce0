internal import FoundationEssentials
internal import Glibc
internal import Wire

/// The file that contains `SavedSettings`. Its mode is 0600, because it contains tokens. Each change replaces
/// the complete file, so that a crash leaves either the old or the new file.
package struct SettingsFile: Hashable, Sendable {
    package let path: String

    package init(path: String) { self.path = path }

    /// Chooses the path `$XDG_CONFIG_HOME/qring/config.json`. If the variable is unset, empty or relative,
    /// the folder is `~/.config` (XDG Base Directory Specification).
    package init(environment: [String: String]) {
        let home = environment["HOME"] ?? "/"
        let base =
            environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "\(home)/.config"
        path = "\(base)/qring/config.json"
    }

    /// Reads the saved settings. Returns empty settings if there is no file. If other users may read the
    /// file, its mode is first changed to 0600.
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

    /// Reads, changes and writes the settings under a lock, so that only one process at a time is in this
    /// function.
    package func update(_ change: (inout SavedSettings) -> Void) throws(SettingsFileError) {
        let folder = URL(filePath: path).deletingLastPathComponent().path
        try make(folder: folder)
        // The lock is on a separate file, because each change replaces the settings file with a new file.
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

    /// Creates a folder and its missing parent folders, with mode 0700.
    private func make(folder: String) throws(SettingsFileError) {
        var path = folder.hasPrefix("/") ? "" : "."
        for part in folder.split(separator: "/") {
            path += "/\(part)"
            guard mkdir(path, 0o700) != 0, errno != EEXIST else { continue }
            // On some systems, `mkdir` reports for an existing folder that the parent is not writable, and
            // not that the folder exists.
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

/// The reason why the settings could not be read or saved.
package enum SettingsFileError: Error, Hashable, Sendable {
    case notReadable(path: String, reason: String)
    case notWritable(path: String, reason: String)
    /// The file contains something other than settings. The file is not changed.
    case notSettings(path: String)
}
