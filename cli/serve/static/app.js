// The table: the bar, the seats, the zones in the middle, the own cards, and the question.

import { Card, Chip, Suit, faceName } from "./cards.js";
import { draftText, groupsOf, isComplete, isOnTable, optionsFor } from "./choices.js";
import { capital, classes, html, memo, plural } from "./html.js";
import { Log, Panel } from "./panels.js";
import { byKind, chipsOf, isHand, keyed, modeOf } from "./zones.js";

const MOST_SHOWN = 5, MANY_NUMBERS = 24, FEW_CARDS = 4, FEW_ZONES = 4, LOGGED = 80;
const narrow = matchMedia("(max-width: 639px)");

export function App({ state, act }) {
  if (state.gone) return html`<${Gone} state=${state} act=${act} />`;
  if (!state.frame) return html`<main class="splash"><h1>Card table</h1><p role="status">${state.status === "lost" ? "The server does not answer. Trying again …" : "Connecting …"}</p></main>`;
  const t = tableOf(state);
  return html`<div class="app">
    <${Bar} t=${t} act=${act} />
    <${Banners} t=${t} act=${act} />
    <main class="table">
      <div class="seats" data-count=${t.others.length}>${t.others.map((seat) => html`<${Seat} key=${seat} t=${t} act=${act} seat=${seat} />`)}</div>
      <${Middle} t=${t} act=${act} />
      ${t.you !== null && html`<${Own} t=${t} act=${act} />`}
    </main>
    <${Question} t=${t} act=${act} />
    <aside class="side" aria-label="Log" tabindex="0"><h2>Log</h2><${Log} t=${t} most=${LOGGED} /></aside>
    <div class="sr-only" role="log" aria-live="polite" aria-label="What happened">${state.fresh.slice(-8).map((event) => html`<p key=${event.number}>${event.text}</p>`)}</div>
    <${Panel} t=${t} act=${act} />
  </div>`;
}

// What the components need to know of a frame.  While what happened is played back, values and players are those of
// before, so that neither a score nor the result is shown before the cards that lead to it.
function tableOf(state) {
  const { game, draft } = state, you = state.frame.you, replaying = state.zones !== state.frame.table.view.zones;
  const frame = replaying ? { ...state.frame, deciding: [], result: null } : state.frame;
  const view = replaying ? state.before.table.view : frame.table.view;
  const pending = replaying ? null : frame.table.pending;
  const whole = isComplete(pending, draft);
  const base = whole && draft.picks.length === 1 ? { ...draft, picks: [], reply: state.blank.reply } : draft;
  const context = { seat: you, pending, draft: base, known: state.known, chosenFrom: game.chosen_from };
  return {
    state, frame, game, view, you, pending, replaying, draft, whole, base, names: view.players,
    others: view.seats.filter((seat) => seat !== you), zones: state.zones,
    modes: new Map(state.zones.map((zone) => [zone, modeOf(zone, context)])),
    deciding: frame.deciding, host: state.seated?.host ?? false,
  };
}

const nameOf = ({ you, names }, seat) => (seat === you ? "you" : names[seat]);

// ---- the bar and the banners

function turnOf(t) {
  if (t.frame.fault) return "A rule of the spec failed";
  if (t.view.over) return "The play is over";
  if (t.replaying) return "…";
  if (t.pending && t.frame.answered === null) return "Your turn";
  const waiting = t.deciding.filter((seat) => seat !== t.you).map((seat) => t.names[seat]);
  return waiting.length ? `Waiting for ${waiting.join(", ")}` : "One moment …";
}

function Bar({ t, act }) {
  const buttons = [
    ["Rules", () => act.ask("rules", "", "Rules")],
    t.you !== null && ["Why", () => act.ask("why", "", "Why did that happen?")],
    t.you !== null && ["Hint", () => act.ask("hint", "", "Hint"), !t.pending],
    t.you !== null && ["Undo", act.undo, !t.frame.can.undo],
    ["Log", act.openLog], ["Menu", () => act.open("menu")],
  ].filter(Boolean);
  return html`<header class="bar">
    <div class="title"><h1>${t.game.title}</h1><p class=${classes("turn", t.pending && t.frame.answered === null && "mine")}>${turnOf(t)}</p></div>
    <nav aria-label="Table" data-group="bar">${buttons.map(([name, run, off]) => html`<button key=${name} class="tool" data-item=${`bar:${name}`} disabled=${Boolean(off)} onClick=${() => run()}>${name}</button>`)}</nav>
  </header>`;
}

function Banners({ t, act }) {
  const { frame, you } = t, own = you === null ? null : frame.players[you];
  return html`<div class="banners">
    ${t.state.status === "lost" && html`<div class="banner warn" role="alert" key="lost"><p>The connection is lost. Your choice is kept; trying again …</p><button onClick=${act.retry}>Try now</button></div>`}
    ${frame.fault && html`<div class="banner warn" role="alert" key="fault"><p>${capital(frame.fault.text)} (${frame.fault.code}${frame.fault.line ? `, line ${frame.fault.line}` : ""}).</p></div>`}
    ${frame.unkept && html`<div class="banner warn" role="alert" key="unkept"><p>${frame.unkept}</p></div>`}
    ${frame.motion && html`<div class="banner" role="alert" key="motion"><p>${frame.motion.text}${frame.motion.waiting.includes(you) ? "" : ` Waiting for ${frame.motion.waiting.map((seat) => nameOf(t, seat)).join(", ")}.`}</p>
      ${frame.motion.waiting.includes(you) && html`<button class="primary" onClick=${() => act.vote(true)}>Agree</button><button onClick=${() => act.vote(false)}>Refuse</button>`}</div>`}
    ${own && own.who !== "person" && html`<div class="banner" role="status" key="agent"><p>An agent (${own.who}) plays for you.</p><button class="primary" onClick=${() => act.seat(you, "person")}>Play myself</button></div>`}
  </div>`;
}

function Gone({ state, act }) {
  const texts = {
    unknown: ["There is no such seat", "The link is wrong or has been renewed. Ask the host of the table for your link."],
    replaced: ["Your seat is open on another device", "A seat is open on one device at a time."],
    closed: ["The table is closed", "The host has closed it. The play is kept where the server keeps its tables."],
    left: ["You have left the table", "The link of your seat stays valid."],
    full: ["There are too many spectators", "Try again later."],
  };
  const [title, text] = texts[state.gone.why] ?? ["The table is gone", state.gone.text];
  return html`<main class="splash"><h1>${title}</h1><p>${text}</p>
    ${["replaced", "left", "full"].includes(state.gone.why) && html`<button class="primary" onClick=${act.takeBack}>${state.gone.why === "full" ? "Try again" : "Play here"}</button>`}</main>`;
}

// ---- values and seats

const Value = memo(({ game, text, label }) => {
  const suit = game.suits.find((one) => one.name === text);
  const face = suit ? null : game.faces.find((one) => one.text === text && /card|trump|face/.test(label));
  if (suit) return html`<b><${Suit} suit=${suit} /> ${suit.name.replaceAll("_", " ")}</b>`;
  return html`<b>${face ? html`<${Chip} game=${game} face=${face.face} />` : text.replaceAll("_", " ")}</b>`;
});

const Values = memo(({ game, values, owner }) => {
  const chips = chipsOf(values.filter((value) => value.owner === owner));
  if (!chips.length) return null;
  return html`<ul class="values" aria-label="Values">${chips.map((chip) => html`<li key=${chip.key}><span>${chip.label}</span>${chip.words.map((word) => html` <${Value} key=${word} game=${game} text=${word} label=${chip.label} />`)}</li>`)}</ul>`;
});

function Badges({ t, seat }) {
  const player = t.frame.players[seat], over = t.view.over;
  const team = t.game.teams.find((one) => one.players.includes(seat));
  const isPartner = team?.players.includes(t.you) && seat !== t.you;
  return html`${team && html`<span class="badge" title=${team.name}>${isPartner ? "your partner" : team.name}</span>`}
    ${player.who !== "person" && html`<span class="badge" title=${player.at_random ? "plays a random action wherever it cannot sample a belief" : undefined}>${player.who}${player.at_random && ", sometimes random"}</span>`}
    ${player.who === "person" && !player.present && html`<span class="badge away">away</span>`}
    ${!over && t.deciding.includes(seat) && html`<span class="badge turn">${t.deciding.length > 1 ? "deciding" : "to play"}</span>`}
    ${t.frame.result?.winners.includes(seat) && html`<span class="badge won">winner</span>`}`;
}

function Seat({ t, act, seat }) {
  const zones = t.zones.filter((zone) => zone.owner === seat);
  const named = t.base.picks.length === 0 && t.pending?.options.some((option) => option.players.includes(seat));
  return html`<section class=${classes("seat", t.deciding.includes(seat) && "deciding", named && "named")} aria-label=${capital(t.names[seat])}>
    <h2>${capital(t.names[seat])} <${Badges} t=${t} seat=${seat} /></h2>
    <${Values} game=${t.game} values=${t.view.values} owner=${seat} />
    <${Zones} t=${t} act=${act} zones=${zones} size="small" />
  </section>`;
}

function Middle({ t, act }) {
  const zones = t.zones.filter((zone) => zone.owner === null);
  return html`<section class="middle" aria-label="Table">
    <h2 class="sr-only">Table</h2>
    <${Values} game=${t.game} values=${t.view.values} owner=${null} />
    <${Zones} t=${t} act=${act} zones=${zones} size="large" />
  </section>`;
}

function Own({ t, act }) {
  const zones = t.zones.filter((zone) => zone.owner === t.you);
  const hands = zones.filter((zone) => isHand(zone, t.you) && t.modes.get(zone) === "open");
  const rest = zones.filter((zone) => !hands.includes(zone));
  const name = t.frame.players[t.you].name;
  return html`<section class=${classes("own", t.deciding.includes(t.you) && "deciding")} aria-label="Your cards">
    <h2>${name ? `${name} (you)` : "You"} <${Badges} t=${t} seat=${t.you} /></h2>
    <${Values} game=${t.game} values=${t.view.values} owner=${t.you} />
    <${Zones} t=${t} act=${act} zones=${rest} size="small" />
    <div class="hands">${hands.map((zone) => zoneOf(t, act, zone, "hand"))}</div>
  </section>`;
}

// ---- zones

function Zones({ t, act, zones, size }) {
  const shown = zones.filter((zone) => t.modes.get(zone)).sort(byKind);
  if (!shown.length) return null;
  return html`<div class=${classes("zones", size, shown.length > FEW_ZONES && "many")}>${shown.map((zone) => zoneOf(t, act, zone, size))}</div>`;
}

const zoneOf = (t, act, zone, size) => html`<${Zone} key=${zone.place} act=${act} game=${t.game} you=${t.you} names=${t.names} zone=${zone} mode=${t.modes.get(zone)} marks=${marksOf(t, zone)} size=${size} />`;

// How the cards of an open zone are marked, a letter for each: picked, legal, or not allowed now.
function marksOf(t, zone) {
  if (t.pending === null || t.modes.get(zone) !== "open") return "";
  return keyed(zone.cards).map(({ face, key }) => {
    if (face === null) return "-";
    if (t.draft.picks.some((pick) => pick.card === `${zone.place}:${key}`)) return "p";
    return optionsFor(t.pending, t.base, zone, face).length ? "l" : zone.chosen_from ? "n" : "-";
  }).join("");
}

const Zone = memo(({ act, game, you, names, zone, mode, marks, size }) => {
  const label = zone.owner === null || zone.owner === you ? zone.short : zone.label;
  const head = html`<h3>${capital(zone.short)}${zone.cards.length > 1 && html` <span class="count" aria-hidden="true">${zone.cards.length}</span>`}</h3>`;
  const name = `${capital(label)}, ${zone.cards.length ? plural(zone.cards.length, "card") : "empty"}`;
  const deck = game.faces.some((face) => face.owner !== null) ? zone.owner : 0;  // Whose back the cards have.
  if (mode === "empty") return html`<div class=${classes("zone empty", `kind-${zone.kind}`, size)} data-zone=${zone.place}><h3>${capital(zone.short)}</h3><span class="nothing">empty</span></div>`;
  if (mode === "hidden") return html`<div class=${classes("zone hidden", `kind-${zone.kind}`, size)} data-zone=${zone.place} role="img" aria-label=${name}>${head}<${Stack} game=${game} zone=${zone} deck=${deck} /></div>`;
  if (mode === "closed") {
    return html`<button class=${classes("zone closed", `kind-${zone.kind}`, size)} data-group=${`zone:${zone.place}`} data-item=${`zone:${zone.place}`} data-zone=${zone.place}
      aria-label=${`${name}. Show the cards`} onClick=${() => act.open("zone", { place: zone.place })}>${head}<${Stack} game=${game} zone=${zone} deck=${deck} /></button>`;
  }
  return html`<div class=${classes("zone open", `kind-${zone.kind}`, size)} data-group=${`zone:${zone.place}`} data-zone=${zone.place} role="group" aria-label=${name}>
    ${head}<div class="cards" style=${{ "--count": zone.cards.length }}>${keyed(zone.cards).map(({ face, key }, index) => html`<${TableCard} key=${key} act=${act} game=${game} zone=${zone} face=${face} deck=${deck} id=${`${zone.place}:${key}`}
      mark=${marks.charAt(index)} by=${(zone.by[index] ?? null) === null ? "" : nameOf({ you, names }, zone.by[index])} />`)}</div>
  </div>`;
});

// Some cards of a zone on top of each other, the last ones of it.
function Stack({ game, zone, deck }) {
  const all = keyed(zone.cards), shown = zone.kind === "pile" ? all.slice(-1) : all.slice(-MOST_SHOWN);
  return html`<span class=${classes("stack", zone.kind === "pile" && zone.cards.length > 1 && "thick")} data-count=${shown.length}>${shown.map(({ face, key }) => html`<span key=${key} class="slip" data-card=${`${zone.place}:${key}`}><${Card} game=${game} face=${face} deck=${deck} /></span>`)}</span>`;
}

function TableCard({ act, game, zone, face, deck, id, mark, by }) {
  const name = faceName(game, face), picked = mark === "p", choosable = picked || mark === "l";
  if (face === null) return html`<span class="card" data-card=${id} role="img" aria-label=${name}><${Card} game=${game} face=${null} deck=${deck} /></span>`;
  return html`<button class=${classes("card", picked && "picked", mark === "l" && "legal", mark === "n" && "dull")} data-card=${id} data-item=${`card:${id}`} data-face=${face}
    data-legal=${choosable ? "" : undefined} aria-pressed=${choosable ? String(picked) : undefined} aria-label=${`${name}${by && `, played by ${by}`}${mark === "n" ? ", not allowed now" : ""}`}
    onClick=${() => act.tap(zone, id, face)}><${Card} game=${game} face=${face} deck=${deck} />${by && html`<span class="by" aria-hidden="true">${by}</span>`}</button>`;
}

// ---- the question

function Question({ t, act }) {
  const { pending, draft, frame } = t;
  const groups = pending ? groupsOf(pending, t.base) : [];
  const ends = draft.picks.length && !t.whole ? groups.flatMap((group) => group.choices.filter((choice) => choice.what === "end").map((choice) => [group, choice])) : [];
  return html`<section class=${classes("question", pending && "mine")} aria-label="Your decision" data-group="question">
    <div role="status" aria-live="assertive">${pending && frame.answered === null && html`<h2 data-question tabindex="-1" key="prompt">${pending.prompt}</h2>`}</div>
    <${Toast} t=${t} act=${act} />
    ${t.view.over && html`<${Over} t=${t} act=${act} />`}
    ${!pending && !t.view.over && html`<p class="waiting">${turnOf(t)}</p>`}
    ${frame.answered !== null && html`<p class="waiting">You have chosen: <b>${frame.answered}</b>. You may change it until ${waitingFor(t)} decided.</p>`}
    <div class="answers">${pending && (draft.chooser ? html`<${Chooser} t=${t} act=${act} />` : html`<div class="groups">${groups.map((group) => html`<${Group} key=${group.verb} t=${t} act=${act} group=${group} alone=${groups.length === 1} />`)}</div>`)}
    ${pending && draft.picks.length > 0 && html`<div class="confirm">
      ${t.whole && html`<button class="primary" data-item="confirm" disabled=${draft.waiting} onClick=${act.confirm}><${Decision} t=${t} /> <kbd>Enter</kbd></button>`}
      ${ends.map(([group, choice]) => html`<${Choice} key="end" t=${t} act=${act} group=${group} choice=${choice}>${endText(t, group, choice)}<//>`)}
      ${!t.whole && !ends.length && html`<p class="so-far"><${Sentence} t=${t} text=${draftText(pending, draft)} /> …</p>`}
      <button data-item="clear" onClick=${act.clear}>Clear</button></div>`}
    </div>
  </section>`;
}

function waitingFor(t) {
  const names = t.deciding.filter((seat) => seat !== t.you).map((seat) => t.names[seat]);
  return names.length ? `${names.join(" and ")} ${names.length > 1 ? "have" : "has"}` : "all have";
}

// The decision that is complete, in words.
function Decision({ t }) {
  const { pending, draft } = t, option = draft.picks.length === 1 && pending.options.find((one) => one.action === draft.picks[0].action);
  if (!option) return html`<${Sentence} t=${t} text=${draftText(pending, draft)} />`;
  const slots = pending.parts.find((part) => part.verb === option.verb)?.slots ?? [];
  return html`<span>${capital(option.verb.replaceAll("_", " "))}${option.words.slice(1).map((word, at) => {
    const isCard = ["card", "cards"].includes(slots[at]?.what) && option.cards.length === 1;
    return html` <${Word} t=${t} word=${word} what=${slots[at]?.what} card=${isCard ? option.cards[0] : null} inside />`;
  })}</span>`;
}

// A decision in words; cards in it look like cards.
function Sentence({ t, text }) {
  const words = text.split(" "), faces = new Map(t.game.faces.map((face) => [face.text, face.face]));
  return html`<span>${words.map((word, at) => html`${at > 0 && " "}${at > 0 && faces.has(word) ? html`<${Chip} game=${t.game} face=${faces.get(word)} />` : at ? word : capital(word.replaceAll("_", " "))}`)}</span>`;
}

function Group({ t, act, group, alone }) {
  const cards = group.choices.filter((choice) => choice.card !== null), ends = t.draft.picks.length ? [] : group.choices.filter((choice) => choice.what === "end");
  const numbers = group.choices.filter((choice) => /^-?\d+$/.test(choice.word) && choice.card === null);
  const plain = group.choices.length === 1 && group.choices[0].word === "" && group.choices[0].what !== "end";
  const buttons = group.choices.filter((choice) => choice.what !== "end");
  if (!buttons.length && !ends.length && !group.chosen) return null;
  const lead = html`<span class="verb">${capital(group.label)}${group.shared.map(({ word, what }) => html` <${Word} t=${t} word=${word} what=${what} card=${null} inside />`)}</span>`;
  if (plain) return html`<div class="group"><${Choice} t=${t} act=${act} group=${group} choice=${group.choices[0]}>${capital(group.label)}<//></div>`;
  const list = numbers.length > MANY_NUMBERS && numbers.length === buttons.length
    ? html`<${NumberPicker} t=${t} act=${act} group=${group} numbers=${numbers} />`
    : html`<div class="choices">${buttons.map((choice) => html`<${Choice} key=${choice.word} t=${t} act=${act} group=${group} choice=${choice}><${Word} t=${t} word=${choice.word} what=${choice.what} card=${choice.card} /><//>`)}</div>`;
  const folded = cards.length === buttons.length && isOnTable(t.pending, group, t.zones) && (group.isSet || (narrow.matches && cards.length > FEW_CARDS));
  const back = group.chosen > 0 && html`<button class="choice" data-item="back" onClick=${act.back}>Back</button>`;
  return html`<div class="group" role="group" aria-label=${capital(group.label)}>
    ${(!alone || !group.begun || group.shared.length > 0) && lead}
    ${folded && html`<span class="how">${group.isSet ? "tap cards, then confirm" : "tap a card"}</span>`}
    ${folded
      ? html`<details class="all"><summary data-item=${`all:${group.verb}`}>List of ${plural(cards.length, "card")}</summary>${list}</details>` : buttons.length > 0 && list}
    ${back}${ends.map((choice) => html`<${Choice} key="end" t=${t} act=${act} group=${group} choice=${choice}>${endText(t, group, choice)}<//>`)}
  </div>`;
}

const endText = (t, group, choice) => (t.base.picks.length ? html`<${Sentence} t=${t} text=${draftText(t.pending, t.base)} />` : capital(choice.text.replaceAll("_", " ")));

function Choice({ t, act, group, choice, children }) {
  const picked = choice.what !== "end" && choice.action !== null && t.draft.picks.some((pick) => pick.action === choice.action);
  const name = faceText(t, group, choice);
  return html`<button class=${classes("choice", choice.what === "end" && "primary", picked && "picked")} data-item=${`choice:${group.verb}:${choice.word}:${choice.what}`}
    aria-pressed=${choice.what === "end" ? undefined : String(picked)} aria-label=${name} onClick=${() => act.choose(group, choice)}>${children}</button>`;
}

// A choice aloud: its whole sentence, with the names of cards and players.
function faceText(t, group, choice) {
  if (choice.what === "end") return t.base.picks.length ? `Confirm: ${draftText(t.pending, t.base)}` : capital(choice.text.replaceAll("_", " "));
  const aloud = (word, what, card) => (card !== null ? faceName(t.game, card) : what === "player" && /^\d+$/.test(word) ? nameOf(t, Number(word) - 1) : word.replaceAll("_", " "));
  return capital([group.label, ...group.shared.map((one) => aloud(one.word, one.what, null)), aloud(choice.word, choice.what, choice.card)].filter(Boolean).join(" "));
}

function Word({ t, word, what, card, inside }) {
  if (card !== null) return html`<${Chip} game=${t.game} face=${card} />`;
  if (what === "player" && /^\d+$/.test(word)) {
    const name = nameOf(t, Number(word) - 1);
    return html`<span>${inside ? name : capital(name)}</span>`;
  }
  const suit = t.game.suits.find((one) => one.name === word);
  return suit ? html`<span class="chip"><${Suit} suit=${suit} />${word.replaceAll("_", " ")}</span>` : html`<span>${word.replaceAll("_", " ")}</span>`;
}

// Many numbers: a slider and a field instead of a button for each.
function NumberPicker({ act, group, numbers }) {
  const values = numbers.map((choice) => Number(choice.word)), low = Math.min(...values), high = Math.max(...values);
  const submit = (event) => {
    event.preventDefault();
    const wanted = event.currentTarget.elements.number.value;
    const choice = numbers.find((one) => one.word === wanted);
    if (choice) act.choose(group, choice);
  };
  const link = (event) => { for (const field of event.currentTarget.form.elements) if (field !== event.currentTarget && field.value !== undefined && field.type !== "submit") field.value = event.currentTarget.value; };
  return html`<form class="number" onSubmit=${submit}>
    <input type="range" min=${low} max=${high} aria-label=${`${capital(group.label)}, slider`} onInput=${link} />
    <input type="number" name="number" min=${low} max=${high} required aria-label=${capital(group.label)} onInput=${link} />
    <button class="choice" type="submit">Choose</button></form>`;
}

function Chooser({ t, act }) {
  const { face, options } = t.draft.chooser;
  return html`<div class="group" role="group" aria-label=${`With ${faceName(t.game, face)}`}><span class="verb">With <${Chip} game=${t.game} face=${face} /></span>
    <div class="choices">${options.map((option) => html`<button key=${option.action} class="choice" data-item=${`with:${option.action}`} onClick=${() => act.chosen(option)}><${Sentence} t=${t} text=${[...(t.base.picks.length ? [] : []), ...option.words].join(" ")} /></button>`)}</div>
    <button class="choice" data-item="back" onClick=${act.back}>Back</button></div>`;
}

// What a card is, or why it cannot be chosen.
function Toast({ t, act }) {
  const { toast, inspected } = t.state;
  const card = inspected === null ? null : t.game.faces[inspected];
  const says = card && (card.rules.length > 0 || card.name !== card.text || card.text.length > 4);  // More than it shows.
  if (!toast && !says && (t.pending || !card)) return null;
  const values = card ? Object.entries(card.attributes).filter(([, value]) => value !== card.text).map(([name, value]) => `${name} ${value}`.replaceAll("_", " ")) : [];
  return html`<div class=${classes("toast", toast && "refused")} role=${toast ? "alert" : undefined}>
    <div tabindex="0">${toast && html`<p class="reason">${capital(toast.text)}</p>`}${toast?.rule && html`<p class="rule">${toast.rule.flatMap((block) => block.text ?? []).map(([, text]) => text).join("")}</p>`}
    ${card && html`<p><b>${capital(faceName(t.game, inspected))}</b> <span class="attributes">${values.join(", ")}</span></p>`}
    ${card && card.rules.length > 0 && html`<p class="rule">${card.rules.join(" ")}</p>`}</div>
    ${card && html`<button class="tool" data-item="about" aria-label=${`Rules of ${faceName(t.game, inspected)}`} onClick=${() => act.ask("word", card.text, capital(faceName(t.game, inspected)))}>Rules</button>`}
    <button class="tool" data-item="dismiss" aria-label="Close this note" onClick=${act.dismiss}>✕</button>
  </div>`;
}

function Over({ t, act }) {
  const result = t.frame.result;
  return html`<div class="over" role="status"><h2 data-question tabindex="-1">${t.view.over}</h2>
    ${result && html`<table><caption class="sr-only">Results</caption><thead><tr><th scope="col">Player</th><th scope="col">Result</th></tr></thead><tbody>
      ${t.view.seats.map((seat) => html`<tr key=${seat} class=${classes(result.winners.includes(seat) && "winner")}><th scope="row">${capital(nameOf(t, seat))}${result.winners.includes(seat) ? " ★" : ""}</th><td>${result.returns[seat]}</td></tr>`)}
    </tbody></table>`}
    <div class="confirm">${t.frame.can.new && html`<button class="primary" data-item="new" onClick=${act.again}>Play again</button>`}<button data-item="seal" onClick=${() => act.open("seal")}>Check the deal</button></div></div>`;
}
