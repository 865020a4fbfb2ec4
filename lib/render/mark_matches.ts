/** Finds and marks a text in rendered rows. Pure. */

// deno-lint-ignore no-control-regex -- our own escapes are what is looked for
const ESCAPES = /\x1b\[[0-9;]*m/g;

/** Returns the row as it is read: without its escapes. */
export function plainRow(row: string): string {
  return row.replace(ESCAPES, "");
}

/** True if a row holds the text, in any case. */
export function hasMatch(row: string, query: string): boolean {
  return plainRow(row).toLowerCase().includes(query.toLowerCase());
}

const MARK = "\x1b[7m";
const END = "\x1b[27m";

/** Marks each place of a text in a row, in any case. The row may hold escapes of ours. */
export function markMatches(row: string, query: string): string {
  const plain = plainRow(row);
  const folded = plain.toLowerCase();
  const wanted = query.toLowerCase();
  // Folding may make a text longer: then places do not tell.
  if (wanted === "" || folded.length !== plain.length || !folded.includes(wanted)) return row;
  const edges: { at: number; code: string }[] = [];
  for (let at = folded.indexOf(wanted); at >= 0; at = folded.indexOf(wanted, at + wanted.length)) {
    edges.push({ at, code: MARK }, { at: at + wanted.length, code: END });
  }
  return withCodes(row, edges);
}

/** Puts codes at places of the plain text. */
function withCodes(row: string, codes: readonly { at: number; code: string }[]): string {
  let marked = "";
  let plain_at = 0;
  let next = 0;
  // deno-lint-ignore no-control-regex -- our own escapes are what is looked for
  for (const piece of row.split(/(\x1b\[[0-9;]*m)/)) {
    if (piece.startsWith("\x1b")) {
      marked += piece;
      continue;
    }
    let from = 0;
    for (let edge = codes[next]; edge !== undefined; edge = codes[next]) {
      const to = edge.at - plain_at;
      // What ends with the piece is closed there, before the escapes that follow.
      if (to > piece.length || (to === piece.length && edge.code === MARK)) break;
      marked += piece.slice(from, to) + edge.code;
      from = to;
      next++;
    }
    marked += piece.slice(from);
    plain_at += piece.length;
  }
  return marked;
}
