/** Holds the words of doc comments, test names and messages; see `_support/words.ts`. */
import assert from "node:assert/strict";
import { isSaying, messagesIn } from "./_support/messages.ts";
import { SOURCES, type Sources, sourcesIn } from "./_support/source_code.ts";
import {
  MAX_WORDS,
  messageFaults,
  summaryFaults,
  testNameFaults,
  type WordFault,
} from "./_support/words.ts";

function faultsIn(sources: Iterable<[string, string]>, find: typeof summaryFaults): string[] {
  return find(new Map(sources)).map(inShort);
}

function inShort({ path, line, rule, text }: WordFault): string {
  return `${path}:${line} ${rule}: ${text}`;
}

function rulesOf(source: string, find: typeof summaryFaults): string[] {
  const sources: Sources = new Map([["lib/a.ts", source]]);
  return find(sources).map(({ rule }) => rule);
}

Deno.test("doc comments name things, and open with a verb or a noun", () => {
  assert.deepEqual(faultsIn(SOURCES, summaryFaults), []);
});

Deno.test("test names name things, and open with their subject", () => {
  assert.deepEqual(faultsIn(sourcesIn("tests/"), testNameFaults), []);
});

Deno.test("messages use plain phrases, and are whole sentences", () => {
  assert.deepEqual(faultsIn(SOURCES, messageFaults), []);
});

Deno.test("the check of doc comments finds riddles, missing verbs and long sentences", () => {
  const words = "word ".repeat(MAX_WORDS);
  const broken = {
    "/** What it is. */\ninterface A {}": "opening",
    "interface A {\n  /**\n   * Whether it ends.\n   */\n  ends: boolean;\n}": "opening",
    "/** The result. */\nexport async function a(): void {": "verb",
    "class A {\n  /** The result. */\n  #a<B>(b: B): void {": "verb",
    "interface A {\n  /** Called at the end. */\n  onEnd?(): void;\n}": "verb",
    [`/** Reads ${words}. */\nfunction a() {`]: "length",
    "/** The bytes that nobody reads. */\nconst A = 1;": "noun",
  };
  for (const [source, rule] of Object.entries(broken)) {
    assert.deepEqual(rulesOf(source, summaryFaults), [rule], source);
  }
  const fine = [
    "/** Reads it. */\nfunction a() {",
    "/** The result. */\ntype A = string;",
    `/**\n * Reads it.\n *\n * What ${words}\n */\nfunction a() {`,
    `/** Reads it. {@linkcode ${words}} is one word. */\nfunction a() {`,
  ];
  for (const source of fine) assert.deepEqual(rulesOf(source, summaryFaults), [], source);
});

Deno.test("the check of test names finds riddles and missing nouns", () => {
  const named = (name: string): string[] => rulesOf(`Deno${name}`, testNameFaults);
  assert.deepEqual(named('.test("what is lost is told", () => {});'), ["opening"]);
  assert.deepEqual(named('.test(\n  needing("git", "whose it is"), () => {});'), []);
  assert.deepEqual(named(".test(`a file that nobody reads`, () => {});"), ["noun"]);
  assert.deepEqual(named('.test("reports lost bytes", () => {});'), []);
});

Deno.test("the check of messages finds old phrases and cut sentences", () => {
  const rule = (code: string): string[] => rulesOf(`const A = ${code};`, messageFaults);
  assert.deepEqual(rule('"; archived the older backup too"'), ["cut"]);
  assert.deepEqual(rule("`Cannot choose one session: ${b}; ` + c"), ["cut"]);
  assert.deepEqual(rule('"but the settings of this machine say " + c'), ["cut"]);
  assert.deepEqual(rule('"the line after this is no session"'), ["phrase"]);
  assert.deepEqual(rule('"Show at once what goes along"'), ["phrase"]);
  assert.deepEqual(rule('"the bytes that nobody reads"'), ["noun"]);
  assert.deepEqual(rule('"there is no program of this name"'), []);
  assert.deepEqual(rule('"the file is no longer there"'), []);
});

Deno.test("messages are those of this program, and for people", () => {
  const texts = (code: string): string[] =>
    messagesIn(new Map([["lib/a.ts", code]])).map(({ text }) => text).filter(isSaying);
  assert.deepEqual(texts("f(`Found it ${count} times in ` +\n  `${place} here`);"), [
    "Found it … times in … here",
  ]);
  assert.deepEqual(texts('f("Cannot use $1 in this place");'), ["Cannot use … in this place"]);
  assert.deepEqual(texts('f(("the words of a" +\n  " query").split(" "));'), []);
  assert.deepEqual(texts('f("SELECT key, id AS id FROM sessions");'), []);
  const foreign =
    '// Verbatim: Claude Code.\nf("Call the tool again");\n\nf("Cannot call the tool");';
  assert.deepEqual(texts(foreign), ["Cannot call the tool"]);
});
