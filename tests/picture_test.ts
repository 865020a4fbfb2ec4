import assert from "node:assert/strict";
import { screenPicture } from "../.ci/picture.ts";

const ESC = "\x1b";

Deno.test("a picture has each run of a style at its column, over lines, with wide characters", () => {
  const lines = [
    `${ESC}[1m${ESC}[36mid  <a>${ESC}[0m plain`,
    `学校  ${ESC}[2mdim`,
    `still ${ESC}[22;91mred${ESC}[39m`,
  ];
  const found = [
    ...screenPicture(lines, 20).matchAll(
      /<text x="(.*?)" y=".*?" textLength="(.*?)".*?Glyphs"(?: class="(.*?)")?>(.*)<\/text>/g,
    ),
  ]
    .map(([, x, length, style = "", text]) => [Number(x), Number(length), style, text]);
  assert.deepEqual(found, [
    [16, 16.8, "b f6", "id"],
    [49.6, 25.2, "b f6", "&lt;a&gt;"],
    [83.2, 42, "", "plain"],
    [16, 33.6, "", "学校"],
    [66.4, 25.2, "d", "dim"],
    [16, 42, "d", "still"],
    [66.4, 25.2, "f1", "red"],
  ]);
});

Deno.test("the README's picture is small, has both grounds, and runs and loads nothing", async () => {
  const picture = await Deno.readTextFile(new URL("../.github/terminal.svg", import.meta.url));
  assert.ok(picture.length < 20_000, `${picture.length}`);
  assert.match(picture, /^<svg [^]*prefers-color-scheme:dark[^]*<\/svg>\n$/);
  assert.doesNotMatch(picture, /<script|href|url\(|@import|\bon\w+=/);
});
