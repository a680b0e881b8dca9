// The parts of the report that show one moment, or all of a kind.

extension ReportPage {
    /// The pictures of a moment, with the input drawn on them.
    static let stage = #"""
        const apply = (m, x, y) => [m[0] * x + m[2] * y + m[4], m[1] * x + m[3] * y + m[5]];
        // What was injected since the picture before, and a moment earlier, by screen; before a failure, also what came
        // between the picture and that.
        function traces(index) {
          const at = moments[index].at, from = Math.min(index ? moments[index - 1].at : 0, at - 0.7);
          const next = index + 1 < moments.length ? moments[index + 1].at : Infinity;
          const until = Math.max(at + 0.05, ...findings.map(one => one.at).filter(time => time > at && time < next));
          const found = [], paths = {}, pointer = {};
          for (const event of events) {
            if (event.at > until) break;
            if (event.event !== "input") continue;
            const input = event.input, isShown = event.at >= from;
            const add = one => { if (isShown) found.push(one); };
            for (const touch of input.touches || (input.type === "touch" ? [input] : [])) {
              const id = "touch" + touch.id;
              if (touch.phase === "began" || !paths[id]) add(paths[id] = { kind: "touch", screen: input.screen, points: [] });
              paths[id].points.push([touch.x, touch.y]);
              paths[id].end = touch.phase;
            }
            if (input.type === "hover" && input.x != null) {
              pointer.screen = input.screen; pointer.point = [input.x, input.y];
              if (pointer.path) pointer.path.points.push(pointer.point);
              add({ kind: "hover", screen: input.screen, points: [pointer.point] });
            }
            if (input.type === "button" && pointer.point) {
              if (input.pressed) add(pointer.path = { kind: "click", screen: pointer.screen, points: [pointer.point], button: input.button });
              else pointer.path = null;
            }
            if (input.type === "scroll" && pointer.point)
              add({ kind: "scroll", screen: pointer.screen, points: [pointer.point], x: input.deltaX, y: input.deltaY });
          }
          const hovers = found.filter(one => one.kind === "hover");
          for (const one of found) {
            const [x, y] = one.points[0];
            one.moves = one.points.some(point => Math.hypot(point[0] - x, point[1] - y) > 2);
            one.label = one.kind === "touch" ? (one.moves ? "touch, moving" : "touch")
              : one.kind === "click" ? (one.moves ? "drag with the pointer" : "click")
              : one.kind === "hover" ? "pointer" : one.kind;
          }
          return found.filter(one => one.kind !== "hover" || one === hovers[hovers.length - 1]);
        }
        function overlay(image, screen, marked) {
          const width = image.naturalWidth || 1, height = image.naturalHeight || 1, unit = Math.max(width, height) / 100;
          const svg = drawn("svg", { viewBox: "0 0 " + width + " " + height, role: "img",
            "aria-label": "injected input: " + (marked.map(one => one.label + " at " + one.points[0].map(Math.round)).join(", ") || "none") });
          const color = "#ff5a00";
          for (const one of marked) {
            const points = one.points.map(([x, y]) => apply(screen.toPixels, x, y));
            const [x, y] = points[points.length - 1];
            if (one.moves) for (const [stroke, thick] of [["#fff", 0.9], [color, 0.45]])
              svg.append(drawn("polyline", { points: points.map(point => point.join()).join(" "), fill: "none",
                stroke, "stroke-width": unit * thick, "stroke-linejoin": "round", "stroke-linecap": "round" }));
            const size = one.kind === "hover" ? 0.8 : 1.7;
            svg.append(drawn("circle", { cx: x, cy: y, r: unit * size, fill: color, "fill-opacity": one.kind === "hover" ? 0.9 : 0.35,
              stroke: "#fff", "stroke-width": unit * 0.55 }));
            svg.append(drawn("circle", { cx: x, cy: y, r: unit * size, fill: "none", stroke: color, "stroke-width": unit * 0.3 }));
            if (one.kind === "click")
              svg.append(drawn("circle", { cx: x, cy: y, r: unit * 0.5, fill: color }));
          }
          return svg;
        }
        // Outlines a window, or a part of it in its own points.
        function outline(window, part) {
          for (const svg of document.querySelectorAll("#screens svg")) {
            svg.querySelectorAll(".outline").forEach(old => old.remove());
            if (!window || !window.toPixels || svg.dataset.screen !== String(window.screen)) continue;
            const { x, y, width, height } = part || { ...window.frame, x: 0, y: 0 }, unit = svg.viewBox.baseVal.width / 100;
            const corners = [[x, y], [x + width, y], [x + width, y + height], [x, y + height]].map(([x, y]) => apply(window.toPixels, x, y));
            svg.append(drawn("polygon", { class: "outline", points: corners.map(point => point.join()).join(" "),
              fill: "#2f7bff", "fill-opacity": 0.18, stroke: "#2f7bff", "stroke-width": unit * 0.4 }));
          }
        }
        function showMoment() {
          const box = $("screens"), moment = moments[current];
          box.replaceChildren();
          if (!moment) {
            $("moment").textContent = "No pictures were recorded";
            return;
          }
          $("moment").textContent = "Picture " + (current + 1) + " of " + moments.length + ", at " + seconds(moment.at);
          if (!moment.screens.length) box.append(make("p", { class: "empty" }, "No screen was connected."));
          const marked = traces(current);
          for (const screen of moment.screens) {
            const shown = marked.filter(one => one.screen === screen.name), places = placesOn(screen);
            const image = make("img", { src: source(screen.picture), alt: "what the screen " + screen.name + " showed" });
            const picture = make("div", { class: "picture" }, image);
            const draw = () => {
              const svg = overlay(image, screen, shown);
              markPlaces(svg, places);
              svg.dataset.screen = String(screen.id);
              picture.querySelectorAll("svg").forEach(old => old.remove());
              picture.append(svg);
            };
            if (image.complete && image.naturalWidth) draw(); else image.addEventListener("load", draw);
            const what = [...new Set(shown.map(one => one.label))].join(", ");
            box.append(make("figure", {}, picture, make("figcaption", {},
              screen.name + " · " + screen.mode + (what ? " · input: " + what : "") + (places.length ? " · in red: the failure" : ""))));
          }
          box.append(...comparisons());
        }
        """#

    /// The tabs: steps where a library has noted them, windows, widgets where some were noted, events, programs, logs.
    static let details = #"""
        const tabs = [...(steps.length ? [["steps", "Steps"]] : []), ["windows", "Windows"], ...(notes.some(note => note.widgets) ? [["widgets", "Widgets"]] : []),
          ["events", "Events"], ["programs", "Programs"], ["logs", "Logs"]];
        // The tab that explains a failure.
        const explanation = one => isProgram(one) ? "programs"
          : ["refusal", "missedInput"].includes(one.kind) ? "events"
          : one.note != null && isAboutWidgets(notes[one.note]) ? "widgets" : "windows";
        let tab = findings.length ? explanation(findings[0]) : tabs[0][0];
        let filter = "";
        function showTabs() {
          $("tabs").append(...tabs.map(([id, label]) => make("button", { role: "tab", id: "tab-" + id,
            "aria-selected": "false", "aria-controls": "panel", tabindex: "-1", onclick: () => choose(id) },
            label + (id === "programs" ? " (" + clients.length + ")" : ""))));
          markTab();
        }
        // The buttons stay, and with them the keyboard focus.
        function markTab() {
          for (const [id] of tabs) {
            $("tab-" + id).setAttribute("aria-selected", String(tab === id));
            $("tab-" + id).tabIndex = tab === id ? 0 : -1;
          }
        }
        function choose(id) { tab = id; markTab(); showPanel(); }
        function showPanel() {
          const panel = $("panel");
          // The focus goes to what is in the same place then.
          const focusable = () => [...panel.querySelectorAll("button, input, summary, [tabindex]")];
          const place = focusable().indexOf(document.activeElement);
          panel.setAttribute("aria-labelledby", "tab-" + tab);
          panel.replaceChildren(...{ steps: stepList, windows: windowTree, widgets: widgetTree, events: eventList,
            programs: programList, logs: logList }[tab]());
          if (place >= 0) (focusable()[place] || focusable().pop() || panel).focus();
          if (tab === "events") markNear();
        }
        function windowItem(window, key) {
          const tags = [];
          if (window.id === key) tags.push(make("span", { class: "tag key" }, "key"));
          if (!window.visible) tags.push(make("span", { class: "tag" }, window.hidden ? "hidden" : "not visible"));
          if (window.level) tags.push(make("span", { class: "tag" }, "level " + window.level));
          const { x, y, width, height } = window.frame;
          const button = make("button", { type: "button" }, make("b", {}, window.title || "(no title)"), ...tags,
            make("div", { class: "soft" }, "window " + window.id + " of " + window.applicationName + " · "
              + [x, y].map(value => +value.toFixed(1)).join(",") + " " + [width, height].map(value => +value.toFixed(1)).join("×")));
          for (const event of ["focus", "mouseenter"]) button.addEventListener(event, () => outline(window));
          for (const event of ["blur", "mouseleave"]) button.addEventListener(event, () => outline(null));
          return make("li", {}, button);
        }
        function windowTree() {
          const moment = moments[current];
          if (!moment) return [make("p", { class: "empty" }, "No windows were recorded.")];
          const branches = moment.screens.map(screen => [screen.name + " · " + screen.mode + " · "
            + screen.bounds.width + "×" + screen.bounds.height + " points",
            moment.windows.filter(window => window.screen === screen.id)]);
          const waiting = moment.windows.filter(window => window.screen == null);
          if (waiting.length) branches.push(["waiting for a screen", waiting]);
          return [make("ul", { class: "tree" }, ...branches.map(([label, windows]) => make("li", {}, make("b", {}, label),
            make("ul", {}, ...(windows.length ? windows.slice().reverse().map(window => windowItem(window, moment.keyWindow))
              : [make("li", { class: "soft" }, "no window")])))))];
        }
        function stepList() {
          return [make("ol", { class: "rows" }, ...steps.map(step => make("li", { class: step.failed ? "bad" : "" },
            make("button", { type: "button", onclick: () => select(nearest(step.at + step.duration), true) },
              make("span", { class: "time" }, seconds(step.at)),
              make("span", {}, step.text, make("span", { class: "soft" }, " (" + seconds(step.duration) + ")"))))))];
        }
        function eventList() {
          const search = make("input", { type: "search", placeholder: "Filter: a word, or several", "aria-label": "Filter events",
            value: filter });
          const list = make("ul", { class: "rows" });
          function fill() {
            const wanted = filter.toLowerCase().split(/\s+/).filter(Boolean);
            const rows = events.map(event => [event, ...describe(event)]).filter(([event, kind, text]) => {
              const all = (event.event + " " + kind + " " + text).toLowerCase();
              return wanted.every(word => all.includes(word));
            });
            list.replaceChildren(...rows.slice(0, 3000).map(([event, kind, text]) => {
              const row = make("li", { class: category(event) + (isBad(event) ? " bad" : "") }, make("button", { type: "button",
                onclick: () => select(nearest(event.at), true) }, make("span", { class: "time" }, seconds(event.at)),
                make("span", {}, make("b", {}, kind), " " + text)));
              row.at = event.at;
              return row;
            }));
            if (!rows.length) list.append(make("li", { class: "empty" }, events.length ? "No event matches." : "No events were recorded."));
            markNear();
          }
          search.addEventListener("input", () => { filter = search.value; fill(); });
          fill();
          return [search, trace.omittedEvents ? make("p", { class: "soft" }, trace.omittedEvents + " events in the middle were not kept.") : null,
            list].filter(Boolean);
        }
        function markNear() {
          const moment = moments[current];
          if (tab !== "events" || !moment) return;
          const from = current ? moments[current - 1].at : -1;
          let first = null;
          for (const row of document.querySelectorAll("#panel .rows li")) {
            const isNear = row.at > from && row.at <= moment.at;
            row.classList.toggle("near", isNear);
            if (isNear) first = first || row;
          }
          const panel = $("panel");
          if (first) panel.scrollTop = first.offsetTop - panel.offsetTop - 60;
        }
        function ending(client) {
          if (client.connected) return "was connected until the end";
          const parts = ["ended at " + seconds(client.ended)];
          if (client.signal != null) parts.push("killed by signal " + client.signal);
          if (client.status != null) parts.push("exit status " + client.status);
          if (client.reason) parts.push(client.reason);
          if (client.windows) parts.push("with " + client.windows + " open window" + (client.windows === 1 ? "" : "s"));
          return parts.join(", ");
        }
        function programList() {
          if (!clients.length) return [make("p", { class: "empty" }, "No program connected to the server.")];
          return clients.map(client => {
            const wrong = findings.filter(one => concerns(one, client));
            const journal = client.journal || [];
            const rows = journal.map(line => make("tr", { class: line.interface === "wl_display" && line.message === "error" ? "error" : "" },
              make("td", {}, seconds(line.at)), make("td", {}, (line.sender === "server" ? "→ " : "← ") + line.interface + "#" + line.object
                + "." + line.message + "(" + line.arguments + ")")));
            return make("details", { open: wrong.length > 0 }, make("summary", {}, make("b", {}, client.name), " (pid " + client.pid + ")",
              ...wrong.map(one => make("span", { class: "tag bad" }, kinds[one.kind])),
              make("div", { class: "soft" }, "from " + seconds(client.began || 0) + ", " + ending(client))),
              make("p", { class: "soft" }, journal.length ? "The last " + journal.length + " messages; ← from the program, → to it"
                + (client.omitted ? "; " + client.omitted + " earlier ones were not kept" : "")
                : client.x11 ? "An X11 program: there are no messages of it." : "No messages were kept."),
              make("table", {}, make("tbody", {}, ...rows.reverse())));
          });
        }
        function logList() {
          return trace.logs.flatMap(log => [make("h2", {}, log.name === "output" ? "Output of the command" : "Log of " + log.name),
            make("pre", {}, log.text.trimEnd() || (log.terminal ? "(it went to the terminal)" : "(empty)"))]);
        }
        """#
}
