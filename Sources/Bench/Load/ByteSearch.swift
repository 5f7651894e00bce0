internal import Glibc

/// Searches bytes as `memmem` does. Swift's Glibc module lacks `memmem`, because it is a GNU extension.
enum ByteSearch {
    static func first(_ needle: StaticString, in bytes: UnsafeRawBufferPointer) -> Int? {
        let length = needle.utf8CodeUnitCount
        guard let start = bytes.baseAddress, bytes.count >= length else { return nil }
        let last = bytes.count - length
        var offset = 0
        while offset <= last, let found = memchr(start + offset, CInt(needle.utf8Start[0]), last - offset + 1)
        {
            if memcmp(found, needle.utf8Start, length) == 0 { return UnsafeRawPointer(found) - start }
            offset = UnsafeRawPointer(found) - start + 1
        }
        return nil
    }
}
