/** Lines from one version to the next. */
import assert from "node:assert/strict";
import { traceLines } from "../../../lib/features/blame/traced_lines.ts";
import { mulberry32 } from "../../_support/mulberry32.ts";

function traced(before: string, after: string): string {
  const { places, unsure } = traceLines(before.split(""), after.split(""));
  return places.map((place, at) => unsure.has(at) ? "?" : place === undefined ? "+" : place).join(
    "",
  );
}

Deno.test("lines that are like no other are told by their texts", () => {
  assert.equal(traced("abc", "abc"), "012");
  assert.equal(traced("abc", "axc"), "0+2");
  assert.equal(traced("", "ab"), "++");
  assert.equal(traced("ab", ""), "");
});

Deno.test("equal lines are told apart only where all are new or all stayed", () => {
  assert.equal(traced("a}", "a}b}"), "0?+?");
  assert.equal(traced("ab", "a}x}b"), "0+++1");
  assert.equal(traced("a}x}b", "a}x}bc"), "01234+");
  assert.equal(traced("a}b", "a}xb"), "01+2");
  assert.equal(traced("a}}b", "a}b"), "0?3");
});

/** True if a text occurs once. */
function alone(texts: readonly string[], text: string): boolean {
  return texts.indexOf(text) >= 0 && texts.indexOf(text) === texts.lastIndexOf(text);
}

Deno.test("a line that is sure is the same in every alignment that keeps lines like no other", () => {
  const random = mulberry32(7);
  const letter = (): string => "abc}}}"[Math.floor(random() * 6)] ?? "";
  let compared = 0;
  for (let round = 0; round < 500; round++) {
    const before = Array.from({ length: Math.floor(random() * 8) }, letter);
    const after = [...before];
    for (let step = 0; step < 2; step++) {
      const at = Math.floor(random() * (after.length + 1));
      if (random() < 0.5) after.splice(at, 0, letter());
      else after.splice(at, 1);
    }
    const forth = traceLines(before, after);
    // Backwards, a diff prefers the other one of two equal lines.
    const back = traceLines(before.toReversed(), after.toReversed()).places.toReversed()
      .map((place) => place === undefined ? undefined : before.length - 1 - place);
    const keeps = after.every((text, at) =>
      !alone(before, text) || !alone(after, text) || back[at] === before.indexOf(text)
    );
    if (!keeps) continue;
    compared++;
    for (const [at, place] of forth.places.entries()) {
      if (forth.unsure.has(at)) continue;
      assert.equal(place, back[at], `${before.join("")} ${after.join("")} at ${at}`);
    }
  }
  assert.ok(compared > 200, `${compared}`);
});
