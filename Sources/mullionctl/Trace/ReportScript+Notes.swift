// The parts of the report that show what failed commands have noted.

extension ReportPage {
    /// The places and pictures of notes, and the widgets at that moment.
    static let failures = #"""
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
        """#
}
