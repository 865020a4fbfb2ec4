import assert from "node:assert/strict";

const PAGE = await text(".github/CONTRIBUTING.md");
const QUOTE = /```ts ignore\n\/\/ (\S+)\n(.*?)```/gs;

async function text(path: string): Promise<string> {
  return await Deno.readTextFile(new URL(`../${path}`, import.meta.url));
}

/** Lines without their indentation: the page indents a quote in its own way. */
function lines(code: string): string {
  return code.split("\n").map((line) => line.trim()).join("\n").trim();
}

Deno.test("the page for contributors quotes code as it is", async () => {
  const quotes = [...PAGE.matchAll(QUOTE)];
  assert.ok(quotes.length >= 7, `${quotes.length} quotes`);
  for (const [, path = "", quoted = ""] of quotes) {
    assert.ok(lines(await text(path)).includes(lines(quoted)), `${path}:\n${quoted}`);
  }
});

Deno.test("the example of an agent is as short as the page for contributors says", async () => {
  const folder = new URL("../lib/agents/vibe/", import.meta.url);
  const files = [...Deno.readDirSync(folder)].filter(({ isFile }) => isFile);
  const texts = await Promise.all(files.map(({ name }) => text(`lib/agents/vibe/${name}`)));
  const count = texts.join("").split("\n").length - 1;
  assert.match(PAGE, /at most 350 lines of code. The reader of\s+Mistral Vibe has four files/);
  assert.equal(files.length, 4);
  assert.ok(count <= 350, `${count} lines`);
});
