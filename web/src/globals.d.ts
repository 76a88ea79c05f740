/** Whether the page has its table in the browser itself (`src/tab`), and lies in a folder of any static server. */
declare const __IN_TAB__: boolean;
