/* The page of a server: ask a question, see its answer, walk the join graph. */
const jarLive = (() => {
  const { h } = jarPage;
  const settings = JSON.parse(document.getElementById("model").textContent);
  let turn = 0;

  async function fetched(path, parameters, options = {}) {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(parameters)) for (const each of [value].flat()) query.append(name, each);
    const response = await fetch(`${path}?${query}`, options);
    const answer = await response.json();
    if (!response.ok) throw new Error(answer.error || `status ${response.status}`);
    return answer;
  }
  const change = (verdict, left, right) => fetched("/api/verdicts", {}, { method: "POST",
    headers: { "content-type": "application/json", "x-jar-token": settings.token }, body: JSON.stringify({ verdict, left, right }) });

  function failed(error) {
    document.getElementById("answer").replaceChildren(h("p", { class: "news warn", role: "alert" }, error.message));
  }

  async function ask(question, k) {
    const mine = (turn += 1);
    const asked = { question, k };
    history.replaceState(null, "", `?${new URLSearchParams(asked)}`);
    look("question");
    document.getElementById("answer").setAttribute("aria-busy", "true");
    try {
      const model = await fetched("/api/answer", asked);
      if (mine !== turn) return;
      jarPage.show(model, (size, required, excluded) => fetched("/api/wish", { ...asked, size, required, excluded }));
      const whole = await fetched("/api/answer", { ...asked, whole: true });
      if (mine === turn) jarPage.more(whole);
    } catch (error) {
      if (mine === turn) failed(error);
    } finally {
      document.getElementById("answer").removeAttribute("aria-busy");
    }
  }

  function look(at) {
    for (const [name, id] of [["question", "answer"], ["graph", "graph"]]) {
      document.getElementById(id).hidden = name !== at;
      document.getElementById(`to-${name}`).setAttribute("aria-current", name === at ? "page" : "false");
      if (name !== at) document.getElementById(`to-${name}`).removeAttribute("aria-current");
    }
    if (at === "graph") jarGraph.open();
  }

  function start() {
    const question = h("input", { type: "text", id: "question", name: "question", placeholder: "Ask a question", maxlength: 4000, required: true,
      "aria-label": "Question", autocomplete: "off" });
    const count = h("select", { id: "count", name: "k", "aria-label": "Number of tables" },
      ["auto", 1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 50].map((k) => h("option", { value: k }, k === "auto" ? "as many as needed" : String(k))));
    const form = h("form", { class: "bar-row", onsubmit: (event) => { event.preventDefault(); if (question.value.trim()) ask(question.value, count.value); } },
      question, count, h("button", { type: "submit" }, "Ask"));
    document.getElementById("bar").append(form, h("nav", { class: "bar-row", "aria-label": "Views" },
      h("button", { type: "button", id: "to-question", onclick: () => look("question") }, "Question"),
      h("button", { type: "button", id: "to-graph", onclick: () => look("graph") }, "Join graph"),
      h("span", { class: "soft" }, settings.file)));
    document.getElementById("answer").after(h("main", { id: "graph", hidden: true }));
    const given = new URLSearchParams(location.search);
    const k = given.get("k") || "auto";
    if (![...count.options].some((option) => option.value === k)) count.append(h("option", { value: k }, k));
    count.value = k;
    if (given.get("question")) {
      question.value = given.get("question");
      ask(question.value, k);
    } else {
      look("question");
      document.getElementById("answer").replaceChildren(h("h1", {}, "Which tables does a question need?"),
        h("p", { class: "soft" }, "Ask above, or look at the join graph. Nothing leaves this machine."));
      question.focus();
    }
  }

  return { fetched, change, settings, ask, look, start };
})();
jarLive.start();
