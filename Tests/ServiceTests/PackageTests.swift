// The Debian package: built, checked by lintian, installed, upgraded, removed, purged.

import FoundationEssentials
import TestSupport
import Testing

@Suite(.serialized) struct PackageTests {
    /// A folder with packages of one source.
    private final class Packages {
        let folder: String
        /// The programs' packages.
        let files: [String]
        /// The Python module's.
        let python: [String]

        init(revisions: [String]) throws {
            folder = "/tmp/mullion-package-\(UUID().uuidString)"
            var files: [String] = []
            for revision in revisions {
                let words = ["--binaries", Machine.binaries, "--output", folder, "--revision", revision]
                let transcript = try Transcript("\(Machine.package)/Config/package", words)
                try #require(transcript.status == 0, "\(transcript)")
                files += transcript.output.split(separator: "\n").map(String.init).filter { $0.hasSuffix(".deb") }
            }
            self.files = files.filter { !$0.contains("/python3-") }
            python = files.filter { $0.contains("/python3-") }
        }

        deinit { try? FileManager.default.removeItem(atPath: folder) }
    }

    @Test(
        "lintian finds no mistake in the package",
        .enabled(if: Program.isInstalled("lintian") && Program.isInstalled("dpkg-shlibdeps")))
    func lintian() throws {
        let packages = try Packages(revisions: ["1"])
        let words = ["--allow-root", "--fail-on", "error"]
        let transcript = try Transcript("lintian", words + [packages.files[0], packages.python[0]])
        #expect(transcript.status == 0, "\(transcript)")
        let tags = transcript.output.split(separator: "\n").filter { $0.hasPrefix("E:") || $0.hasPrefix("W:") }
        #expect(tags == [], "\(transcript)")
    }

    @Test(
        "The package has the versions of Config/debian/changelog, and another revision one before them",
        .enabled(if: Program.isInstalled("dpkg-parsechangelog") && Program.isInstalled("dpkg-shlibdeps")))
    func changelog() throws {
        let written = try String(contentsOfFile: "\(Machine.package)/Config/debian/changelog", encoding: .utf8)
        let latest = try Transcript(
            "dpkg-parsechangelog", ["-l", "\(Machine.package)/Config/debian/changelog", "-S", "Version"])
        // Mistakes in the file would be further lines.
        let lines = latest.output.split(separator: "\n")
        try #require(latest.status == 0 && lines.count == 1, "\(latest)")
        let revision = String(lines[0].split(separator: "-").last ?? "")
        let packages = try Packages(revisions: [revision, "99"])
        for (file, revision) in zip(packages.files, [revision, "99"]) {
            let script = #"""
                dpkg-deb --field "$0" Version
                dpkg-deb --fsys-tarfile "$0" | tar --extract --to-stdout ./usr/share/doc/mullion/changelog.Debian.gz |
                    gunzip
                """#
            let transcript = try Transcript("bash", ["-c", script, file])
            let lines = transcript.output.split(separator: "\n", omittingEmptySubsequences: false)
            let own = lines.dropFirst().joined(separator: "\n")
            #expect(
                lines[0].hasSuffix("-\(revision)") && own.hasPrefix("mullion (\(lines[0])) unstable"), "\(transcript)")
            #expect(own.hasSuffix(written) && (own == written) == (revision != "99"), "\(transcript)")
        }
    }

    @Test(
        "The package installs, upgrades a running server, keeps a changed configuration, and purges to nothing",
        .enabled(
            if: Machine.canBoot && Program.isInstalled("dpkg-shlibdeps") && Program.isInstalled("pytest-3"),
            "a copy of this machine with systemd can be booted"))
    func life() throws {
        let packages = try Packages(revisions: ["1", "2"])
        let transcript = try Machine.boot(
            sharing: [packages.folder],
            """
            old='\(packages.files[0])' new='\(packages.files[1])'
            oldpython='\(packages.python[0])' newpython='\(packages.python[1])'

            """ + #"""
                names() { find /etc /usr /var/lib /var/log /run -xdev -name '*mullion*' | sort; }
                names >/tmp/before
                # Without rebuilding the index of manual pages each time.
                rm -f /var/lib/man-db/auto-update
                dpkg --install "$old" "$oldpython" >/tmp/dpkg 2>&1
                say installed "$?" "$(systemctl is-enabled mullion.socket mullion-control.socket mullion.service | paste -sd ' ')"
                say sockets "$(systemctl is-active mullion.socket mullion-control.socket mullion.service | paste -sd ' ')"
                say control "$(mullionctl status | sed -n 's/^health *//p')"
                say library "$(mullionctl displays | grep -c projector-xga)"
                say verify "$(systemd-analyze verify mullion.service mullion.socket mullion-control.socket 2>&1)"
                folder=$(pkg-config --variable=pkgdatadir mullion-protocols)
                cmp "$folder/mullion-v1.xml" "$package/Sources/Wayland/Protocols/mullion-v1.xml" && say protocol "$folder"
                say examples "$(cd /usr/share/doc/mullion/examples && echo */*)"
                say changed "$(dpkg --verify mullion python3-pytest-mullion)"
                # pytest finds the plugin, in a copy of the examples.
                cp -r /usr/share/doc/python3-pytest-mullion/examples /tmp/examples && cd /tmp/examples
                say python "$(/usr/bin/python3 -m pytest -q -p no:cacheprovider 2>&1 | tail -n 1)"
                cd /
                pid=$(property MainPID)
                systemctl start mullion@second.socket mullion-control@second.socket
                mullionctl --server second status >/dev/null
                second() { systemctl show mullion@second.service -P "$1"; }
                second=$(second MainPID)
                sed -i 's/level: "info"/level: "debug"/' /etc/mullion/mullion.json5
                systemctl disable --quiet mullion-control.socket
                WAYLAND_DISPLAY=/run/mullion/wayland-0 mullionctl claim title=kept >/dev/null &
                claim=$!
                await eval 'mullionctl windows | grep -q kept'
                # A mistake in the configuration ends no client, and is reported.
                echo 'MULLION_OPTIONS="--config /etc/mullion/wrong.json5"' >/etc/default/mullion
                echo '{ bogus: 1 }' >/etc/mullion/wrong.json5
                dpkg --install --force-confdef "$new" "$newpython" >/tmp/dpkg 2>&1
                say upgraded "$?" "$(dpkg-query --show --showformat '${Version}' mullion)"
                say second "$(second ActiveState)" "$([ "$(second MainPID)" != "$second" ] && echo anew)"
                say runs "$(property ActiveState)" "$([ "$(property MainPID)" != "$pid" ] && echo anew)"
                kill -0 $claim
                say claim "$?" "$(mullionctl windows | grep -c kept)"
                say mistake "$(grep -c 'unknown key "bogus"' /tmp/dpkg)" "$(grep -c 'systemctl reload mullion' /tmp/dpkg)"
                say status "$(property StatusText)"
                echo '{}' >/etc/mullion/wrong.json5
                systemctl reload mullion.service
                say corrected "$?"
                await is StatusText 'Serving on /run/mullion/wayland-0'
                rm /etc/mullion/wrong.json5
                say choice "$(systemctl is-enabled mullion.socket mullion-control.socket | paste -sd ' ')"
                say kept "$(grep -c '"debug"' /etc/mullion/mullion.json5)"
                dpkg --remove mullion python3-pytest-mullion >/tmp/dpkg 2>&1
                say removed "$?" "$(property ActiveState)" "$(second ActiveState)" "$(ls /run/mullion 2>&1 | grep -c sock)" "$(ls /etc/mullion)"
                dpkg --install "$new" >/tmp/dpkg 2>&1
                say back "$?" "$(systemctl is-enabled mullion.socket mullion-control.socket | paste -sd ' ')"
                dpkg --purge mullion >/tmp/dpkg 2>&1
                say purged "$?" "$(grep -i warn /tmp/dpkg)"
                say left "$(names | comm -13 /tmp/before - | paste -sd ' ')"
                """#)
        #expect(transcript.status == 0, "\(transcript)")
        #expect(transcript["installed"] == ["0 enabled enabled disabled"], "\(transcript)")
        #expect(transcript["sockets"] == ["active active inactive"], "\(transcript)")
        #expect(
            transcript["control"].first?.contains("1 screen") == true && transcript["library"] == ["1"], "\(transcript)"
        )
        #expect(transcript["verify"] == [""] && transcript["changed"] == [""], "\(transcript)")
        #expect(transcript["protocol"] == ["/usr/share/mullion-protocols"], "\(transcript)")
        #expect(transcript["examples"] == ["c/two-screens.c python/two-screens.py"], "\(transcript)")
        #expect(transcript["python"].first?.hasPrefix("1 passed") == true, "\(transcript)")
        #expect(transcript["upgraded"].first?.hasPrefix("0 ") == true, "\(transcript)")
        #expect(transcript["upgraded"].first?.hasSuffix("-2") == true, "\(transcript)")
        #expect(transcript["runs"] == ["active anew"] && transcript["second"] == ["active anew"], "\(transcript)")
        #expect(transcript["claim"] == ["0 1"] && transcript["mistake"] == ["1 1"], "\(transcript)")
        #expect(transcript["status"].first?.contains("unknown key \"bogus\"") == true, "\(transcript)")
        #expect(transcript["corrected"] == ["0"], "\(transcript)")
        #expect(transcript["choice"] == ["enabled disabled"] && transcript["kept"] == ["1"], "\(transcript)")
        #expect(transcript["removed"] == ["0 inactive inactive 0 mullion.json5"], "\(transcript)")
        #expect(transcript["back"] == ["0 enabled disabled"], "\(transcript)")
        #expect(transcript["purged"] == ["0 "] && transcript["left"] == [""], "\(transcript)")
    }
}
