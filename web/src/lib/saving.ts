/** Files that the page gives to its reader. */

/** Has the browser save a file, which it may ask about. */
export function saveFile(content: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href));
}

/** The day, for the name of a file. */
export function dayOfFile(): string {
  return new Date().toISOString().slice(0, 10);
}
