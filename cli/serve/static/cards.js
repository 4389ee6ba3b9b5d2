// Cards as SVG, from the faces and suits of the reference.

import { classes, html, memo } from "./html.js";

// Each emblem is one path in a square of 24, relative to a corner of it; those in STROKED are lines.
export const EMBLEMS = {
  heart: "m12 21c-7-6-10-9.5-10-13.2c0-2.9 2.2-4.8 4.8-4.8c2.2 0 4.2 1.2 5.2 3.2c1-2 3-3.2 5.2-3.2c2.6 0 4.8 1.9 4.8 4.8c0 3.7-3 7.2-10 13.2z",
  diamond: "m12 1.5l8 10.5l-8 10.5l-8-10.5z",
  spade: "m12 2c3 5 9 8 9 12.5a4.2 4.2 0 0 1-4.2 4.1c-1.5 0-2.8-.7-3.7-1.9c.2 2 1 3.8 2.4 5.3h-7c1.4-1.5 2.2-3.3 2.4-5.3c-.9 1.2-2.2 1.9-3.7 1.9a4.2 4.2 0 0 1-4.2-4.1c0-4.5 6-7.5 9-12.5z",
  club: "m12 2a4.6 4.6 0 0 1 4 6.9a4.6 4.6 0 1 1-2.9 7.5c.2 2.1 1 4 2.4 5.6h-7c1.4-1.6 2.2-3.5 2.4-5.6a4.6 4.6 0 1 1-2.9-7.5a4.6 4.6 0 0 1 4-6.9z",
  cup: "m5 3h14c0 6-2 9.5-5.5 10.4v4.6c2.5 .3 4 1.3 4 3h-11c0-1.7 1.5-2.7 4-3v-4.6c-3.5-.9-5.5-4.4-5.5-10.4z",
  wand: "m2 18.5l11-11l3.5 3.5l-11 11zm16-18l1.5 4l4 1.5l-4 1.5l-1.5 4l-1.5-4l-4-1.5l4-1.5z",
  sword: "m21.5 2.5l-.5 4.5l-9.2 9.2l-4-4l9.2-9.2zm-15.7 9.1l6.6 6.6l-1.5 1.5l-2.4-2.4l-3.2 3.2a1.7 1.7 0 0 1-2.4-2.4l3.2-3.2l-1.8-1.8z",
  coin: "m12 1.5a10.5 10.5 0 1 0 0 21a10.5 10.5 0 0 0 0-21zm0 3.8l1.9 4.7l5 .3l-3.9 3.2l1.3 4.9l-4.3-2.7l-4.3 2.7l1.3-4.9l-3.9-3.2l5-.3z",
  flame: "m13 1.5c.5 4.5 5.5 6.5 5.5 12.3a6.5 6.5 0 0 1-6.5 8.7a6.5 6.5 0 0 1-6.5-7c0-3.7 2.5-5 3.5-8c1.2 1.2 1.7 2.3 1.6 4c2.1-2 3.1-6 2.4-10z",
  snowflake: "m12 2v20m-8.7-15l17.4 10m-17.4 0l17.4-10m-11.2-3.5l2.5 2.5l2.5-2.5m-5 17l2.5-2.5l2.5 2.5m-11.5-10.5l3.5-.9l-.9-3.5m15.4 8.4l-3.5 .9l.9 3.5m-15.4-4.4l3.5 .9l-.9 3.5m15.4-8.4l-3.5-.9l.9-3.5",
  drop: "m12 1.5c4 5.5 7 8.9 7 13a7 7 0 0 1-14 0c0-4.1 3-7.5 7-13z",
  leaf: "m21 2.5c-12 0-17 5.5-17 11.5c0 1.5 .3 2.9 1 4.1l-2.3 2.3l1.4 1.4l2.3-2.3a8 8 0 0 0 4.1 1.3c6.5 0 10.5-7.3 10.5-18.3zm-13 14c2-4 4.5-6.7 8-8.7c-2.7 3.1-4.7 5.9-6.2 9.6z",
  moon: "m20.5 14.8a9.3 9.3 0 1 1-10.5-12.1a7.3 7.3 0 0 0 10.5 12.1z",
  sun: "m12 7a5 5 0 1 0 0 10a5 5 0 0 0 0-10zm-1-6h2v4h-2zm0 18h2v4h-2zm-10-8h4v2h-4zm18 0h4v2h-4zm-14.1-7.5l2.8 2.8l-1.4 1.4l-2.8-2.8zm12.8 12.8l2.8 2.8l-1.4 1.4l-2.8-2.8zm1.4-12.8l1.4 1.4l-2.8 2.8l-1.4-1.4zm-12.8 12.8l1.4 1.4l-2.8 2.8l-1.4-1.4z",
  star: "m12 1.5l3.1 6.9l7.4 .8l-5.5 5l1.6 7.3l-6.6-3.7l-6.6 3.7l1.6-7.3l-5.5-5l7.4-.8z",
  crown: "m2.5 7l5 4l4.5-7.5l4.5 7.5l5-4l-2 12.5h-15z",
  shield: "m12 1.5l8.5 3.2v6.3c0 5.6-3.5 9.7-8.5 11.5c-5-1.8-8.5-5.9-8.5-11.5v-6.3z",
  circle: "m12 1.5a10.5 10.5 0 1 0 0 21a10.5 10.5 0 0 0 0-21z",
  square: "m3 3h18v18h-18z",
  triangle: "m12 1l11 21h-22z",
  hexagon: "m12 1l9.5 5.5v11l-9.5 5.5l-9.5-5.5v-11z",
  lozenge: "m12 .5l11.5 11.5l-11.5 11.5l-11.5-11.5z",
  cross: "m8 1.5h8v6.5h6.5v8h-6.5v6.5h-8v-6.5h-6.5v-8h6.5z",
  pentagon: "m12 1l11 8l-4.2 13h-13.6l-4.2-13z",
  octagon: "m7.5 1.5h9l6 6v9l-6 6h-9l-6-6v-9z",
};
const STROKED = new Set(["snowflake"]);

// Where the pips of a numbered card lie, as columns and rows between 0 and 1.
const SIDES = [[0, 0], [1, 0], [0, 1], [1, 1]], MIDDLE = [[0.5, 0.5]], WAIST = [[0, 0.5], [1, 0.5]];
const NINE = [...SIDES, [0, 1 / 3], [1, 1 / 3], [0, 2 / 3], [1, 2 / 3]];
const PIPS = [[], MIDDLE, [[0.5, 0], [0.5, 1]], [[0.5, 0], [0.5, 1], ...MIDDLE], SIDES, [...SIDES, ...MIDDLE],
  [...SIDES, ...WAIST], [...SIDES, ...WAIST, [0.5, 0.25]], [...SIDES, ...WAIST, [0.5, 0.25], [0.5, 0.75]],
  [...NINE, ...MIDDLE], [...NINE, [0.5, 1 / 6], [0.5, 5 / 6]]];

// What a card is called aloud: "five of clubs", "The Tower (T16)", "guard".
export function faceName(game, face) {
  if (face === null || face === undefined) return "face-down card";
  const card = game.faces[face];
  if (card.name !== card.text) return `${card.name} (${card.text})`;
  const suit = card.suit === null ? null : game.suits[card.suit].name;
  if (suit === null || card.text.length > 4) return card.text;
  const rest = Object.values(card.attributes).filter((value) => value !== suit);
  return `${rest.length ? rest.join(" ") : card.kind} of ${suit}`.replaceAll("_", " ");
}

// Emblems of one suit and size in several places are one path: a page of few elements is laid out and painted sooner.
function Emblems({ suit, places, size }) {
  const scale = size / 24, path = EMBLEMS[suit.emblem] ?? EMBLEMS.circle;
  const ink = STROKED.has(suit.emblem) ? { fill: "none", stroke: suit.colour, "stroke-width": 2.2, "stroke-linecap": "round" } : { fill: suit.colour, "fill-rule": "evenodd" };
  const d = places.map(([x, y]) => `M${(x / scale - 12).toFixed(2)} ${(y / scale - 12).toFixed(2)}${path}`).join("");
  return html`<path d=${d} transform=${`scale(${scale})`} ...${ink} />`;
}

function Emblem({ suit, x, y, size, plain }) {
  return html`<${Emblems} suit=${suit} places=${[[x, y]]} size=${size} />
    ${suit.initials && !plain && html`<text transform=${`translate(${x} ${y}) scale(${size / 24})`} y="5" class="initials">${suit.initials}</text>`}`;
}

// The emblem of a suit on its own, for values and for choices.
export const Suit = memo(({ suit }) => html`<svg class="suit" viewBox="0 0 24 24" aria-hidden="true"><circle class="paper" cx="12" cy="12" r="15" /><${Emblem} suit=${suit} x=${12} y=${12} size=${19} /></svg>`);

// The number of a card, in figures in its corner or in a word among its attributes.
const NUMBERS = ["", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
function numberOf(card) {
  if (/^\d+$/.test(card.corner)) return Number(card.corner);
  return Math.max(...Object.values(card.attributes).map((value) => NUMBERS.indexOf(value)));
}

// A name for the middle of a card: what neither its corner nor a letter can say.
const titleOf = (card) => (card.name !== card.text ? card.name : card.text.length > 3 ? card.text : "");

function Middle({ card, suit }) {
  const top = 20, height = 58, number = numberOf(card);
  if (titleOf(card)) return suit && html`<${Emblem} suit=${suit} x=${35} y=${30} size=${24} />`;
  if (suit && !suit.initials && number > 0 && number < PIPS.length) {
    const size = number === 1 ? 34 : number < 4 ? 16 : 13;
    return html`<${Emblems} suit=${suit} places=${PIPS[number].map(([x, y]) => [35 + (x - 0.5) * 22, top + 8 + y * (height - 16)])} size=${size} />`;
  }
  if (!suit) return html`<text x="35" y="61" class="giant">${card.corner || card.text}</text>`;
  const letters = card.corner || suit.initials;
  return html`<rect x="19" y="23" width="32" height="52" rx="4" class="frame" stroke=${suit.colour} />
    <text x="35" y="50" class=${letters.length > 1 ? "court long" : "court"} fill=${suit.colour}>${letters}</text>
    <${Emblem} suit=${suit} x=${35} y=${63} size=${15} plain />`;
}

// The name lies between the emblems in the middle and in the lower corner.
function Title({ card, hasEmblem }) {
  const lines = lines_of(titleOf(card), 11), size = Math.min(lines.length > 2 ? 9 : 12, 104 / Math.max(...lines.map((line) => line.length)));
  const bottom = hasEmblem ? 62 : 56 + lines.length * size / 2;
  return lines.map((line, index) => html`<text key=${index} x="35" y=${bottom - (lines.length - 1 - index) * size} class="title" font-size=${size}>${line}</text>`);
}

// Words in lines of about so many letters, at most three.
function lines_of(text, most) {
  const lines = [];
  for (const word of text.split(/[ _]/)) {
    if (lines.length && (lines.at(-1) + word).length < most) lines.push(`${lines.pop()} ${word}`);
    else lines.push(word);
  }
  return lines.length > 3 ? [...lines.slice(0, 2), lines.slice(2).join(" ")] : lines;
}

// The front of a card, or its back for a face of null.
export const Card = memo(({ game, face, deck }) => {
  if (face === null || face === undefined) return html`<span class=${classes("paper-card back", `deck-${(deck ?? 0) % 6}`)}></span>`;
  const card = game.faces[face], suit = card.suit === null ? null : game.suits[card.suit];
  if (game.art[face]) return html`<img class="paper-card art" src=${game.art[face]} alt="" draggable=${false} />`;
  const corner = () => html`${card.corner && html`<text x="5" y="17" class=${classes("corner", card.corner.length > 2 && "long")} fill=${suit?.colour ?? "#1c1c1c"}>${card.corner}</text>`}
    ${suit && html`<${Emblem} suit=${suit} x=${11} y=${card.corner ? 26 : 13} size=${13} />`}`;
  return html`<svg class="paper-card" viewBox="0 0 70 98" aria-hidden="true">
    <rect x=".5" y=".5" width="69" height="97" rx="6" class="paper" />
    ${corner()}<g transform="rotate(180 35 49)">${corner()}</g>
    <${Middle} card=${card} suit=${suit} />${titleOf(card) && html`<${Title} card=${card} hasEmblem=${Boolean(suit)} />`}
  </svg>`;
});

// A card within a line of text: its rank and the emblem of its suit, or its name; `brief` without the name.
export const Chip = memo(({ game, face, brief }) => {
  const card = game.faces[face], suit = card.suit === null ? null : game.suits[card.suit];
  const text = card.name !== card.text && !brief ? card.name : card.corner && suit && card.text.length < 4 ? card.corner : card.text;
  return html`<span class="chip">${text}${suit && html`<${Suit} suit=${suit} />`}</span>`;
});
