// Cards move from where they were to where they are (first, last, invert, play).

const DURATION = 260;
const wantsLess = matchMedia("(prefers-reduced-motion: reduce)");

export const moves = () => !wantsLess.matches;

const cardsOf = (root) => root.querySelectorAll("[data-card]");
const zonesOf = (root) => root.querySelectorAll("[data-zone]");

// Return where all cards and zones are now.
export function positions(root) {
  const found = { cards: new Map(), zones: new Map() };
  if (!moves()) return found;
  for (const element of cardsOf(root)) found.cards.set(element.dataset.card, element.getBoundingClientRect());
  for (const element of zonesOf(root)) found.zones.set(Number(element.dataset.zone), element.getBoundingClientRect());
  return found;
}

// Return how the cards that an event has moved slide from their positions before to those now.  Their neighbours do not
// slide: each card that does is a layer of its own, which the browser paints and composes apart from the others.
// Nothing moves yet: an animation that has begun makes the browser lay out the page again for the next position.
export function slides(root, before, events) {
  const found = [];
  if (!moves() || (!before.cards.size && !before.zones.size)) return found;
  const sources = sourcesOf(before, events);
  for (const element of cardsOf(root)) {
    const key = element.dataset.card, from = before.cards.has(key) ? null : take(sources, key);
    const now = from && element.getBoundingClientRect();
    if (!now?.width) continue;
    const dx = from.left - now.left, dy = from.top - now.top;
    if (Math.abs(dx) + Math.abs(dy) < 2 || Math.abs(dy) > innerHeight * 1.5) continue;
    const scale = Math.min(1.6, Math.max(0.5, from.width / now.width));
    found.push([element, `translate(${dx}px, ${dy}px) scale(${scale})`]);
  }
  return found;
}

// Let cards slide.  An animation of anything but a transform would make the browser paint the page for each of its frames.
export function slide(found) {
  for (const [element, transform] of found) {
    element.style.zIndex = 5;
    const moving = element.animate([{ transform }, { transform: "none" }], { duration: DURATION, easing: "cubic-bezier(.2,.8,.3,1)" });
    moving.onfinish = moving.oncancel = () => { element.style.zIndex = ""; };
  }
}

// Where the cards that have moved came from, by target zone: [face, rectangle].
function sourcesOf(before, events) {
  const sources = new Map(), used = new Map();
  for (const event of events) {
    if (event.kind !== "move") continue;
    for (const face of event.cards) {
      const name = `${event.origin}:${face === null ? "x" : face}`, nth = used.get(name) ?? 0;
      used.set(name, nth + 1);
      const moved = (sources.get(event.origin) ?? []).findIndex(([one]) => one === face);
      const rect = moved >= 0 ? sources.get(event.origin).splice(moved, 1)[0][1]
        : before.cards.get(`${name}.${nth}`) ?? before.zones.get(event.origin);
      if (!sources.has(event.target)) sources.set(event.target, []);
      if (rect) sources.get(event.target).push([face, rect]);
    }
  }
  return sources;
}

function take(sources, key) {
  const [place, card] = key.split(":"), found = sources.get(Number(place));
  if (!found) return null;
  const face = card.startsWith("x") ? null : Number(card.split(".")[0]);
  const at = found.findIndex(([one]) => one === face || one === null);
  return at >= 0 ? found.splice(at, 1)[0][1] : null;
}
