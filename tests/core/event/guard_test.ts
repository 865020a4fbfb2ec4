import assert from "node:assert/strict";
import {
  anything,
  fields,
  flag,
  type Guard,
  isObject,
  list,
  number,
  oneOf,
  optional,
  tagged,
  text,
  textOr,
  whole,
  within,
} from "../../../lib/core/event/guard.ts";

const VALUES: unknown[] = [
  undefined,
  null,
  "",
  "a",
  0,
  -1,
  1.5,
  2 ** 53,
  NaN,
  Infinity,
  true,
  [],
  {},
];

/** Checks that `guard` takes exactly `fitting` of all the values. */
function assertTakes(guard: Guard, fitting: unknown[]): void {
  for (const value of VALUES) {
    const fits = fitting.some((one) => Object.is(one, value) || one === value);
    assert.equal(guard(value) === undefined, fits, String(value));
  }
}

Deno.test("plain guards take their own values and no others", () => {
  assertTakes(text, ["", "a"]);
  assertTakes(number, [0, -1, 1.5, 2 ** 53]);
  assertTakes(flag, [true]);
  assertTakes(whole(0), [0]);
  assertTakes(whole(-1), [0, -1]);
  assertTakes(oneOf("a", "b"), ["a"]);
  assertTakes(anything, VALUES.slice(1));
  assertTakes(optional(text), [undefined, "", "a"]);
});

Deno.test("guards of structures take what their parts take", () => {
  const [array, object] = VALUES.slice(-2);
  assertTakes(list(text), [array]);
  assertTakes(fields({}), [object]);
  assertTakes(fields({ a: optional(text) }), [object]);
  assertTakes(textOr(list(text)), ["", "a", array]);
  assertTakes(tagged("type", {}), []);
  assert.equal(list(text)(["a", "b"]), undefined);
  assert.equal(fields({ a: text })({ a: "", other: 1 }), undefined);
});

Deno.test("guards say what does not fit, and where", () => {
  const message = fields({ parts: list(tagged("type", { text: fields({ text }) })) });
  assert.equal(message({ parts: [{ type: "text", text: "a" }] }), undefined);
  assert.equal(message(1), "is not an object");
  assert.equal(message({}), ".parts is not an array");
  assert.equal(message({ parts: ["a"] }), ".parts[0] is not an object");
  assert.equal(message({ parts: [{ type: "sound" }] }), ".parts[0].type is not one of text");
  assert.equal(message({ parts: [{ type: "text" }] }), ".parts[0].text is not a string");
  assert.equal(oneOf("a", "b")("c"), "is not one of a, b");
  assert.equal(whole(1)(0), "is not a whole number of at least 1");
  assert.equal(within("payload", ".a is missing"), "payload.a is missing");
  assert.equal(within("payload", "is missing"), "payload is missing");
});

Deno.test("tagged does not take names of Object.prototype for tags", () => {
  const guard = tagged("type", { a: fields({}) });
  assert.equal(guard({ type: "a" }), undefined);
  for (const type of ["toString", "__proto__", "constructor"]) {
    assert.equal(guard({ type }), ".type is not one of a");
  }
});

Deno.test("isObject takes objects that are no arrays", () => {
  assert.deepEqual(VALUES.filter(isObject), [{}]);
});
