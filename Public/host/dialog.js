// Dialogs: a question before something that others notice or that is hard to reverse, and other content.
import { h } from "./dom.js";
import { t } from "./words.js";

/**
 * Returns whether the host agreed. Escape and "Cancel" mean no. `content` is a list of elements, and `button`
 * the text of the button that agrees.
 */
export function ask({ title, content = [], button, isDangerous = false }) {
  return new Promise((resolve) => {
    const buttons = h(
      "div",
      { class: "buttons" },
      h("button", { value: "no", class: "quiet" }, t("cancel")),
      h("button", { value: "yes", class: isDangerous ? "grave" : null }, button),
    );
    const dialog = open(title, h("form", { method: "dialog" }, content, buttons), () =>
      resolve(dialog.returnValue === "yes"),
    );
  });
}

/** Shows a dialog and returns it. `onClose` is called after it was closed. */
export function open(title, content, onClose = () => {}) {
  const dialog = h(
    "dialog",
    {
      "aria-labelledby": "dialog-title",
      // The second click of a double click belongs to the button that opened the dialog.
      onclick: (event) => event.detail > 1 && event.preventDefault(),
      onclose: () => {
        dialog.remove();
        onClose();
      },
    },
    h("h2", { id: "dialog-title" }, title),
    content,
  );
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}
