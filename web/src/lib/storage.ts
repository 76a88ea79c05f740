/** JSON in the local storage of this browser. */

/** What was kept under a key; null if there is nothing that can be read. */
export function load(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null");
  } catch {
    return null;
  }
}

/** Keeps something, where the browser allows that; otherwise it lasts as long as the page. */
export function save(key: string, value: unknown): void {
  const text = JSON.stringify(value);
  try {
    localStorage.setItem(key, text);
  } catch {
    // full or forbidden
  }
}
