// The cursors that the server draws itself.

import MullionWayland

/// What the server's own cursors look like. Shapes of wp_cursor_shape_device_v1 that are used alike look alike.
enum CursorShape: String, CaseIterable, Codable {
    case arrow, hand, text, verticalText, crosshair, wait, move, notAllowed
    /// Double arrows: left and right, up and down, falling and rising to the right.
    case horizontal, vertical, falling, rising

    /// Nil for a value that is none of the protocol's.
    init?(_ shape: WpCursorShapeDeviceV1.Shape) {
        switch shape {
        case .default, .contextMenu, .help, .progress, .alias, .copy: self = .arrow
        case .pointer, .grab, .grabbing: self = .hand
        case .wait: self = .wait
        case .cell, .crosshair, .zoomIn, .zoomOut: self = .crosshair
        case .text: self = .text
        case .verticalText: self = .verticalText
        case .move, .allScroll: self = .move
        case .noDrop, .notAllowed: self = .notAllowed
        case .eResize, .wResize, .ewResize, .colResize: self = .horizontal
        case .nResize, .sResize, .nsResize, .rowResize: self = .vertical
        case .nwResize, .seResize, .nwseResize: self = .falling
        case .neResize, .swResize, .neswResize: self = .rising
        default: return nil
        }
    }
}

extension CursorShape {
    /// The black pixels, which get a white edge; empty for the arrow, which has its own picture.
    var rows: [String] {
        switch self {
        case .arrow: []
        case .hand: CursorRows.hand
        case .text: CursorRows.text
        case .verticalText: CursorRows.transposed(CursorRows.text)
        case .crosshair: (0..<15).map { $0 == 7 ? String(repeating: "#", count: 15) : "       #       " }
        case .wait: CursorRows.hourglass
        case .move: CursorRows.cross
        case .notAllowed: CursorRows.prohibition
        case .horizontal: CursorRows.doubleArrow
        case .vertical: CursorRows.transposed(CursorRows.doubleArrow)
        case .falling: CursorRows.diagonal
        case .rising: CursorRows.diagonal.map { String($0.reversed()) }
        }
    }
}

/// The pictures as text.
private enum CursorRows {
    static let hand = [
        "  ##       ",
        "  ##       ",
        "  ##       ",
        "  ##       ",
        "  ##### ## ",
        "  ######## ",
        "# ######## ",
        "########## ",
        "########## ",
        " ######### ",
        "  ######## ",
        "  #######  ",
        "   ######  ",
    ]
    static let text = ["### ###"] + Array(repeating: "   #   ", count: 13) + ["### ###"]
    static let hourglass = [
        "#########",
        " #     # ",
        " #     # ",
        "  # # #  ",
        "   ###   ",
        "    #    ",
        "    #    ",
        "   # #   ",
        "  #   #  ",
        " #  #  # ",
        " # ### # ",
        "#########",
    ]
    static let doubleArrow = [
        "   #       #   ",
        "  ##       ##  ",
        " ###       ### ",
        "###############",
        " ###       ### ",
        "  ##       ##  ",
        "   #       #   ",
    ]
    static let diagonal = [
        "#####      ",
        "####       ",
        "###        ",
        "## #       ",
        "#   #      ",
        "     #     ",
        "      #   #",
        "       # ##",
        "        ###",
        "       ####",
        "      #####",
    ]
    static let prohibition = [
        "    #####    ",
        "  ###   ###  ",
        " ###      ## ",
        " # ##      # ",
        "##  ##     ##",
        "#    ##     #",
        "#     ##    #",
        "#      ##   #",
        "##      ## ##",
        " #       ### ",
        " ##      ### ",
        "  ###   ###  ",
        "    #####    ",
    ]
    static let cross = [
        "       #       ",
        "      ###      ",
        "     #####     ",
        "       #       ",
        "       #       ",
        "  #    #    #  ",
        " ##    #    ## ",
        "###############",
        " ##    #    ## ",
        "  #    #    #  ",
        "       #       ",
        "       #       ",
        "     #####     ",
        "      ###      ",
        "       #       ",
    ]

    static func transposed(_ rows: [String]) -> [String] {
        let cells = rows.map(Array.init)
        return (0..<(cells.first?.count ?? 0)).map { x in String(cells.map { $0[x] }) }
    }
}
