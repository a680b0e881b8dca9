// More than one server on a real systemd.

import FoundationEssentials
import Testing

@Suite struct NamedServiceTests {
    @Test(
        "two servers share nothing: clients, screens, stored screens, restarts",
        .enabled(if: Machine.canBoot, "a copy of this machine with systemd can be booted"))
    func beside() throws {
        let transcript = try Machine.boot(
            #"""
            "$package/Config/install" --binaries "$binaries" >/dev/null
            useradd --groups mullion member
            echo 'MULLION_OPTIONS="--screen 640x480,name=left"' >/etc/default/mullion@a
            echo '{ screens: ["800x600,name=right"] }' >/etc/mullion/b.json5
            for name in a b; do
                systemctl enable --quiet --now mullion@$name.socket mullion-control@$name.socket
                say screens "$(mullionctl --server $name screens | grep -o 'left\|right')"
                runuser -u member -- env -u XDG_RUNTIME_DIR WAYLAND_DISPLAY=/run/mullion@$name/wayland-0 \
                    mullionctl claim "title=of-$name" >/dev/null &
                eval "claim_$name=$!"
                await eval "mullionctl --server $name windows | grep -q of-$name"
                mullionctl --server $name plug 320x200 name=extra-$name >/dev/null
            done
            say windows "$(mullionctl --server a windows | grep -o 'of-.' | paste -sd ' ')"
            of() { systemctl show "mullion@$1.service" -P "$2"; }
            (before=$(of b MainPID); systemctl restart mullion@a.service; [ "$before" = "$(of b MainPID)" ])
            say other "$?"
            kill -0 $claim_a && kill -0 $claim_b && say both run
            say windows "$(mullionctl --server a windows | grep -o 'of-.' | paste -sd ' ')"
            systemctl stop mullion@b.service
            say remembered "$(grep -o 'extra-.' /var/lib/mullion@a/screens.json /var/lib/mullion@b/screens.json | sort -u | paste -sd ' ')"
            say one "$(systemctl is-active mullion.service mullion@a.service mullion@b.service | paste -sd ' ')"
            say none "$(mullionctl --server c status 2>&1)"
            "$package/Config/install" --uninstall 2>/dev/null
            say gone "$(ls -d /run/mullion* 2>/dev/null)" "$(systemctl list-units --plain --no-legend 'mullion*@*' | paste -sd ' ')"
            """#)
        #expect(transcript.status == 0, "\(transcript)")
        #expect(transcript["screens"] == ["left", "right"], "\(transcript)")
        #expect(transcript["windows"] == ["of-a", "of-a"] && transcript["both"] == ["run"], "\(transcript)")
        #expect(transcript["other"] == ["0"], "\(transcript)")
        let state = ["a", "b"].map { "/var/lib/mullion@\($0)/screens.json:extra-\($0)" }
        #expect(transcript["remembered"] == [state.joined(separator: " ")], "\(transcript)")
        #expect(transcript["one"] == ["inactive active inactive"], "\(transcript)")
        #expect(transcript["none"].first?.contains("no server at /run/mullion@c/control.sock") == true, "\(transcript)")
        #expect(transcript["gone"] == [" "], "\(transcript)")
    }

    @Test("the units of named servers are those of the default one with the name inserted", arguments: ["", "user/"])
    func templates(folder: String) throws {
        func text(_ unit: String) throws -> String {
            try String(contentsOfFile: "\(Machine.package)/systemd/\(folder)\(unit)", encoding: .utf8)
        }
        for (unit, kind) in [("mullion", "service"), ("mullion", "socket"), ("mullion-control", "socket")] {
            let named = try text("\(unit)@.\(kind)")
            #expect(named.contains("@%i/") && named.contains("Mullion %i: "))
            let plain = named.replacing("@%i", with: "").replacing(" --name %i", with: "")
                .replacing("Mullion %i: ", with: "Mullion ").replacing("mullion@NAME", with: "mullion")
            #expect(try plain == text("\(unit).\(kind)"), "\(folder)\(unit).\(kind)")
        }
    }
}
