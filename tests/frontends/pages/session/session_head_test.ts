import assert from "node:assert/strict";
import { inHome, sessionId } from "../../../_support/cli_home.ts";
import { assistant, user } from "../../../_support/log_bytes.ts";
import { askOf } from "../_site.ts";

const [OLD, MIDDLE, NEW] = [sessionId("aaaa"), sessionId("bbbb"), sessionId("cccc")];

inHome.test("the head has the resume command, the context and the marks, and leads to neighbours", async (home) => {
  for (const id of [OLD, MIDDLE, NEW]) home.keep(id, [user("Hello"), assistant("Hi")]);
  await home.run(["tag", MIDDLE, "bug"]);
  await home.run(["note", MIDDLE, "look <again>"]);
  const ask = askOf(home);
  const { body } = await ask(`session?ref=${MIDDLE}`);
  assert.ok(body.includes(`data-copy="reprise resume ${MIDDLE}"`));
  assert.match(body, /href="context\?[^"]*">\d+ in context</);
  assert.match(body, /<a class="tag" href="\.\/\?tag=bug">/);
  assert.match(body, /<p class="note" dir="auto">look &lt;again&gt;<\/p>/);
  const links = [...body.matchAll(/data-step="\w+" href="([^"]+)"/g)];
  const [newer, older] = await Promise.all(
    links.map(([, href = ""]) => ask(href.replaceAll("&amp;", "&"))),
  );
  assert.deepEqual([newer?.status, newer?.headers["location"]], [303, `session?ref=${NEW}`]);
  assert.equal(older?.headers["location"], `session?ref=${OLD}`);
  assert.equal((await ask(`neighbour?ref=${NEW}&to=newer`)).headers["location"], "./");
});

inHome.test("the head leads to the files that the session changed, with their changes", async (home) => {
  const input = { path: "src/a.ts", old_string: "one\ntwo\n", new_string: "one\n<three>\n" };
  home.keep(OLD, [
    user("Change it"),
    {
      kind: "assistant_message",
      payload: { content: [{ type: "tool_call", call_id: "c", name: "edit", input }] },
    },
    { kind: "tool_end", payload: { call_id: "c", name: "edit", status: "ok", output: "done" } },
  ]);
  const ask = askOf(home);
  const { body } = await ask(`session?ref=${OLD}`);
  const [, href = ""] = /href="(files\?[^"]*)"/.exec(body) ?? [];
  const page = await ask(href.replaceAll("&amp;", "&"));
  assert.match(page.body, /<code class="short">src\/a\.ts<\/code>/);
  assert.match(page.body, /&lt;three&gt;/);
});
