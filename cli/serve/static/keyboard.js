// The keyboard: arrows within and between groups of buttons, one of which has the focus of its group, and the
// focus that stays where it was when the table changes.

let focusedKey = null, focusedGroup = null;

const visible = (element) => element.getClientRects().length > 0;
const itemsOf = (group) => [...group.querySelectorAll("[data-item]")].filter(visible);
const allGroups = (root) => [...root.querySelectorAll("[data-group]")];
const groupsIn = (root) => allGroups(root).filter((group) => itemsOf(group).length);

// Give each group one place in the order of the tab key.  All is read before anything is written: one layout is enough.
export function settle(root, groups = allGroups(root)) {
  for (const [name, items] of groups.map((group) => [group.dataset.current, itemsOf(group)])) {
    const current = items.find((item) => item.dataset.item === name) ?? items[0];
    for (const item of items) {
      const index = item === current ? "0" : "-1";
      if (item.getAttribute("tabindex") !== index) item.setAttribute("tabindex", index);
    }
  }
}

// Take the focus from the question, which may go: the removal of what has the focus costs a style pass of its own.
export function release(root) {
  if (root.querySelector(".question")?.contains(document.activeElement)) document.activeElement.blur();
}

// Keep the focus on what had it; where that has gone, on its neighbour in the group, or else on the question.
export function restore(root) {
  if (focusedKey === null || document.querySelector("dialog[open]")) return;
  const active = document.activeElement;
  if (active && active !== document.body && active.isConnected) return;
  const same = root.querySelector(`[data-item="${CSS.escape(focusedKey)}"]`);
  const group = focusedGroup && root.querySelector(`[data-group="${CSS.escape(focusedGroup)}"]`);
  const next = same ?? (group && itemsOf(group)[0]) ?? root.querySelector("[data-question]");
  next?.focus({ preventScroll: true });
}

export function listen(root, act) {
  root.addEventListener("focusin", (event) => {
    const item = event.target.closest("[data-item]"), group = event.target.closest("[data-group]");
    focusedKey = item?.dataset.item ?? null;
    focusedGroup = group?.dataset.group ?? null;
    if (!item || !group) return;
    group.dataset.current = item.dataset.item;
    settle(root, [group]);
    act.focused(item);
  });
  root.addEventListener("pointerdown", () => act.touched());
  root.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.matches("input, select, textarea")) return;
    if (event.target.closest("[data-group]") && arrow(root, event)) event.preventDefault();
    else if (act.key(event)) event.preventDefault();
  });
}

// Move the focus; returns whether the key was an arrow.
function arrow(root, event) {
  const group = event.target.closest("[data-group]"), items = itemsOf(group), at = items.indexOf(event.target.closest("[data-item]"));
  let next = null;
  switch (event.key) {
    case "ArrowRight": next = items[at + 1] ?? items[0]; break;
    case "ArrowLeft": next = items[at - 1] ?? items.at(-1); break;
    case "Home": next = items[0]; break;
    case "End": next = items.at(-1); break;
    case "ArrowDown": case "ArrowUp": {
      const groups = groupsIn(root), here = groups.indexOf(group) + (event.key === "ArrowDown" ? 1 : -1);
      const other = groups[(here + groups.length) % groups.length];
      next = itemsOf(other).find((item) => item.tabIndex === 0) ?? itemsOf(other)[0];
      break;
    }
    default: return false;
  }
  next?.focus();
  next?.scrollIntoView({ block: "nearest", inline: "nearest" });
  return true;
}
