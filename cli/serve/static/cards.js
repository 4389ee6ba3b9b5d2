// Cards as SVG, from the faces and suits of the reference.

import { Component, classes, html } from "./html.js";

// Each emblem is one path in a square of 24; those in STROKED are lines.
export const EMBLEMS = {
  heart: "M12 21C5 15 2 11.5 2 7.8 2 4.9 4.2 3 6.8 3c2.2 0 4.2 1.2 5.2 3.2C13 4.2 15 3 17.2 3 19.8 3 22 4.9 22 7.8 22 11.5 19 15 12 21z",
  diamond: "M12 1.5 20 12 12 22.5 4 12z",
  spade: "M12 2c3 5 9 8 9 12.5a4.2 4.2 0 0 1-4.2 4.1c-1.5 0-2.8-.7-3.7-1.9.2 2 1 3.8 2.4 5.3h-7c1.4-1.5 2.2-3.3 2.4-5.3-.9 1.2-2.2 1.9-3.7 1.9A4.2 4.2 0 0 1 3 14.5C3 10 9 7 12 2z",
  club: "M12 2a4.6 4.6 0 0 1 4 6.9 4.6 4.6 0 1 1-2.9 7.5c.2 2.1 1 4 2.4 5.6h-7c1.4-1.6 2.2-3.5 2.4-5.6A4.6 4.6 0 1 1 8 8.9 4.6 4.6 0 0 1 12 2z",
  cup: "M5 3h14c0 6-2 9.5-5.5 10.4V18c2.5.3 4 1.3 4 3h-11c0-1.7 1.5-2.7 4-3v-4.6C7 12.5 5 9 5 3z",
  wand: "M2 18.5 13 7.5l3.5 3.5L5.5 22zM18 .5l1.5 4 4 1.5-4 1.5-1.5 4-1.5-4-4-1.5 4-1.5z",
  sword: "M21.5 2.5 21 7 11.8 16.2 7.8 12.2 17 3zM5.8 11.6l6.6 6.6-1.5 1.5-2.4-2.4-3.2 3.2a1.7 1.7 0 0 1-2.4-2.4l3.2-3.2-1.8-1.8z",
  coin: "M12 1.5a10.5 10.5 0 1 0 0 21 10.5 10.5 0 0 0 0-21zm0 3.8 1.9 4.7 5 .3-3.9 3.2 1.3 4.9-4.3-2.7-4.3 2.7L9 13.5l-3.9-3.2 5-.3z",
  flame: "M13 1.5c.5 4.5 5.5 6.5 5.5 12.3A6.5 6.5 0 0 1 12 22.5a6.5 6.5 0 0 1-6.5-7C5.5 11.8 8 10.5 9 7.5c1.2 1.2 1.7 2.3 1.6 4C12.7 9.5 13.7 5.5 13 1.5z",
  snowflake: "M12 2v20M3.3 7l17.4 10M3.3 17 20.7 7M9.5 3.5 12 6l2.5-2.5M9.5 20.5 12 18l2.5 2.5M3 10l3.5-.9L5.6 5.6M21 14l-3.5.9.9 3.5M3 14l3.5.9-.9 3.5M21 10l-3.5-.9.9-3.5",
  drop: "M12 1.5c4 5.5 7 8.9 7 13a7 7 0 0 1-14 0c0-4.1 3-7.5 7-13z",
  leaf: "M21 2.5C9 2.5 4 8 4 14c0 1.5.3 2.9 1 4.1L2.7 20.4l1.4 1.4 2.3-2.3a8 8 0 0 0 4.1 1.3C17 20.8 21 13.5 21 2.5zM8 16.5C10 12.5 12.5 9.8 16 7.8c-2.7 3.1-4.7 5.9-6.2 9.6z",
  moon: "M20.5 14.8A9.3 9.3 0 1 1 10 2.7a7.3 7.3 0 0 0 10.5 12.1z",
  sun: "M12 7a5 5 0 1 0 0 10 5 5 0 0 0 0-10zM11 1h2v4h-2zM11 19h2v4h-2zM1 11h4v2H1zM19 11h4v2h-4zM4.9 3.5l2.8 2.8-1.4 1.4-2.8-2.8zM17.7 16.3l2.8 2.8-1.4 1.4-2.8-2.8zM19.1 3.5l1.4 1.4-2.8 2.8-1.4-1.4zM6.3 16.3l1.4 1.4-2.8 2.8-1.4-1.4z",
  star: "M12 1.5l3.1 6.9 7.4.8-5.5 5 1.6 7.3L12 17.8l-6.6 3.7L7 14.2 1.5 9.2l7.4-.8z",
  crown: "M2.5 7l5 4L12 3.5 16.5 11l5-4-2 12.5h-15z",
  shield: "M12 1.5l8.5 3.2V11c0 5.6-3.5 9.7-8.5 11.5C7 20.7 3.5 16.6 3.5 11V4.7z",
  circle: "M12 1.5a10.5 10.5 0 1 0 0 21 10.5 10.5 0 0 0 0-21z",
  square: "M3 3h18v18H3z",
  triangle: "M12 1 23 22H1z",
  hexagon: "M12 1 21.5 6.5v11L12 23l-9.5-5.5v-11z",
  lozenge: "M12 .5 23.5 12 12 23.5.5 12z",
  cross: "M8 1.5h8V8h6.5v8H16v6.5H8V16H1.5V8H8z",
  pentagon: "M12 1 23 9l-4.2 13H5.2L1 9z",
  octagon: "M7.5 1.5h9l6 6v9l-6 6h-9l-6-6v-9z",
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

function Emblem({ suit, x, y, size, plain }) {
  const line = STROKED.has(suit.emblem);
  const ink = line ? { fill: "none", stroke: suit.colour, "stroke-width": 2.2, "stroke-linecap": "round" } : { fill: suit.colour, "fill-rule": "evenodd" };
  return html`<g transform=${`translate(${x - size / 2} ${y - size / 2}) scale(${size / 24})`}>
    <path d=${EMBLEMS[suit.emblem] ?? EMBLEMS.circle} ...${ink} />
    ${suit.initials && !plain && html`<text x="12" y="17" class="initials">${suit.initials}</text>`}
  </g>`;
}

// The emblem of a suit on its own, for values and for choices.
export function Suit({ suit }) {
  return html`<svg class="suit" viewBox="0 0 24 24" aria-hidden="true"><circle class="paper" cx="12" cy="12" r="15" /><${Emblem} suit=${suit} x=${12} y=${12} size=${19} /></svg>`;
}

// The number of a card, in figures in its corner or in a word among its attributes.
const NUMBERS = ["", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
function numberOf(card) {
  if (/^\d+$/.test(card.corner)) return Number(card.corner);
  return Math.max(...Object.values(card.attributes).map((value) => NUMBERS.indexOf(value)));
}

function Middle({ card, suit }) {
  const top = 20, height = 58, number = numberOf(card);
  if (suit && !suit.initials && number > 0 && number < PIPS.length) {
    const size = number === 1 ? 34 : number < 4 ? 16 : 13;
    return PIPS[number].map(([x, y], index) => html`<${Emblem} key=${index} suit=${suit} x=${35 + (x - 0.5) * 22} y=${top + 8 + y * (height - 16)} size=${size} />`);
  }
  const title = card.name !== card.text ? card.name : card.text.length > 3 ? card.text : "";
  if (!suit) {
    return title ? null : html`<text x="35" y="61" class="giant">${card.corner || card.text}</text>`;
  }
  if (title) return html`<${Emblem} suit=${suit} x=${35} y=${39} size=${28} />`;
  const letters = card.corner || suit.initials;
  return html`<rect x="19" y="23" width="32" height="52" rx="4" class="frame" stroke=${suit.colour} />
    <text x="35" y="50" class=${letters.length > 1 ? "court long" : "court"} fill=${suit.colour}>${letters}</text>
    <${Emblem} suit=${suit} x=${35} y=${63} size=${15} plain />`;
}

function Title({ card, hasEmblem }) {
  const text = card.name !== card.text ? card.name : card.text.length > 3 ? card.text : "";
  if (!text) return null;
  const lines = lines_of(text, 11), size = Math.min(12, 66 / Math.max(...lines.map((line) => line.length)) * 1.75);
  const bottom = hasEmblem ? 69 : 56 + lines.length * size / 2;
  return lines.map((line, index) => html`<text key=${index} x="35" y=${bottom - (lines.length - 1 - index) * (size + 1)} class="title" font-size=${size}>${line}</text>`);
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

// The front of a card, or its back for a face of null.  It is drawn again only if it is another card.
export class Card extends Component {
  shouldComponentUpdate(next) {
    return ["game", "face", "deck", "art"].some((name) => next[name] !== this.props[name]);
  }

  render(card) {
    return drawn(card);
  }
}

function drawn({ game, face, deck, art }) {
  if (face === null || face === undefined) return html`<span class=${classes("paper-card back", `deck-${(deck ?? 0) % 6}`)}></span>`;
  const card = game.faces[face], suit = card.suit === null ? null : game.suits[card.suit];
  if (art?.[face]) return html`<img class="paper-card art" src=${art[face]} alt="" draggable=${false} />`;
  const corner = html`<g>
    ${card.corner && html`<text x="5" y="17" class=${classes("corner", card.corner.length > 2 && "long")} fill=${suit?.colour ?? "#1c1c1c"}>${card.corner}</text>`}
    ${suit && html`<${Emblem} suit=${suit} x=${11} y=${card.corner ? 26 : 13} size=${13} />`}
  </g>`;
  return html`<svg class="paper-card" viewBox="0 0 70 98" aria-hidden="true">
    <rect x=".5" y=".5" width="69" height="97" rx="6" class="paper" />
    ${corner}<g transform="rotate(180 35 49)">${corner}</g>
    <${Middle} card=${card} suit=${suit} /><${Title} card=${card} hasEmblem=${Boolean(suit)} />
  </svg>`;
}

// A card within a line of text: its rank and the emblem of its suit, or its name; `brief` without the name.
export function Chip({ game, face, brief }) {
  const card = game.faces[face], suit = card.suit === null ? null : game.suits[card.suit];
  const text = card.name !== card.text && !brief ? card.name : card.corner && suit && card.text.length < 4 ? card.corner : card.text;
  return html`<span class="chip">${text}${suit && html`<${Suit} suit=${suit} />`}</span>`;
}
