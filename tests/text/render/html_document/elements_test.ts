import assert from "node:assert/strict";
import { pathHtml } from "../../../../lib/text/render/html_document/elements.ts";
import { HEADER, pageOf } from "./_page.ts";

Deno.test("a path breaks behind its separators and nowhere else", () => {
  const cases: [string, string][] = [
    ["/home/ana/login", "/home/<wbr>ana/<wbr>login"],
    ["/", "/"],
    ["//server//share/", "//server//<wbr>share/"],
    ["C:\\Users\\Ana & Ben", "C:\\<wbr>Users\\<wbr>Ana &amp; Ben"],
    ["", ""],
  ];
  for (const [path, markup] of cases) assert.equal(pathHtml(path).markup, markup);
});

Deno.test("the directory of a page breaks behind its slashes", () => {
  const cwd = "/home/ana/a-very-long-name/of/a/directory";
  const page = pageOf([], { ...HEADER, summary: { ...HEADER.summary, cwd } });
  assert.ok(page.includes("/home/<wbr>ana/<wbr>a-very-long-name/<wbr>of/"));
});
