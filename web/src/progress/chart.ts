/** The room around a chart: for what its axis names, and so that nothing is cut off. */
export const LEFT = 46;
export const RIGHT = 12;
export const EDGE = 12;
