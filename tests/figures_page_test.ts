import assert from "node:assert/strict";
import { type PeerFigures, peersText } from "./bench/peers/compare.ts";

async function textOf(path: string): Promise<string> {
  return await Deno.readTextFile(new URL(`../${path}`, import.meta.url));
}

Deno.test("the page of figures shows the ratios that were measured beside other programs", async () => {
  const measured: PeerFigures = JSON.parse(await textOf("tests/bench/peers.json"));
  const page = await textOf(".github/FIGURES.md");
  assert.ok(measured.rows.length >= 12, `${measured.rows.length} rows`);
  assert.ok(page.includes(`<!-- peers -->\n\n${peersText(measured)}\n\n<!-- /peers -->`));
});
