/** A way in which texts encode characters, so that no pattern sees what they say. */
export interface Carrier {
  /** The characters with which its pieces begin. */
  starts: string;
  /** Matches one piece, from `lastIndex` on. Every quantifier is bounded. */
  piece: RegExp;
  /** Returns what a piece stands for; empty for one that is not shown. */
  decode(piece: RegExpExecArray): string;
  /** Source of an expression that finds pieces which may hide a secret, and few others. */
  trigger: string;
}

/** Returns the character with a code; undefined where there is none. */
export function characterOf(code: number): string | undefined {
  return code >= 0 && code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}
