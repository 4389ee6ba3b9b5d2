// The page of one seat: what it knows, what it draws, and what it asks of the table.

import { App } from "./app.js";
import { Connection } from "./connection.js";
import { actionOf, ended, groupsOf, isComplete, isLastPart, noDraft, optionsFor } from "./choices.js";
import { html, render, reuse } from "./html.js";
import * as keyboard from "./keyboard.js";
import { moves, positions, slide, slides } from "./motion.js";
import { tablesBetween } from "./zones.js";

const STEP = 480, LONGEST_SHOW = 2_400, LONGEST_REPLAY = 10, TYPING = 700, LATE = 100;  // Milliseconds; tables of a replay.
const root = document.getElementById("app"), wide = matchMedia("(min-width: 1024px)");
const [, tableName] = location.pathname.match(/^\/t\/(\w+)$/) ?? [];
const token = location.hash.slice(1);

const state = {
  status: "connecting", gone: null, seated: null, game: null, frame: null, before: null, zones: [], replay: [], known: new Set(),
  draft: noDraft, blank: noDraft, sending: false, log: new Map(), logs: new Set(), fresh: [], panel: null, inspected: null, toast: null,
  settings: { theme: "auto", quick: false, keys: true, ...stored() },
};

function stored() {
  try {
    return JSON.parse(localStorage.getItem("cardgame") ?? "{}");
  } catch {
    return {};
  }
}

// ---- drawing

// Where there is no question for a while, the last one keeps its place: the table does not move.  A choice scrolls into
// view before cards begin to slide: an animation that has begun makes the browser lay out the page again.
function draw(events = null) {
  const before = events && positions(root), waits = wide.matches && state.frame !== null && !pending();
  render(html`<${App} state=${state} act=${act} />`, root);
  const question = root.querySelector(".question");
  if (question && waits !== draw.waits) question.style.minHeight = waits ? `${draw.covered}px` : "";
  draw.waits = waits;
  const covered = question?.offsetHeight ?? 0;
  if (covered !== draw.covered && !wide.matches) document.documentElement.style.scrollPaddingBottom = `${covered + 14}px`;
  draw.covered = covered;
  if (events && pending()) root.querySelector("[data-legal]")?.scrollIntoView({ block: "nearest", behavior: moves() ? "smooth" : "auto" });
  const moving = before ? slides(root, before, events) : [];
  keyboard.settle(root);
  keyboard.restore(root);
  slide(moving);
}

// Wait until the browser has presented what was drawn: what can come later does not delay the table.  It rasters a frame
// after its callbacks have returned, on the same processors, and does not say when that is over.
const presented = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, LATE)));

async function drawLogs() {
  await presented();
  for (const log of state.logs) log.forceUpdate();
}

// Note that a decision is on its way.  The page shows that only where the next table is late: the frame in which it is
// shown would delay the frame with the table.
function take(isTaken) {
  state.sending = isTaken;
  clearTimeout(take.timer);
  if (isTaken) take.timer = setTimeout(() => root.setAttribute("aria-busy", true), LATE);
  else if (root.hasAttribute("aria-busy")) root.removeAttribute("aria-busy");
}

const replaying = () => state.frame !== null && state.zones !== state.frame.table.view.zones;
const pending = () => (replaying() ? null : state.frame?.table.pending ?? null);

// ---- what arrives

const connection = new Connection(tableName, token, {
  state(status) {
    if (state.status === status) return;
    state.status = status;
    draw();
  },
  seated(message) {
    state.seated = message;
    state.game = { ...message.game, art };
    state.gone = null;
  },
  gone(message) {
    state.gone = message;
    state.panel = null;
    draw();
  },
  frame: receive,
});

function receive(frame) {
  if (state.frame && frame.n < state.frame.n) return;
  const old = state.frame, events = frame.table.events, count = frame.table.since + events.length;
  const latest = Math.max(-1, ...state.log.keys());
  const fresh = events.filter((event) => event.number > latest || state.log.get(event.number)?.text !== event.text);
  for (const number of [...state.log.keys()]) if (number >= count) state.log.delete(number);
  for (const event of fresh) state.log.set(event.number, event);
  if (fresh.length || count <= latest) drawLogs();
  reuse(old?.table, frame.table);
  const anew = !old || frame.table.pending !== old.table.pending;
  state.frame = frame;
  for (const resolve of returned.splice(0)) resolve();
  if (anew) {
    keyboard.release(root);
    begin(frame.table.pending);
  }
  take(false);
  state.fresh = old ? fresh.filter((event) => event.kind !== "layout") : [];
  for (const zone of frame.table.view.zones) if (zone.cards.length) state.known.add(zone.place);
  const title = `${frame.table.pending ? "● Your turn · " : ""}${state.game.title}`;
  if (title !== document.title) document.title = title;
  clearTimeout(receive.timer);
  const goesOn = old && count > latest && fresh.length;
  const tables = goesOn && moves() ? tablesBetween(state.zones, frame.table.view.zones, fresh).slice(-LONGEST_REPLAY) : [];
  state.replay = tables;
  state.before = old;
  state.pace = Math.min(STEP, LONGEST_SHOW / tables.length);
  if (tables.length) step(fresh);
  else finish(old ? fresh : null);
}

// Show the next table of what happened, and the last one at the end.
function step(events) {
  const next = state.replay.shift();
  if (!next) return;
  state.zones = reuse(state.zones, next.zones);
  draw(events);
  receive.timer = setTimeout(() => (state.replay.length ? step(events) : finish(events)), state.pace);
}

function finish(events) {
  clearTimeout(receive.timer);
  state.replay = [];
  state.zones = state.frame.table.view.zones;
  draw(events);
}

// Begin a decision.  A single legal one needs no choice, only a confirmation.  Of a set, any card can be picked first,
// also those that the rules take after others, so the server is asked for them.
async function begin(asked) {
  const serial = (begin.serial = (begin.serial ?? 0) + 1);
  state.inspected = state.toast = null;
  const only = asked?.sentences?.length === 1 && asked.sentences[0].actions.length === 1 ? asked.sentences[0].actions[0] : null;
  state.blank = state.draft = only === null ? noDraft : { ...noDraft, picks: [{ action: only, card: null }] };
  if (only !== null || !asked?.parts.some((part) => part.slots.some((slot) => slot.is_set))) return;
  await presented();
  const reply = serial === begin.serial && await connection.request({ t: "draft", n: state.frame.n, picks: [] }).catch(() => null);
  if (!reply || serial !== begin.serial) return;
  const blank = { ...noDraft, reply };
  if (state.draft === state.blank) state.draft = blank;
  state.blank = blank;
  draw();
}

// ---- deciding

// What a decision is about: the question, and what happened before it.
function moment() {
  const { pending: asked, since, events } = state.frame.table;
  return JSON.stringify([asked, since + events.length]);
}

// Send a request of the decision that waits.  If the connection is lost or the server was started again meanwhile, it is
// sent again as soon as the same decision waits; the connection itself repeats an act that may have arrived.
async function decide(message) {
  const about = moment();
  for (let again = 0; ; again += 1) {
    try {
      return await connection.request({ ...message, n: state.frame.n });
    } catch (refusal) {
      if (refusal.code === "lost") await new Promise((resolve) => returned.push(resolve));
      else if (refusal.code !== "stale" || again > 2) throw refusal;
      if (moment() !== about) throw refusal;
    }
  }
}

const returned = [];  // What waits for the next frame.

// Replace the picks; the server says what can follow them.  Returns whether they are possible.
async function redraft(picks) {
  const before = state.draft, serial = (redraft.serial = (redraft.serial ?? 0) + 1);
  state.toast = null;
  if (!picks.length) {
    state.draft = state.blank.picks.length ? noDraft : state.blank;
    draw();
    return true;
  }
  state.draft = { ...noDraft, picks };
  if (!isComplete(pending(), state.draft)) {
    state.draft = { ...state.draft, reply: before.reply, waiting: true };
    const asked = decide({ t: "draft", picks: picks.map((pick) => pick.action) });
    draw();
    try {
      const reply = await asked;
      if (serial !== redraft.serial) return false;
      state.draft = { ...noDraft, picks, reply };
    } catch (refusal) {
      if (serial !== redraft.serial) return false;
      state.draft = before;
      notify(refusal.message, refusal.rule);
      return false;
    }
  }
  draw();
  if (state.settings.quick && isComplete(pending(), state.draft)) act.confirm();
  return true;
}

function notify(text, rule = null) {
  state.toast = { text, rule };
  draw();
}

// Send a request that has no answer but its effect; a refusal is shown.
async function send(message, by = (sent) => connection.request(sent)) {
  try {
    return await by(message);
  } catch (refusal) {
    take(false);
    notify(refusal.message, refusal.rule);
    return null;
  }
}

// The picks to which one more is added: a complete decision of one card gives way to another card.
const base = () => (isComplete(pending(), state.draft) && state.draft.picks.length === 1 ? (state.blank.picks.length ? noDraft : state.blank) : state.draft);

let typed = "", typedAt = 0;

const act = {
  async confirm() {
    if (state.sending || !isComplete(pending(), state.draft) || state.draft.waiting) return;
    typed = "";
    const picks = state.draft.reply?.picks ?? state.draft.picks.map((pick) => pick.action);
    const sent = send({ t: "act", picks }, decide);
    take(true);
    return await sent;
  },

  clear() {
    redraft([]);
  },

  // Take a choice of the list: a word, a whole small action, or the end of a set.
  async choose(group, choice) {
    const from = base();
    const again = state.draft.picks.length === 1 && state.draft.picks[0].action === choice.action && choice.what !== "end";
    if (again && isComplete(pending(), state.draft)) {
      act.confirm();
    } else if (choice.action === null) {
      state.draft = { ...from, prefix: [group.verb, ...group.shared.map((one) => one.word), choice.word], chooser: null };
      draw();
    } else if (choice.what === "end" && isLastPart(pending(), group.verb)) {
      state.draft = ended(from, choice);
      if (await act.confirm()) return;
      state.draft = from;
      draw();
    } else if (choice.what === "end") {
      if (await redraft([...from.picks, { action: choice.action, card: null }]) && isComplete(pending(), state.draft)) act.confirm();
    } else {
      const card = choice.card === null ? null : freeCard(choice, from);
      redraft([...from.picks, { action: choice.action, card }]);
    }
  },

  back() {
    state.draft = { ...state.draft, prefix: state.draft.prefix.length > 2 ? state.draft.prefix.slice(0, -1) : [], chooser: null };
    draw();
  },

  // Tap a card on the table: pick it, take it back, or say what it is and why it cannot be picked.
  async tap(zone, id, face) {
    const asked = pending();
    state.inspected = face;
    state.toast = null;
    if (!asked) return draw();
    const whole = isComplete(asked, state.draft);
    if (state.draft.picks.some((pick) => pick.card === id)) {
      if (whole && state.draft.picks.length === 1) return act.confirm();
      return void redraft(state.draft.picks.filter((pick) => pick.card !== id));
    }
    const from = base();
    if (whole && from === state.draft) return notify("The choice is complete. Tap a chosen card to take it back.");
    const options = optionsFor(asked, from, zone, face);
    if (options.length === 1) return void redraft([...from.picks, { action: options[0].action, card: id }]);
    if (options.length > 1) {
      state.draft = { ...from, chooser: { face, id, options } };
      return draw();
    }
    const action = actionOf(asked, from, face);
    draw();
    if (action === null || zone.owner !== state.frame.you) return;
    const reply = await send({ t: "draft", n: state.frame.n, picks: from.picks.map((pick) => pick.action), why: action });
    if (reply?.problem) notify(reply.problem.text, reply.problem.rule);
  },

  // Choose among the actions that one card is for.
  chosen(option) {
    const { id } = state.draft.chooser;
    redraft([...base().picks, { action: option.action, card: id }]);
  },

  undo: () => send({ t: "undo" }),
  vote: (yes) => send({ t: "agree", yes }),
  again: () => send({ t: "new" }),
  rename: (name) => send({ t: "name", name }),
  seat: (seat, who) => send({ t: "seat", seat, who }),
  retry: () => connection.retry(),
  takeBack() {
    state.gone = null;
    state.status = "";
    connection.open();
  },
  async leave() {
    state.panel = null;
    await send({ t: "leave" });
  },

  async link(place, renew = false) {
    const found = await send({ t: "link", seat: place, renew });
    if (found && state.panel) state.panel = { ...state.panel, links: { ...state.panel.links, [place]: found } };
    draw();
  },

  open(kind, detail = {}) {
    state.panel = { kind, ...detail };
    draw();
  },

  close() {
    state.panel = null;
    draw();
    root.querySelector("[data-opened]")?.removeAttribute("data-opened");
  },

  // Ask the table something, and show the answer in a panel.
  async ask(what, arg = "", title = "") {
    state.panel = { kind: "answer", what, arg, title, blocks: null, before: state.panel?.kind === "answer" && what === "word" ? state.panel : null };
    draw();
    const opened = state.panel;
    try {
      const reply = await connection.request({ t: "ask", what, arg });
      if (state.panel === opened) state.panel = { ...opened, blocks: reply.blocks };
    } catch (refusal) {
      if (state.panel === opened) state.panel = { ...opened, problem: refusal.message, blocks: [] };
    }
    draw();
  },

  // Read what happened before the events that this page has received.
  async openLog() {
    act.open("log");
    while (state.log.size && Math.min(...state.log.keys()) > 0) {
      const missing = [...Array(Math.min(...state.log.keys())).keys()].find((number) => !state.log.has(number));
      const reply = await send({ t: "ask", what: "log", arg: String(missing) });
      const found = reply?.blocks?.[0]?.events ?? [];
      if (!found.length) break;
      for (const event of found) if (!state.log.has(event.number)) state.log.set(event.number, event);
      drawLogs();
    }
  },

  inspect(face) {
    state.inspected = face;
    draw();
  },

  dismiss() {
    state.toast = null;
    state.inspected = null;
    draw();
  },

  set(name, value) {
    state.settings = { ...state.settings, [name]: value };
    try {
      localStorage.setItem("cardgame", JSON.stringify(state.settings));
    } catch { /* The browser keeps nothing: the setting holds until the page is closed. */ }
    applyTheme();
    draw();
  },

  // ---- the keyboard

  focused(item) {
    const face = item.dataset.face;
    if (face !== undefined && state.inspected !== Number(face)) act.inspect(Number(face));
  },

  touched() {
    if (replaying()) finish(null);
  },

  key(event) {
    if (state.panel) return false;
    if (event.key === "Escape") {
      if (state.toast || state.inspected !== null) { state.toast = null; state.inspected = null; }
      if (state.draft.prefix.length || state.draft.chooser) act.back();
      else act.unpick();
      return true;
    }
    if (event.key === "Enter" && event.target === document.body) return act.confirm(), true;
    if (!state.settings.keys) return false;
    if (event.key === "?") return act.open("help"), true;
    if (/^\d$/.test(event.key)) return digit(event.key);
    return false;
  },

  unpick() {
    if (state.draft.picks.length) redraft(state.draft.picks.slice(0, -1));
    else draw();
  },
};

// A card of the table that the list means: the first of its face that is not picked yet.
function freeCard(choice, from) {
  for (const element of root.querySelectorAll(`[data-face="${choice.card}"][data-legal]`)) {
    if (!from.picks.some((pick) => pick.card === element.dataset.card)) return element.dataset.card;
  }
  return null;
}

// Digits choose by number: the number itself where numbers are chosen, else the place in the list.
function digit(key) {
  typed = performance.now() - typedAt < TYPING ? typed + key : key;
  typedAt = performance.now();
  const all = groupsOf(pending() ?? { options: [], parts: [] }, base()).flatMap((group) => group.choices.map((choice) => ({ group, choice })));
  const numbers = all.filter(({ choice }) => /^\d+$/.test(choice.word) && choice.what !== "card");
  const found = numbers.length ? numbers.find(({ choice }) => choice.word === typed) : all[Number(typed) - 1];
  if (!found) return false;
  const name = `choice:${found.group.verb}:${found.choice.word}:${found.choice.what}`;
  root.querySelector(`[data-item="${CSS.escape(name)}"]`)?.focus();
  const again = state.draft.picks.length === 1 && state.draft.picks[0].action === found.choice.action;
  if (!again) act.choose(found.group, found.choice);
  return true;
}

function applyTheme() {
  const { theme } = state.settings;
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

// Pictures of a designer, by face: where the server has some, they take the place of drawn cards.
let art = {};
async function findArt() {
  const answer = await fetch("/art").catch(() => null);
  art = answer?.ok ? await answer.json() : {};
  if (!state.game || !Object.keys(art).length) return;
  state.game = { ...state.game, art };
  draw();
}

applyTheme();
findArt();
keyboard.listen(root, act);
addEventListener("resize", () => draw());
addEventListener("hashchange", () => location.reload());
if (tableName && token) connection.open();
else state.gone = { why: "unknown", text: "" };
draw();
