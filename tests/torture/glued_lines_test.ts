import assert from "node:assert/strict";
import { everyKind } from "../_support/every_kind.ts";
import {
  assertBytesAddUp,
  assistant,
  type Bytes,
  codesOf,
  concat,
  factsOf,
  linesOf,
  numbered,
  readNow,
  textBytes,
  toolStart,
  user,
} from "../_support/log_bytes.ts";
import { ALL_TORTURE } from "../_support/torture.ts";
import { placesIn } from "./_untouched.ts";

/** Every third byte of two lines; every seventh in the usual run, which meets each byte of JSON too. */
const STEP = ALL_TORTURE ? 3 : 7;
const CLOSER: Record<string, string> = { "{": "}", "[": "]" };

/** Whether JSON that breaks off here waits for a value: a `null` and closing brackets complete it. */
function expectsValue(prefix: string): boolean {
  const open: string[] = [];
  let inString = false;
  for (let index = 0; index < prefix.length; index++) {
    const char = prefix[index] as string;
    if (inString && char === "\\") index++;
    else if (char === '"') inString = !inString;
    else if (!inString && char in CLOSER) open.unshift(CLOSER[char] as string);
    else if (!inString && (char === "}" || char === "]")) open.shift();
  }
  try {
    JSON.parse(`${prefix}null${open.join("")}`);
    return !inString;
  } catch {
    // SyntaxError: the answer is no.
    return false;
  }
}

/** Where a line is cut: not at its ends. */
function cutsOf(line: Bytes): number[] {
  return placesIn(line).filter((cut) => cut > 0 && cut < line.length - 1);
}

/** Glues `second` to every cut of `torn`; gives the cuts after which `second` is not read. */
function lostCuts(torn: Bytes, second: Bytes, kinds?: ReadonlySet<string>): number[] {
  const [first, last] = [linesOf([user("first")])[0], linesOf([user("last")], 4)[0]];
  const third = factsOf(readNow(second).events[0] ?? assert.fail("second is no event"));
  const lost: number[] = [];
  for (const cut of cutsOf(torn)) {
    const bytes = concat(first as Bytes, torn.slice(0, cut), second, last as Bytes);
    const read = readNow(bytes, kinds);
    const found = read.events.find((event) => event.seq === 3);
    if (found === undefined) lost.push(cut);
    else assert.deepEqual([found.integrity, factsOf(found)], ["salvaged", third]);
    const seqs = read.events.map((event) => event.seq);
    assert.deepEqual(seqs, found === undefined ? [1, 4] : [1, 3, 4], `cut at ${cut}`);
    const code = found === undefined ? "malformed-line" : "glued-line";
    assert.deepEqual(codesOf(read), [code, "seq-gap"]);
    assertBytesAddUp(read, bytes.length);
  }
  return lost;
}

/** The cuts of a line where what follows may be a value of it. */
function valueCuts(line: Bytes): number[] {
  // Byte by byte as one-byte characters: the structure of JSON is ASCII.
  const text = String.fromCharCode(...line);
  return cutsOf(line).filter((cut) => expectsValue(text.slice(0, cut)));
}

const seconds = [
  linesOf([assistant('é "quoted" \\ {[')], 3)[0] as Bytes,
  textBytes('{"seq":3,"kind":"user_message","payload":{"content":"no checksum"}}\n'),
];

Deno.test("a torn event of any kind, cut anywhere, costs the next one only where it may be nested", () => {
  let kept = 0;
  let lost = 0;
  for (const event of everyKind()) {
    const torn = linesOf([event], 2)[0] as Bytes;
    const ambiguous = valueCuts(torn);
    for (const second of seconds) {
      assert.deepEqual(lostCuts(torn, second), ambiguous, event.kind);
      lost += ambiguous.length;
      kept += cutsOf(torn).length - ambiguous.length;
    }
  }
  assert.ok(kept > (ALL_TORTURE ? 10 : 3) * lost, `${kept} kept, ${lost} lost`);
});

Deno.test("a torn event of an unneeded kind does not hide a needed one", () => {
  const torn = linesOf([toolStart("c1", { deep: [{ a: 1 }, "é", null] })], 2)[0] as Bytes;
  const kinds = new Set(["user_message", "assistant_message"]);
  const ambiguous = valueCuts(torn);
  assert.ok(ambiguous.length >= (ALL_TORTURE ? 10 : 5));
  for (const second of seconds) assert.deepEqual(lostCuts(torn, second, kinds), ambiguous);
});

Deno.test("a torn line without a checksum costs the next one only where it may be nested", () => {
  const torn = textBytes(
    '{"seq":2,"kind":"tool_start","payload":{"call_id":"\\u00e9","n":-1.5}}\n',
  );
  assert.deepEqual(lostCuts(torn, seconds[0] as Bytes), valueCuts(torn));
});

Deno.test("two torn events, cut anywhere, never make an event of their own", () => {
  const torn = [toolStart("c1", { a: [{ b: "x" }] }), user('"{\\"seq\\":9}"')];
  const [second, third] = linesOf(torn, 2) as [Bytes, Bytes];
  const [first, last] = linesOf([user("first"), ...torn, user("last")]).filter((_, i) =>
    i % 3 === 0
  );
  const written = new Set(numbered([user("first"), ...torn, user("last")]).map(factsOf));
  let all = 0;
  for (let cut = 1; cut < second.length; cut += STEP) {
    for (let other = 1; other < third.length; other += STEP) {
      const pieces = [second.slice(0, cut), third.slice(0, other)];
      const read = readNow(concat(first as Bytes, ...pieces, last as Bytes));
      for (const event of read.events) assert.ok(written.has(factsOf(event)), `${cut} ${other}`);
      assert.equal(read.events[0]?.seq, 1);
      if (read.events.at(-1)?.seq === 4) all++;
    }
  }
  assert.ok(all > 13_500 / STEP ** 2, `${all} times the last event was found`);
});
