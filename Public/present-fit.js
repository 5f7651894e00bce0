// Fits a question and its rows into the hall's screen. Nothing is ever cut: the text becomes smaller, down to
// a size that the back row can read, and then the rows are divided into pages.

/** The sizes of the text, in hundredths of the screen's shorter side. */
const sizes = [6.4, 5.8, 5.2, 4.7, 4.2, 3.8, 3.4, 3.1, 2.8, 2.6];

/**
 * Divides rows into pages. `heights` has the height of each row; no page is higher than `room`, unless a
 * single row is. Returns the number of the first row of each page.
 */
export function pagesOf(heights, room) {
  const starts = [0];
  let used = 0;
  heights.forEach((height, index) => {
    if (used > 0 && used + height > room) {
      starts.push(index);
      used = 0;
    }
    used += height;
  });
  return starts;
}

/**
 * Gives `box` the largest size at which it shows all `rows`; the style sheet reads the size from `--size`.
 * Words are broken (class `tight`) only if a word is wider than its column at the smallest size.
 * Returns the rows of each page: one page, or several if even the smallest size is too large.
 */
export function fit(box, rows) {
  box.classList.remove("tight");
  for (const row of rows) {
    row.hidden = false;
    row.style.fontSize = "";
  }
  for (const size of sizes) {
    box.style.setProperty("--size", size);
    if (box.scrollHeight <= box.clientHeight && box.scrollWidth <= box.clientWidth) return [rows];
  }
  if (box.scrollWidth > box.clientWidth) box.classList.add("tight");
  if (!rows.length || box.scrollHeight <= box.clientHeight) return [rows];
  const top = (row) => row.getBoundingClientRect().top;
  const bottom = (row) => row.getBoundingClientRect().bottom;
  // The last row leaves room for the number of the page.
  const page = Number.parseFloat(getComputedStyle(box).fontSize) * 2;
  const content = box.firstElementChild;
  const room = box.clientHeight - (top(rows[0]) - content.getBoundingClientRect().top) - page;
  for (const row of rows) {
    for (let part = 0.9; bottom(row) - top(row) > room && part > 0.3; part -= 0.1) {
      row.style.fontSize = `${part}em`;
    }
  }
  const end = (row, index) => (index + 1 < rows.length ? top(rows[index + 1]) : bottom(row));
  const heights = rows.map((row, index) => end(row, index) - top(row));
  const starts = pagesOf(heights, room);
  return starts.map((start, index) => rows.slice(start, starts[index + 1]));
}
