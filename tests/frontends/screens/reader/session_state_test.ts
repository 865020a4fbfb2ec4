import assert from "node:assert/strict";
import {
  initialReader,
  pressReader,
  type ReaderState,
  type Wish,
} from "../../../../lib/frontends/screens/reader/session_state.ts";
import type { Key } from "../../../../lib/frontends/ui/key.ts";

const PAGE = 10;

function typed(text: string): Key[] {
  return [...text].map((character) => ({ text: character, name: character.toLowerCase() }));
}

/** What keys make of a state, and all that they ask for. */
function pressed(keys: readonly Key[], from: Partial<ReaderState> = {}): {
  state: ReaderState;
  wishes: Wish[];
} {
  let state = { ...initialReader(), ...from };
  const wishes: Wish[] = [];
  for (const key of keys) {
    const after = pressReader(state, key, PAGE);
    state = after.state;
    if (after.wish !== undefined) wishes.push(after.wish);
  }
  return { state, wishes };
}

Deno.test("keys scroll by rows, screens and to the edges; the wheel by three rows", () => {
  const { wishes } = pressed([
    { name: "down" },
    { name: "up" },
    ...typed("jk b"),
    { name: "pagedown" },
    { name: "wheelup" },
    { name: "wheeldown" },
    ...typed("gG"),
  ]);
  const scroll = (rows: number): Wish => ({ type: "scroll", rows });
  const page = (pages: number): Wish => ({ type: "page", pages });
  assert.deepEqual(wishes, [
    ...[scroll(1), scroll(-1), scroll(1), scroll(-1), page(1), page(-1), page(1)],
    ...[scroll(-3), scroll(3), { type: "edge", to: "start" }, { type: "edge", to: "end" }],
  ]);
});

Deno.test("searches the text typed behind /; Escape leaves the prompt, then the search, then the session", () => {
  const found = pressed([...typed("/ab"), { name: "backspace" }, ...typed("c"), {
    name: "return",
  }]);
  assert.equal(found.state.query, "ac");
  assert.deepEqual(found.wishes, [{ type: "hit", step: 1 }]);
  const next = pressed(typed("nN"), found.state);
  assert.deepEqual(next.wishes, [{ type: "hit", step: 1 }, { type: "hit", step: -1 }]);
  const escape = { name: "escape" };
  assert.deepEqual(pressed([...typed("/q"), escape]).wishes, []);
  const left = pressed([escape, escape], next.state);
  assert.deepEqual(left.wishes, [{ type: "stop" }, { type: "leave" }]);
  assert.deepEqual(pressed([...typed("/"), { name: "backspace" }]).state.mode, "read");
});

Deno.test("Tab folds in three steps, and back with Shift", () => {
  const tab = { name: "tab" };
  const after = (count: number): string => pressed(Array(count).fill(tab)).state.folding;
  assert.deepEqual([1, 2, 3].map(after), ["closed", "full", "brief"]);
  assert.equal(pressed([{ ...tab, shift: true }]).state.folding, "full");
});

Deno.test("a list is moved in, chosen from and left", () => {
  const list = { mode: "contents", entries: 30, cursor: 2 } as const;
  assert.equal(pressed([{ name: "down" }, { name: "pagedown" }], list).state.cursor, 13);
  assert.equal(pressed(typed("G"), list).state.cursor, 29);
  assert.equal(pressed([{ name: "pageup" }], list).state.cursor, 0);
  const chosen = pressed([{ name: "return" }], list);
  assert.equal(chosen.state.mode, "read");
  assert.deepEqual(chosen.wishes, [{ type: "choose", of: "contents", at: 2 }]);
  assert.equal(pressed(typed("q"), list).state.mode, "read");
  assert.deepEqual(pressed([{ name: "return" }], { ...list, entries: 0 }).wishes, []);
});

Deno.test("following goes to the end, and ends with moving up", () => {
  const followed = pressed(typed("f"));
  assert.equal(followed.state.follow, true);
  assert.deepEqual(followed.wishes, [{ type: "edge", to: "end" }]);
  assert.equal(pressed(typed("G"), followed.state).state.follow, true);
  assert.equal(pressed([{ name: "up" }], followed.state).state.follow, false);
});

Deno.test("a path that is typed is exported to; ^C ends the program from anywhere", () => {
  const exporting = { mode: "export", input: "a" } as const;
  const { wishes } = pressed([...typed(".md"), { name: "enter" }], exporting);
  assert.deepEqual(wishes, [{ type: "export", path: "a.md" }]);
  const modes = [
    "read",
    "find",
    "export",
    "tags",
    "keys",
    "contents",
    "threads",
    "context",
  ] as const;
  for (const mode of modes) {
    const { wishes } = pressed([{ name: "c", ctrl: true }], { mode });
    assert.deepEqual(wishes, [{ type: "quit" }], mode);
  }
});

Deno.test("T edits the tags, which may be none; p pins", () => {
  assert.deepEqual(pressed(typed("T")).wishes, [{ type: "ask_tags" }]);
  assert.deepEqual(pressed(typed("p")).wishes, [{ type: "pin" }]);
  const editing = { mode: "tags", input: "bug" } as const;
  const added = pressed([...typed(" later"), { name: "enter" }], editing);
  assert.deepEqual(added.wishes, [{ type: "tag", tags: "bug later" }]);
  const cleared = pressed(
    [{ name: "backspace" }, { name: "backspace" }, { name: "backspace" }, { name: "enter" }],
    editing,
  );
  assert.deepEqual(cleared.wishes, [{ type: "tag", tags: "" }]);
  assert.equal(pressed([{ name: "escape" }], editing).state.mode, "read");
});

Deno.test("a message is there until the next key", () => {
  assert.equal(pressed(typed("z"), { message: "Copied" }).state.message, "");
});
