import { roundsOf } from "../../../_support/few_rounds.ts";
import assert from "node:assert/strict";
import fc from "npm:fast-check@4.10.2";
import { htmlDocument } from "../../../../lib/text/render/html_document.ts";
import { isHarmless } from "../_harmless.ts";
import { hostileHeader, hostileItems, PAYLOADS } from "./_hostile.ts";
import { HEADER, pageOf, withoutTags } from "./_page.ts";
import { itemsInto } from "../_document_items.ts";

function assertHarmless(page: string, about: string): void {
  const text = withoutTags(page);
  const at = text.search(/[<>]/);
  assert.equal(at, -1, `${about}: ${text.slice(Math.max(0, at - 80), at + 200)}`);
  assert.ok(isHarmless(page), about);
}

Deno.test("there are 300 hostile payloads, and the check finds each that is let through", () => {
  assert.ok(PAYLOADS.length >= 300);
  const tags = PAYLOADS.filter((payload) => /<[a-z/]/i.test(payload));
  assert.ok(tags.length >= 180, `${tags.length}`);
  for (const payload of tags) {
    assert.match(withoutTags(`<style></style><p>${payload}</p>`), /[<>]/, payload);
  }
  assert.match(withoutTags('<a href="javascript:alert(1)">x</a>'), /</);
  assert.match(withoutTags('<img src="https://evil.example/x">'), /</);
  assert.match(withoutTags('<p onclick="x">'), /</);
});

// Slow: each field of each item is rendered with each hostile text.
Deno.test("no hostile text in any field becomes markup", () => {
  for (const payload of PAYLOADS) {
    const options = { tools: "full", format_time: () => payload } as const;
    const page = pageOf(hostileItems(payload), hostileHeader(payload), options);
    assertHarmless(page, JSON.stringify(payload));
    assert.ok(page.length > 15_000);
  }
});

Deno.test("whatever the texts, no markup comes of them", () => {
  const pieces = [
    ..."<>\"'`&;#/\\=[](){}!|*_~-\n\t ",
    ...PAYLOADS.slice(0, 300),
    "&#60;",
    "```",
    "a",
  ];
  const text = fc.array(fc.constantFrom(...pieces), { maxLength: 12 })
    .map((chosen) => chosen.join(""));
  fc.assert(
    fc.property(text, (payload) => {
      const page = htmlDocument({ tools: "full" });
      const parts = hostileItems(payload).map(itemsInto(page));
      assertHarmless(parts.join(""), JSON.stringify(payload));
    }),
    { seed: 17, numRuns: roundsOf(500) },
  );
});

Deno.test("the texts of a payload can be read on the page", () => {
  const [item] = hostileItems("");
  assert.ok(item !== undefined);
  const said = "<script>alert('a & b')</script>";
  const page = pageOf([
    { type: "message", role: "user", seq: 1, integrity: "verified", content: said },
    { type: "message", role: "assistant", seq: 2, integrity: "verified", content: said },
  ], HEADER);
  const shown = "&lt;script&gt;alert(&#39;a &amp; b&#39;)&lt;/script&gt;";
  // Heading and contents name the prompt too.
  assert.equal(page.split(shown).length - 1, 4);
});
