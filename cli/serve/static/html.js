// Templates as DOM: htm reads them, Preact renders them.  A value in a template is always text, never HTML.

import { h } from "./vendor/preact.mjs";
import htm from "./vendor/htm.mjs";

export { Component, createRef, render } from "./vendor/preact.mjs";
export const html = htm.bind(h);
export const classes = (...names) => names.filter(Boolean).join(" ");
export const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;
export const capital = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);
