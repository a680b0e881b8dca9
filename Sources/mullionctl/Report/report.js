// What the report does.
"use strict";

// Reads the trace, and finds out what belongs together.
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

// The time line and the film.
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

// The pictures of a moment, with the input drawn on them.
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

// The places and pictures of notes, and the widgets at that moment.
const notes = trace.notes;
const notesNow = () => notes.filter(note => nearest(note.at) === current);
// For pasting into a shell.
const quoted = word => /^[\w@%+=:,.\/-]+$/.test(word) ? word : "'" + word.replaceAll("'", "'\\''") + "'";
const commandLine = note => note.command.map(quoted).join(" ");
// Where a note belongs on a screen, in pixels of its picture.
function placesOn(screen) {
  const isOnly = moments[current].screens.length === 1;
  return notesNow().filter(note => note.screen ? note.screen === screen.name : isOnly).flatMap(note => {
    const found = [];
    if (note.point) found.push({ point: apply(screen.toPixels, note.point.x, note.point.y) });
    if (note.box) found.push({ box: note.box });
    return found;
  });
}
function markPlaces(svg, places) {
  const unit = Math.max(svg.viewBox.baseVal.width, svg.viewBox.baseVal.height) / 100;
  for (const { point, box } of places) for (const [stroke, thick] of [["#fff", 1], ["#e0002b", 0.5]]) {
    const style = { fill: "none", stroke, "stroke-width": unit * thick };
    if (box) svg.append(drawn("rect", { ...style, x: box.x - unit, y: box.y - unit, rx: unit / 2,
      width: box.width + 2 * unit, height: box.height + 2 * unit }));
    if (!point) continue;
    const [x, y] = point, arm = 1.6 * unit;
    svg.append(drawn("circle", { ...style, cx: x, cy: y, r: 2.8 * unit }), drawn("path", { ...style,
      d: `M${x - arm} ${y - arm}L${x + arm} ${y + arm}M${x + arm} ${y - arm}L${x - arm} ${y + arm}` }));
  }
}
// Expected, seen, and the differences.
function comparisons() {
  return notesNow().filter(note => note.picture).map(note => make("figure", { class: "comparison" },
    make("div", { class: "picture" }, make("img", { src: "data:image/png;base64," + note.picture,
      alt: "side by side: what was expected, what was seen, and where they differ" })),
    make("figcaption", {}, "Expected, seen, and the differences: " + commandLine(note))));
}
const isAboutWidgets = note => note.widgets && note.command.some(word => /^(widget|text|(role|name|into|id)=.*)$/.test(word));
// The widgets of the note nearest to the moment.
function widgetTree() {
  const known = notes.filter(note => note.widgets);
  const note = notesNow().find(note => note.widgets) || known.filter(note => note.at <= moments[current]?.at).pop() || known[0];
  const rows = [], rest = note.widgets.map(widget => [widget, 0]).reverse();
  while (rest.length && rows.length < 3000) {
    const [widget, depth] = rest.pop();
    rows.push(widgetItem(widget, depth));
    for (const child of widget.children.slice().reverse()) rest.push([child, depth + 1]);
  }
  return [make("p", { class: "soft" }, "All widgets when this failed, at " + seconds(note.at) + ": ", make("code", {}, commandLine(note))),
    make("ul", { class: "tree widgets" }, ...rows),
    rest.length ? make("p", { class: "soft" }, "trace.json contains the others.") : null].filter(Boolean);
}
function widgetItem(widget, depth) {
  const tags = [];
  if (!widget.states.includes("visible")) tags.push("hidden");
  else if (!widget.states.includes("enabled")) tags.push("disabled");
  else if (!widget.part) tags.push("not in view");
  if (widget.states.includes("focused")) tags.push("focused");
  const text = widget.text ? " “" + widget.text + "”" : "";
  const button = make("button", { type: "button" }, make("span", { class: "soft" }, widget.role + " "),
    make("b", {}, widget.name), text, ...tags.map(tag => make("span", { class: "tag" }, tag)));
  const window = () => moments[current]?.windows.find(window => window.id === widget.window);
  for (const event of ["focus", "mouseenter"]) button.addEventListener(event, () => outline(window(), widget.frame));
  for (const event of ["blur", "mouseleave"]) button.addEventListener(event, () => outline(null));
  const item = make("li", {}, button);
  item.style.paddingLeft = Math.min(depth, 24) * 14 + "px";
  return item;
}

// The tabs: steps where a library has noted them, windows, widgets where some were noted, events, programs, logs.
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

// The head of the page, what is selected at first, and the keyboard.
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
