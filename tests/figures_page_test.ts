import assert from "node:assert/strict";
import type { PeerFigures } from "./bench/peers/compare.ts";
import { peersTable } from "./bench/peers/compare.ts";
import figures from "./bench/peers.json" with { type: "json" };

const PAGE = await Deno.readTextFile(new URL("../.github/FIGURES.md", import.meta.url));

Deno.test("the page of figures shows the ratios that were measured beside other programs", () => {
  const measured = figures as PeerFigures;
  assert.ok(measured.rows.length >= 12, `${measured.rows.length} rows`);
  assert.ok(PAGE.includes(`<!-- peers -->\n\n${peersTable(measured)}\n\n<!-- /peers -->`));
  assert.ok(PAGE.includes(measured.machine), "the machine");
  assert.ok(PAGE.includes(measured.date), "the date");
});
