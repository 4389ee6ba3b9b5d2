// Dialogs: the log, the rules and other answers, the cards of a zone, the menu, the seats and their links, and help.

import { Card, Chip, faceName } from "./cards.js";
import { Component, capital, classes, createRef, html, memo, plural } from "./html.js";
import { keyed } from "./zones.js";

const AGENTS = [["person", "a person"], ["greedy", "agent: greedy"], ["search:1s", "agent: search, 1 second"], ["search:5s", "agent: search, 5 seconds"], ["random", "agent: random"]];

// A dialog that is modal: the browser keeps the focus in it and closes it with Escape.
class Dialog extends Component {
  dialog = createRef();

  componentDidMount() {
    this.before = document.activeElement;
    this.dialog.current.showModal();
  }

  componentWillUnmount() {
    this.dialog.current?.close();
    if (this.before?.isConnected) this.before.focus();
  }

  render({ title, onClose, children, wide }) {
    const close = (event) => { event.preventDefault(); onClose(); };
    return html`<dialog ref=${this.dialog} class=${classes("panel", wide && "wide")} aria-label=${title} onCancel=${close} onClick=${(event) => event.target === event.currentTarget && onClose()}>
      <header><h2>${title}</h2><button class="tool" onClick=${onClose} aria-label="Close">✕</button></header>
      <div class="body" tabindex="0">${children}</div></dialog>`;
  }
}

export function Panel({ t, act }) {
  const panel = t.state.panel;
  if (!panel) return null;
  const of = { log: Whole, answer: Answer, zone: ZoneCards, menu: Menu, seats: Seats, help: Help, seal: Seal }[panel.kind];
  const zone = panel.kind === "zone" ? t.zones.find((one) => one.place === panel.place) : null;
  const title = { log: "Log", answer: panel.title, zone: capital(zone?.label ?? ""), menu: "Menu", seats: "Seats and links", help: "Help", seal: "Check the deal" }[panel.kind];
  return html`<${Dialog} key=${panel.kind} title=${title} onClose=${act.close} wide=${panel.kind === "answer"}><${of} t=${t} act=${act} panel=${panel} zone=${zone} /><//>`;
}

// ---- the log

const PLAIN = new Set(["decision", "word", "end", "chance"]);

// The newest events first, at most so many.  `logs` has all that are shown; new events are drawn after the table.
export class Log extends Component {
  componentDidMount() {
    this.props.t.state.logs.add(this);
  }

  componentWillUnmount() {
    this.props.t.state.logs.delete(this);
  }

  shouldComponentUpdate() {
    return false;
  }

  render({ t, most }) {
    return entries(t, most);
  }
}

function entries(t, most) {
  const events = [...t.state.log.values()].sort((one, other) => other.number - one.number).filter((event) => event.kind !== "layout" && event.text).slice(0, most);
  return html`<ol class="log" reversed>${events.map((event) => html`<${Event} key=${event.number} game=${t.game} own=${event.player === t.you} event=${event} />`)}</ol>`;
}

// A line of the log; the cards that it names look like cards.
const Event = memo(({ game, own, event: { kind, text, cards } }) => {
  const faces = new Map(cards.filter((face) => face !== null).map((face) => [game.faces[face].text, face]));
  const words = text.split(" ").map((word, at) => {
    const [, name, mark] = word.match(/^(.*?)([,.:;]?)$/);
    return html`${at > 0 && " "}${faces.has(name) ? html`<${Chip} game=${game} face=${faces.get(name)} brief />${mark}` : word}`;
  });
  return html`<li class=${classes(PLAIN.has(kind) ? kind : "detail", own && kind === "decision" && "own-event")}>${words}</li>`;
});

const Whole = ({ t }) => html`<${Log} t=${t} />`;

// ---- the rules and other answers, as the rulebook writes them

function Answer({ t, act, panel }) {
  if (panel.problem) return html`<p role="alert">${panel.problem}</p>`;
  if (!panel.blocks) return html`<p role="status">${panel.what === "hint" ? "Thinking …" : "One moment …"}</p>`;
  const look = (event) => {
    event.preventDefault();
    const word = event.currentTarget.elements.word.value.trim();
    if (word) act.ask("word", word, word);
  };
  const headings = panel.what === "rules" ? panel.blocks.map((block, at) => [block, at]).filter(([block]) => block.kind === "heading" && block.level === 2) : [];
  const jump = (at) => document.getElementById(`block-${at}`)?.scrollIntoView();
  return html`<div class="book">
    ${panel.before && html`<button class="choice" onClick=${() => act.open("answer", panel.before)}>Back</button>`}
    ${["rules", "word"].includes(panel.what) && html`<form class="look" onSubmit=${look}><input name="word" aria-label="A card, a place or an action" placeholder="A card, a place, an action" autocomplete="off" /><button class="choice" type="submit">Look up</button></form>`}
    ${headings.length > 2 && html`<nav class="contents" aria-label="Chapters">${headings.map(([block, at]) => html`<button key=${at} class="choice" onClick=${() => jump(at)}><${Runs} runs=${block.text} /></button>`)}</nav>`}
    ${panel.blocks.map((block, at) => html`<${Block} key=${at} block=${block} id=${`block-${at}`} />`)}
  </div>`;
}

function Block({ block, id }) {
  switch (block.kind) {
    case "heading": {
      const level = `h${Math.min(4, block.level + 1)}`;
      return html`<${level} id=${id}><${Runs} runs=${block.text} tags=${block.tags} /></${level}>`;
    }
    case "paragraph": return html`<p id=${id}><${Runs} runs=${block.text} tags=${block.tags} /></p>`;
    case "lines": return html`<${Entries} entries=${block.entries} numbered=${block.numbered} />`;
    case "table": return html`<div class="scroll"><table>
      ${block.head.some((cell) => cell.length) && html`<thead><tr>${block.head.map((cell, at) => html`<th key=${at} scope="col"><${Runs} runs=${cell} /></th>`)}</tr></thead>`}
      <tbody>${block.rows.map((row, number) => html`<tr key=${number}>${row.cells.map((cell, at) => html`<td key=${at}><${Runs} runs=${cell} tags=${at === row.cells.length - 1 ? row.tags : []} /></td>`)}</tr>`)}</tbody></table></div>`;
    default: return null;
  }
}

function Entries({ entries, numbered }) {
  const list = numbered ? "ol" : "ul";
  return html`<${list}>${entries.map((entry, at) => html`<li key=${at}><${Runs} runs=${entry.text} tags=${entry.tags} />${entry.below.length > 0 && html`<${Entries} entries=${entry.below} numbered=${entry.numbered} />`}</li>`)}</${list}>`;
}

function Runs({ runs, tags }) {
  const styles = { bold: "b", term: "i", typed: "code", tag: "small" };
  return html`${runs.map(([style, text]) => (styles[style] ? html`<${styles[style]}>${text}</${styles[style]}>` : text))}${tags?.length > 0 && html` <small class="tag">[${tags.join(", ")}]</small>`}`;
}

// ---- the cards of a zone

function ZoneCards({ t, act, zone }) {
  if (!zone) return null;
  const known = zone.cards.some((face) => face !== null);
  const faces = known ? zone.cards : zone.laid;
  return html`<div>${!known && html`<p>You laid these cards here. Nobody sees them.</p>`}
    <p>${plural(zone.cards.length, "card")}${zone.kind === "pile" ? "; the last one is on top" : ""}.</p>
    <ul class="gallery">${keyed(faces).map(({ face, key }) => html`<li key=${key}><span class="card"><${Card} game=${t.game} face=${face} /></span><span>${capital(faceName(t.game, face))}</span>
      ${face !== null && html`<button class="choice" onClick=${() => act.ask("word", t.game.faces[face].text, capital(faceName(t.game, face)))} aria-label=${`Rules of ${faceName(t.game, face)}`}>Rules</button>`}</li>`)}</ul></div>`;
}

// ---- the menu and the seats

function Menu({ t, act }) {
  const { settings } = t.state, own = t.you === null ? null : t.frame.players[t.you];
  const rename = (event) => {
    event.preventDefault();
    act.rename(event.currentTarget.elements.name.value.trim());
  };
  return html`<div class="menu">
    ${own && html`<form onSubmit=${rename}><label>Your name <input name="name" maxlength="30" autocomplete="nickname" value=${own.name} /></label><button class="choice" type="submit">Change</button></form>`}
    ${own && html`<p><label>Your seat is played by <select onChange=${(event) => act.seat(t.you, event.currentTarget.value)}>${agents(own.who, "you")}</select></label></p>`}
    <p><button class="choice" onClick=${() => act.open("seats")}>Seats${t.host ? " and links" : ""}</button> <button class="choice" onClick=${() => act.open("help")}>Help</button></p>
    <fieldset><legend>Colours</legend>${["auto", "light", "dark"].map((theme) => html`<label key=${theme} class="choice"><input type="radio" name="theme" checked=${settings.theme === theme} onChange=${() => act.set("theme", theme)} />${capital(theme)}</label>`)}</fieldset>
    <p><label class="choice"><input type="checkbox" checked=${settings.quick} onChange=${(event) => act.set("quick", event.currentTarget.checked)} />Decide with one tap, without a confirmation</label></p>
    <p><label class="choice"><input type="checkbox" checked=${settings.keys} onChange=${(event) => act.set("keys", event.currentTarget.checked)} />Keys 0 to 9 choose, ? opens the help</label></p>
    ${own && html`<p><button class="choice" onClick=${act.leave}>Leave the table</button></p>`}
    <${Setting} t=${t} />
  </div>`;
}

function Setting({ t }) {
  const options = Object.entries(t.game.options);
  return options.length > 0 && html`<details><summary>Options of this play</summary><dl>${options.map(([name, value]) => html`<div key=${name}><dt>${name.replaceAll("_", " ")}</dt><dd>${value.replaceAll("_", " ")}</dd></div>`)}</dl></details>`;
}

const agents = (who, person) => (AGENTS.some(([name]) => name === who) ? AGENTS : [...AGENTS, [who, `agent: ${who}`]])
  .map(([name, label]) => html`<option key=${name} value=${name} selected=${name === who}>${name === "person" ? person : label}</option>`);

function Seats({ t, act, panel }) {
  const links = panel.links ?? {};
  const places = [...t.frame.players.map((player) => player.seat), ...(t.host ? ["spectators"] : [])];
  return html`<ul class="seat-list">${places.map((place) => {
    const player = t.frame.players[place], name = player ? capital(player.name || `player ${place + 1}`) : "Spectators", link = links[place];
    const may = player && (t.host || place === t.you || (t.you !== null && player.who === "person" && !player.present));
    return html`<li key=${place}><h3>${name}${place === t.you ? " (you)" : ""}</h3>
      ${player && html`<p>${player.who !== "person" ? `Played by an agent (${player.who}).` : player.present ? "A person is here." : "Nobody is here."}</p>`}
      ${may && html`<p><label>Played by <select onChange=${(event) => act.seat(place, event.currentTarget.value)}>${agents(player.who, "a person")}</select></label></p>`}
      ${t.host && html`<p><button class="choice" onClick=${() => act.link(place)}>Show the link</button> <button class="choice" onClick=${() => act.link(place, true)}>New link</button></p>`}
      ${link && html`<div class="link"><img src=${link.qr} alt=${`QR code of the link of ${name}`} width="180" height="180" /><label>Link <input readonly value=${link.url} onFocus=${(event) => event.currentTarget.select()} /></label>
        <button class="choice" onClick=${() => navigator.clipboard?.writeText(link.url)}>Copy</button></div>`}</li>`;
  })}</ul>`;
}

// ---- help, and the seal of the deal

const KEYS = [["Tab", "the next group of cards or buttons"], ["← →", "the next card of a group"], ["↑ ↓", "the next group"], ["Enter", "choose; once more: confirm"],
  ["Escape", "take the last choice back, close a panel"], ["0 to 9", "choose by number"], ["?", "this help"]];

function Help({ t }) {
  return html`<div class="book">
    <p>Cards with a bright edge can be chosen. Tap one to choose it; tap it again, or the large button, to confirm. Other cards say what they are, and why they cannot be chosen.</p>
    <p><b>Rules</b> is the rulebook, <b>Why</b> explains what happened last, <b>Hint</b> asks an agent, <b>Undo</b> takes back your last decision if the others agree.</p>
    <h3>Keys</h3><table class="keys"><tbody>${KEYS.map(([key, text]) => html`<tr key=${key}><th scope="row"><kbd>${key}</kbd></th><td>${text}</td></tr>`)}</tbody></table>
    <p>Each device receives only what its seat may see. The machine of the host knows all cards.</p>
    <${Setting} t=${t} /></div>`;
}

function Seal({ t }) {
  const result = t.frame.result;
  return html`<div class="book"><p>Before the first card was dealt, the table published the seal of its seed. Now that the play is over it shows the seed, so everybody can check that nothing was dealt otherwise: the seal is the SHA-256 of <code>SEED/SALT</code>.</p>
    <dl><dt>Seal</dt><dd><code>${t.frame.seal}</code></dd>${result && html`<dt>Seed</dt><dd><code>${result.seed}</code></dd><dt>Salt</dt><dd><code>${result.salt}</code></dd>`}</dl></div>`;
}
