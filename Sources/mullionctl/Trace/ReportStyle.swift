// How the report looks.

extension ReportPage {
    static let style = """
        :root {
          color-scheme: light dark;
          --back: #f6f7f9; --card: #ffffff; --ink: #1b1f27; --soft: #5d6675; --rule: #dfe3ea; --hover: #eef2f8;
          --accent: #2458d3; --bad: #bf2330; --bad-back: #fdecee; --good: #1c7a3e; --good-back: #e4f5ea;
          --warn: #9a5b00; --warn-back: #fff3dd; --input: #d4570b; --request: #7a3fc4; --window: #0b7a8a;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --back: #14171d; --card: #1d2129; --ink: #e8ebf1; --soft: #9aa4b5; --rule: #323947; --hover: #272d38;
            --accent: #8ab0ff; --bad: #ff8a93; --bad-back: #40191e; --good: #77d79a; --good-back: #16351f;
            --warn: #ffc46b; --warn-back: #3b2a0d; --input: #ff9d5c; --request: #c79bff; --window: #5fd0e0;
          }
        }
        * { box-sizing: border-box; }
        body { margin: 0; background: var(--back); color: var(--ink);
          font: 14px/1.5 system-ui, -apple-system, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif; }
        header, main { max-width: 1500px; margin: 0 auto; padding: 0 24px; }
        header { padding-top: 22px; }
        .title { display: flex; gap: 14px; align-items: center; flex-wrap: wrap; }
        h1 { font: 600 18px/1.4 ui-monospace, "DejaVu Sans Mono", monospace; margin: 0; overflow-wrap: anywhere;
          max-height: 5.6em; overflow: auto; }
        h2 { font-size: 14px; margin: 0 0 8px; }
        .verdict { font-weight: 700; padding: 3px 12px; border-radius: 99px; color: var(--good);
          background: var(--good-back); }
        .failed .verdict { color: var(--bad); background: var(--bad-back); }
        .headline { font-size: 20px; font-weight: 600; line-height: 1.35; margin: 10px 0 0; overflow-wrap: anywhere; }
        .facts { color: var(--soft); margin: 6px 0 18px; }
        .facts b { color: var(--ink); font-weight: 600; }
        section { margin-bottom: 18px; }
        .why { background: var(--bad-back); border-left: 4px solid var(--bad); border-radius: 8px;
          padding: 12px 16px; }
        .why.minor { background: var(--warn-back); border-color: var(--warn); }
        .why ol { margin: 0; padding: 0; list-style: none; max-height: 26vh; overflow: auto; }
        .why li + li { margin-top: 2px; }
        .why button { display: grid; grid-template-columns: 132px 74px 1fr; gap: 8px; width: 100%; border: 0;
          background: none; color: inherit; font: inherit; text-align: left; padding: 3px 4px; border-radius: 5px;
          cursor: pointer; }
        .why button:hover { background: color-mix(in srgb, var(--bad) 12%, transparent); }
        .why .kind { font-weight: 600; color: var(--bad); }
        .minor .kind { color: var(--warn); }
        .why .text { overflow-wrap: anywhere; white-space: pre-wrap; }
        .why code { display: block; color: var(--soft); }
        code { font: 12px/1.5 ui-monospace, "DejaVu Sans Mono", monospace; overflow-wrap: anywhere; }
        .time { color: var(--soft); font-variant-numeric: tabular-nums; white-space: nowrap; }
        .why details { border: 0; padding: 4px 4px 0; }
        pre.tail { margin: 8px 0 0; padding: 8px 10px; background: var(--card); border-radius: 6px; overflow: auto;
          max-height: 11em; }
        :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }

        .line { position: relative; height: 112px; background: var(--card); border: 1px solid var(--rule);
          border-radius: 8px; cursor: pointer; overflow: hidden; touch-action: none; }
        .lane { position: absolute; left: 0; right: 0; height: 22px; border-bottom: 1px solid var(--rule); }
        .lane:last-of-type { border-bottom: 0; }
        .lane > span { position: absolute; left: 8px; top: 2px; font-size: 11px; color: var(--soft); width: 76px; }
        .marks { position: absolute; left: 96px; right: 16px; top: 0; bottom: 0; }
        .mark { position: absolute; top: 5px; width: 3px; height: 12px; margin-left: -1px; border-radius: 2px;
          background: var(--soft); }
        .mark.input { background: var(--input); } .mark.request { background: var(--request); }
        .mark.window { background: var(--window); } .mark.bad { background: var(--bad); width: 5px; z-index: 1; }
        .mark.picture { background: var(--accent); opacity: .55; }
        .mark.life { height: 8px; top: 7px; background: var(--window); opacity: .35; border-radius: 4px; margin: 0; }
        .mark.life.bad { background: var(--bad); opacity: .6; }
        .head { position: absolute; top: 0; bottom: 0; width: 2px; margin-left: -1px; background: var(--accent);
          pointer-events: none; z-index: 2; }
        .film { display: flex; gap: 8px; overflow-x: auto; padding: 10px 2px; scrollbar-width: thin; }
        .film button { flex: none; padding: 4px; border: 1px solid var(--rule); border-radius: 7px;
          background: var(--card); color: var(--soft); font: 11px/1.3 inherit; font-size: 11px; cursor: pointer; }
        .film button[aria-selected=true] { border-color: var(--accent); box-shadow: 0 0 0 2px var(--accent);
          color: var(--ink); }
        .film button.bad { border-color: var(--bad); }
        .film .shots { display: flex; gap: 3px; height: 76px; align-items: center; }
        .film img { max-height: 76px; max-width: 140px; display: block; border-radius: 3px; }
        .hint { margin: 0; color: var(--soft); font-size: 12px; }

        .columns { display: grid; grid-template-columns: minmax(0, 1.35fr) minmax(360px, 1fr); gap: 18px;
          align-items: start; }
        .stage, .side { background: var(--card); border: 1px solid var(--rule); border-radius: 10px; padding: 14px; }
        .screens { display: flex; flex-wrap: wrap; gap: 14px; }
        figure { margin: 0; flex: 1 1 300px; min-width: 0; }
        figure .picture { position: relative; background: repeating-conic-gradient(#8883 0 25%, transparent 0 50%)
          0 0 / 16px 16px; border: 1px solid var(--rule); border-radius: 4px; overflow: hidden; }
        figure img, figure svg { display: block; width: 100%; }
        figure svg { position: absolute; inset: 0; height: 100%; }
        figure.comparison { flex-basis: 100%; }
        figcaption { font-size: 12px; color: var(--soft); margin-top: 4px; }
        .empty { color: var(--soft); padding: 24px; text-align: center; }

        .tabs { display: flex; gap: 4px; border-bottom: 1px solid var(--rule); margin: -4px 0 10px; flex-wrap: wrap; }
        .tabs button { border: 0; background: none; color: var(--soft); font: inherit; padding: 6px 10px;
          cursor: pointer; border-bottom: 2px solid transparent; }
        .tabs button[aria-selected=true] { color: var(--ink); border-color: var(--accent); font-weight: 600; }
        .panel { max-height: 70vh; overflow: auto; }
        .tree, .tree ul { list-style: none; margin: 0; padding: 0; }
        .tree ul { padding-left: 16px; border-left: 1px solid var(--rule); margin-left: 5px; }
        .tree li { padding: 2px 0; }
        .tree button, .rows button { border: 0; background: none; color: inherit; font: inherit; text-align: left;
          padding: 1px 4px; border-radius: 4px; width: 100%; cursor: pointer; overflow-wrap: anywhere; }
        .tree button:hover, .rows button:hover, .tree button:focus, .rows .near button { background: var(--hover); }
        .soft { color: var(--soft); } .tag { font-size: 11px; border: 1px solid var(--rule); border-radius: 4px;
          padding: 0 5px; margin-left: 4px; color: var(--soft); white-space: nowrap; }
        .tag.key { color: var(--accent); border-color: var(--accent); }
        .tag.bad { color: var(--bad); border-color: var(--bad); }
        input[type=search] { width: 100%; padding: 6px 10px; border: 1px solid var(--rule); border-radius: 6px;
          background: var(--back); color: inherit; font: inherit; margin-bottom: 8px; }
        .rows { list-style: none; margin: 0; padding: 0; }
        .rows button { display: grid; grid-template-columns: 66px 1fr; gap: 8px; }
        .rows .bad { color: var(--bad); }
        .rows .input b { color: var(--input); } .rows .request b { color: var(--request); }
        .rows .window b { color: var(--window); }
        details { border-top: 1px solid var(--rule); padding: 6px 0; }
        summary { cursor: pointer; overflow-wrap: anywhere; }
        table { border-collapse: collapse; width: 100%; font: 12px/1.45 ui-monospace, "DejaVu Sans Mono", monospace; }
        td { padding: 1px 6px; vertical-align: top; overflow-wrap: anywhere; }
        td:first-child { white-space: nowrap; color: var(--soft); }
        tr.error td { color: var(--bad); font-weight: 600; }
        pre { font: 12px/1.5 ui-monospace, "DejaVu Sans Mono", monospace; white-space: pre-wrap;
          overflow-wrap: anywhere; margin: 0 0 14px; }
        @media (max-width: 900px) {
          .columns { grid-template-columns: minmax(0, 1fr); }
          .why button { grid-template-columns: auto 1fr; gap: 0 10px; }
          .why .text { grid-column: 1 / -1; }
        }
        """
}
