// A ranking on a phone: the attendee taps the choices in order, and then drags a number or moves it with the
// buttons or keys. The number fields of the form stay, so that they are stored, sent and checked like others.
import { fillIn } from "./phrase.js";

/** Makes the number fields in `box` a list that people put in order. */
export function order(box) {
  if (box.dataset.ordered !== undefined) return;
  box.dataset.ordered = "";
  const rows = [...box.querySelectorAll(".rank")];
  const most = Number(box.closest("fieldset").dataset.most);
  // The hint of the numbers stays if this script does not arrive.
  const hint = box.previousElementSibling;
  [hint.hidden, hint.previousElementSibling.hidden] = [true, false];
  const said = Object.assign(document.createElement("p"), { className: "moved unseen" });
  said.setAttribute("role", "status");
  box.after(said);

  for (const row of rows) {
    const field = fieldOf(row);
    field.readOnly = true;
    const [up, down, out] = Object.entries({ up: "↑", down: "↓", out: "×" }).map(([name, sign]) => {
      const properties = { type: "button", className: name, textContent: sign };
      const button = Object.assign(document.createElement("button"), properties);
      button.setAttribute("aria-label", fillIn(box.dataset[name], { choice: nameOf(row) }));
      row.append(button);
      return button;
    });
    up.addEventListener("click", () => move(row, placeOf(row) - 1));
    down.addEventListener("click", () => move(row, placeOf(row) + 1));
    out.addEventListener("click", () => takeOut(row));
    field.addEventListener("keydown", (event) => press(row, event));
    field.addEventListener("pointerdown", (event) => {
      if (field.value && event.isPrimary && !event.button) drag(row, event);
    });
    row.addEventListener("click", ({ target }) => !target.closest("button") && add(row));
  }
  box.closest("form").addEventListener("filled", () => draw(byNumber()));
  draw(byNumber());

  /** Returns the ranked rows in the order of their numbers. */
  function byNumber() {
    return rows.filter(placeOf).sort((one, other) => placeOf(one) - placeOf(other));
  }

  function add(row) {
    const place = byNumber().length + 1;
    if (placeOf(row)) return;
    if (place <= most) move(row, place);
    else say(fillIn(box.dataset.full, { count: most }), true);
  }

  /** Arrows and digits move a choice, and Delete takes it out. The space bar or a digit adds it. */
  function press(row, event) {
    const { key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const place = { ArrowUp: placeOf(row) - 1, ArrowDown: placeOf(row) + 1 }[key] ?? Number(key);
    const takes = ["Delete", "Backspace"].includes(key);
    if (!takes && !(place >= 0)) return;
    event.preventDefault();
    if (takes) takeOut(row);
    else if (placeOf(row)) move(row, place);
    else add(row);
  }

  /** Puts a ranked row at another place, or a new one at the end. */
  function move(row, place) {
    const others = byNumber().filter((one) => one !== row);
    if (place < 1 || place > others.length + 1) return;
    others.splice(place - 1, 0, row);
    end(others, row);
  }

  function takeOut(row) {
    if (placeOf(row)) end(byNumber().filter((one) => one !== row), row);
  }

  /** Ranks these rows alone, and says where `row` is now. */
  function end(all, row) {
    draw(all);
    const place = placeOf(row);
    say(fillIn(place ? box.dataset.at : box.dataset.none, { choice: nameOf(row), place }));
    fieldOf(row).dispatchEvent(new Event("input", { bubbles: true }));
  }

  /** Says where a choice is now to those who do not see it, or shows why nothing happened. */
  function say(text, isShown = false) {
    said.className = `moved ${isShown ? "note" : "unseen"}`;
    said.textContent = text;
  }

  /** Shows the ranked rows in this order, and the others below. The focus stays in its row. */
  function draw(all) {
    const focused = document.activeElement;
    for (const row of rows) {
      const at = all.indexOf(row);
      fieldOf(row).value = at < 0 ? "" : at + 1;
      row.classList.toggle("in", at >= 0);
      row.querySelector(".up").disabled = at <= 0;
      row.querySelector(".down").disabled = at === all.length - 1;
    }
    const shown = [...all, ...rows.filter((row) => !all.includes(row))];
    if (shown.some((row, index) => box.children[index] !== row)) box.append(...shown);
    const row = box.contains(focused) && focused.closest(".rank");
    if (!row) return;
    const isGone = focused.disabled || (focused.matches("button") && !row.matches(".in"));
    (isGone ? fieldOf(row) : focused).focus({ preventScroll: true });
  }

  /** Lets a row follow the pointer. Only the other rows move in the document, so it keeps the pointer. */
  function drag(row, { pointerId }) {
    const field = fieldOf(row);
    const listening = new AbortController();
    const on = (name, act) => field.addEventListener(name, act, { signal: listening.signal });
    field.setPointerCapture(pointerId);
    row.classList.add("dragged");
    on("pointermove", ({ clientY }) => {
      const before = () => row.previousElementSibling;
      const after = () => row.nextElementSibling;
      while (before() && clientY < middleOf(before())) row.after(before());
      while (after() && placeOf(after()) && clientY > middleOf(after())) row.before(after());
    });
    const stop = () => {
      listening.abort();
      row.classList.remove("dragged");
    };
    for (const name of ["pointercancel", "lostpointercapture"]) on(name, () => (stop(), draw(byNumber())));
    on("pointerup", () => {
      stop();
      const all = [...box.children].filter(placeOf);
      if (all.some((one, index) => placeOf(one) !== index + 1)) end(all, row);
    });
  }
}

const fieldOf = (row) => row.querySelector(".place");
const placeOf = (row) => Number(fieldOf(row).value);
const nameOf = (row) => row.querySelector("label").textContent.trim();

function middleOf(row) {
  const { top, height } = row.getBoundingClientRect();
  return top + height / 2;
}
