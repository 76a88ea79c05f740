/** Plates as they are drawn and explained. */
import { SPECIAL, WILD } from "./components";

/** The picture of a plate's back. */
export function backSymbol(kind: string | undefined): string {
  return kind === SPECIAL || kind === WILD ? `back-${kind}` : "back-?";
}

/** Which of the two kinds a plate is, as its explanation is called. */
export function kindOfFace(face: string): "wild" | "special" {
  return face.includes(WILD) ? "wild" : "special";
}
