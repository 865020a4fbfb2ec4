import assert from "node:assert/strict";
import { type Key, KeyDecoder } from "../../../lib/frontends/ui/key.ts";
import { editEnd, editLine, LineEditor } from "../../../lib/frontends/ui/line_editor.ts";

/** The keys of what a terminal sends. */
function keysOf(typed: string): Key[] {
  const decoder = new KeyDecoder();
  return [...decoder.push(new TextEncoder().encode(typed)), ...decoder.flush()];
}

/** The line after keys, with `|` at its cursor. */
function edited(before: string, typed: string): string {
  const cursor = before.indexOf("|");
  let line = { text: before.replace("|", ""), cursor };
  for (const key of keysOf(typed)) line = editLine(line, key) ?? line;
  return `${line.text.slice(0, line.cursor)}|${line.text.slice(line.cursor)}`;
}

const UP = "\x1b[A";
const DOWN = "\x1b[B";

Deno.test("keys type, take away a character, a word or all; others edit nothing", () => {
  assert.equal(editEnd("ab", { text: "学" }), "ab学");
  assert.equal(editEnd("a👨‍👩‍👧", { name: "backspace" }), "a");
  assert.equal(editEnd("", { name: "backspace" }), "");
  assert.equal(editEnd("fix the page ", { name: "w", ctrl: true }), "fix the ");
  assert.equal(editEnd("fix the page", { name: "u", ctrl: true }), "");
  assert.equal(editEnd("ab", { name: "up" }), "ab");
  assert.equal(editEnd("ab", { text: "x", meta: true }), "ab");
  assert.equal(editEnd("ab", { name: "paste", text: "c\n\td" }), "abc d");
});

Deno.test("the cursor moves by characters, by words and to the ends", () => {
  assert.equal(edited("ab学|", "\x1b[D"), "ab|学");
  assert.equal(edited("|ab", "\x1b[C\x06"), "ab|");
  assert.equal(edited("one two|", "\x1bb"), "one |two");
  assert.equal(edited("one.two  |", "\x1b[1;5D"), "one.|two  ");
  assert.equal(edited("|one two", "\x1bf"), "one |two");
  assert.equal(edited("one|", "\x01x"), "x|one");
  assert.equal(edited("|one", "\x1b[F!"), "one!|");
});

Deno.test("text is cut before and behind the cursor", () => {
  assert.equal(edited("ab|c", "\x7f"), "a|c");
  assert.equal(edited("a|bc", "\x1b[3~"), "a|c");
  assert.equal(edited("one tw|o", "\x0b"), "one tw|");
  assert.equal(edited("one tw|o", "\x15"), "|o");
  assert.equal(edited("a.b c.d|", "\x17"), "a.b |");
  assert.equal(edited("a.b c.d|", "\x1b\x7f"), "a.b c.|");
  assert.equal(edited("|one two", "\x1bd"), "|two");
});

/** An editor on a terminal of 20 columns; what it writes is kept. */
function opened(history: readonly string[] = []): { editor: LineEditor; written: () => string } {
  let text = "";
  const output = { width: 20, write: (part: string) => void (text += part) };
  return { editor: new LineEditor(output, { prompt: "> ", history }), written: () => text };
}

/** The text that is entered by keys. */
async function entered(typed: string, history: readonly string[] = []): Promise<string> {
  const { editor } = opened(history);
  assert.deepEqual(editor.press(keysOf(`${typed}\r`)), []);
  const input = await editor.input;
  assert.equal(input.type, "line");
  return input.type === "line" ? input.text : "";
}

Deno.test("Up and Down go through the lines that begin as what was typed", async () => {
  const history = ["fix two", "other", "fix one"];
  assert.equal(await entered(UP, history), "fix two");
  assert.equal(await entered(UP + UP, history), "other");
  assert.equal(await entered(`fix${UP}${UP}`, history), "fix one");
  assert.equal(await entered(`fix${UP}${UP}${UP}`, history), "fix one");
  assert.equal(await entered(`fix${UP}${UP}${DOWN}`, history), "fix two");
  assert.equal(await entered(`fix${UP}${DOWN} it`, history), "fix it");
  assert.equal(await entered(`${UP}!${DOWN}`, history), "fix two!");
});

Deno.test("^Y puts back cut text, and ^_ undoes", async () => {
  assert.equal(await entered("one two\x17\x01\x19 "), "two one ");
  assert.equal(await entered("one\x15two\x1f\x1f\x1f\x1f"), "one");
});

Deno.test("pasted lines stay lines, and ^C gets out of a paste without an end", async () => {
  assert.equal(await entered("\x1b[200~a\r\nb\x1b[201~c"), "a\nbc");
  const decoder = new KeyDecoder();
  const push = (text: string): Key[] => decoder.push(new TextEncoder().encode(text));
  assert.deepEqual(push("\x1b[200~never"), []);
  assert.deepEqual(push("\x03"), [{ name: "paste", text: "never" }, { name: "c", ctrl: true }]);
});

Deno.test("keys behind the one that ends the line are given back", async () => {
  const { editor } = opened();
  assert.equal(editor.press(keysOf("ab")), undefined);
  assert.deepEqual(editor.press(keysOf("\rc")), keysOf("c"));
  assert.deepEqual(await editor.input, { type: "line", text: "ab", shown: "ab" });
  const cancelled = opened().editor;
  cancelled.press(keysOf("a\x03"));
  assert.deepEqual(await cancelled.input, { type: "cancel", empty: false });
  const ended = opened().editor;
  ended.press(keysOf("\x04"));
  assert.deepEqual(await ended.input, { type: "end" });
});

Deno.test("a line is shown again below what others wrote, unless it has ended", () => {
  const { editor, written } = opened();
  editor.press(keysOf("half a line"));
  const before = written().length;
  editor.redraw(true);
  assert.match(written().slice(before), /> half a line/);
  const after = written().length;
  editor.end();
  editor.redraw(true);
  assert.equal(written().length, after);
});

Deno.test("a line at its end is written once, however long it is", () => {
  const { editor, written } = opened();
  editor.press(keysOf("x".repeat(1000)));
  const before = written().length;
  editor.press(keysOf("yz"));
  assert.ok(written().length - before < 40, written().slice(before));
});
