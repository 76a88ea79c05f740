/** Copies what a field holds, and says whether that worked. Over plain http a page has no clipboard, but most browsers
 * obey the older command, which copies what is selected. */
export async function copyField(field: HTMLInputElement | HTMLTextAreaElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    field.focus();
    field.select();
    return document.execCommand("copy");
  }
}
