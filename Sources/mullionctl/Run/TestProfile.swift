// Settings that make programs look the same in every run.

import MullionControl
import Requirements

/// Settings of toolkits, fonts, language and time zone, in files of one folder.
///
/// Carets do not blink and animations are off, because toolkits draw both by timers that follow no clock of the server.
struct TestProfile {
    /// Variables of the caller that would change how programs look and what they say.
    ///
    /// Those that a program needs to run from where it was built stay: GSETTINGS_SCHEMA_DIR, without which it would abort,
    /// and QT_PLUGIN_PATH, with the plugins of its own Qt.
    private static let removed = [
        "GTK_THEME", "GTK_MODULES", "GTK2_MODULES", "GTK3_MODULES", "GTK_PATH", "GTK_USE_PORTAL", "GTK_CSD",
        "GTK_OVERLAY_SCROLLING", "GTK_RC_FILES", "GTK2_RC_FILES", "GTK_DEBUG", "ADW_DEBUG_COLOR_SCHEME",
        "ADW_DEBUG_HIGH_CONTRAST", "QT_STYLE_OVERRIDE", "QT_QUICK_CONTROLS_STYLE",
        "QT_FONT_DPI", "XCURSOR_THEME", "XCURSOR_SIZE", "XCURSOR_PATH", "FONTCONFIG_PATH", "FONTCONFIG_SYSROOT",
        "FREETYPE_PROPERTIES", "PANGO_LANGUAGE", "LANGUAGE",
    ]

    private let variables: [String: String]

    /// Writes the files.
    /// - Parameters:
    ///   - folder: is created.
    ///   - accessibility: whether the desktop's setting of that name is on.
    init(folder: String, accessibility: Bool) throws(CommandError) {
        func write(_ text: String, as name: String) throws(CommandError) {
            let path = "\(folder)/\(name)"
            try Folder.make(String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)]))
            try Picture.save(Array(text.utf8), as: path)
        }
        let settings = Self.settings + "toolkit-accessibility=\(accessibility)\n"
        for name in ["config", "data", "state"] { try Folder.make("\(folder)/\(name)") }
        try write(settings, as: "config/glib-2.0/settings/keyfile")
        for version in ["3.0", "4.0"] { try write(Self.gtk, as: "defaults/gtk-\(version)/settings.ini") }
        try write(Self.qt, as: "defaults/kdeglobals")
        try write(Self.fonts, as: "fonts.conf")
        var variables = [
            "LANG": "C.UTF-8", "TZ": "UTC", "FONTCONFIG_FILE": "\(folder)/fonts.conf",
            "XDG_CONFIG_HOME": "\(folder)/config", "XDG_DATA_HOME": "\(folder)/data",
            "XDG_STATE_HOME": "\(folder)/state",
            "XDG_CONFIG_DIRS": "\(folder)/defaults:\(Terminal.variable("XDG_CONFIG_DIRS") ?? "/etc/xdg")",
            "GSETTINGS_BACKEND": "keyfile",
            // The only theme in Qt itself that can stop carets; it wants to know the version of KDE.
            "QT_QPA_PLATFORMTHEME": "kde", "KDE_SESSION_VERSION": "5",
            // With Mesa, GTK 4 and Qt Quick would draw with OpenGL, where a colour differs by one step in some runs.
            "GSK_RENDERER": "cairo", "QT_QUICK_BACKEND": "software",
        ]
        if let data = try GSettingsDefaults.make(settings, in: "\(folder)/defaults") {
            variables["XDG_DATA_DIRS"] = "\(data):\(GSettingsDefaults.dataFolders)"
        }
        self.variables = variables
    }

    func apply(to environment: inout [String: String]) {
        for name in environment.keys where Self.removed.contains(name) || name.hasPrefix("LC_") {
            environment[name] = nil
        }
        environment.merge(variables) { $1 }
    }

    // MARK: Files

    /// GSettings, which GTK, Chromium and Firefox follow on Wayland.
    private static let settings = """
        [org/gnome/desktop/interface]
        cursor-blink=false
        enable-animations=false
        gtk-theme='Adwaita'
        icon-theme='Adwaita'
        cursor-theme='Adwaita'
        cursor-size=24
        color-scheme='default'
        text-scaling-factor=1.0
        font-name='Sans 10'
        document-font-name='Sans 10'
        monospace-font-name='Monospace 10'
        font-antialiasing='grayscale'
        font-hinting='none'

        """

    /// GTK's defaults: for X11, and where the schemas of GSettings are not installed.
    private static let gtk = """
        [Settings]
        gtk-cursor-blink=false
        gtk-enable-animations=false
        gtk-theme-name=Adwaita
        gtk-icon-theme-name=Adwaita
        gtk-font-name=Sans 10
        gtk-xft-antialias=1
        gtk-xft-hinting=0
        gtk-xft-hintstyle=hintnone
        gtk-xft-rgba=none
        gtk-xft-dpi=98304

        """

    /// Qt's KDE theme; style, colours and fonts are those that Qt has without a theme.
    private static let qt = """
        [KDE]
        CursorBlinkRate=0
        SingleClick=false
        widgetStyle=Fusion
        [Icons]
        Theme=hicolor
        [General]
        font=Sans Serif,9,-1,5,50,0,0,0,0,0
        menuFont=Sans Serif,9,-1,5,50,0,0,0,0,0
        toolBarFont=Sans Serif,9,-1,5,50,0,0,0,0,0
        fixed=Monospace,9,-1,5,50,0,0,0,0,0
        [Colors:Window]
        BackgroundNormal=239,239,239
        ForegroundNormal=0,0,0
        [Colors:Button]
        BackgroundNormal=239,239,239
        ForegroundNormal=0,0,0
        [Colors:View]
        BackgroundNormal=255,255,255
        BackgroundAlternate=247,247,247
        ForegroundNormal=0,0,0
        ForegroundLink=0,0,255
        ForegroundVisited=255,0,255
        [Colors:Selection]
        BackgroundNormal=48,140,198
        ForegroundNormal=255,255,255
        [Colors:Tooltip]
        BackgroundNormal=255,255,220
        ForegroundNormal=0,0,0

        """

    /// Fontconfig: the system's fonts and those that are installed with this program, but neither the system's rules nor
    /// those of a person.
    private static let fonts = """
        <?xml version="1.0"?>
        <!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
        <fontconfig>
          \(Requirement.fontFolders.map { "<dir>\(Markup.escape($0))</dir>" }.joined())
          <cachedir>/var/cache/fontconfig</cachedir>
          <cachedir prefix="xdg">fontconfig</cachedir>
          <selectfont>
            <rejectfont>
              <pattern>
                <patelt name="outline"><bool>false</bool></patelt>
                <patelt name="scalable"><bool>false</bool></patelt>
              </pattern>
            </rejectfont>
          </selectfont>
          <match target="pattern">
            <edit name="antialias" mode="assign"><bool>true</bool></edit>
            <edit name="hinting" mode="assign"><bool>false</bool></edit>
            <edit name="autohint" mode="assign"><bool>false</bool></edit>
            <edit name="hintstyle" mode="assign"><const>hintnone</const></edit>
            <edit name="rgba" mode="assign"><const>none</const></edit>
            <edit name="lcdfilter" mode="assign"><const>lcdnone</const></edit>
          </match>
          <match target="pattern">
            <test name="family"><string>mono</string></test>
            <edit name="family" mode="assign" binding="same"><string>monospace</string></edit>
          </match>
          <!-- Any other family is without serifs, if it is not installed. -->
          <match target="pattern">
            <test qual="all" name="family" compare="not_eq"><string>serif</string></test>
            <test qual="all" name="family" compare="not_eq"><string>monospace</string></test>
            <edit name="family" mode="append_last"><string>sans-serif</string></edit>
          </match>
          <alias><family>sans-serif</family><prefer><family>DejaVu Sans</family></prefer></alias>
          <alias><family>serif</family><prefer><family>DejaVu Serif</family></prefer></alias>
          <alias><family>monospace</family><prefer><family>DejaVu Sans Mono</family></prefer></alias>
        </fontconfig>

        """
}
