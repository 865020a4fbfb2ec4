import assert from "node:assert/strict";
import type { TranscriptItem } from "../../../lib/core/projection/transcript/item.ts";
import { htmlDocument } from "../../../lib/text/render/html_document.ts";
import { HtmlFolder } from "../../../lib/text/render/html_folder.ts";
import type { SessionThread } from "../../../lib/core/projection/session_thread.ts";
import { HEADER, pageOf, withoutTags } from "./html_document/_page.ts";
import { SAMPLE_ITEMS } from "./_sample_items.ts";
import { itemsInto } from "./_document_items.ts";

const BASE = { integrity: "verified" } as const;
const THREAD: SessionThread = { id: "agent-1", kind: "subagent", title: "Look around", records: 2 };

/** Turns of a prompt and an answer, each of so many characters. */
function turns(count: number, size: number, text = "a"): TranscriptItem[] {
  return Array.from({ length: count }, (_, index): TranscriptItem[] => [
    { ...BASE, type: "message", role: "user", content: `prompt ${index}`, seq: 2 * index + 1 },
    {
      ...{ ...BASE, type: "tool", name: "read", call_id: "c", status: "ok", seq: 2 * index + 2 },
      output: text.repeat(size),
    } as TranscriptItem,
  ]).flat();
}

/** The files of a folder by their names, or the one page. */
function folderOf(
  items: readonly TranscriptItem[],
  thread: readonly TranscriptItem[] = [],
): { pages: Map<string, string>; files: Map<string, string>; one: string } {
  const files = new Map<string, string>();
  const folder = new HtmlFolder({ tools: "full" }, (name, text) => files.set(name, text));
  const take = itemsInto(folder);
  folder.begin(HEADER);
  for (const item of items) take(item);
  if (thread.length > 0) folder.thread(THREAD);
  for (const item of thread) take(item);
  const one = folder.end();
  const pages = new Map([...files].filter(([name]) => /^(?:\d+|index.*)\.html$/.test(name)));
  return { one, pages, files };
}

const LONG = turns(60, 200_000);
let longOne: ReturnType<typeof folderOf> | undefined;
/** The folder of `LONG`, which is made once. */
const longFolder = (): ReturnType<typeof folderOf> => longOne ??= folderOf(LONG);

Deno.test("a session of up to 5 MB is one page, as it is streamed", () => {
  const { one, pages } = folderOf(SAMPLE_ITEMS);
  assert.equal(pages.size, 0);
  assert.equal(one, pageOf(SAMPLE_ITEMS));
  const items = turns(20, 200_000);
  assert.equal(folderOf(items).one, pageOf(items));
});

// Slow: it makes several pages of 5 MB.
Deno.test("a longer one is pages of less than 5 MB, each item on one of them", () => {
  const items = LONG;
  const { one, pages } = longFolder();
  assert.equal(one, "");
  assert.ok(pages.size > 5, String(pages.size));
  const anchors = [...pages.values()].flatMap((page) =>
    [...page.matchAll(/<div class="item [^"]*" id="(e\d+)"/g)].map(([, anchor]) => anchor)
  );
  assert.deepEqual(anchors, items.map(({ seq }) => `e${seq}`));
  for (const [name, page] of pages) {
    assert.ok(new TextEncoder().encode(page).length < 5_000_000, name);
    assert.equal(page.split("<section").length, page.split("</section>").length, name);
    assert.ok(!withoutTags(page).includes("<"), name);
  }
});

Deno.test("a turn that is longer than a page goes on, on the next one", () => {
  const [prompt, ...rest] = turns(40, 260_000, "é");
  const items = [prompt, ...rest.filter(({ type }) => type === "tool")] as TranscriptItem[];
  const { pages } = folderOf(items);
  assert.ok(pages.size > 5, String(pages.size));
  for (const [name, page] of pages) {
    assert.ok(new TextEncoder().encode(page).length < 5_000_000, name);
  }
});

Deno.test("the index leads to each turn, and pages lead to each other", () => {
  const { pages } = longFolder();
  const index = pages.get("index.html") ?? "";
  const links = [...index.matchAll(/href="(\d+\.html)#(e\d+)"/g)];
  assert.equal(links.length, 60);
  for (const [, name = "", anchor] of links) {
    assert.ok(pages.get(name)?.includes(`id="${anchor}"`), `${name} ${anchor}`);
  }
  const count = pages.size - 1;
  for (let number = 1; number <= count; number++) {
    const page = pages.get(`${number}.html`) ?? "";
    assert.ok(page.includes('href="index.html"'));
    assert.equal(page.includes(`href="${number + 1}.html"`), number < count);
    assert.equal(page.includes(`href="${number - 1}.html"`), number > 1);
  }
  // Turns are counted over all pages.
  assert.match(pages.get(`${count}.html`) ?? "", /<h2>Turn 60</);
});

Deno.test("the index of very many turns is in parts that lead to each other", () => {
  const { pages } = folderOf(turns(2500, 2200));
  const parts = ["index.html", "index-2.html", "index-3.html"];
  assert.deepEqual([...pages.keys()].filter((name) => name.startsWith("index")), parts);
  const anchors = parts.flatMap((name) => {
    const part = pages.get(name) ?? "";
    for (const other of parts) assert.equal(part.includes(`href="${other}"`), other !== name, name);
    const found = [...part.matchAll(/href="\d+\.html#(e\d+)"/g)].map(([, anchor]) => anchor);
    assert.ok(found.length <= 1000, name);
    return found;
  });
  assert.deepEqual(anchors, Array.from({ length: 2500 }, (_, index) => `e${2 * index + 1}`));
});

Deno.test("the search of a folder knows the words of each page", () => {
  const last = { ...BASE, type: "message", role: "user", content: "the zebra", seq: 121 };
  const { files, pages } = folderOf([...LONG, last as TranscriptItem]);
  const read = (name: string): unknown =>
    JSON.parse(/^found\((.*)\)\n$/s.exec(files.get(name) ?? "")?.[1] ?? "");
  const index = read("search/pages.js") as { rounds: number; pages: [string][] };
  const numbered = [...pages.keys()].filter((name) => /^\d/.test(name));
  assert.deepEqual(index.pages.map(([href]) => href), numbered);
  const words = read(`search/words-0-${"z".charCodeAt(0) % 32}.js`) as [string, number[]][];
  assert.deepEqual(words.filter(([word]) => word === "zebra"), [["zebra", [numbered.length - 1]]]);
  const passages = read(`search/${numbered.length}.js`) as [string, string][];
  assert.deepEqual(passages.at(-1), ["e121", "the zebra"]);
  assert.match(files.get("search.html") ?? "", /script-src 'sha256-[^']+' 'strict-dynamic'/);
});

Deno.test("other threads follow the main one, with anchors of their own", () => {
  const { one = "" } = folderOf(turns(2, 10), turns(1, 10));
  const streamed = htmlDocument({ tools: "full" });
  const take = itemsInto(streamed);
  const parts = [streamed.begin(HEADER), ...turns(2, 10).map(take)];
  parts.push(streamed.thread(THREAD), ...turns(1, 10).map(take));
  assert.equal(one, parts.join("") + streamed.end());
  assert.match(one, /id="t1"><h2 dir="auto">Subagent: Look around</);
  assert.match(one, /<a href="#t1"><span class="number">»<\/span>/);
  for (const anchor of ["e1", "e3", "t1-e1"]) assert.ok(one.includes(`id="${anchor}"`), anchor);
  assert.deepEqual(one.match(/<h2>Turn \d/g), ["<h2>Turn 1", "<h2>Turn 2", "<h2>Turn 1"]);
});
