// What the report does.

import JSON5

extension ReportPage {
    static let script = [data, timeLine, stage, failures, details, start].joined(separator: "\n")

    /// Reads the trace, and finds out what belongs together.
    private static let data = #"""
        "use strict";
        const trace = JSON.parse(document.getElementById("trace").textContent);
        const $ = id => document.getElementById(id);
        function make(tag, attributes, ...children) {
          const element = document.createElement(tag);
          for (const [name, value] of Object.entries(attributes || {})) {
            if (name === "onclick") element.addEventListener("click", value);
            else if (value === true) element.setAttribute(name, "");
            else if (value !== false && value != null) element.setAttribute(name, value);
          }
          element.append(...children.filter(child => child != null));
          return element;
        }
        function drawn(tag, attributes) {
          const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
          for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
          return element;
        }
        const seconds = time => time == null ? "at the end" : time.toFixed(2) + " s";
        const words = name => name.replace(/([A-Z])([A-Z][a-z])/g, "$1 $2").replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
        const steps = trace.steps || [];
        const moments = trace.moments, events = trace.events, clients = trace.clients, findings = trace.findings;
        const latest = Math.max(trace.duration, 0.1, ...moments.map(moment => moment.at), ...events.map(event => event.at));
        const kinds = { timeout: "Timeout", server: "Server", silence: "Server", status: "Exit", crash: "Crash",
          protocolError: "Protocol error", leak: "Left behind", refusal: "Refused", expectation: "Not as expected", missedInput: "Missed input" };
        // X11 programs are no applications of the server.
        const concerns = (one, client) => client.application == null ? one.pid != null && one.pid === client.pid
          : one.application === client.application;
        const isProgram = one => one.application != null || one.pid != null;
        const isBad = event => event.event === "request" && event.status >= 400
          || event.event === "injected" && event.missed.length > 0 || ["gap", "cutOff"].includes(event.event)
          || event.event === "applicationDidDisconnect" && event.cause && event.cause !== "closed";
        function category(event) {
          if (event.event === "input" || event.event === "injected") return "input";
          if (event.event === "request") return "request";
          return event.event === "event" ? "delivered" : "window";
        }
        function name(application) {
          const client = clients.find(client => client.application === application);
          return client ? client.name : "application " + application;
        }
        function describe(event) {
          const what = [];
          const window = event.window == null ? null : "window " + event.window + (event.title ? " “" + event.title + "”" : "");
          switch (event.event) {
          case "input": {
            const input = event.input;
            if (input.screen) what.push("on " + input.screen);
            if (input.x != null) what.push("at " + +input.x.toFixed(1) + "," + +input.y.toFixed(1));
            for (const key of ["phase", "button", "pressed", "code", "action", "deltaX", "deltaY", "command"])
              if (input[key] != null) what.push(key + " " + input[key]);
            if (input.touches) what.push(input.touches.length + " touches");
            return [input.type, what.join(", ")];
          }
          case "injected":
            if (event.missed.length) return ["missed", event.missed.join("; ")];
            for (const one of event.events) {
              const hit = one.hit;
              what.push(one.type + (hit ? " → window " + hit.window + " “" + hit.title + "” at "
                + +hit.location.x.toFixed(1) + "," + +hit.location.y.toFixed(1)
                : one.receivers ? " → " + one.receivers.map(receiver => receiver.name).join(", ") : ": " + (one.reason || "done")));
            }
            return ["received", what.join("; ")];
          case "request":
            what.push(event.path, "→ " + event.status, "(" + (event.duration / 1000).toFixed(1) + " ms)");
            return [event.method, what.join(" ") + (event.detail ? ": " + event.detail : "")];
          case "event":
            what.push(event.detail, event.phase, window || "", event.application == null ? "" : "to " + name(event.application));
            return ["delivered", what.filter(Boolean).join(" ")];
          default:
            if (window) what.push(window);
            if (event.screenName || event.screen != null) what.push("screen " + (event.screenName || event.screen));
            if (event.application != null && !window) what.push(event.applicationName || name(event.application));
            for (const key of ["from", "to", "cause", "reason", "detail"]) if (event[key]) what.push(key + " " + event[key]);
            return [words(event.event), what.join(", ")];
          }
        }
        let current = 0;
        """#

    /// The time line and the film.
    private static let timeLine = #"""
        const share = time => 100 * Math.min(1, Math.max(0, time / latest)) + "%";
        function lane(number, label, fill) {
          const marks = make("div", { class: "marks" });
          fill((time, kind, title, length) => {
            const mark = make("div", { class: "mark " + kind, title });
            mark.style.left = share(time);
            if (length != null) mark.style.width = "max(4px, " + share(length) + ")";
            marks.append(mark);
          });
          const row = make("div", { class: "lane" }, make("span", {}, label), marks);
          row.style.top = number * 22 + "px";
          return row;
        }
        const head = make("div", { class: "head" });
        function showLine() {
          const line = $("line");
          line.append(
            lane(0, "pictures", add => moments.forEach(moment => add(moment.at, "picture", seconds(moment.at)))),
            lane(1, "input", add => events.filter(event => category(event) === "input").forEach(event =>
              add(event.at, isBad(event) ? "bad" : "input", describe(event).join(" ")))),
            steps.length ? lane(2, "steps", add => steps.forEach(step =>
              add(step.at, step.failed ? "bad" : "request", step.text, step.duration)))
              : lane(2, "requests", add => events.filter(event => category(event) === "request").forEach(event =>
              add(event.at, isBad(event) ? "bad" : "request", describe(event).join(" ")))),
            lane(3, "windows", add => events.filter(event => category(event) === "window").forEach(event =>
              add(event.at, isBad(event) ? "bad" : "window", describe(event).join(" ")))),
            lane(4, "programs", add => {
              for (const client of clients) {
                const begin = client.began || 0, end = client.ended == null ? latest : client.ended;
                const wrong = findings.filter(one => concerns(one, client));
                add(begin, "life" + (wrong.length ? " bad" : ""), client.name + " (pid " + client.pid + ")", end - begin);
                if (wrong.length) add(end, "bad", wrong.map(one => one.text).join("; "));
              }
              for (const one of findings) if (one.at != null && !isProgram(one)
                && !["refusal", "missedInput"].includes(one.kind)) add(one.at, "bad", one.text);
            }));
          const area = make("div", { class: "marks" }, head);
          line.append(area);
          function seek(event) {
            const box = area.getBoundingClientRect();
            select(nearest(latest * (event.clientX - box.left) / box.width));
          }
          line.addEventListener("pointerdown", event => { line.setPointerCapture(event.pointerId); seek(event); });
          line.addEventListener("pointermove", event => { if (event.buttons & 1) seek(event); });
          line.setAttribute("aria-valuemin", "0");
          line.setAttribute("aria-valuemax", String(Math.max(0, moments.length - 1)));
        }
        // The last picture that shows what is so at that time.
        function nearest(time) {
          let found = 0;
          moments.forEach((moment, index) => { if (moment.at <= time + 0.001) found = index; });
          return found;
        }
        const source = index => "data:image/png;base64," + trace.pictures[index];
        function showFilm() {
          const film = $("film");
          moments.forEach((moment, index) => {
            const next = index + 1 < moments.length ? moments[index + 1].at : Infinity;
            const wrong = findings.some(one => one.at != null && one.at >= moment.at && one.at < next);
            const shots = make("span", { class: "shots" });
            for (const screen of moment.screens) {
              const height = Math.min(76, 140 * screen.bounds.height / screen.bounds.width);
              shots.append(make("img", { src: source(screen.picture), alt: "", loading: "lazy", height,
                width: height * screen.bounds.width / screen.bounds.height }));
            }
            if (!moment.screens.length) shots.append("no screen");
            film.append(make("button", { role: "option", tabindex: "-1", class: wrong ? "bad" : "",
              "aria-label": "Picture " + (index + 1) + " at " + seconds(moment.at) + (wrong ? ", something went wrong after it" : ""),
              onclick: () => select(index) }, shots, make("div", {}, seconds(moment.at))));
          });
          film.hidden = !moments.length;
        }
        """#

    /// The head of the page, what is selected at first, and the keyboard.
    private static let start = #"""
        function select(index, keepsTab) {
          if (!moments.length) return;
          current = Math.min(moments.length - 1, Math.max(0, index));
          showMoment();
          if (tab === "windows" || tab === "widgets") showPanel();
          else if (!keepsTab) markNear();
          $("film").childNodes.forEach((button, place) => {
            button.setAttribute("aria-selected", String(place === current));
            button.tabIndex = place === current ? 0 : -1;
            if (place === current) {
              const film = $("film");
              film.scrollLeft = button.offsetLeft - film.offsetLeft - film.clientWidth / 2 + button.clientWidth / 2;
            }
          });
          head.style.left = share(moments[current].at);
          $("line").setAttribute("aria-valuenow", String(current));
          $("line").setAttribute("aria-valuetext", "picture " + (current + 1) + " of " + moments.length + ", " + seconds(moments[current].at));
        }
        function step(direction) {
          const times = findings.map(one => one.at).filter(at => at != null).map(nearest);
          const next = times.filter(index => direction > 0 ? index > current : index < current);
          if (next.length) select(direction > 0 ? Math.min(...next) : Math.max(...next));
        }
        document.addEventListener("keydown", event => {
          if (event.ctrlKey || event.altKey || event.metaKey || event.target.matches("input")) return;
          const isTab = event.target.getAttribute("role") === "tab";
          const slides = event.target === $("line") ? { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 } : {};
          const way = { ArrowRight: 1, ArrowLeft: -1, ...slides }[event.key];
          if (isTab && way) {
            const place = tabs.findIndex(([id]) => id === tab);
            choose(tabs[(place + way + tabs.length) % tabs.length][0]);
            $("tab-" + tab).focus();
          } else if (way && event.shiftKey) step(way);
          else if (way) select(current + way);
          else if (event.key === "Home" && !event.target.closest("#panel")) select(0);
          else if (event.key === "End" && !event.target.closest("#panel")) select(moments.length - 1);
          else return;
          event.preventDefault();
          if (event.target.matches("#film button")) $("film").childNodes[current].focus();
        });
        function showHead() {
          const hasFailed = trace.status !== 0;
          document.body.classList.toggle("failed", hasFailed);
          $("verdict").textContent = hasFailed ? "Failed" : "Passed";
          $("command").textContent = trace.title || trace.command.map(quoted).join(" ");
          $("headline").textContent = trace.headline;
          $("headline").hidden = !trace.headline;
          const facts = $("facts");
          const fact = (label, value) => facts.append(facts.childNodes.length ? " · " : "", label + " ", make("b", {}, value));
          fact("exit status", String(trace.status));
          fact("after", trace.duration.toFixed(2) + " s");
          fact("programs", String(clients.length));
          fact("pictures", String(moments.length) + (trace.thinned ? " (some were dropped)" : ""));
          fact("events", String(events.length + trace.omittedEvents));
          const output = trace.logs.find(log => log.name === "output");
          const tail = hasFailed && output ? output.text.trimEnd().split("\n").slice(-12).join("\n") : "";
          $("why").hidden = !findings.length && !tail;
          if (!hasFailed) { $("why").classList.add("minor"); $("why-title").textContent = "Noticed, although the run passed"; }
          $("findings").append(...findings.map(one => make("li", {}, make("button", { type: "button", onclick: () => {
            select(one.at == null ? moments.length - 1 : nearest(one.at));
            if (one.at != null) choose(explanation(one));
          } }, make("span", { class: "kind" }, kinds[one.kind]), make("span", { class: "time" }, seconds(one.at)),
            make("span", { class: "text" }, one.text,
              one.note == null ? null : make("code", {}, commandLine(notes[one.note])))))));
          if (!tail) return;
          const text = make("pre", { class: "tail", tabindex: "0", "aria-label": "the end of its output" }, tail);
          // Without another explanation, it is probably here.
          const isOpen = findings.every(one => one.kind === "status" || one.kind === "leak")
            || !clients.length || clients.some(client => client.status > 0);
          const box = make("details", { open: isOpen }, make("summary", {}, make("b", {}, "The end of its output")), text);
          const showEnd = () => { text.scrollTop = text.scrollHeight; };
          box.addEventListener("toggle", showEnd);
          $("why").append(box);
          showEnd();
        }
        if (tabs.some(([id]) => "#" + id === location.hash)) tab = location.hash.slice(1);
        showHead();
        showLine();
        showFilm();
        showTabs();
        showPanel();
        // The moment before the first thing that went wrong, else the last one that shows a window.
        const wrong = findings.find(one => one.at != null);
        let first = -1;
        moments.forEach((moment, index) => {
          if (moment.windows.some(window => window.visible) && (!wrong || moment.at <= wrong.at + 0.001)) first = index;
        });
        select(first >= 0 ? first : wrong ? nearest(wrong.at) : moments.length - 1);
        """#
}
