/** Finds the colours of code. Code that would take too long stays plain. */
import hljs from "npm:highlight.js@11.12.0/lib/common";

export type CodeInk = "comment" | "keyword" | "string" | "number" | "title" | "type" | "attr";

export interface CodeRun {
  text: string;
  /** Absent if the text has no colour of its own. */
  ink?: CodeInk;
}

/** Returns the runs of code in order, with their colours. Undefined if the code stays plain. */
export type Highlight = (
  code: string,
  language: string | undefined,
) => readonly CodeRun[] | undefined;

/** Maximum UTF-16 units of code that is coloured. Most code is ASCII and has as many bytes. */
export const TEXT_LIMIT = 16 * 1024;
/** Maximum number of characters to highlight in a document. The rest stays plain. */
const DOCUMENT_LIMIT = 1024 * 1024;

// Patterns of some languages take the square of a stretch without punctuation: 16 KB of one word
// would take seconds. Code stays far below this sum of squares; data in one line does not.
const COST_LIMIT = 8_000_000;
const PUNCTUATION = /[(){};="'<>,:]/g;

/** Colours by the first part of a highlighter's scope, such as `title` of `title.function`. */
const INKS: Readonly<Record<string, CodeInk>> = {
  comment: "comment",
  quote: "comment",
  meta: "comment",
  keyword: "keyword",
  "selector-tag": "keyword",
  doctag: "keyword",
  string: "string",
  regexp: "string",
  char: "string",
  addition: "string",
  number: "number",
  literal: "number",
  symbol: "number",
  bullet: "number",
  title: "title",
  section: "title",
  name: "title",
  link: "title",
  type: "type",
  class: "type",
  built_in: "type",
  "selector-id": "type",
  "selector-class": "type",
  attr: "attr",
  attribute: "attr",
  property: "attr",
  variable: "attr",
  "template-variable": "attr",
  deletion: "attr",
};

/** The class that the highlighter requires; only the methods of `RunEmitter` are called. */
type EmitterClass = NonNullable<Parameters<typeof hljs.configure>[0]["__emitter"]>;

/** Collects the highlighter's coloured runs. Makes no HTML, because pages escape the text. */
class RunEmitter {
  readonly runs: CodeRun[] = [];
  readonly #inks: (CodeInk | undefined)[] = [];

  addText(text: string): void {
    this.#add(text, undefined);
  }

  startScope(scope: string): void {
    this.openNode(scope);
  }

  endScope(): void {
    this.closeNode();
  }

  /** Opens a scope. Without a colour of its own, it has the colour of the outer scope. */
  openNode(scope: string): void {
    const [name = ""] = scope.split(".");
    this.#inks.push(Object.hasOwn(INKS, name) ? INKS[name] : this.#inks.at(-1));
  }

  closeNode(): void {
    this.#inks.pop();
  }

  /** Called by the highlighter for embedded code in another language. */
  __addSublanguage({ runs }: RunEmitter): void {
    for (const { text, ink } of runs) this.#add(text, ink);
  }

  finalize(): void {}

  toHTML(): string {
    return "";
  }

  #add(text: string, own: CodeInk | undefined): void {
    const ink = own ?? this.#inks.at(-1);
    const last = this.runs.at(-1);
    if (last !== undefined && last.ink === ink) last.text += text;
    else if (text !== "") this.runs.push(ink === undefined ? { text } : { text, ink });
  }
}

hljs.configure({ __emitter: RunEmitter as unknown as EmitterClass });

export function createHighlight(): Highlight {
  let room = DOCUMENT_LIMIT;
  return (code, language) => {
    if (language === undefined || code.length > TEXT_LIMIT || code.length > room) return undefined;
    const runs = parseCode(code, language);
    if (runs !== undefined) room -= code.length;
    return runs;
  };
}

function parseCode(code: string, language: string): readonly CodeRun[] | undefined {
  if (hljs.getLanguage(language) === undefined || costOf(code) > COST_LIMIT) return undefined;
  const result = hljs.highlight(code, { language, ignoreIllegals: true });
  if (result.errorRaised !== undefined) return undefined;
  return (result._emitter as unknown as RunEmitter).runs;
}

function costOf(code: string): number {
  let cost = 0;
  let start = 0;
  for (const { index } of code.matchAll(PUNCTUATION)) {
    cost += (index - start) ** 2;
    start = index;
  }
  return cost + (code.length - start) ** 2;
}
