/** Prepares lines and queries for a team's store that searches by itself. Pure. */
import { decodeEvent } from "../../core/event/decode.ts";
import { parseQuery, type QueryNode } from "./query.ts";
import { matchPieces } from "./query_match.ts";
import { SEARCH_ROLES, searchableTexts } from "./searchable_text.ts";

/** Maximum characters of a segment to search. Prompts and answers come before other texts. */
const MAX_CHARACTERS = 128 * 1024;

/** Returns the texts of log lines that can be searched. */
export function saidText(lines: Uint8Array): string {
  const texts = new TextDecoder().decode(lines).split("\n").filter((line) => line !== "")
    .flatMap((line) => {
      const event = decodeEvent(JSON.parse(line));
      return event === undefined ? [] : searchableTexts(event);
    });
  return SEARCH_ROLES.flatMap((role) =>
    texts.filter((text) => text.role === role).flatMap(({ pieces }) => pieces)
  ).join("\n").slice(0, MAX_CHARACTERS);
}

/** A query in the forms for a store and for this machine. */
export interface RemoteQuery {
  /** The query in PostgreSQL's syntax, in which each term matches beginnings of words. */
  words: string;
  /** True if the texts together match the query. */
  matches(texts: readonly string[]): boolean;
}

/** @throws {SyntaxError} With the fault in the query. */
export function remoteQuery(text: string): RemoteQuery {
  const query = parseQuery(text);
  return {
    words: wordQuery(query.root),
    matches: (texts) => matchPieces(query, texts) !== undefined,
  };
}

function wordQuery(node: QueryNode): string {
  if (node.type === "term") return `'${node.text.replaceAll(/['\\]/g, "$&$&")}':*`;
  if (node.type === "not") return `!(${wordQuery(node.child)})`;
  return `(${node.children.map(wordQuery).join(node.type === "and" ? " & " : " | ")})`;
}
