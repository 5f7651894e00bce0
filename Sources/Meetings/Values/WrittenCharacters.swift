extension Unicode.Scalar {
    /// What moves a terminal's cursor, or ends a text in C: in no text but for lines and tabs.
    package var isControl: Bool { properties.generalCategory == .control }
}

extension StringProtocol {
    /// Whether it holds nothing that a text of several lines cannot show.
    package var isPlainText: Bool {
        unicodeScalars.allSatisfy { !$0.isControl || $0 == "\n" || $0 == "\r" || $0 == "\t" }
    }

    /// Whether it holds what no line of text needs: controls, line separators, and what is not seen but
    /// changes how the rest is read (a direction turned round, spaces without width), so that one name could
    /// pass for another. Joiners are needed for emoji and for several scripts; tags, behind a black flag
    /// alone, for the flags of England, Scotland and Wales.
    package var hasUnfitForLine: Bool {
        var isFlag = false
        for scalar in unicodeScalars {
            let isTag = (0xE0020...0xE007F).contains(scalar.value)
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: return true
            case .format where !(scalar.value == 0x200C || scalar.value == 0x200D || (isTag && isFlag)):
                return true
            default: break
            }
            isFlag = scalar.value == 0x1F3F4 || (isFlag && isTag)
        }
        return false
    }

    /// Whether anything of it is seen: fillers and joiners alone are not.
    package var isVisible: Bool {
        unicodeScalars.contains { !$0.properties.isDefaultIgnorableCodePoint && !$0.properties.isWhitespace }
    }
}
