"use strict";
/* The page of one answer. All that comes from the model reaches the page as text, never as markup. */
const jarPage = (() => {
  const SVG = "http://www.w3.org/2000/svg";
  const CARD = 208, GAP = 96, ASK = 172, ROW = 14, INDENT = 26, MANY = 12, FIRST = 12;

  /* An element with attributes, listeners (on...) and children; strings become text. */
  function h(tag, attributes = {}, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (value === null || value === undefined || value === false) continue;
      if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
      else made.setAttribute(name, value === true ? "" : String(value));
    }
    for (const child of children.flat()) if (child !== null && child !== undefined) made.append(child);
    return made;
  }
  const byId = (id) => document.getElementById(id);
  const number = (value, digits = 2) => value.toFixed(digits).replace("-", "\u2212");
  const percent = (value) => `${Math.round(100 * value)} %`;
  const tables = (count) => `${count} ${count === 1 ? "table" : "tables"}`;
  const listed = (names) => names.join(", ");

  /* ---- the model: sets under wishes ---- */
  const keyOf = (size, require, exclude) =>
    [size, [...require].sort((a, b) => a - b).join(","), [...exclude].sort((a, b) => a - b).join(",")].join("|");
  const places = (text) => (text ? text.split(",").map(Number) : []);

  const linesOf = (set, lines) => lines.map((place) => set.texts[place]).join("\n");

  /* A model with joins in place of numbers, and the wishes of each size. */
  function read(model) {
    const state = { ...model, wishes: new Map(), known: [] };
    state.known = [];
    learn(state, model);
    return state;
  }

  /* Take the sets of another model of the same candidates. */
  function learn(state, more) {
    const made = more.sets.map((set) => ({
      ...set,
      joins: set.joins.map((place) => more.joins[place]),
      texts: more.texts,
    }));
    const first = state.known.length;
    state.known.push(...made);
    for (const [key, place] of Object.entries(more.best)) {
      const [size, require, exclude] = key.split("|");
      const set = place < 0 ? null : state.known[first + place];
      if (!state.wishes.has(+size)) state.wishes.set(+size, new Map());
      const wishes = state.wishes.get(+size);
      const known = wishes.get(key);
      if (known && known.set && set && known.set.confidence === null) Object.assign(known.set, { confidence: set.confidence, chance: set.chance });
      if (!known) wishes.set(key, { require: places(require), exclude: places(exclude), set });
    }
  }

  /* The best set under a wish: a set, null where there is none, undefined where nobody has computed it.
     The best under weaker wishes that satisfies this one is the best under this one, too. */
  function best(state, size, require, exclude) {
    const wishes = state.wishes.get(size);
    if (!wishes) return undefined;
    const exact = wishes.get(keyOf(size, require, exclude));
    if (exact) return exact.set;
    for (const wish of wishes.values()) {
      if (!wish.require.every((t) => require.has(t)) || !wish.exclude.every((t) => exclude.has(t))) continue;
      if (wish.set === null) return null;
      if ([...require].every((t) => wish.set.tables.includes(t)) && !wish.set.tables.some((t) => exclude.has(t))) return wish.set;
    }
    return undefined;
  }

  /* ---- state ---- */
  let model = null, size = 0, require = new Set(), exclude = new Set(), shown = null, ask = null, serial = 0;
  const nameOf = (table) => model.tables[table].name;
  const idOf = (table) => model.tables[table].id;

  /* Show a model; `asker(size, require, exclude)` is asked for a set that it lacks, where there is a server. */
  function show(document_, asker = null) {
    model = read(document_);
    ask = asker;
    require = new Set();
    exclude = new Set();
    const answer = model.known[document_.answer];
    size = answer.tables.length;
    shown = null;
    byId("answer").removeAttribute("data-ready");
    document.title = `${model.question} \u2013 tables`;
    width = room();
    build(answer);
    draw(answer, size ? "" : `Likely nothing here answers the question (${percent(model.nothing || 0)}). Move the size to see the best sets all the same.`);
  }

  function now() { return best(model, size, require, exclude); }

  /* After a change of wishes: the best set, from the model or from the server. */
  function update(said) {
    const found = now();
    serial += 1;
    if (found !== undefined) return draw(found, said);
    const turn = serial, wanted = [size, [...require], [...exclude]];
    if (!ask) return missing();
    return ask(...wanted).then((more) => { learn(model, more); if (turn === serial) draw(now(), said); },
      (error) => { if (turn === serial) news(`The server gave no answer: ${error.message}`, true); });
  }

  function toggle(table) {
    if (model.required.includes(table)) return news(`${idOf(table)} was required when the question was asked.`, true);
    let said;
    if (require.delete(table) || exclude.delete(table)) said = `Wish for ${idOf(table)} taken back.`;
    else if (shown && shown.tables.includes(table)) { exclude.add(table); said = `${idOf(table)} is excluded.`; }
    else { require.add(table); size = size || 1; said = `${idOf(table)} is required.`; }
    return update(said);
  }
  function wish(table, kind) {
    if (model.required.includes(table)) return news(`${idOf(table)} was required when the question was asked.`, true);
    const [one, other] = kind === "require" ? [require, exclude] : [exclude, require];
    other.delete(table);
    const back = one.delete(table);
    if (!back) one.add(table);
    if (require.size) size = size || 1;
    return update(back ? `Wish for ${idOf(table)} taken back.` : `${idOf(table)} is ${kind}d.`);
  }
  function resize(value) {
    size = value;
    return update(`Size ${tables(size)}.`);
  }
  function reset() {
    require.clear();
    exclude.clear();
    return update("All wishes taken back.");
  }

  /* ---- what stays while wishes change ---- */
  function build(answer) {
    const least = Math.min(1, answer.tables.length);
    const by = ["caller", "default"].includes(model.decomposition) ? "" : ` (by ${model.decomposition})`;
    byId("answer").replaceChildren(
      h("header", {}, h("h1", {}, model.question),
        h("p", { class: "soft" }, model.subqueries.length ? `Taken apart into ${model.subqueries.length} sub-queries${by}. ` : "",
          `${tables(model.tables.length)} were candidates.`)),
      h("section", { class: "controls", "aria-label": "Wishes" },
        h("label", {}, "Size ", h("input", { type: "range", id: "size", min: least, max: model.largest, step: 1, value: size,
          "aria-describedby": "chance", oninput: (event) => resize(+event.target.value) }),
          h("span", { class: "size-told", id: "size-told" })),
        h("div", { class: model.largest > 20 ? "sizes narrow" : "sizes", id: "sizes", "aria-hidden": "true" }),
        h("span", { id: "chance" }),
        h("div", { class: "wishes", id: "wishes" })),
      h("p", { class: "news", id: "news", role: "status", "aria-live": "polite" }),
      h("div", { id: "alternatives", class: "alternatives" }),
      h("section", { "aria-labelledby": "picture-title" },
        h("h2", { id: "picture-title" }, "Chosen tables"),
        h("p", { class: "soft" }, "Press a table to exclude it, a grey one to require it; press again to take that back. On a focused table, R requires and X excludes."),
        h("div", { class: "stage", id: "stage" })),
      h("section", { "aria-labelledby": "left-title" }, h("h2", { id: "left-title" }, "Candidates left out"),
        h("ul", { class: "left", id: "left" })),
      h("section", { "aria-labelledby": "joins-title" }, h("h2", { id: "joins-title" }, "Joins"), h("ul", { class: "joins", id: "joins" })),
      copied("conditions", "Join conditions"), copied("sql", "SQL context for a prompt"), copied("words", "Reasons in words"),
      h("footer", {}, h("p", { id: "proof" }), ...model.notes.map((note) => h("p", {}, `Note: ${note}`)),
        h("p", {}, "Each set is the best of its size under the wishes, proved by an exact solver. ",
          ask ? "The server computes it when you ask." : "They were computed before; the page sends and loads nothing.")));
    alternatives();
  }

  function copied(id, title) {
    const button = h("button", { type: "button", onclick: () => copy(byId(id), button) }, "Copy");
    button.setAttribute("aria-label", `Copy: ${title}`);
    return h("section", { "aria-labelledby": `${id}-title` },
      h("div", { class: "copy" }, h("h2", { id: `${id}-title` }, title), button), h("pre", { id, tabindex: 0 }));
  }

  async function copy(from, button) {
    try {
      await navigator.clipboard.writeText(from.textContent);
    } catch {
      const range = document.createRange();
      range.selectNodeContents(from);
      getSelection().removeAllRanges();
      getSelection().addRange(range);
      document.execCommand("copy");
    }
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  }

  function alternatives() {
    if (!model.alternatives.length) return;
    byId("alternatives").replaceChildren(h("span", { class: "soft" }, "The needed tables may also be exactly:"), ...model.alternatives.map((other) => {
      const set = other.set < 0 ? null : model.known[other.set];
      const told = `${set ? listed(set.tables.map(idOf)) : "nothing here"} (${percent(other.probability)})`;
      return set ? h("button", { type: "button", onclick: () => choose(set) }, told) : h("span", {}, told);
    }));
  }

  /* Show a set that is none of the best ones: by requiring all of it. */
  function choose(set) {
    size = set.tables.length;
    require = new Set(set.tables.filter((table) => !model.required.includes(table)));
    exclude = new Set();
    learn(model, { sets: [], joins: [], texts: [], best: {} });
    const wishes = model.wishes.get(size) || new Map();
    model.wishes.set(size, wishes);
    wishes.set(keyOf(size, require, exclude), { require: [...require], exclude: [], set });
    return update("Another likely set.");
  }

  /* ---- what changes with the set ---- */
  function draw(set, said) {
    const before = shown;
    const held = focusKey();
    const first = shown === null;
    if (!first) controls(set);
    if (set === null) { impossible(); refocus(held); return; }
    shown = set;
    picture(set, before, first && set.tables.length > MANY ? FIRST : set.tables.length);
    news(changes(before, set, said), false);
    if (first) requestAnimationFrame(() => setTimeout(() => {
      if (shown !== set) return;
      if (byId("stage").querySelectorAll(".card").length < set.tables.length) picture(set, before);
      controls(set);
      below(set);
      refocus(held);
    }));
    else below(set);
    refocus(held);
  }

  /* What stands below the picture, which is painted before it. */
  function below(set) {
    leftOut(set);
    joinList(set);
    byId("conditions").textContent = set.joins.map((join) => join.condition).join("\n") || "no joins";
    byId("sql").textContent = linesOf(set, set.sql);
    byId("words").textContent = linesOf(set, set.words);
    byId("proof").textContent = proof(set);
    byId("answer").setAttribute("data-ready", "");
  }

  function proof(set) {
    if (set.status === "nothing fits") return "Nothing here fits the question.";
    const parts = set.components.length > 1 ? `${set.components.length} unconnected parts` : "connected";
    const best_ = set.status === "optimal" ? "optimal" : `at most ${number(100 * set.gap, 1)} % below the best possible`;
    return `${parts}; value ${number(set.value, 3)}, ${best_} (${set.solver})`;
  }

  function changes(before, set, said) {
    if (!before || before === set) return said + (said ? ` The same ${tables(set.tables.length)} are best.` : "");
    const came = set.tables.filter((t) => !before.tables.includes(t)).map(idOf);
    const went = before.tables.filter((t) => !set.tables.includes(t)).map(idOf);
    const parts = [said, came.length ? `In: ${listed(came)}.` : "", went.length ? `Out: ${listed(went)}.` : ""];
    return parts.filter(Boolean).join(" ");
  }

  function news(text, warn) {
    const line = byId("news");
    line.textContent = text;
    line.classList.toggle("warn", Boolean(warn));
  }

  function missing() {
    controls(undefined);
    const sides = [...[...require].map((t) => `--require ${quoted(idOf(t))}`), ...[...exclude].map((t) => `--exclude ${quoted(idOf(t))}`)];
    news("This combination was not computed for this page, which still shows the set before it. Take back a wish, or ask: ", true);
    byId("news").append(h("code", {}, `jar explain INDEX ${quoted(model.question)} -k ${size} ${sides.join(" ")}`));
  }
  const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

  function impossible() {
    const needed = new Set([...require, ...model.required]).size;
    news(needed > size ? `${tables(needed)} are required: the size has to be ${needed} or more.`
      : `No set of ${tables(size)} satisfies these wishes: take one back.`, true);
  }

  function controls(set) {
    byId("size").value = size;
    byId("size").setAttribute("aria-valuetext", tables(size));
    byId("size-told").textContent = tables(size);
    byId("chance").textContent = set && set.confidence !== null && set.tables.length ? set.chance : "";
    const bars = [];
    for (let other = 1; model.chances && other <= model.largest; other += 1) {
      const there = best(model, other, require, exclude);
      const bar = h("i", { class: other === size ? "now" : null });
      bar.style.height = `${there && there.confidence !== null ? Math.round(28 * there.confidence) : 0}px`;
      bars.push(bar);
    }
    byId("sizes").replaceChildren(...bars);
    const chips = [...[...require].map((t) => [t, "require"]), ...[...exclude].map((t) => [t, "exclude"])].map(([table, kind]) =>
      h("button", { type: "button", class: `wish ${kind}`, "data-key": `wish${table}`, "aria-label": `${kind}d: ${idOf(table)}. Take back`,
        onclick: () => toggle(table) }, `${kind} ${nameOf(table)} ×`));
    if (chips.length > 1) chips.push(h("button", { type: "button", onclick: reset }, "Take all back"));
    byId("wishes").replaceChildren(...chips);
  }

  const focusKey = () => (document.activeElement && document.activeElement.dataset ? document.activeElement.dataset.key : undefined);
  function refocus(key) {
    if (!key || (document.activeElement && document.activeElement !== document.body)) return;
    const again = [...document.querySelectorAll("[data-key]")].find((each) => each.dataset.key === key)
      || document.querySelector(".cards .name") || byId("size");
    again.focus({ preventScroll: true });
  }

  function onKey(table) {
    return (event) => {
      const pressed = event.key.toLowerCase();
      if (event.ctrlKey || event.metaKey || event.altKey || (pressed !== "r" && pressed !== "x")) return;
      event.preventDefault();
      wish(table, pressed === "r" ? "require" : "exclude");
    };
  }

  function keeper(table, kind, sign, pressed) {
    return h("button", { type: "button", class: "keep", "aria-pressed": String(pressed), "data-key": `${kind}${table}`,
      "aria-label": `${kind} ${idOf(table)}`, title: `${kind} ${idOf(table)}`, onclick: () => wish(table, kind), onkeydown: onKey(table) }, sign);
  }

  function leftOut(set) {
    const base = set.value;
    const rows = model.tables.map((table, place) => [table, place]).filter(([, place]) => !set.tables.includes(place)).map(([table, place]) => {
      const off = exclude.has(place);
      const other = off ? undefined : best(model, size, new Set([...require, place]), exclude);
      const cost = other ? `${number(Math.min(0, other.value - base), 1)}` : "";
      const about = `candidate ${place + 1}, relevance ${number(table.coarse, 1)}`;
      return h("li", { class: off ? "off" : null },
        h("button", { type: "button", class: "name", "data-key": `t${place}`, title: `${table.id}: ${about}; ${table.origin}`,
          "aria-label": `${table.id}, left out, ${off ? "excluded" : about}${cost ? `; the best set with it is worth ${cost}` : ""}. ${off ? "Take back" : "Require it"}`,
          onclick: () => toggle(place), onkeydown: onKey(place) }, table.name, h("small", {}, `${place + 1}. ${table.database}`)),
        cost ? h("span", { class: "cost", title: "What the best set with it is worth beside this one" }, cost) : null,
        keeper(place, "exclude", off ? "⊘" : "×", off));
    });
    byId("left").replaceChildren(...rows);
    byId("left-title").textContent = `Candidates left out (${rows.length})`;
  }

  function facts(join) {
    return [join.said.length ? h("p", {}, join.said.join("; ")) : null, ...join.shares.map(([what, share, error]) => {
      const bar = h("i", {});
      bar.style.width = `${100 * Math.max(0, Math.min(1, share))}%`;
      return h("div", { class: "share" }, h("span", {}, what), h("span", { class: "bar", "aria-hidden": "true" }, bar),
        h("span", {}, `${number(share)}${error ? ` ±${number(error)}` : ""}`));
    })];
  }

  function joinList(set) {
    byId("joins").replaceChildren(...(set.joins.length ? set.joins.map((join) => {
      const bar = h("i", {});
      bar.style.width = `${100 * Math.max(0, Math.min(1, join.score))}%`;
      return h("li", {}, h("details", {}, h("summary", {}, h("code", {}, join.condition), h("span", { class: "bar", "aria-hidden": "true" }, bar),
        h("span", {}, number(join.score))), h("div", { class: "facts" }, ...facts(join))));
    }) : [h("li", {}, h("p", { class: "facts" }, "No joins."))]));
  }

  /* ---- the picture ---- */
  /* Its width; asked for before anything is built, when the answer is cheap. */
  const room = () => byId("answer").clientWidth - 32;
  let width = 0;

  /* The first tables of a set, most often all; of a large one those at the top of the screen are painted before the rest. */
  function picture(set, before, most = set.tables.length) {
    const stage = byId("stage"), whole = treeOf(set), depth = Math.max(0, ...whole.map((node) => node.depth));
    const across = width >= 720 && ASK + GAP / 2 + (depth + 1) * CARD + depth * GAP <= width;
    const forest = across ? whole : whole.slice(0, most);
    const asks = h("ul", { class: "asks", "aria-label": "Sub-queries" }, model.subqueries.map((text, q) => askChip(set, text, q)));
    const cards = h("ul", { class: "cards", "aria-label": "Chosen tables" }, forest.map((node) => card(set, node.table, before)));
    const labels = h("ul", { class: "labels", "aria-label": "Joins drawn" });
    const lines = document.createElementNS(SVG, "svg");
    lines.setAttribute("class", "lines");
    lines.setAttribute("aria-hidden", "true");
    const tip = h("div", { class: "tip", role: "tooltip", id: "tip", hidden: true });
    const canvas = h("div", { class: "canvas tree" }, lines, asks, cards, labels, tip);
    stage.replaceChildren(canvas);
    forest.forEach((node, place) => { node.card = cards.children[place]; });
    for (const node of forest) if (node.parent) labels.append(node.label = joinLabel(node, across, tip, canvas));
    if (across) placeAcross(canvas, asks, forest, width);
    else placeDown(canvas, asks, forest, width, whole);
    drawLines(lines, canvas, forest, asks, set, across);
  }

  /* The tables as a forest along their joins, each tree from the table in its middle; parents before children. */
  function treeOf(set) {
    const near = new Map(set.tables.map((table) => [table, []]));
    for (const join of set.joins) {
      near.get(join.left).push([join.right, join]);
      near.get(join.right).push([join.left, join]);
    }
    const walk = (root) => {
      const nodes = [{ table: root, depth: 0, parent: null, join: null, children: [] }];
      const seen = new Set([root]);
      for (const node of nodes) for (const [other, join] of near.get(node.table)) {
        if (seen.has(other)) continue;
        seen.add(other);
        const child = { table: other, depth: node.depth + 1, parent: node, join, children: [] };
        node.children.push(child);
        nodes.push(child);
      }
      return nodes;
    };
    const inOrder = (node) => [node, ...node.children.flatMap(inOrder)];
    const done = new Set(), forest = [];
    for (const table of set.tables) {
      if (done.has(table)) continue;
      const far = walk(table).at(-1).table, path = walk(far);
      let middle = path.at(-1);
      for (let up = Math.floor(middle.depth / 2); up > 0; up -= 1) middle = middle.parent;
      const nodes = walk(middle.table);
      nodes.forEach((node) => done.add(node.table));
      forest.push(...inOrder(nodes[0]));
    }
    return forest;
  }

  function askChip(set, text, q) {
    const answers = set.matches.filter((match) => match[0] === q);
    const told = answers.map(([, table, column, score]) => `${nameOf(table)}.${column} (${number(score)})`);
    return h("li", {}, h("button", { type: "button", class: `ask-chip c${q % 8}${answers.length ? "" : " none"}`, "data-key": `q${q}`,
      "aria-label": `Sub-query ${q + 1}: ${text}. ${told.length ? `Answered by ${listed(told)}` : "Answered by no chosen table"}`,
      title: told.length ? `answered by ${listed(told)}` : "answered by no chosen table",
      onmouseenter: () => light(`.ask-${q}`), onmouseleave: () => light(""), onfocus: () => light(`.ask-${q}`), onblur: () => light("") },
    h("span", { class: `badge b${q % 8}` }, String(q + 1)), ` ${text}`));
  }

  function card(set, table, before) {
    const about = model.tables[table], part = set.parts[set.tables.indexOf(table)] || [0, 0, 0];
    const fixed = model.required.includes(table), required = fixed || require.has(table);
    const worth = part[0] + part[1] + part[2];
    const columns = new Map();
    const row = (column) => { if (!columns.has(column)) columns.set(column, { key: false, asks: [], values: [] }); return columns.get(column); };
    for (const [q, t, column, score] of set.matches) if (t === table) row(column).asks.push([q, score]);
    for (const [t, column, text] of set.values) if (t === table) row(column).values.push(text);
    for (const join of set.joins) for (const [left, right] of join.on) {
      if (join.left === table) row(left).key = true;
      if (join.right === table) row(right).key = true;
    }
    const rows = [...columns].map(([column, uses]) => h("li", { class: uses.key ? "key" : null, "data-column": column },
      h("span", { title: column }, column, uses.values.length ? h("span", { class: "soft" }, ` = “${uses.values.join("”, “")}”`) : null),
      ...uses.asks.map(([q, score]) => h("span", { class: `badge b${q % 8}`, title: `answers “${model.subqueries[q]}” (${number(score)})`,
        role: "img", "aria-label": `answers sub-query ${q + 1}` }, String(q + 1)))));
    const total = Math.max(1e-9, ...set.parts.map((each) => each.reduce((sum, value) => sum + Math.max(0, value), 0)));
    const meter = h("span", { class: "meter", "aria-hidden": "true" }, ["coarse", "coverage", "join"].map((kind, place) => {
      const bar = h("i", { class: kind });
      bar.style.width = `${100 * Math.max(0, part[place]) / total}%`;
      return bar;
    }));
    const terms = `relevance ${number(part[0])}, sub-queries ${number(part[1])}, joins ${number(part[2])}`;
    return h("li", { class: `card${required ? " required" : ""}${before && !before.tables.includes(table) ? " fresh" : ""}` },
      h("div", { class: "head" },
        h("button", { type: "button", class: "name", "data-key": `t${table}`, title: about.id, onclick: () => toggle(table), onkeydown: onKey(table),
          "aria-label": `${about.id}, chosen${required ? ", required" : ""}, adds ${number(worth)}: ${terms}. ${fixed ? "" : required ? "Take back" : "Exclude it"}` },
        about.name, h("small", {}, about.database)),
        fixed ? null : keeper(table, "require", require.has(table) ? "●" : "○", require.has(table)),
        fixed ? null : keeper(table, "exclude", "×", false)),
      h("ul", { class: "rows" }, rows),
      h("div", { class: "worth", title: terms }, meter, number(worth, 1)));
  }

  function joinLabel(node, across, tip, canvas) {
    const { join } = node, item = h("li", {});
    const hide = () => { tip.hidden = true; light(""); };
    const reveal = () => {
      tip.replaceChildren(h("p", {}, h("strong", {}, join.condition)), h("p", {}, `strength ${number(join.score)}`), ...facts(join));
      tip.hidden = false;
      const place = item.getBoundingClientRect(), frame = canvas.getBoundingClientRect();
      const x = Math.min(place.left - frame.left, frame.width - tip.offsetWidth - 4);
      tip.style.left = `${Math.max(0, x)}px`;
      tip.style.top = `${place.bottom - frame.top + 6}px`;
      light(`.join-${node.table}`);
    };
    const columns = join.on.map(([left, right]) => (left === right ? left : `${left} = ${right}`)).join(", ");
    item.append(h("button", { type: "button", class: `strength${join.score < 0.5 ? " weak" : ""}`, "aria-describedby": "tip", "data-key": `j${node.table}`,
      "aria-label": `Join ${join.condition}, strength ${number(join.score)}`, onmouseenter: reveal, onmouseleave: hide, onfocus: reveal, onblur: hide,
      onclick: reveal, onkeydown: (event) => { if (event.key === "Escape") hide(); } },
    across ? number(join.score) : `${columns} · ${number(join.score)}`));
    return item;
  }

  function light(selector) {
    const canvas = document.querySelector(".canvas");
    if (!canvas) return;
    canvas.querySelectorAll(".on").forEach((each) => each.classList.remove("on"));
    const found = selector ? canvas.querySelectorAll(`.lines ${selector}`) : [];
    found.forEach((each) => each.classList.add("on"));
    canvas.classList.toggle("lit", found.length > 0);
  }

  const move = (item, x, y, width) => {
    item.style.left = `${x}px`;
    item.style.top = `${y}px`;
    if (width) item.style.width = `${width}px`;
  };

  /* Sub-queries at the left, each tree from left to right. */
  function placeAcross(canvas, asks, forest, width) {
    const first = ASK + GAP / 2;
    forest.forEach((node) => { node.card.style.width = `${CARD}px`; });
    [...asks.children].forEach((item) => { item.style.width = `${ASK}px`; });
    const heights = forest.map((node) => node.card.offsetHeight), asked = [...asks.children].map((item) => item.offsetHeight);
    forest.forEach((node, place) => { node.height = heights[place]; });
    let bottom = 0;
    const settle = (node) => {
      node.x = first + node.depth * (CARD + GAP);
      if (!node.children.length) { node.y = bottom; bottom += node.height + ROW; return; }
      const top = bottom;
      node.children.forEach(settle);
      const last = node.children.at(-1);
      node.y = Math.max(top, (node.children[0].y + last.y + last.height - node.height) / 2);
      bottom = Math.max(bottom, node.y + node.height + ROW);
    };
    forest.filter((node) => !node.parent).forEach(settle);
    forest.forEach((node) => move(node.card, node.x, node.y, CARD));
    let y = 0;
    [...asks.children].forEach((item, place) => { move(item, 0, y, ASK); y += asked[place] + 8; });
    size_(canvas, width, Math.max(bottom, y));
  }

  /* Sub-queries above; tables under each other, each below and right of the one it joins; many tables in several
     columns, where the label of a join to another column names the table there. */
  function placeDown(canvas, asks, forest, width, all) {
    const many = all.length > MANY, count = many ? Math.max(1, Math.floor(width / 350)) : 1;
    const wide = count > 1 ? Math.floor((width - 4) / count) - 18 : Math.min(width - 4, 560);
    const depth = Math.max(0, ...all.map((node) => node.depth));
    const step = Math.min(INDENT, depth ? (wide - 220) / depth : INDENT);
    canvas.classList.toggle("many", many);
    [...asks.children].forEach((item) => { item.style.maxWidth = `${width - 4}px`; });
    forest.forEach((node) => { node.x = node.depth * step; node.card.style.width = `${wide - node.x}px`; });
    const sizes = [...asks.children].map((item) => [item.offsetWidth, item.offsetHeight]);
    const heights = forest.map((node) => node.card.offsetHeight), names = forest.map((node) => (node.label ? node.label.offsetHeight + 3 : 0));
    let x = 0, y = 0, line = 0;
    sizes.forEach(([w, high], place) => {
      if (x && x + w > width) { x = 0; y += line + 6; line = 0; }
      move(asks.children[place], x, y);
      x += w + 6;
      line = Math.max(line, high);
    });
    const top = y + line + 14, cut = forest.length < all.length;
    const whole = cut ? Infinity : forest.reduce((sum, _, place) => sum + heights[place] + names[place] + 8, 0);
    let column = 0, bottom = top;
    y = top;
    forest.forEach((node, place) => {
      if (column < count - 1 && y > top && y + heights[place] / 2 > top + whole / count) { column += 1; y = top; }
      node.column = column;
      node.left = column * (wide + 18) + node.x;
      if (node.label) {
        if (node.parent.column !== column) node.label.firstChild.prepend(`${nameOf(node.parent.table)}: `);
        move(node.label, node.left + 8, y);
        node.label.style.maxWidth = `${wide - node.x - 10}px`;
        y += names[place];
      }
      node.y = y;
      node.height = heights[place];
      move(node.card, node.left, y);
      y += node.height + 8;
      bottom = Math.max(bottom, y);
    });
    size_(canvas, width - 4, bottom);
  }
  function size_(canvas, width, height) {
    canvas.style.width = `${width - 4}px`;
    canvas.style.height = `${height}px`;
  }

  function drawLines(lines, canvas, forest, asks, set, across) {
    const frame = across ? canvas.getBoundingClientRect() : null;
    lines.setAttribute("width", canvas.style.width);
    lines.setAttribute("height", canvas.style.height);
    const rowAt = (node, column) => {
      const row = [...node.card.querySelectorAll("[data-column]")].find((each) => each.dataset.column === column);
      const place = (row || node.card).getBoundingClientRect();
      return row ? place.top + place.height / 2 - frame.top : place.top + 16 - frame.top;
    };
    const line = (d, names, width) => {
      const path = document.createElementNS(SVG, "path");
      path.setAttribute("d", d);
      path.setAttribute("class", names);
      if (width) path.setAttribute("stroke-width", width);
      lines.append(path);
    };
    for (const node of forest) {
      if (!node.parent) continue;
      const { join } = node, own = join.left === node.table ? 0 : 1, [pair] = join.on;
      if (across) {
        const x1 = node.parent.x + CARD, x2 = node.x, y1 = rowAt(node.parent, pair[1 - own]), y2 = rowAt(node, pair[own]), bend = (x2 - x1) / 2;
        line(`M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`, `join join-${node.table}`, 1 + 4 * join.score);
        move(node.label, (x1 + x2) / 2 - 20, (y1 + y2) / 2 - 11);
      } else {
        if (node.column !== node.parent.column) continue;
        const x = node.parent.left + 9;
        line(`M${x} ${node.parent.y + node.parent.height}V${node.y + 16}H${node.left}`, `join join-${node.table}`, 1 + 4 * join.score);
      }
    }
    if (!across) return;
    for (const [q, table, column] of set.matches) {
      const node = forest.find((each) => each.table === table), chip = asks.children[q].firstChild.getBoundingClientRect();
      const x1 = chip.right - frame.left, y1 = chip.top + chip.height / 2 - frame.top, x2 = node.x, y2 = rowAt(node, column);
      const bend = Math.max(30, (x2 - x1) / 2);
      line(`M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`, `ask ask-${q} p${q % 8}`);
    }
  }

  addEventListener("resize", () => {
    if (!shown || !byId("stage") || room() === width || room() <= 0) return;
    width = room();
    picture(shown, shown);
  });

  /* More sets of the same question: what is shown stays, with what it would cost to require the others. */
  function more(document_) {
    learn(model, document_);
    model.chances = document_.chances;
    if (shown) { controls(now() || shown); leftOut(shown); }
  }

  return { show, more, h, number, percent, facts };
})();
{
  const embedded = JSON.parse(document.getElementById("model").textContent);
  if (embedded && embedded.version) jarPage.show(embedded);
}
