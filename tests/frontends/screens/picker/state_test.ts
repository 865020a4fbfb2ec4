import assert from "node:assert/strict";
import { present } from "../../../../lib/core/event/present.ts";
import type { Key } from "../../../../lib/frontends/ui/key.ts";
import {
  highlighted,
  initialState,
  isSearched,
  lacksCounts,
  type PickerState,
  pressKey,
  scopeRows,
  scrolled,
  withRows,
  withRunning,
  withSaid,
  withTouched,
} from "../../../../lib/frontends/screens/picker/state.ts";
import { mulberry32 } from "../../../_support/mulberry32.ts";
import type { RunningSession } from "../../../../lib/library/running/running_sessions.ts";
import type { Summary } from "../../../../lib/core/projection/summary_row.ts";

const PAGE = 4;

function row(title: string, ref: string): Summary {
  const fixed = { agent: "reprise", session_id: ref, path: "/p", archived: false } as const;
  return { ...fixed, ref, title, status: "completed" };
}

function stateOf(titles: readonly string[]): PickerState {
  const rows = titles.map((title, index) => row(title, `ref${index}`));
  return withRows(initialState(), "project", scopeRows(rows, 0));
}

function press(state: PickerState, ...keys: Key[]): PickerState {
  return keys.reduce((before, key) => {
    const after = pressKey(before, key, PAGE);
    assert.ok(typeof after === "object");
    return after;
  }, state);
}

function type(state: PickerState, text: string): PickerState {
  return press(state, ...[...text].map((character) => ({ text: character })));
}

function titles({ shown }: PickerState): string[] {
  return shown.map(({ title }) => title);
}

Deno.test("the query keeps the sessions that hold all of its words, in any case and order", () => {
  const state = stateOf(["Fix the Login test", "login page", "Ｆｕｌｌ width", "学校のページ"]);
  assert.deepEqual(titles(type(state, "login")), ["Fix the Login test", "login page"]);
  assert.deepEqual(titles(type(state, "TEST  log")), ["Fix the Login test"]);
  assert.deepEqual(titles(type(state, "full")), ["Ｆｕｌｌ width"]);
  assert.deepEqual(titles(type(state, "学校")), ["学校のページ"]);
  assert.deepEqual(titles(type(state, "ref1")), ["login page"]);
  assert.deepEqual(titles(type(state, "nothing")), []);
  assert.equal(titles(state).length, 4);
});

Deno.test("backspace takes what a person sees as one character, ^W a word, ^U all", () => {
  const state = type(stateOf(["a"]), "one two👨‍👩‍👧é");
  assert.equal(press(state, { name: "backspace" }).query, "one two👨‍👩‍👧");
  assert.equal(press(state, { name: "backspace" }, { name: "backspace" }).query, "one two");
  assert.equal(press(state, { name: "w", ctrl: true }).query, "one ");
  assert.equal(press(state, { name: "u", ctrl: true }).query, "");
  assert.equal(press(stateOf([]), { name: "backspace" }).query, "");
});

Deno.test("no key but text becomes part of the query", () => {
  const keys: Key[] = [
    { text: "\x01", name: "a", ctrl: true },
    { text: "x", name: "x", meta: true },
    { text: "\x1b[200~" },
    { name: "f5" },
    { name: "left" },
  ];
  assert.equal(press(stateOf(["a"]), ...keys).query, "");
  assert.equal(press(stateOf(["a"]), ...keys, { text: "x", name: "x" }).query, "x");
});

Deno.test("the cursor moves by one, by a page and to the ends, and stays on the list", () => {
  const state = stateOf(Array.from({ length: 10 }, (_, index) => `${index}`));
  const at = (...names: string[]): string | undefined =>
    highlighted(press(state, ...names.map((name) => ({ name }))))?.title;
  assert.equal(at("down", "down"), "2");
  assert.equal(at("up"), "0");
  assert.equal(at("pagedown", "down"), "5");
  assert.equal(at("end"), "9");
  assert.equal(at("end", "down", "pagedown"), "9");
  assert.equal(at("end", "pageup"), "5");
  assert.equal(at("end", "home"), "0");
  const down = press(state, { name: "n", ctrl: true }, { name: "n", ctrl: true });
  assert.equal(highlighted(press(down, { name: "p", ctrl: true }))?.title, "1");
  assert.equal(highlighted(type(press(state, { name: "end" }), "7"))?.title, "7");
});

Deno.test("the highlighted session is always on the screen, however small that gets", () => {
  const many = stateOf(Array.from({ length: 10 }, (_, index) => `${index}`));
  let state = press(many, ...Array.from({ length: 6 }, () => ({ name: "down" })));
  assert.deepEqual([state.top, state.cursor], [3, 6]);
  for (const page of [1, 2, 4, 9, 10, 100]) {
    state = scrolled(state, page);
    assert.equal(highlighted(state)?.title, "6");
    assert.ok(state.top <= 6 && 6 < state.top + page, `${state.top} ${page}`);
  }
  assert.equal(state.top, 0);
});

Deno.test("Tab and Shift-Tab take the other scope, and the query stays", () => {
  const tab = { name: "tab" };
  let state = type(stateOf(["here"]), "h");
  for (const scope of ["all", "project"]) {
    state = press(state, tab);
    assert.equal(state.scope, scope);
    assert.deepEqual(titles(state), scope === "project" ? ["here"] : []);
  }
  assert.equal(press(state, { ...tab, shift: true }).scope, "all");
  const read = withRows(press(state, tab), "all", scopeRows([row("hat", "b"), row("x", "c")], 0));
  assert.deepEqual(titles(read), ["hat"]);
});

Deno.test("rows of a scope that was left already do not show in another one", () => {
  const state = press(stateOf(["here"]), { name: "tab" }, { name: "tab" });
  const later = withRows(state, "all", scopeRows([row("late", "b")], 0));
  assert.deepEqual(titles(later), ["here"]);
  assert.deepEqual(titles(press(later, { name: "tab", shift: true })), ["late"]);
});

Deno.test("Enter chooses what there is; Esc and ^C cancel", () => {
  const state = stateOf(["a"]);
  assert.equal(pressKey(state, { name: "return" }, PAGE), "chosen");
  const none = type(state, "zzz");
  assert.equal(pressKey(none, { name: "return" }, PAGE), none);
  assert.equal(pressKey(state, { name: "escape", meta: true }, PAGE), "cancelled");
  assert.equal(pressKey(state, { text: "\x03", name: "c", ctrl: true }, PAGE), "cancelled");
});

Deno.test("the cursor stays on its session, on its line, when rows are corrected", () => {
  const rows = Array.from({ length: 10 }, (_, index) => row(`${index}`, `ref${index}`));
  const known = { ...scopeRows(rows, 0), unchecked: true };
  const begun = withRows(initialState(), "project", known);
  const at = scrolled(press(begun, ...Array.from({ length: 6 }, () => ({ name: "down" }))), PAGE);
  assert.deepEqual([at.top, at.cursor], [3, 6]);

  const newer = [row("new", "new"), ...rows.filter(({ ref }) => ref !== "ref2" && ref !== "ref4")];
  const fewer = scrolled(withRows(at, "project", scopeRows(newer, 0)), PAGE);
  assert.equal(highlighted(fewer)?.title, "6");
  assert.equal(fewer.cursor - fewer.top, at.cursor - at.top);

  const changed = rows.map((one) => one.ref === "ref6" ? { ...one, title: "six" } : one);
  assert.equal(highlighted(withRows(at, "project", scopeRows(changed, 0)))?.title, "six");
  // Where it is gone, the next one takes its place.
  const gone = rows.filter(({ ref }) => ref !== "ref6");
  assert.equal(highlighted(withRows(at, "project", scopeRows(gone, 0)))?.title, "7");
  const none = scrolled(withRows(at, "project", scopeRows([], 0)), PAGE);
  assert.deepEqual([none.top, none.cursor, highlighted(none)], [0, 0, undefined]);
});

Deno.test("the filter holds while rows are corrected", () => {
  const known = { ...scopeRows([row("login", "ref0"), row("logout", "ref1")], 0), unchecked: true };
  const typed = type(withRows(initialState(), "project", known), "log");
  const corrected = scopeRows([row("other", "ref0"), row("logout", "ref1")], 0);
  assert.deepEqual(titles(withRows(typed, "project", corrected)), ["logout"]);
});

Deno.test("sessions whose titles have the letters follow those that hold the query, and those that say it", () => {
  const rows = [
    row("nothing of it", "ref-a"),
    row("Fix the parser", "ref-b"),
    row("prsr", "ref-c"),
    row("said within", "ref-d"),
  ];
  let state = withRows(initialState(), "project", scopeRows(rows, 0));
  const refs = (): string[] => state.shown.map(({ ref }) => ref);
  const press = (text: string): void => {
    const after = pressKey(state, { text }, PAGE);
    assert.ok(typeof after === "object");
    state = after;
  };
  press("prsr");
  assert.deepEqual(refs(), ["ref-c", "ref-b"]);
  const said = {
    query: "prsr",
    hits: new Map([["ref-d", { snippet: "… prsr …", seq: 2 }]]),
    searching: true,
  };
  state = withSaid(state, said);
  assert.deepEqual(refs(), ["ref-c", "ref-d", "ref-b"]);
  const across = { snippet: "prsr", seq: 2, is_across: true } as const;
  state = withSaid(state, { ...said, hits: new Map([["ref-a", across], ...said.hits]) });
  assert.deepEqual(refs(), ["ref-c", "ref-d", "ref-a", "ref-b"]);
  // The cursor stays on its session, whatever comes before it.
  state = { ...state, cursor: 2 };
  state = withSaid(state, { ...said, hits: new Map() });
  assert.equal(highlighted(state)?.ref, "ref-b");
  // What was found for another query counts no more.
  press("x");
  assert.deepEqual(refs(), []);
  assert.equal(withSaid(state, said), state);
});

Deno.test("among the sessions that hold the query, the best title comes first, then the newest", () => {
  const state = stateOf(["the blogger", "a log", "a dialog", "Log in", "another log"]);
  assert.deepEqual(
    titles(type(state, "log")),
    ["a log", "Log in", "another log", "the blogger", "a dialog"],
  );
  assert.deepEqual(titles(type(state, "lgn")), []);
  assert.deepEqual(titles(type(state, "dlog")), ["a dialog"]);
  const accents = stateOf(["Café menu", "naïve"]);
  assert.deepEqual(titles(type(accents, "cafe")), ["Café menu"]);
  assert.deepEqual(titles(type(accents, "NAÏ")), ["naïve"]);
});

Deno.test("a word that the title lacks may stand in the directory or the first message", () => {
  const rows = [
    { ...row("Fix the parser", "ref-a"), cwd: "/home/ana/ledger" },
    { ...row("Fix the printer", "ref-b"), first_user_message: "it jams" },
  ];
  const state = withRows(initialState(), "project", scopeRows(rows, 0));
  assert.deepEqual(titles(type(state, "prsr ledger")), ["Fix the parser"]);
  assert.deepEqual(titles(type(state, "prntr jams")), ["Fix the printer"]);
});

Deno.test("a filter of 10,000 sessions answers before the next key is typed", () => {
  const words = "fix add the login parser test of ledger review session page for store".split(" ");
  const random = mulberry32(7);
  const word = (): string => words[Math.floor(random() * words.length)] ?? "";
  const state = stateOf(
    Array.from({ length: 10_000 }, () => Array.from({ length: 9 }, word).join(" ")),
  );
  let each = Infinity;
  // A busy machine may stop the test for as long as it likes, but not each time.
  for (let tries = 0; tries < 5 && each >= 400; tries++) {
    const start = performance.now();
    const found = type(state, "prsr tst");
    each = (performance.now() - start) / "prsr tst".length;
    assert.ok(found.shown.length > 100, `${found.shown.length}`);
  }
  // A typist presses a key each 100 ms; the limit has room for a busy machine.
  assert.ok(each < 400, `${each} ms`);
});

Deno.test("^R, ^X, ^F and ^O act on the highlighted session; where there is none, they do nothing", () => {
  const state = type(stateOf(["a"]), "a");
  const key = (name: string): Key => ({ text: "\x12", name, ctrl: true });
  assert.equal(pressKey(state, key("r"), PAGE), "resume");
  assert.equal(pressKey(state, key("x"), PAGE), "export");
  assert.equal(pressKey(state, key("f"), PAGE), "pin");
  assert.equal(pressKey(state, key("o"), PAGE), "archive");
  const none = type(state, "zzz");
  assert.equal(pressKey(none, key("r"), PAGE), none);
  // Letters alone are the filter.
  assert.equal(type(stateOf(["rex"]), "rex").query, "rex");
});

Deno.test("? shows the keys where nothing was typed, F1 always; the next key closes them", () => {
  const state = stateOf(["a?"]);
  assert.equal(type(state, "?").help, true);
  assert.equal(type(state, "a?").query, "a?");
  const typed = press(type(state, "a"), { name: "f1" });
  assert.deepEqual([typed.help, typed.query], [true, "a"]);
  for (const key of [{ text: "x" }, { name: "escape" }, { name: "return" }, { text: "?" }]) {
    const closed = press(typed, key);
    assert.deepEqual([closed.help, closed.query], [false, "a"]);
  }
  assert.equal(pressKey(typed, { text: "\x03", name: "c", ctrl: true }, PAGE), "cancelled");
});

Deno.test("? and more begins a question; sessions are shown in the order of its hits", () => {
  const rows = [row("one", "ref-a"), row("two", "ref-b"), row("three", "ref-c")];
  const state = withRows(initialState(), "project", scopeRows(rows, 0));
  for (const key of [{ name: "escape" }, { name: "return" }, { text: "?" }]) {
    const closed = press(type(state, "?"), key);
    assert.deepEqual([closed.help, closed.query], [false, ""]);
  }
  const helped = press(state, { name: "f1" });
  assert.equal(press(helped, { text: "x" }).query, "");
  const asked = type(state, "?why");
  assert.deepEqual([asked.help, asked.query, asked.filter.text], [false, "?why", "?why"]);
  assert.deepEqual([titles(asked), asked.filter.words], [[], []]);
  const hit = { snippet: "why not", seq: 2, words: ["why"] };
  const said = { query: "?why", hits: new Map([["ref-c", hit], ["ref-a", hit]]), searching: false };
  assert.deepEqual(titles(withSaid(asked, said)), ["three", "one"]);
  assert.deepEqual(titles(press(withSaid(asked, said), { name: "u", ctrl: true })), [
    ...["one", "two", "three"],
  ]);
});

Deno.test("typed tags leave the filter alone; Enter sets them, Escape drops them, ^C cancels", () => {
  const state = type(stateOf(["a"]), "a");
  assert.equal(pressKey(state, { name: "t", ctrl: true }, PAGE), "tag");
  const typed = type({ ...state, tags: "bug" }, " x?");
  assert.deepEqual([typed.tags, typed.query, typed.help], ["bug x?", "a", undefined]);
  assert.equal(pressKey(typed, { name: "return" }, PAGE), "tag");
  assert.equal(press(typed, { name: "escape" }).tags, undefined);
  assert.equal(pressKey(typed, { text: "\x03", name: "c", ctrl: true }, PAGE), "cancelled");
});

Deno.test("^S sorts by each order in turn; unknown values come last", () => {
  const rows = [
    {
      ...row("one", "ref-a"),
      ...{ created_at: "2026-11-01T00:00:00Z", message_count: 2, cost_usd: 1, active_ms: 5 },
    },
    { ...row("two", "ref-b"), created_at: "2026-11-03T00:00:00Z", message_count: 9 },
    { ...row("three", "ref-c"), pinned: true as const, message_count: 5, cost_usd: 3 },
  ];
  let state = withRows(initialState(), "project", scopeRows(rows, 0));
  const orders = Array.from({ length: 8 }, () => {
    const order = `${state.sort}: ${titles(state).join(" ")}`;
    state = press(state, { name: "s", ctrl: true });
    return order;
  });
  assert.deepEqual(orders, [
    "updated: three one two",
    "created: two one three",
    "cost: three one two",
    "messages: two three one",
    "duration: one two three",
    "tokens: one two three",
    "title: one three two",
    "updated: three one two",
  ]);
});

Deno.test("hits in messages count for the words of a filter, without its fields", () => {
  const state = type(stateOf(["one", "two"]), "agent:rep needle");
  const hits = new Map([["ref1", { snippet: "… needle …", seq: 2 }]]);
  assert.deepEqual(titles(withSaid(state, { query: "needle", hits, searching: false })), ["two"]);
});

Deno.test("a typed order is shown in place of that of ^S, also reversed", () => {
  const rows = [1, undefined, 3].map((cost_usd, at) =>
    present({ ...row(`${cost_usd}`, `ref${at}`), cost_usd })
  );
  const state = withRows(initialState(), "project", scopeRows(rows, 0));
  assert.deepEqual(titles(type(state, "sort:cost")), ["3", "1", "undefined"]);
  const reversed = type(state, "sort:-cost");
  assert.deepEqual(titles(reversed), ["1", "3", "undefined"]);
  assert.ok(lacksCounts(reversed) && !lacksCounts(state));
  const counted = withRows(reversed, "project", { ...scopeRows(rows, 0), counted: true });
  assert.ok(!lacksCounts(counted));
});

Deno.test("a typed file keeps the sessions that changed it, once they are known", () => {
  const state = type(stateOf(["one", "two"]), "file:a.ts");
  assert.deepEqual(titles(state), ["one", "two"]);
  const touched = { file: "a.ts", scope: "project" as const, refs: new Set(["ref1"]) };
  assert.deepEqual(titles(withTouched(state, touched)), ["two"]);
  assert.deepEqual(titles(type(withTouched(state, touched), "x")), ["one", "two"]);
  assert.deepEqual(titles(withTouched(state, { ...touched, scope: "all" })), ["one", "two"]);
});

Deno.test("the first session of an order is shown once others were read for it", () => {
  const [short, long] = [row("short", "a"), row("long", "b")];
  const known = scopeRows([{ ...short, active_ms: 1000 }, long], 0);
  const before = type(withRows(initialState(), "project", known), "sort:duration");
  assert.equal(highlighted(before)?.title, "short");
  const rows = [{ ...short, active_ms: 1000 }, { ...long, active_ms: 9000 }];
  const counted = { ...scopeRows(rows, 0), counted: true };
  const after = withRows(before, "project", counted);
  assert.deepEqual([highlighted(after)?.title, after.cursor, after.top], ["long", 0, 0]);
  // A session that a person moved to stays the highlighted one.
  const moved = withRows(press(before, { name: "down" }), "project", counted);
  assert.equal(highlighted(moved)?.title, "long");
  assert.equal(highlighted(withRows(after, "project", counted))?.title, "long");
});

Deno.test("sessions that run are on top in the order of their need, unless words or an order are typed", () => {
  const pinned = { ...row("pinned", "p"), pinned: true as const };
  const rows = [row("old", "a"), row("works", "b"), pinned, row("waits", "c")];
  const state = withRows(initialState(), "project", scopeRows(rows, 0));
  const running = new Map(
    ["c", "b", "gone"].map((ref) => [ref, { row: row(ref, ref) } as RunningSession]),
  );
  const after = withRunning(press(state, { name: "down" }), running);
  assert.deepEqual(titles(after), ["waits", "works", "pinned", "old"]);
  // The cursor stays on its session, and those that wait stay on the screen.
  assert.deepEqual([highlighted(after)?.title, after.top], ["old", 0]);
  assert.deepEqual(titles(type(after, "s")), ["works", "waits"]);
  assert.deepEqual(titles(type(after, "sort:title")), ["old", "pinned", "waits", "works"]);
});

Deno.test("a scope is searched once no field, count or message can add a row", () => {
  const state = stateOf(["Fix the login"]);
  assert.equal(isSearched(initialState()), false);
  assert.equal(isSearched(type(state, "tag:bug")), true);
  assert.equal(isSearched(type(state, "model:opus")), false);
  const words = type(state, "login");
  const said = { query: "login", hits: new Map() };
  assert.equal(isSearched(words), false);
  assert.equal(isSearched(withSaid(words, { ...said, searching: true })), false);
  assert.equal(isSearched(withSaid(words, { ...said, searching: false })), true);
  const file = type(state, "file:app.ts");
  assert.equal(isSearched(file), false);
  const touched = { file: "app.ts", scope: "project", refs: new Set<string>() } as const;
  assert.equal(isSearched(withTouched(file, touched)), true);
});
