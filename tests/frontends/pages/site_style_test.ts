import assert from "node:assert/strict";
import { SITE_STYLE } from "../../../lib/frontends/pages/site_frame.ts";

/** Sizes of texts: one of the scale, or that of the text around. */
const SIZE = /^(?:0|inherit|1em|\.875em|10\.5pt|var\(--t[1-6]\))$/;
/** Spaces: steps of the scale, lines of one or two pixels, and what a browser finds. */
const SPACE =
  /^(?:0|auto|-?[12]px|var\(--s[1-6]\)|calc\((?:[-+*\d ]|var\(--s[1-6]\))+\))(?:!important)?$/;

Deno.test("texts and spaces on pages have sizes of one scale", () => {
  const odd: string[] = [];
  let count = 0;
  const values = SITE_STYLE.matchAll(
    /(?<![\w-])(font-size|(?:margin|padding)(?:-[a-z-]+)?|(?:row-|column-)?gap):([^;}]+)/g,
  );
  for (const [rule, name = "", value = ""] of values) {
    count++;
    const parts = value.match(/[\w-]+\((?:[^()]|\([^()]*\))*\)|[^\s(]+/g) ?? [];
    const form = name === "font-size" ? SIZE : SPACE;
    if (!parts.every((part) => form.test(part))) odd.push(rule);
  }
  assert.deepEqual(odd, []);
  assert.ok(count > 200, `${count}`);
  const scale = [...SITE_STYLE.matchAll(/--[ts]\d:([\d.]+)rem/g)].map(([, rem]) =>
    16 * Number(rem)
  );
  assert.deepEqual(scale, [12, 13, 14, 16, 20, 28, 4, 8, 12, 16, 24, 40]);
});
