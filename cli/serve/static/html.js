// Templates as DOM: htm reads them, Preact renders them.  A value in a template is always text, never HTML.

import { Component, h } from "./vendor/preact.mjs";
import htm from "./vendor/htm.mjs";

export { Component, createRef, render } from "./vendor/preact.mjs";
export const html = htm.bind(h);
export const classes = (...names) => names.filter(Boolean).join(" ");
export const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;
export const capital = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);

// A component that is drawn again only if one of its properties is another value.
export const memo = (draw) => class extends Component {
  shouldComponentUpdate(next) {
    return Object.keys(next).some((name) => next[name] !== this.props[name]);
  }

  render(props) {
    return draw(props);
  }
};

// Data as it is now, with all parts that equal those of before as the same objects: what is drawn of them is not drawn
// again.  The new data is changed.
export function reuse(before, now) {
  if (before === now || typeof before !== "object" || typeof now !== "object" || before === null || now === null) return now;
  const names = Object.keys(now);
  let same = Array.isArray(before) === Array.isArray(now) && names.length === Object.keys(before).length;
  for (const name of names) {
    now[name] = reuse(before[name], now[name]);
    same &&= now[name] === before[name] && name in before;
  }
  return same ? before : now;
}
