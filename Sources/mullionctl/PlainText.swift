// Markdown for a terminal.

import MullionSystem

/// The paragraphs, lists and code blocks of a page, without their markup.
struct PlainText {
    /// A paragraph to fill, or a line of code.
    private struct Block {
        var text: String
        /// The indentation of the first line, and of the following ones.
        var indent = (first: "", rest: "")
        var isCode = false
        /// Whether a blank line separates it from the one above.
        var isApart = true
    }

    private var blocks: [Block] = []

    init(markdown: String) {
        var isInCode = false
        var isApart = true
        for line in markdown.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                isInCode.toggle()
                isApart = true
            } else if isInCode {
                blocks.append(Block(text: "    " + line, isCode: true, isApart: isApart))
                isApart = false
            } else if line.isEmpty {
                isApart = true
            } else if line.hasPrefix("- ") {
                blocks.append(Block(text: String(line.dropFirst(2)), indent: ("- ", "  "), isApart: isApart))
                isApart = false
            } else {
                let words =
                    (line.hasPrefix("> Note: ") ? line.dropFirst(8) : line.hasPrefix("> ") ? line.dropFirst(2) : line)
                    .drop { $0 == " " }
                if isApart || blocks.last?.isCode != false {
                    blocks.append(Block(text: String(words), isApart: isApart))
                } else {
                    blocks[blocks.count - 1].text += " " + words
                }
                isApart = false
            }
        }
        for index in blocks.indices where !blocks[index].isCode {
            blocks[index].text = blocks[index].text.replacingAll("**", with: "").replacingAll("`", with: "")
        }
    }

    /// - Parameter width: the maximum number of columns of a line; only longer words exceed it.
    func text(width: Int) -> String {
        var lines: [String] = []
        for block in blocks {
            if block.isApart, !lines.isEmpty { lines.append("") }
            guard !block.isCode else {
                lines.append(block.text)
                continue
            }
            var line = block.indent.first
            var isEmpty = true
            for word in block.text.split(separator: " ") {
                if !isEmpty, line.count + 1 + word.count > width {
                    lines.append(line)
                    (line, isEmpty) = (block.indent.rest, true)
                }
                line += (isEmpty ? "" : " ") + word
                isEmpty = false
            }
            lines.append(line)
        }
        return lines.joined(separator: "\n")
    }
}
