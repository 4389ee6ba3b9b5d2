// How the zones of a frame are laid out.  These are pure functions; nothing here touches the page.

import { optionsFor } from "./choices.js";

const MOST_OPEN = 12, FEW = 3;

// The cards of a zone with a key each: the face and which of several equal ones it is.  Unseen cards are counted.
export function keyed(cards) {
  const seen = new Map();
  return cards.map((face) => {
    const name = face === null ? "x" : String(face), nth = seen.get(name) ?? 0;
    seen.set(name, nth + 1);
    return { face, key: `${name}.${nth}` };
  });
}

// How a zone is shown: "open" has a button for each card, "closed" one button for all, "hidden" cards that nobody may
// turn, "empty" its name alone; null: not at all.
export function modeOf(zone, { seat, pending, draft, known, chosenFrom }) {
  if (!zone.cards.length) {
    const lasting = known.has(zone.place) || (zone.owner === null && ["slot", "row"].includes(zone.kind));
    return zone.in_play && lasting ? "empty" : null;
  }
  if (zone.cards.every((face) => face === null)) return zone.laid.length ? "closed" : "hidden";
  const legal = pending && zone.cards.some((face) => face !== null && optionsFor(pending, draft, zone, face).length);
  if (legal) return "open";
  if (zone.kind === "pile" || zone.cards.length > MOST_OPEN + (isHand(zone, seat) ? 20 : 0)) return "closed";
  if (zone.kind === "slot" || zone.kind === "row" || isHand(zone, seat)) return "open";
  return zone.owner === null && (chosenFrom.includes(zone.family) || zone.cards.length <= FEW) ? "open" : "closed";
}

const ORDER = { row: 0, cards: 1, slot: 2, pile: 3 };
export const byKind = (one, other) => ORDER[one.kind] - ORDER[other.kind];

// The hand: what only its owner sees, as single cards.
export const isHand = (zone, seat) => seat !== null && zone.owner === seat && !zone.public && ["cards", "slot"].includes(zone.kind)
  && zone.in_play && zone.cards.some((face) => face !== null);

// The values worth a look, flags of one family together: a list of { label, texts, words }.
export function chipsOf(values) {
  const chips = [];
  for (const value of values) {
    if (!value.relevant) continue;
    if (value.is_flag) {
      if (value.value !== true) continue;
      const words = value.owner === null ? value.index : value.index.slice(1);
      const last = chips.at(-1);
      if (words.length && last?.family === value.variable) last.words.push(...words);
      else chips.push({ key: value.slot, family: value.variable, label: value.variable, words: [...words] });
    } else if (value.value !== null) {
      chips.push({ key: value.slot, family: null, label: value.short.replaceAll("_", " "), words: [value.text] });
    }
  }
  return chips;
}

// The tables between two frames, for playing back what happened: the zones after each decision of the events.
// A card that is moved twice begins a new table, so that each of its places is seen.
export function tablesBetween(before, after, events) {
  const moves = events.filter((event) => event.kind === "move" && event.cards.length);
  if (!before || moves.length < 2) return [];
  const zones = new Map(before.map((zone) => [zone.place, { ...zone, cards: [...zone.cards], by: [...zone.by] }]));
  const sight = new Map(after.map((zone) => [zone.place, zone]));
  const tables = [];
  let touched = new Set(), last = null;
  const snapshot = () => [...zones.values()].map((zone) => ({ ...zone, cards: [...zone.cards], by: [...zone.by] }));
  const close = () => { if (touched.size) tables.push({ zones: snapshot(), event: last }); touched = new Set(); };
  for (const event of events) {
    if (event.kind === "decision") close();
    if (event.kind !== "move" || !zones.has(event.origin) || !zones.has(event.target)) continue;
    if (touched.has(event.origin)) close();
    const origin = zones.get(event.origin), target = zones.get(event.target);
    for (const face of event.cards) {
      const at = origin.cards.indexOf(face), hidden = origin.cards.indexOf(null);
      const index = at >= 0 ? at : hidden >= 0 ? hidden : origin.cards.length - 1;
      origin.cards.splice(index, 1);
      if (origin.by.length) origin.by.splice(index, 1);
      const visible = target.public || target.cards.some((card) => card !== null) || sight.get(event.target).cards.includes(face);
      target.cards.push(visible ? face : null);
      if (target.kind === "row") target.by.push(event.player);
      else if (target.kind === "cards") target.cards.sort((one, other) => (one ?? 1e6) - (other ?? 1e6));
    }
    touched.add(event.target);
    last = event;
  }
  return tables;  // Without the last one, which the frame itself shows.
}
