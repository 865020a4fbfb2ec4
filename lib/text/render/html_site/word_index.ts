/**
 * Indexes the words of exported pages for a search without a server. The data are scripts, because
 * `fetch` does not work from a file. A browser loads only the scripts that a query needs.
 *
 * ```text
 * search/pages.js         pages, and the number of rounds
 * search/words-R-S.js     round R, words whose first character falls into shard S: their pages
 * <folder of a page>/search/<name of the page>.js     its passages, each with its anchor
 * ```
 */

/** The text of one event on a page. */
export type Passage = readonly [anchor: string, text: string];

export interface IndexedPage {
  /** Relative to the folder of the index. */
  href: string;
  title: string;
  /** A line about the page, shown in the search results. */
  note: string;
}

/** Writes a file. `name` is a path relative to the exported folder. */
export type WriteFile = (name: string, text: string) => void;

export const SHARDS = 32;
/** Maximum length of a word in UTF-16 units. Longer words are cut. */
export const LONGEST_WORD = 40;
/** Source of a word's pattern: one East Asian character, or a run of letters, digits and `_`. */
export const WORD =
  "[\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}]|[[\\p{L}\\p{N}_]--[\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}]]+";

/** Maximum number of entries in memory before a write. An entry is one word of one page. */
const MOST_HELD = 400_000;

const words = new RegExp(WORD, "gv");

export function passagesScript(passages: readonly Passage[]): string {
  return scriptOf(passages);
}

/** Parses the text of `passagesScript`. @throws {SyntaxError} if the script was changed. */
export function passagesOf(script: string): Passage[] {
  return JSON.parse(script.slice(CALL.length, -END.length)) as Passage[];
}

export function passagesPath(href: string): string {
  return href.replace(/([^/]*)\.html$/, "search/$1.js");
}

export class WordIndex {
  readonly #write: WriteFile;
  readonly #pages: IndexedPage[] = [];
  /** For each shard, the numbers of the pages that contain each word. */
  #shards = emptyShards();
  #held = 0;
  #rounds = 0;

  constructor(write: WriteFile) {
    this.#write = write;
  }

  add(page: IndexedPage, passages: readonly Passage[]): void {
    const number = this.#pages.push(page) - 1;
    for (const word of wordsOf(passages)) {
      const shard = this.#shards[(word.codePointAt(0) ?? 0) % SHARDS];
      const pages = shard?.get(word);
      if (pages === undefined) shard?.set(word, [number]);
      else pages.push(number);
      this.#held++;
    }
    if (this.#held > MOST_HELD) this.#flush();
  }

  end(): void {
    this.#flush();
    const pages = this.#pages.map(({ href, title, note }) => [href, title, note]);
    this.#write("search/pages.js", scriptOf({ rounds: this.#rounds, pages }));
  }

  #flush(): void {
    for (const [shard, pages] of this.#shards.entries()) {
      const name = `search/words-${this.#rounds}-${shard}.js`;
      this.#write(name, scriptOf([...pages]));
    }
    this.#rounds++;
    [this.#shards, this.#held] = [emptyShards(), 0];
  }
}

function emptyShards(): Map<string, number[]>[] {
  return Array.from({ length: SHARDS }, () => new Map());
}

function wordsOf(passages: readonly Passage[]): Set<string> {
  const found = new Set<string>();
  for (const [, text] of passages) {
    for (const word of text.toLowerCase().match(words) ?? []) {
      found.add(word.length > LONGEST_WORD ? word.slice(0, LONGEST_WORD) : word);
    }
  }
  return found;
}

/** The start of each data script. It calls the search page's function `found` with the data. */
const CALL = "found(";
const END = ")\n";

function scriptOf(data: unknown): string {
  return `${CALL}${JSON.stringify(data)}${END}`;
}
