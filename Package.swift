// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
]
/// For code that untrusted bytes reach: every expression that could break memory safety is marked `unsafe`.
let memorySafe: [SwiftSetting] = strict + [.strictMemorySafety()]

/// Skips run-time exclusivity checks in release builds, where they would be half the cost of a message. The server has
/// one thread, and its debug builds, including the tests, check every access. Modules that are also part of the client
/// library do without it: a package that depends on them would inherit the flag.
let checkedInTests: [SwiftSetting] = [
    .unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release))
]

/// Types such as dictionaries are found by their metadata functions and not by name: looking up a name searches all
/// conformances of the program, which would be a third of the start.
let withoutLookups: [SwiftSetting] = [
    .unsafeFlags(
        ["-Xfrontend", "-disable-concrete-type-metadata-mangled-name-accessors"], .when(configuration: .release))
]

/// Puts each function in its own section, so that the linker can reorder functions and drop unused ones.
let functionSections: [SwiftSetting] = [
    .unsafeFlags(["-Xfrontend", "-function-sections"], .when(configuration: .release))
]

/// Optimises what tests do millions of times in debug builds too, which still check overflow, bounds and exclusivity.
let quickInTests: [SwiftSetting] = [.unsafeFlags(["-O"], .when(configuration: .debug))]

/// For code that is large and waits more than it works: a tenth smaller, and compiled in four fifths of the time.
let compact: [SwiftSetting] = [.unsafeFlags(["-Osize"], .when(configuration: .release))]

func serverLibrary(
    _ name: String, _ dependencies: [Target.Dependency] = [], path: String? = nil, plugins: [Target.PluginUsage] = [],
    exclude: [String] = [], settings: [SwiftSetting] = []
) -> Target {
    .target(
        name: name, dependencies: dependencies, path: path, exclude: exclude,
        swiftSettings: memorySafe + checkedInTests + withoutLookups + functionSections + settings, plugins: plugins)
}
func library(
    _ name: String, _ dependencies: [Target.Dependency] = [], path: String? = nil,
    plugins: [Target.PluginUsage] = [], exclude: [String] = [], settings: [SwiftSetting] = []
) -> Target {
    .target(
        name: name, dependencies: dependencies, path: path, exclude: exclude, swiftSettings: memorySafe + settings,
        plugins: plugins)
}
/// C with static state: a variable in a header would be one variable per Swift file that includes it.
func cLibrary(_ name: String, path: String? = nil) -> Target {
    .target(
        name: name, path: path,
        cSettings: [.enableWarning("all"), .enableWarning("extra"), .treatAllWarnings(as: .error)])
}
func program(
    _ name: String, _ dependencies: [Target.Dependency], plugins: [Target.PluginUsage] = [], path: String? = nil,
    embedded: [String] = [], settings: [SwiftSetting] = [], linkerSettings: [LinkerSetting] = []
) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies, path: path, resources: embedded.map { .embedInCode($0) },
        swiftSettings: memorySafe + settings, linkerSettings: linkerSettings, plugins: plugins)
}
func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: strict)
}

#if arch(arm64)
    let architecture = "aarch64"
#else
    let architecture = "x86_64"
#endif

/// For small programs that need few libraries. The links in `link` lead to the static forms of some, where the system has
/// them; that folder must be searched before the system's, which the package manager puts first for targets with a
/// `pkgConfig`. CPortability replaces functions of newer versions of glibc.
let portable: [LinkerSetting] = [
    .unsafeFlags([
        "-use-ld=lld",
        "-L", "\(Context.packageDirectory)/Sources/mulliond/link",
        "-L", "\(Context.packageDirectory)/Sources/mulliond/link/\(architecture)",
        "-Xlinker", "--wrap=hypot", "-Xlinker", "--wrap=hypotf", "-Xlinker", "--no-export-dynamic",
        "-Xlinker", "--icf=safe",
    ])
]

/// Makes a start cheaper; most of its cost is loading the program. The functions that a start uses are placed together, see
/// Config/order. Packed relative relocations would save a little more, but only glibc 2.36 and newer know them.
let quickStart: [LinkerSetting] = [
    .unsafeFlags(
        [
            "-Xlinker", "--symbol-ordering-file=\(Context.packageDirectory)/Sources/mulliond/link/order.txt",
            "-Xlinker", "--no-warn-symbol-ordering",
        ], .when(configuration: .release))
]

let examples = [
    "alert", "status-bar", "floating-button", "splash", "banner", "on-screen-keyboard", "presenter", "main-window",
    "kiosk",
].map { program($0, ["ExampleSupport", "MullionClient", "MullionDrawing"], path: "Sources/Examples/\($0)") }

let package = Package(
    name: "Mullion",
    products: [
        .library(name: "MullionClient", targets: ["MullionClient"]),
        .library(name: "MullionDrawing", targets: ["MullionDrawing"]),
        .library(name: "MullionTesting", targets: ["MullionTesting"]),
        .executable(name: "mulliond", targets: ["mulliond"]),
        .executable(name: "mullionctl", targets: ["mullionctl"]),
        .executable(name: "mullion-x11", targets: ["mullion-x11"]),
        .executable(name: "mullion-bench", targets: ["mullion-bench"]),
    ],
    targets: [
        .systemLibrary(name: "CLibevent", providers: [.apt(["libevent-dev"])]),
        .systemLibrary(name: "CMullionPNG", path: "Sources/CPNG", providers: [.apt(["libpng-dev"])]),
        .systemLibrary(name: "CMullionXKBCommon", path: "Sources/CXKBCommon", providers: [.apt(["libxkbcommon-dev"])]),
        .systemLibrary(
            name: "CMullionCairo", path: "Sources/CCairo", pkgConfig: "cairo", providers: [.apt(["libcairo2-dev"])]),
        .systemLibrary(
            name: "CMullionPango", path: "Sources/CPango", pkgConfig: "pangocairo",
            providers: [.apt(["libpango1.0-dev"])]),
        cLibrary("CMullionPixman", path: "Sources/CPixman"),
        cLibrary("CSystemd"),
        cLibrary("CMullionLinux", path: "Sources/CLinux"),
        cLibrary("CMullionMainQueue", path: "Sources/CMainQueue"),
        cLibrary("CCairoRuntime"),
        cLibrary("CPNGRuntime"),
        cLibrary("CPortability"),

        .executableTarget(name: "WaylandScanner", swiftSettings: memorySafe),
        .plugin(
            name: "WaylandScannerPlugin", capability: .buildTool(), dependencies: ["WaylandScanner"],
            path: "Sources/WaylandScannerPlugin"),
        library("RuleCatalog"),
        .executableTarget(name: "RuleScanner", dependencies: ["RuleCatalog"], swiftSettings: memorySafe),
        .plugin(
            name: "RuleScannerPlugin", capability: .buildTool(), dependencies: ["RuleScanner"],
            path: "Sources/RuleScannerPlugin"),
        .executableTarget(name: "ContractScanner", dependencies: ["RuleCatalog"], swiftSettings: memorySafe),
        .plugin(
            name: "ContractScannerPlugin", capability: .buildTool(), dependencies: ["ContractScanner"],
            path: "Sources/ContractScannerPlugin"),
        library("MullionSystem", ["CMullionLinux"], path: "Sources/System"),
        library(
            "MullionWayland", ["MullionSystem"], path: "Sources/Wayland", plugins: ["WaylandScannerPlugin"],
            exclude: ["Protocols"]),
        library("MullionGeometry", path: "Sources/Geometry"),
        library("Requirements", ["MullionSystem"]),
        serverLibrary("JSON5", ["MullionSystem"], settings: quickInTests),
        serverLibrary(
            "ControlProtocol", ["JSON5"], plugins: ["ContractScannerPlugin"], exclude: ["Contract"],
            settings: compact),
        serverLibrary("StateCoding", settings: quickInTests),
        serverLibrary("EventLoop", ["MullionSystem", "CLibevent"]),
        serverLibrary("WindowModel", ["MullionGeometry"], plugins: ["RuleScannerPlugin"], settings: quickInTests),
        serverLibrary(
            "Displays", ["WindowModel", "MullionGeometry", "JSON5", "MullionSystem"], settings: quickInTests),
        library("MullionKeymaps", ["MullionSystem", "CMullionXKBCommon"], path: "Sources/Keymaps"),
        serverLibrary(
            "Compositor", ["WindowModel", "MullionGeometry", "CMullionPixman", "CPNGRuntime"], settings: quickInTests),
        serverLibrary(
            "DisplayServer",
            [
                "MullionWayland", "EventLoop", "Compositor", "WindowModel", "MullionGeometry", "StateCoding",
                "MullionSystem",
                "Displays", "JSON5", "MullionKeymaps", "CCairoRuntime",
            ]),
        serverLibrary(
            "ConfigurationSections", ["DisplayServer", "MullionWayland", "WindowModel", "MullionKeymaps", "JSON5"]),
        serverLibrary(
            "ControlAPI",
            [
                "ControlProtocol", "DisplayServer", "ConfigurationSections", "Displays", "MullionKeymaps", "EventLoop",
                "JSON5", "WindowModel", "MullionGeometry", "Compositor", "MullionSystem", "TextPatterns",
            ], plugins: ["ContractScannerPlugin"], settings: compact),
        library(
            "MullionClient",
            [
                "MullionWayland", "MullionGeometry", "MullionKeymaps", "MullionSystem", "CMullionMainQueue",
                "CMullionPixman",
            ]),
        library("MullionDrawing", ["MullionClient", "MullionSystem", "CMullionCairo", "CMullionPango", "CMullionPNG"]),
        library("MullionTesting", ["MullionSystem"]),
        program(
            "mullionctl",
            [
                "Accessibility", "MullionControl", "ControlProtocol", "CMullionLinux", "CPortability", "MullionClient",
                "JSON5", "Requirements", "MullionSystem", "MullionWayland", "TextPatterns",
            ],
            plugins: ["RuleScannerPlugin"], embedded: ["html", "css", "js"].map { "Report/report.\($0)" },
            settings: compact,
            linkerSettings: portable),
        library(
            "MullionControl", ["ControlProtocol", "HTTPClient", "JSON5", "MullionSystem"],
            plugins: ["ContractScannerPlugin", "RuleScannerPlugin"], settings: compact),
        library("Accessibility", ["Requirements", "MullionSystem", "CSystemd"]),
        library("HTTPClient", ["MullionSystem"]),
        serverLibrary("TextPatterns", settings: quickInTests),
        library("X11", ["MullionSystem"]),
        program(
            "mullion-x11", ["CPortability", "X11", "EventLoop", "MullionWayland", "Requirements", "MullionSystem"],
            settings: compact, linkerSettings: portable),
        program(
            "mullion-bench",
            [
                "DisplayServer", "EventLoop", "WindowModel", "MullionGeometry", "Compositor", "MullionWayland",
                "MullionSystem",
            ]),
        .target(
            name: "ExampleSupport", dependencies: ["MullionClient", "MullionDrawing", "MullionSystem"],
            path: "Sources/Examples/Support",
            swiftSettings: memorySafe),
    ] + examples + [
        .target(name: "CTestSupport", dependencies: ["CMullionLinux"], path: "Tests/CTestSupport"),
        .target(
            name: "TestSupport",
            dependencies: [
                "ControlAPI", "DisplayServer", "MullionWayland", "EventLoop", "Compositor", "WindowModel",
                "MullionGeometry",
                "Displays", "MullionSystem", "CMullionXKBCommon", "CMullionLinux", "CTestSupport",
            ],
            path: "Tests/Support", exclude: ["boot-systemd"], swiftSettings: strict),
        tests("ArchitectureTests", ["WindowModel"]),
        tests("WindowModelTests", ["WindowModel", "MullionGeometry"]),
        tests("EventLoopTests", ["EventLoop", "MullionSystem"]),
        tests("CompositorTests", ["Compositor", "WindowModel", "MullionGeometry"]),
        tests("SystemTests", ["MullionSystem", "CTestSupport", "CMullionLinux"]),
        tests("WaylandTests", ["TestSupport", "MullionWayland", "MullionSystem", "CMullionLinux"]),
        tests("DrawingTests", ["TestSupport", "MullionDrawing", "MullionClient"]),
        tests("X11Tests", ["X11", "MullionSystem"]),
        tests("HTTPClientTests", ["HTTPClient", "MullionSystem"]),
        tests("RequirementsTests", ["TestSupport", "Requirements"]),
        tests(
            "AccessibilityTests", ["TestSupport", "Accessibility", "WindowModel", "MullionGeometry", "MullionSystem"]),
        tests("StateCodingTests", ["TestSupport", "StateCoding"]),
        tests(
            "ControlTests",
            [
                "TestSupport", "ControlAPI", "ControlProtocol", "ConfigurationSections", "DisplayServer", "EventLoop",
                "Compositor",
                "MullionWayland", "WindowModel", "MullionGeometry", "Displays", "MullionKeymaps", "JSON5",
                "MullionSystem",
            ]),
        tests(
            "ShellTests",
            [
                "TestSupport", "DisplayServer", "MullionWayland", "Compositor", "WindowModel", "MullionGeometry",
                "Displays",
                "MullionSystem",
            ]),
        tests(
            "LayerShellTests",
            ["TestSupport", "DisplayServer", "MullionWayland", "WindowModel", "MullionGeometry", "Displays"]),
        tests(
            "LockTests",
            ["TestSupport", "DisplayServer", "MullionWayland", "WindowModel", "MullionGeometry", "Displays"]),
        tests(
            "ScreenTests",
            [
                "TestSupport", "DisplayServer", "MullionWayland", "Compositor", "WindowModel", "MullionGeometry",
                "Displays",
            ]),
        tests(
            "InputTests",
            [
                "TestSupport", "ControlAPI", "DisplayServer", "MullionWayland", "Compositor", "WindowModel",
                "MullionGeometry",
                "Displays", "MullionKeymaps",
            ]),
        tests(
            "PointerTests",
            [
                "TestSupport", "DisplayServer", "MullionWayland", "Compositor", "WindowModel", "MullionGeometry",
                "MullionSystem",
            ]),
        tests(
            "KeyboardTests",
            [
                "TestSupport", "DisplayServer", "EventLoop", "MullionWayland", "WindowModel", "MullionGeometry",
                "MullionKeymaps",
                "MullionSystem", "CMullionXKBCommon",
            ]),
        tests(
            "RandomInputTests",
            ["TestSupport", "DisplayServer", "MullionWayland", "WindowModel", "MullionGeometry", "Displays"]),
        tests(
            "SelectionTests",
            [
                "TestSupport", "DisplayServer", "EventLoop", "MullionWayland", "Compositor", "WindowModel",
                "MullionGeometry",
                "MullionSystem",
            ]),
        tests(
            "CaptureTests",
            [
                "TestSupport", "DisplayServer", "MullionWayland", "Compositor", "WindowModel", "MullionGeometry",
                "MullionSystem",
                "CMullionLinux",
            ]),
        tests(
            "TimeTests",
            [
                "TestSupport", "DisplayServer", "MullionWayland", "Compositor", "WindowModel", "MullionGeometry",
                "Displays",
            ]),
        tests(
            "WaitTests",
            [
                "TestSupport", "ControlAPI", "ControlProtocol", "DisplayServer", "Displays", "EventLoop",
                "MullionWayland", "WindowModel",
            ]),
        tests("TextPatternsTests", ["TestSupport", "TextPatterns"]),
        tests(
            "ScenarioTests",
            ["TestSupport", "ControlAPI", "DisplayServer", "EventLoop", "Compositor", "WindowModel", "MullionGeometry"]),
        tests(
            "HandOverTests",
            [
                "TestSupport", "DisplayServer", "MullionWayland", "WindowModel", "MullionGeometry", "Displays",
                "StateCoding",
                "MullionSystem",
            ]),
        tests(
            "PolicyTests",
            [
                "TestSupport", "ControlAPI", "DisplayServer", "MullionWayland", "EventLoop", "WindowModel",
                "MullionGeometry",
                "MullionSystem",
            ]),
        tests(
            "RobustnessTests",
            [
                "TestSupport", "ControlAPI", "DisplayServer", "MullionWayland", "EventLoop", "WindowModel",
                "MullionGeometry",
                "Displays", "MullionSystem",
            ]),
        tests("MullionTestingTests", ["TestSupport", "MullionTesting"], exclude: ["goldens"]),
        tests("ClientTests", ["TestSupport", "MullionClient", "MullionDrawing", "Compositor", "MullionSystem"]),
        tests(
            "ProgramTests",
            [
                "TestSupport", "DisplayServer", "Compositor", "WindowModel", "MullionGeometry", "Displays",
                "MullionSystem", "X11",
            ]),
        program("LibraryClient", ["MullionClient"], path: "Tests/LibraryClient"),
        tests("ReleaseTests", ["TestSupport", "MullionWayland", "MullionSystem"]),
        tests("ServiceTests", ["TestSupport"]),
        .executableTarget(
            name: "mulliond",
            dependencies: [
                "ControlAPI", "ConfigurationSections", "DisplayServer", "Displays", "EventLoop", "JSON5",
                "MullionSystem",
                "MullionKeymaps", "MullionWayland", "WindowModel", "CSystemd", "CPortability",
            ],
            exclude: ["link"], swiftSettings: memorySafe + withoutLookups + functionSections,
            linkerSettings: portable + quickStart),
    ],
    cLanguageStandard: .gnu17
)
