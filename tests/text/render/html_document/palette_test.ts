import assert from "node:assert/strict";
import {
  CHANGE_GROUNDS,
  CODE_INKS,
  DARK,
  GROUNDS,
  INKS,
  LIGHT,
} from "../../../../lib/text/render/html_document/palette.ts";

const AA = 4.5;

/** Relative luminance, as WCAG 2 defines it. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = parseInt(color.slice(at, at + 2), 16) / 255;
    return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

Deno.test("contrast is measured as WCAG measures it", () => {
  assert.equal(contrast("#000000", "#ffffff"), 21);
  assert.equal(contrast("#777777", "#ffffff").toFixed(2), "4.48");
});

for (const [name, palette] of Object.entries({ day: LIGHT, night: DARK })) {
  Deno.test(`every text has the contrast of AA on every ground, by ${name}`, () => {
    const pairs = [
      ...INKS.flatMap((ink) => GROUNDS.map((ground) => [ink, ground] as const)),
      ...CODE_INKS.map((ink) => [ink, "code"] as const),
      ...CHANGE_GROUNDS.map((ground) => ["text", ground] as const),
    ];
    const faint = pairs.filter(([ink, ground]) => contrast(palette[ink], palette[ground]) < AA);
    assert.deepEqual(faint, []);
    assert.ok(pairs.length >= 29);
  });
}
