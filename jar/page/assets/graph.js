/* The join graph on a canvas: pan, zoom, search, neighbours, paths; pins and vetoes where the server allows them. */
const jarGraph = (() => {
  const { h, number, facts } = jarPage, TOLD = 15;
  let graph = null, near = [], canvas = null, pen = null, view = { x: 0, y: 0, scale: 1 }, chosen = -1, way = [], due = false, across = true, stated = [];
  const byId = (id) => document.getElementById(id);
  const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  let colors = {};

  async function open() {
    if (graph) return;
    build();
    try {
      await load();
      across = graph.edges.filter((edge) => !edge[3]).length <= 3 * graph.tables.length;
      byId("across").checked = across;
      byId("graph-news").textContent = `${graph.tables.length} tables, ${graph.edges.length} joins of strength 0.2 and more.`;
      fit();
      if (jarLive.settings.edit) verdicts(await jarLive.fetched("/api/verdicts", {}));
    } catch (error) {
      byId("graph-news").textContent = error.message;
    }
  }

  async function load() {
    const fresh = await jarLive.fetched("/api/graph", {}), held = chosen < 0 ? "" : graph.tables[chosen];
    const along = way.map((table) => graph.tables[table]);
    graph = fresh;
    chosen = graph.tables.indexOf(held);
    way = along.map((id) => graph.tables.indexOf(id)).filter((table) => table >= 0);
    graph.names = graph.tables.map((id) => id.slice(id.indexOf(".") + 1));
    near = graph.tables.map(() => []);
    graph.edges.forEach(([left, right], place) => { near[left].push(place); near[right].push(place); });
    search(byId("table-search").value);
    later();
  }

  function build() {
    const buttons = [["+", "Zoom in", () => zoom(1.3)], ["\u2212", "Zoom out", () => zoom(1 / 1.3)], ["⤢", "Show all", fit]].map(([sign, name, action]) =>
      h("button", { type: "button", "aria-label": name, title: name, onclick: action }, sign));
    canvas = h("canvas", { id: "graph-canvas", tabindex: 0, role: "img",
      "aria-label": "Join graph. Arrows pan, plus and minus zoom. The search beside it finds the same tables." });
    const from = h("input", { type: "text", id: "path-from", "aria-label": "Path from table", placeholder: "from" });
    const to = h("input", { type: "text", id: "path-to", "aria-label": "Path to table", placeholder: "to" });
    byId("graph").replaceChildren(h("p", { id: "graph-news", role: "status" }, "Loading the join graph…"),
      h("div", { class: "graph" }, h("div", { class: "field" }, canvas, h("div", { class: "tools" }, buttons),
        h("label", {}, h("input", { type: "checkbox", id: "across", onchange: (event) => { across = event.target.checked; later(); } }), " joins between databases")),
        h("div", {}, h("div", { class: "bar-row" }, h("input", { type: "search", id: "table-search", "aria-label": "Search tables", placeholder: "Search tables",
          oninput: (event) => search(event.target.value) })),
        h("ul", { id: "found", "aria-label": "Tables found" }),
        h("form", { class: "bar-row", "aria-label": "Path between two tables", onsubmit: (event) => { event.preventDefault(); path(from.value, to.value); } },
          from, to, h("button", { type: "submit" }, "Path")),
        h("div", { id: "about", tabindex: -1, "aria-live": "polite" }),
        h("section", { id: "stated", hidden: true, "aria-labelledby": "stated-title" }, h("h2", { id: "stated-title", tabindex: -1 }, "Pins and vetoes"), h("div", { id: "stated-list" })))));
    pen = canvas.getContext("2d", { alpha: false });
    let held = null, moved = false;
    canvas.addEventListener("pointerdown", (event) => { held = [event.clientX, event.clientY]; moved = false; canvas.setPointerCapture(event.pointerId); });
    canvas.addEventListener("pointermove", (event) => {
      if (!held) return;
      const dx = event.clientX - held[0], dy = event.clientY - held[1];
      if (!moved && Math.abs(dx) + Math.abs(dy) < 4) return;
      moved = true;
      held = [event.clientX, event.clientY];
      pan(dx, dy);
    });
    canvas.addEventListener("pointerup", (event) => { if (held && !moved) pick(event); held = null; });
    canvas.addEventListener("pointercancel", () => { held = null; });
    canvas.addEventListener("wheel", (event) => { event.preventDefault(); zoom(Math.exp(-event.deltaY / 500), event.offsetX, event.offsetY); }, { passive: false });
    canvas.addEventListener("keydown", (event) => {
      const steps = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] };
      if (steps[event.key]) pan(...steps[event.key]);
      else if (event.key === "+" || event.key === "=") zoom(1.3);
      else if (event.key === "-") zoom(1 / 1.3);
      else if (event.key === "0") fit();
      else return;
      event.preventDefault();
    });
    addEventListener("resize", later);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { colors = {}; later(); });
  }

  function pan(dx, dy) { view.x += dx; view.y += dy; later(); }
  function zoom(factor, x = canvas.clientWidth / 2, y = canvas.clientHeight / 2) {
    const scale = Math.min(4, Math.max(0.03, view.scale * factor));
    view.x = x - (x - view.x) * (scale / view.scale);
    view.y = y - (y - view.y) * (scale / view.scale);
    view.scale = scale;
    later();
  }
  function fit() {
    if (!graph || !graph.tables.length) return;
    const xs = graph.places.map((place) => place[0]), ys = graph.places.map((place) => place[1]);
    const wide = Math.max(...xs) + 80, high = Math.max(...ys) + 80;
    const tools = 40; // the buttons above the drawing
    view.scale = Math.min(1.5, canvas.clientWidth / wide, (canvas.clientHeight - tools) / high);
    view.x = (canvas.clientWidth - (wide - 80) * view.scale) / 2;
    view.y = (canvas.clientHeight + tools - (high - 80) * view.scale) / 2;
    later();
  }
  function later() {
    if (due) return;
    due = true;
    requestAnimationFrame(() => { due = false; draw(); });
  }

  function draw() {
    if (!graph || !canvas.clientWidth) return;
    const ratio = devicePixelRatio || 1, wide = canvas.clientWidth, high = canvas.clientHeight;
    if (canvas.width !== Math.round(wide * ratio) || canvas.height !== Math.round(high * ratio)) {
      canvas.width = Math.round(wide * ratio);
      canvas.height = Math.round(high * ratio);
    }
    if (!colors.card) colors = { card: color("--card"), ink: color("--ink"), line: color("--line"), join: color("--join"), accent: color("--accent"), soft: color("--soft"), bad: color("--bad") };
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.fillStyle = colors.card;
    pen.fillRect(0, 0, wide, high);
    const x = (table) => graph.places[table][0] * view.scale + view.x, y = (table) => graph.places[table][1] * view.scale + view.y;
    const lit = new Set(way), seen = (table) => x(table) > -60 && y(table) > -20 && x(table) < wide + 60 && y(table) < high + 20;
    if (chosen >= 0) { lit.add(chosen); for (const place of near[chosen]) { lit.add(graph.edges[place][0]); lit.add(graph.edges[place][1]); } }
    for (const strong of [false, true]) {
      pen.beginPath();
      for (const [left, right, score, inside] of graph.edges) {
        if ((score >= 0.5) !== strong || !(inside || across) || !(seen(left) || seen(right))) continue;
        pen.moveTo(x(left), y(left));
        pen.lineTo(x(right), y(right));
      }
      pen.strokeStyle = strong ? colors.join : colors.line;
      pen.lineWidth = strong ? 1.2 : 1;
      pen.globalAlpha = lit.size ? 0.35 : 0.8;
      pen.stroke();
    }
    pen.globalAlpha = 1;
    pen.strokeStyle = colors.accent;
    pen.lineWidth = 2.5;
    pen.beginPath();
    if (chosen >= 0) for (const place of near[chosen]) { const [left, right] = graph.edges[place]; pen.moveTo(x(left), y(left)); pen.lineTo(x(right), y(right)); }
    for (let step = 1; step < way.length; step += 1) { pen.moveTo(x(way[step - 1]), y(way[step - 1])); pen.lineTo(x(way[step]), y(way[step])); }
    pen.stroke();
    pen.font = "600 13px system-ui, sans-serif";
    pen.textAlign = "left";
    pen.fillStyle = colors.ink;
    if (view.scale > 0.22) for (const [name, left, top] of graph.databases) pen.fillText(name.slice(0, 40), left * view.scale + view.x - 8, top * view.scale + view.y - 22);
    const radius = Math.max(2, Math.min(6, 5 * view.scale)), named = view.scale > 0.55;
    pen.font = "12px system-ui, sans-serif";
    pen.textAlign = "center";
    for (let table = 0; table < graph.tables.length; table += 1) {
      if (!seen(table)) continue;
      const isLit = lit.has(table), on = table === chosen;
      pen.fillStyle = on ? colors.bad : isLit ? colors.accent : colors.soft;
      pen.beginPath();
      pen.arc(x(table), y(table), on ? radius + 3 : radius, 0, 7);
      pen.fill();
      if (!named && !isLit) continue;
      const name = graph.names[table];
      pen.fillStyle = isLit ? colors.ink : colors.soft;
      pen.fillText(name.length > 26 ? `${name.slice(0, 25)}…` : name, x(table), y(table) - radius - 4);
    }
  }

  function pick(event) {
    const x = (event.offsetX - view.x) / view.scale, y = (event.offsetY - view.y) / view.scale;
    let best = -1, least = (14 / view.scale) ** 2;
    graph.places.forEach((place, table) => {
      const far = (place[0] - x) ** 2 + (place[1] - y) ** 2;
      if (far < least) { least = far; best = table; }
    });
    if (best >= 0) about(best);
    else { chosen = -1; way = []; byId("about").replaceChildren(); later(); }
  }

  function search(text) {
    const wanted = text.trim().toLowerCase();
    const found = graph.tables.map((id, table) => [id, table]).filter(([id]) => id.toLowerCase().includes(wanted));
    const shown = found.slice(0, wanted ? 40 : 12);
    byId("found").replaceChildren(...shown.map(([id, table]) => h("li", {}, h("button", { type: "button", onclick: () => { centre(table); about(table); } }, id))),
      ...(found.length > shown.length ? [h("li", { class: "soft" }, `and ${found.length - shown.length} more`)] : []),
      ...(found.length ? [] : [h("li", {}, "No table has that in its name.")]));
  }
  function centre(table) {
    view.scale = Math.max(view.scale, 0.9);
    view.x = canvas.clientWidth / 2 - graph.places[table][0] * view.scale;
    view.y = canvas.clientHeight / 2 - graph.places[table][1] * view.scale;
    later();
  }

  async function about(table) {
    chosen = table;
    way = [];
    later();
    const id = graph.tables[table];
    if (id === undefined) return;
    const { joins } = await asked("/api/joins", { table: id, min_score: 0.05 });
    if (!joins || chosen !== table) return;
    byId("about").replaceChildren(h("h2", {}, id), h("p", { class: "soft" }, joins.length ? `joins ${joins.length} tables` : "joins nothing that is known"),
      ...joins.slice(0, TOLD).map((join) => edge(join, id)), rest(joins.slice(TOLD), id));
    const from = byId("path-from"), to = byId("path-to");
    if (id === from.value || id === to.value) return;
    if (!from.value || (from.value && to.value)) { from.value = id; to.value = ""; } else to.value = id;
  }

  /* Joins that are told when they are asked for: tables of a lake may have hundreds. */
  function rest(joins, id) {
    if (!joins.length) return "";
    const button = h("button", { type: "button", onclick: () => {
      const more = joins.map((join) => edge(join, id));
      button.replaceWith(...more);
      more[0].querySelector("button").focus();
    } }, `Show ${joins.length} weaker ${joins.length === 1 ? "join" : "joins"}`);
    return button;
  }

  function edge(join, id) {
    const other = join.left_table === id ? join.right_table : join.left_table, place = graph.tables.indexOf(other);
    const says = (verdict, text) => h("button", { type: "button", "aria-label": `${text}: ${join.condition}`, onclick: () => state(verdict, join, id) }, text);
    return h("div", { class: "edge" }, h("strong", {}, `${number(join.score)} `), h("code", {}, join.condition),
      h("details", {}, h("summary", {}, "evidence"), ...facts(join)),
      h("button", { type: "button", onclick: () => { centre(place); about(place); } }, `Go to ${other}`),
      ...(jarLive.settings.edit ? join.pinned ? [says("unpin", "Unpin")]
        : [join.kind === "column" ? says("pin", "Pin") : null, says("veto", "Veto")] : []));
  }

  /* A word on a join: the joins of its table are told at once, the drawing follows. */
  async function state(verdict, join, id) {
    const told = { pin: "Pinned", veto: "Vetoed", unpin: "Taken back" }[verdict];
    try {
      verdicts(await jarLive.change(verdict, join.left, join.right));
      byId("graph-news").textContent = `${told}: ${join.condition}`;
      if (id) await about(graph.tables.indexOf(id));
      byId(id || !stated.length ? "about" : "stated-title").focus({ preventScroll: true });
      await load();
    } catch (error) {
      byId("graph-news").textContent = error.message;
    }
  }

  /* What was said of joins, each to be taken back: a vetoed one is in no other list. */
  function verdicts(all) {
    stated = all;
    byId("stated").hidden = !stated.length;
    byId("stated-list").replaceChildren(...stated.map(({ verdict, left, right }) => {
      const condition = `${left} = ${right}`;
      return h("div", { class: "edge" }, h("strong", {}, verdict === "pin" ? "pinned " : "vetoed "), h("code", {}, condition),
        h("div", {}, h("button", { type: "button", "aria-label": `Take back: ${condition}`,
          onclick: () => state("unpin", { left, right, condition }, graph.tables[chosen]) }, "Take back")));
    }));
  }

  async function path(left, right) {
    const ways = await asked("/api/path", { left, right });
    if (!Array.isArray(ways)) return;
    chosen = -1;
    way = ways.length ? ways[0].tables.map((id) => graph.tables.indexOf(id)) : [];
    if (way.length) centre(way[Math.floor(way.length / 2)]);
    byId("about").replaceChildren(h("h2", {}, `${left} to ${right}`), ...(ways.length ? ways.map((each) => h("div", { class: "edge" },
      h("p", {}, `${number(each.score)}  ${each.tables.join(" → ")}`), ...each.joins.map((join) => h("p", {}, h("code", {}, join.condition), ` ${number(join.score)}`))))
      : [h("p", {}, "No joins connect them.")]));
    later();
  }

  async function asked(where, parameters) {
    try {
      return await jarLive.fetched(where, parameters);
    } catch (error) {
      byId("about").replaceChildren(h("p", { class: "news warn", role: "alert" }, error.message));
      return {};
    }
  }

  return { open };
})();
