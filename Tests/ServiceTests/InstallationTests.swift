// Config/install on a real system: the installation works, and can be removed.

import Testing

@Suite(.enabled(if: Machine.canBoot, "a copy of this machine with systemd can be booted"))
struct InstallationTests {
    @Test("An installation is complete, its units are valid and hardened, and uninstalling removes exactly that")
    func installation() throws {
        let transcript = try Machine.boot(
            #"""
            # Where installations go; other folders of the machine may change meanwhile, which the copy shows.
            everything() { find /etc /usr /opt /var/lib -xdev -path /var/lib/systemd -prune -o -print | sort; }
            everything >/tmp/before
            "$package/Config/install" --binaries "$binaries" >/dev/null
            say verify "$(systemd-analyze verify mullion.service mullion.socket mullion-control.socket 2>&1)"
            say verify "$(systemd-analyze verify mullion@a.service mullion@a.socket mullion-control@a.socket 2>&1)"
            say exposure "$(systemd-analyze security --no-pager mullion.service | sed -n 's/.*level for .*: \([0-9.]*\).*/\1/p')"
            systemctl preset --quiet mullion.service mullion.socket mullion-control.socket
            say preset "$(systemctl is-enabled mullion.service mullion.socket mullion-control.socket | paste -sd ' ')"
            page() { realpath "$(man --where "$@")"; }
            say pages "$(page 8 mulliond)" "$(page 1 mullionctl)" "$(page 5 mullion.json5)" \
                "$(page 5 mullion-scenario)" "$(page 7 mullion-control)" "$(page 7 mullion-protocol)" \
                "$(page 7 mullion-pytest)" "$(page 1 mullion-x11)" "$(page 1 mullion-xvfb-run)"
            say library "$(mullionctl run -- mullionctl displays | grep -c projector-xga)"
            mullionctl scenario /usr/local/share/mullion/scenarios/levels.json5 --output /tmp/pictures >/dev/null
            say scenario "$?"
            mullionctl scenario --schema | cmp - /usr/local/share/mullion/scenario.schema.json && say schema same
            folder=$(pkg-config --variable=pkgdatadir mullion-protocols)
            cmp "$folder/mullion-v1.xml" "$package/Sources/Wayland/Protocols/mullion-v1.xml" && say protocol "$folder"
            say version "$(pkg-config --modversion mullion-protocols) $(mulliond --version)"
            say examples "$(cd /usr/local/share/doc/mullion/examples && echo */*)"
            systemctl start mullion.socket
            mullionctl status >/dev/null
            # Once more over the first one, as in an update.
            cp /usr/local/share/mullion/installed /tmp/list
            "$package/Config/install" --binaries "$binaries" >/dev/null
            cmp /tmp/list /usr/local/share/mullion/installed && say twice same
            "$package/Config/install" --uninstall
            say gone "$?" "$(property LoadState)"
            everything >/tmp/after
            say left "$(comm -13 /tmp/before /tmp/after | paste -sd ' ')"
            say lost "$(comm -23 /tmp/before /tmp/after | paste -sd ' ')"
            """#)
        #expect(transcript.status == 0, "\(transcript)")
        #expect(transcript["verify"] == ["", ""], "\(transcript)")
        let exposure = try #require(transcript["exposure"].first.flatMap { Double($0) }, "\(transcript)")
        #expect(exposure < 1.5)
        #expect(transcript["preset"] == ["disabled enabled enabled"], "\(transcript)")
        let pages = [
            "8/mulliond.8", "1/mullionctl.1", "5/mullion.json5.5", "5/mullion-scenario.5", "7/mullion-control.7",
            "7/mullion-protocol.7", "7/mullion-pytest.7", "1/mullion-x11.1", "1/mullion-xvfb-run.1",
        ]
        #expect(transcript["pages"] == [pages.map { "/usr/local/share/man/man\($0).gz" }.joined(separator: " ")])
        #expect(transcript["library"] == ["1"] && transcript["scenario"] == ["0"], "\(transcript)")
        #expect(transcript["schema"] == ["same"], "\(transcript)")
        #expect(transcript["protocol"] == ["/usr/local/share/mullion-protocols"], "\(transcript)")
        let version = try #require(transcript["version"].first).split(separator: " ")
        #expect(version.count == 3 && version[0] == version[2], "\(transcript)")
        #expect(transcript["examples"] == ["c/two-screens.c python/two-screens.py"], "\(transcript)")
        #expect(transcript["twice"] == ["same"], "\(transcript)")
        #expect(transcript["gone"] == ["0 not-found"], "\(transcript)")
        // The user that it created remains, as usual with systemd-sysusers, and so do the server's files.
        let left = transcript["left"].first?.split(separator: " ").filter { !$0.hasPrefix("/etc/") } ?? []
        #expect(Set(left).subtracting(["/var/lib/mullion", "/var/lib/mullion/screens.json"]) == [], "\(transcript)")
        #expect(!(transcript["left"].first ?? "").contains("/etc/mullion"), "\(transcript)")
        #expect(!(transcript["left"].first ?? "").contains("/etc/default/mullion"), "\(transcript)")
        #expect(transcript["lost"] == [""], "\(transcript)")
    }

    @Test("Another prefix works too: its monitor library is found, and a changed configuration is kept")
    func prefix() throws {
        let transcript = try Machine.boot(
            #"""
            PREFIX=/opt/mullion "$package/Config/install" --binaries "$binaries" >/dev/null
            PATH=/opt/mullion/bin:$PATH
            say program "$(systemctl cat mullion.service | sed -n 's/^ExecStart=//p')"
            say library "$(mullionctl run -- mullionctl displays | grep -c projector-xga)"
            systemctl start mullion.socket mullion-control.socket
            say control "$(mullionctl status | sed -n 's/^health *//p')"
            echo '// mine' >>/etc/mullion/mullion.json5
            PREFIX=/opt/mullion "$package/Config/install" --uninstall 2>/tmp/words
            say words "$(cat /tmp/words)"
            say kept "$(tail -n 1 /etc/mullion/mullion.json5)"
            say folders "$(ls -d /opt/mullion /etc/systemd/system/mullion* 2>/dev/null)"
            "$package/Config/install" --uninstall 2>/tmp/words
            say none "$?" "$(cat /tmp/words)"
            "$package/Config/install" --prefix relative 2>/tmp/words
            say relative "$?" "$(cat /tmp/words)"
            "$package/Config/install" --binaries /nowhere 2>/tmp/words
            say nowhere "$?" "$(cat /tmp/words)"
            """#)
        #expect(transcript.status == 0, "\(transcript)")
        #expect(transcript["program"] == ["/opt/mullion/bin/mulliond $MULLION_OPTIONS"], "\(transcript)")
        #expect(
            transcript["library"] == ["1"] && transcript["control"].first?.contains("1 screen") == true, "\(transcript)"
        )
        #expect(transcript["words"] == ["/etc/mullion/mullion.json5 was changed: kept"], "\(transcript)")
        #expect(transcript["kept"] == ["// mine"] && transcript["folders"] == [""], "\(transcript)")
        #expect(transcript["none"].first?.hasPrefix("1 install: /usr/local/share/mullion/installed is missing") == true)
        #expect(transcript["relative"] == ["1 install: the prefix relative is not an absolute path"], "\(transcript)")
        #expect(transcript["nowhere"] == ["1 install: /nowhere has no program mulliond"], "\(transcript)")
    }
}
