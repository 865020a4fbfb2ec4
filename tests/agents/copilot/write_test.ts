import assert from "node:assert/strict";
import { join } from "node:path";
import { copilotAgent } from "../../../lib/agents/copilot/copilot_agent.ts";
import { checkRoundTrip } from "../../_support/handed_session.ts";
import { withDirectory } from "../../_support/temp_directory.ts";
import type { HandedPart } from "../../../lib/source/session_writer.ts";
import {
  answer,
  call,
  IMAGE,
  NOWHERE,
  prompt,
  recordsWritten,
  said,
  START,
  testReadBack,
  testWriter,
  textItem,
  writerOf,
} from "../_written.ts";

const writer = await writerOf(copilotAgent);

testWriter("a session of Copilot CLI", writer, {
  proven: true,
  images: ["png", "jpeg", "gif", "webp"],
});
testReadBack("a session of Copilot CLI", copilotAgent, {
  form: {
    prompt: (parts) => {
      const texts = parts.filter(({ type }) => type === "text").map(textItem);
      const image = parts.find((part) => part.type === "image");
      const shown = image === undefined ? [] : [`[${image.media_type} ${image.data}]`];
      return [...texts.slice(0, 1), ...shown, ...texts.slice(1)];
    },
    result: ({ original: { status }, output }) => {
      const text = output.map(textItem).join("\n");
      return [status, ...(text !== "" || status === "ok" ? [text] : ["Tool execution failed"])]
        .filter((word) => word !== "").join(" ");
    },
  },
});

Deno.test("a session of Copilot CLI has what is hard to carry", async () => {
  await withDirectory(async (home) => {
    const { placement } = await checkRoundTrip(copilotAgent, home, {
      // An image that a call gave is named behind its text.
      fact: ([what, ...about]) =>
        what === "output image"
          ? undefined
          : about[0] === "one\ntwo"
          ? [what, "one\ntwo\n[image (image/png): not handed over]"]
          : [what, ...about],
    });
    assert.ok(placement.path.endsWith("events.jsonl"));
  });
});

Deno.test("Copilot CLI's lists show a session by the file beside its log", () => {
  const title = 'A "title": — é\u2028';
  const { path, beside } = writer.place(NOWHERE, { ...START, title }, "/tmp");
  const folder = join("/home/nobody/agent/session-state", START.id);
  assert.equal(path, join(folder, "events.jsonl"));
  assert.deepEqual(beside, [{
    path: join(folder, "workspace.yaml"),
    text: `id: ${START.id}
cwd: "/w"
name: "A \\"title\\": — é\\u2028"
user_named: true
summary_count: 0
created_at: 2026-08-01T10:00:00.000Z
updated_at: 2026-11-23T06:30:15.250Z
`,
  }]);
  const [untitled] = writer.place(NOWHERE, START, "/tmp").beside ?? [];
  assert.doesNotMatch(untitled?.text ?? "", /name/);
});

Deno.test("a prompt of Copilot CLI has one text, and images behind it", async () => {
  const image = { type: "blob", data: (IMAGE as { data: string }).data, mimeType: "image/png" };
  const sentOf = async (...parts: HandedPart[]): Promise<unknown[]> =>
    (await recordsWritten(writer, [prompt(...parts)])).slice(1).map(({ data }) => data);
  assert.deepEqual(await sentOf(said("a"), said("b"), IMAGE), [
    { content: "a" },
    { content: "b", attachments: [image] },
  ]);
  assert.deepEqual(await sentOf(IMAGE, said("a"), IMAGE), [
    { content: "a", attachments: [image, image] },
  ]);
  assert.deepEqual(await sentOf(IMAGE), [{ content: "", attachments: [image] }]);
});

Deno.test("all calls of an answer start in Copilot CLI before the first ends", async () => {
  const output: HandedPart[] = [said("done")];
  const calls = [call(writer, "one", { output }), call(writer, "two", { output })];
  const records = await recordsWritten(writer, [prompt(said("Do")), answer("", calls)]);
  assert.deepEqual(records.map(({ type }) => type), [
    ...["session.start", "user.message", "assistant.message"],
    ...["tool.execution_start", "tool.execution_start"],
    ...["tool.execution_complete", "tool.execution_complete"],
  ]);
  const ids = records.map(({ id }) => id);
  assert.deepEqual(records.map(({ parentId }) => parentId), [null, ...ids.slice(0, -1)]);
});

Deno.test("a part of a file is a range of lines in Copilot CLI", () => {
  const { view } = { view: writer.tools.read?.input };
  assert.deepEqual(view?.({ path: "/a" }), { path: "/a" });
  assert.deepEqual(view?.({ path: "/a", limit: 5 }), { path: "/a", view_range: [1, 5] });
  assert.deepEqual(view?.({ path: "/a", offset: 3 }), { path: "/a", view_range: [3, -1] });
  assert.deepEqual(view?.({ path: "/a", offset: 3, limit: 2 }), {
    ...{ path: "/a", view_range: [3, 4] },
  });
});
