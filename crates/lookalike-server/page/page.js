"use strict";
// The page of the server. Texts and ids only ever become text nodes; the one piece of HTML that is taken over is made
// and escaped by the server, as for reports.

const element = (id) => document.getElementById(id);

/** How long a pause is, in milliseconds. */
const PAUSE = 400;

/** Bytes of a file that is dropped. */
const MAX_FILE = 8_000_000;

/** What went wrong, in a sentence for people. */
class Refusal extends Error {}

/** Asks the server; throws a Refusal with its sentence. */
async function ask(method, path, body, signal) {
  const headers = {};
  const token = element("token").value.trim();
  if (token) headers.Authorization = `Bearer ${token}`;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  let response;
  try {
    response = await fetch(path, { method, headers, signal, body: body === undefined ? undefined : JSON.stringify(body) });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refusal("The server cannot be reached.");
  }
  if (response.ok) return response;
  let detail = `The server answers ${response.status}.`;
  try {
    detail = (await response.json()).detail || detail;
  } catch {
    // The sentence above has to do.
  }
  if (response.status === 401 || response.status === 403) element("access").open = true;
  if (response.status === 401 && !token) detail = "This needs a token: type it below.";
  throw new Refusal(detail.charAt(0).toUpperCase() + detail.slice(1));
}

/** Says how things are; `isWrong` for what could not be done. */
function say(where, text, isWrong = false) {
  const state = element(where);
  state.textContent = text;
  state.classList.toggle("wrong", isWrong);
}

function make(name, text, parent) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (parent) parent.append(made);
  return made;
}

const counted = (count, noun) => `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;

// Tabs, by mouse and by arrow keys.

const tabs = [...document.querySelectorAll("[role=tab]")];

function show(tab) {
  for (const other of tabs) {
    const isShown = other === tab;
    other.setAttribute("aria-selected", String(isShown));
    other.tabIndex = isShown ? 0 : -1;
    element(other.getAttribute("aria-controls")).hidden = !isShown;
  }
}

for (const [number, tab] of tabs.entries()) {
  tab.addEventListener("click", () => show(tab));
  tab.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const end = { Home: tabs[0], End: tabs[tabs.length - 1] }[event.key];
    if (!step && !end) return;
    event.preventDefault();
    const next = end || tabs[(number + step + tabs.length) % tabs.length];
    show(next);
    next.focus();
  });
}

// What the index is.

async function tellStats() {
  try {
    const stats = await (await ask("GET", "/v1/stats")).json();
    const limit = stats.threshold === undefined ? "" : ` from ${stats.threshold} on`;
    const from = stats.max_distance === undefined ? limit : ` within ${stats.max_distance}`;
    const points = stats.measure === "hamming" ? "fingerprints" : "vectors";
    const of = stats.shingle === undefined ? points : `shingles of ${stats.shingle}`;
    const recall = stats.expected_recall < 1 ? `, found with a probability of ${stats.expected_recall.toFixed(3)}` : "";
    say("stats", `${counted(stats.documents, "document")}; near: ${stats.measure} of ${of}${from}${recall}`);
    if (stats.estimates) element("promise").textContent = "Similarities are estimates, from signatures.";
    for (const field of ["text", "min-match", "new-text"]) element(field).disabled = stats.items;
    element("text").disabled ||= !stats.texts;
    element("min-match").disabled ||= !stats.texts;
    if (stats.items) say("change-state", "This index is one of items: add them by its interface.");
    if (!stats.texts) say("sources-state", "The index stores no texts, in which passages stand: only near documents can be found.", true);
    if (!stats.can_change) say("change-state", "The server was started without a token to write: nothing can be changed.", true);
  } catch (error) {
    say("stats", error.message, true);
  }
}

// Sources of a text.

let pausing;
let asking;

function askWhenPaused() {
  clearTimeout(pausing);
  pausing = setTimeout(askSources, PAUSE);
}

async function askSources() {
  if (asking) asking.abort();
  const text = element("text").value;
  if (!text.trim()) {
    element("sources-found").replaceChildren();
    say("sources-state", "");
    return;
  }
  asking = new AbortController();
  say("sources-state", "Looking ...");
  try {
    const body = { text, min_match: Math.max(1, Math.min(1000, element("min-match").valueAsNumber || 5)) };
    const part = await (await ask("POST", "/page/sources", body, asking.signal)).text();
    // Escaped by the server.
    element("sources-found").innerHTML = part;
    const found = element("sources-found").querySelector("h2");
    say("sources-state", found ? found.textContent : "");
  } catch (error) {
    if (error.name === "AbortError") return;
    element("sources-found").replaceChildren();
    say("sources-state", error.message, true);
  }
}

const text = element("text");
text.addEventListener("input", askWhenPaused);
element("min-match").addEventListener("input", askWhenPaused);
text.addEventListener("dragover", (event) => {
  event.preventDefault();
  text.classList.add("dropping");
});
text.addEventListener("dragleave", () => text.classList.remove("dropping"));
text.addEventListener("drop", async (event) => {
  text.classList.remove("dropping");
  const [file] = event.dataTransfer.files;
  // What is no file goes where the cursor is, as ever.
  if (!file) return;
  event.preventDefault();
  if (file.size > MAX_FILE) {
    say("sources-state", `The file has more than ${MAX_FILE.toLocaleString("en")} bytes.`, true);
    return;
  }
  text.value = await file.text();
  askWhenPaused();
});
// A file that is dropped beside the field would take the place of the page.
for (const kind of ["dragover", "drop"]) {
  document.addEventListener(kind, (event) => {
    if (event.target !== text) event.preventDefault();
  });
}

// Near documents, and families.

function idButton(id, parent) {
  const button = make("button", undefined, parent);
  button.type = "button";
  button.className = "linked";
  make("bdi", id, button);
  button.addEventListener("click", () => {
    element("id").value = id;
    show(element("tab-search"));
    findNear();
  });
}

function table(headings, rows) {
  const made = document.createElement("table");
  const head = make("tr", undefined, make("thead", undefined, made));
  for (const heading of headings) make("th", heading, head).scope = "col";
  const body = make("tbody", undefined, made);
  for (const cells of rows) {
    const row = make("tr", undefined, body);
    for (const cell of cells) {
      const place = make("td", undefined, row);
      if (cell && cell.id !== undefined) idButton(cell.id, place);
      else place.textContent = cell === undefined ? "" : String(cell);
    }
  }
  return made;
}

const figureName = (answer) => {
  if (answer.common !== undefined) return "common";
  if (answer.distance !== undefined) return "bits that differ";
  if (answer.euclidean_distance !== undefined || answer.manhattan_distance !== undefined) return "distance";
  return answer.estimated_similarity === undefined ? "similarity" : "estimated";
};

const figure = (answer) => {
  const told = answer.similarity ?? answer.estimated_similarity ?? answer.common ?? answer.distance
    ?? answer.euclidean_distance ?? answer.manhattan_distance;
  return typeof told === "number" && !Number.isInteger(told) ? told.toFixed(4) : told;
};

let telling;

async function tell(work) {
  if (telling) telling.abort();
  telling = new AbortController();
  // The button that was pressed may go with the table it stands in.
  if (element("search-found").contains(document.activeElement)) element("id").focus();
  element("search-found").replaceChildren();
  say("search-state", "Looking ...");
  try {
    await work(element("id").value, telling.signal);
  } catch (error) {
    if (error.name !== "AbortError") say("search-state", error.message, true);
  }
}

const findNear = () => tell(async (id, signal) => {
  const { answers } = await (await ask("POST", "/v1/search", { id, limit: 100 }, signal)).json();
  say("search-state", `${counted(answers.length, "near document")}`);
  const rows = answers.map((answer) => [answer.rank, figure(answer), answer.reason, { id: answer.id }]);
  if (rows.length) element("search-found").replaceChildren(table(["rank", figureName(answers[0]), "reason", "document"], rows));
});

const findFamily = () => tell(async (id, signal) => {
  const family = await (await ask("GET", `/v1/families/${encodeURIComponent(id)}`, undefined, signal)).json();
  const rest = family.is_whole ? "" : ", and more";
  say("search-state", `${counted(family.members.length, "document")} in the family${rest}`);
  const rows = family.members.map((member) => [
    figure(member),
    { id: member.id },
    member.near_to === undefined ? "" : { id: member.near_to },
  ]);
  element("search-found").replaceChildren(table([figureName(family.members.at(-1)), "document", "near to"], rows));
});

element("search-form").addEventListener("submit", (event) => {
  event.preventDefault();
  findNear();
});
element("family").addEventListener("click", () => {
  if (element("search-form").reportValidity()) findFamily();
});

// The whole index.

element("look").addEventListener("click", async () => {
  const button = element("look");
  button.disabled = true;
  say("whole-state", "Looking ...");
  try {
    let response = await ask("GET", "/v1/survey");
    while (response.status === 202) {
      await new Promise((resume) => setTimeout(resume, 500));
      response = await ask("GET", "/v1/survey");
    }
    tellSurvey(await response.json());
  } catch (error) {
    say("whole-state", error.message, true);
  }
  button.disabled = false;
});

function tellSurvey(survey) {
  const documents = counted(survey.clustered_documents, "document");
  const families = survey.clusters === 1 ? "1 family" : `${survey.clusters.toLocaleString("en")} families`;
  say("whole-state", `${counted(survey.pairs, "pair")} of near-duplicates; ${families} of ${documents}`);
  const place = element("whole-found");
  place.replaceChildren();
  if (survey.histogram && survey.pairs > 0) {
    const chart = make("div", undefined, place);
    chart.className = "chart";
    chart.tabIndex = 0;
    chart.setAttribute("role", "img");
    chart.setAttribute("aria-label", "How many pairs have which similarity");
    // The drawing has numbers and words of the program alone.
    const drawing = new DOMParser().parseFromString(survey.histogram, "image/svg+xml").documentElement;
    chart.append(document.importNode(drawing, true));
  }
  const rows = survey.largest.map((family) => [family.documents, { id: family.ids[0] }]);
  if (rows.length) place.append(table(["documents", "first of them"], rows));
}

// Changes.

function change(form, work) {
  element(form).addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = element(form).querySelector("[type=submit]");
    button.disabled = true;
    say("change-state", "Working ...");
    try {
      say("change-state", await work());
      tellStats();
    } catch (error) {
      say("change-state", error.message, true);
    }
    button.disabled = false;
  });
}

change("add-form", async () => {
  const [id, text] = [element("new-id").value, element("new-text").value];
  if (!element("unless-near").checked) {
    const path = `/v1/documents/${encodeURIComponent(id)}`;
    const { replaced } = await (await ask("PUT", path, { text })).json();
    return replaced ? "It came in place of one with this id." : "Added.";
  }
  const { added, replaced, near } = await (await ask("POST", "/v1/insert", { id, text })).json();
  if (replaced) return "It came in place of one with this id.";
  return added ? "Added." : `Not added: ${near.id} is near (${figure(near)}, ${near.reason}).`;
});

change("remove-form", async () => {
  const id = element("old-id").value;
  if (!confirm(`Remove ${id} from the index?`)) return "Not removed.";
  await ask("DELETE", `/v1/documents/${encodeURIComponent(id)}`);
  return "Removed.";
});

tellStats();
element("token").addEventListener("change", () => {
  tellStats();
  if (text.value) askSources();
});
