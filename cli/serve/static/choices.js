// What can be chosen now, derived from a frame and a draft: which cards, which words, and what they lead to.
// These are pure functions; nothing here touches the page.

// A draft is a decision in the making: `picks` are the small actions so far, each with the card that was tapped;
// `prefix` are words of one small action that are chosen already; `reply` is the server's answer on the picks.
export const noDraft = { picks: [], prefix: [], reply: null, problem: null, chooser: null };

export const optionsOf = (pending, draft) => (draft.reply ? draft.reply.options : pending?.options ?? []);

// Whether the picks are a whole decision.
export function isComplete(pending, draft) {
  if (!draft.picks.length) return false;
  if (draft.reply) return draft.reply.complete;
  return (pending?.sentences ?? []).some((sentence) => sentence.actions.length === 1 && draft.picks.length === 1
    && sentence.actions[0] === draft.picks[0].action);
}

// Whether the end of a set is the end of the decision: the set is all that follows the verb.
export function isLastPart(pending, verb) {
  const parts = partsOf(pending, verb);
  return parts.length === 1 && parts[0].slots.length === 1;
}

// The draft after the end of a set that is the end of the decision; the server is not asked once more.
export function ended(draft, choice) {
  const actions = draft.reply?.picks ?? draft.picks.map((pick) => pick.action);
  const reply = { picks: [...actions, choice.action], options: [], complete: true, text: draft.reply?.text ?? choice.text };
  return { ...draft, picks: [...draft.picks, { action: choice.action, card: null }], reply };
}

// The words of the draft: the server's, or those of a listed sentence.
export function draftText(pending, draft) {
  if (draft.reply) return draft.reply.text;
  const first = draft.picks[0]?.action;
  return pending?.sentences?.find((sentence) => sentence.actions[0] === first)?.text ?? "";
}

function partsOf(pending, verb) {
  return pending.parts.filter((part) => part.verb === verb);
}

// Whether an option can mean a card in a zone: its argument names the place, or the zone, that it is chosen from.
export function meansCardIn(pending, option, zone) {
  const slots = partsOf(pending, option.verb).flatMap((part) => part.slots).filter((slot) => slot.zones.length || slot.place !== null);
  if (!slots.length) return zone.chosen_from;
  return slots.some((slot) => (slot.place !== null ? slot.place === zone.place : slot.zones.includes(zone.family)));
}

// The options that name one card, and that card is in this zone.
export function optionsFor(pending, draft, zone, face) {
  return optionsOf(pending, draft).filter((option) => option.cards.length === 1 && option.cards[0] === face && !option.ends
    && meansCardIn(pending, option, zone));
}

// The number of the small action that a card would be, if a verb with one card is open; it explains a refusal.
export function actionOf(pending, draft, face) {
  const option = optionsOf(pending, draft).find((one) => one.cards.length === 1 && !one.ends && !one.players.length
    && one.words.length - (draft.picks.length ? 0 : 1) === 1);
  return option ? option.action - option.cards[0] + face : null;
}

// The options by verb.  Each group has `choices`: the next word that can be chosen, or a whole small action.
// Words that all options of a group share are chosen already.
export function groupsOf(pending, draft) {
  const begun = draft.picks.length > 0;
  const byVerb = new Map();
  for (const option of optionsOf(pending, draft)) {
    if (!byVerb.has(option.verb)) byVerb.set(option.verb, []);
    byVerb.get(option.verb).push(option);
  }
  return [...byVerb].map(([verb, options]) => groupOf(pending, draft, verb, options, begun)).filter((group) => group.choices.length);
}

function groupOf(pending, draft, verb, options, begun) {
  const slots = begun ? [] : partsOf(pending, verb)[0]?.slots ?? [];
  const args = (option) => (begun ? option.words : option.words.slice(1));
  const chosen = draft.prefix[0] === verb ? draft.prefix.slice(1) : [];
  const plain = options.filter((option) => !option.ends);
  const left = plain.filter((option) => chosen.every((word, at) => args(option)[at] === word));
  let depth = chosen.length;
  while (left.length > 1 && new Set(left.map((option) => args(option)[depth])).size === 1 && args(left[0]).length > depth + 1) depth += 1;
  const shared = left.length ? args(left[0]).slice(0, depth) : [];
  const words = new Map();
  for (const option of left) {
    const word = args(option)[depth] ?? "";
    if (!words.has(word)) words.set(word, []);
    words.get(word).push(option);
  }
  const choices = [...words].map(([word, found]) => {
    const last = found.length === 1 && args(found[0]).length <= depth + 1;
    return {
      word, what: kindOf(slots[depth], word, found[0]), options: found,
      action: last || (found.length === 1) ? found[0].action : null, text: sentenceOf(verb, found[0], begun, shared, word),
      card: found[0].cards.length === 1 && isCardWord(slots[depth], found[0], depth) ? found[0].cards[0] : null,
    };
  });
  for (const option of options.filter((one) => one.ends)) {
    choices.push({ word: "", what: "end", options: [option], action: option.action, text: [...option.words].join(" "), card: null });
  }
  return { verb, label: verb.replaceAll("_", " "), begun, shared: shared.map((word, at) => ({ word, what: kindOf(slots[at], word, left[0]) })),
    chosen: chosen.length, isSet: Boolean(slots[depth]?.is_set) || (begun && options.some((one) => one.ends)), what: slots[depth]?.what ?? "", choices };
}

function kindOf(slot, word, option) {
  if (slot) return slot.what === "cards" ? "card" : slot.what;
  if (option.cards.length) return "card";
  if (option.players.some((player) => String(player + 1) === word)) return "player";
  return /^-?\d+$/.test(word) ? "number" : "";
}

const isCardWord = (slot, option, depth) => (slot ? ["card", "cards"].includes(slot.what) : depth === 0 || option.cards.length === 1);

function sentenceOf(verb, option, begun, shared, word) {
  const words = begun ? [...shared, word] : [verb.replaceAll("_", " "), ...shared, word];
  return words.filter(Boolean).join(" ");
}

// Whether all choices of a group are cards that can be tapped on the table.
export function isOnTable(pending, group, zones) {
  const cards = group.choices.filter((choice) => choice.what !== "end");
  return cards.length > 0 && cards.every((choice) => choice.card !== null && choice.options.every((option) =>
    zones.some((zone) => zone.cards.includes(choice.card) && meansCardIn(pending, option, zone))));
}
