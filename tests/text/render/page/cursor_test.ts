import assert from "node:assert/strict";
import {
  formatCursor,
  fromDigits,
  parseCursor,
  toDigits,
} from "../../../../lib/text/render/page/cursor.ts";

const OF = { command: "show", query: { ref: "claude:ab12", tools: "brief" } };

Deno.test("a cursor gives its place back, for the same query of the same command", () => {
  const cursor = formatCursor(OF, ["1z", "claude:ab12"]);
  assert.deepEqual(parseCursor(OF, cursor), ["1z", "claude:ab12"]);
  assert.match(cursor, /^[\w:.~-]+$/, "a shell takes it without quotes");
});

Deno.test("refuses a cursor of another command or query, or a text that is none, with the reason", () => {
  const cursor = formatCursor(OF, ["1z"]);
  assert.throws(
    () => parseCursor({ ...OF, command: "list" }, cursor),
    /list cannot continue from this cursor, because it is from show/,
  );
  const other = { ...OF, query: { ref: "claude:ab12", tools: "full" } };
  assert.throws(() => parseCursor(other, cursor), /belongs to another query/);
  const odd = ["", "x", "show", "show:", cursor.slice(1), "show:zz:1", `${cursor}\n`, "\ud800"];
  for (const text of [...odd, "9".repeat(1e6)]) {
    assert.throws(() => parseCursor(OF, text), (error: Error) => {
      assert.ok(error instanceof SyntaxError && error.message.length < 200, error.message);
      return true;
    });
  }
});

Deno.test("numbers are written in few characters, and nothing else is read as one", () => {
  for (const number of [0, 35, 36, Date.UTC(2026, 10, 21), Number.MAX_SAFE_INTEGER]) {
    assert.equal(fromDigits(toDigits(number)), number);
  }
  for (const text of [undefined, "", "-1", "1.5", "A", "z".repeat(12), "zzzzzzzzzzz"]) {
    assert.equal(fromDigits(text), undefined, text);
  }
});
