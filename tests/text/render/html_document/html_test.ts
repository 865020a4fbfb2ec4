import assert from "node:assert/strict";
import {
  joinHtml,
  safe,
  SafeHtml,
  trustedHtml,
} from "../../../../lib/text/render/html_document/html.ts";
import { SOURCES } from "../../../_support/source_code.ts";

Deno.test("a template escapes every text, and only texts", () => {
  const text = `<a href="x" title='y'>&</a>`;
  assert.equal(
    safe`<p title="${text}">${text}</p>`.markup,
    '<p title="&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;&lt;/a&gt;">' +
      "&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;&lt;/a&gt;</p>",
  );
  assert.equal(
    safe`${safe`<b>${"<"}</b>`}${[safe`<i>`, safe`</i>`]}${7}`.markup,
    "<b>&lt;</b><i></i>7",
  );
  assert.equal(safe`a${undefined}b`.markup, "ab");
  assert.equal(joinHtml([safe`<b>`, safe`</b>`], " < ").markup, "<b> &lt; </b>");
});

Deno.test("control and bidi characters are made visible in every text", () => {
  assert.equal(safe`${"\x1b[31m\u202e\0\n"}`.markup, "␛[31m&lt;U+202E&gt;␀\n");
});

Deno.test("rejects objects that only look like safe HTML", () => {
  const forged = JSON.parse('{"markup":"<script>"}') as SafeHtml;
  assert.throws(() => safe`${forged}`, TypeError);
  assert.throws(() => safe`${[forged]}`, TypeError);
  assert.throws(() => joinHtml([forged]), TypeError);
  assert.ok(safe`<br>` instanceof SafeHtml);
  assert.equal(safe`${trustedHtml("<br>")}`.markup, "<br>");
});

Deno.test("there is one way around the escaping, and only the page's frame takes it", () => {
  const files = [...SOURCES].filter(([path]) =>
    /^lib\/(?:text\/render\/html|frontends\/pages\/)/.test(path)
  );
  assert.ok(files.length > 20);
  const found = (pattern: RegExp): string[] =>
    files.filter(([, source]) => pattern.test(source)).map(([path]) => path);
  assert.deepEqual(found(/\bnew SafeHtml\(/), ["lib/text/render/html_document/html.ts"]);
  const bypass = [
    "lib/text/render/html_document/frame.ts",
    "lib/text/render/html_document/html.ts",
  ];
  assert.deepEqual(found(/\btrustedHtml\(/).sort(), bypass);
});

Deno.test("every attribute in a template is quoted", () => {
  const files = [...SOURCES].filter(([path]) =>
    /^lib\/(?:text\/render\/html|frontends\/pages\/)/.test(path)
  );
  let quoted = 0;
  for (const [path, source] of files) {
    assert.ok(!/<\w[^>`]*=\$\{/.test(source), path);
    quoted += source.match(/="\$\{/g)?.length ?? 0;
  }
  assert.ok(quoted >= 10, `${quoted}`);
});
