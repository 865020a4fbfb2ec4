/** Images for which the provider refuses every request of a session. Slow: they have 5 MB each. */
import assert from "node:assert/strict";
import { claudeRepair } from "../../../lib/agents/claude/session_repair.ts";
import { examineSession } from "../../../lib/features/repair/examine_session.ts";
import { repairCopy } from "../../../lib/features/repair/repair_session.ts";
import { inDirectory } from "../../_support/temp_directory.ts";
import { linesOf } from "../../clients/repair/damages.ts";
import { sessionHome, wholeSession } from "./_sessions.ts";

const LARGEST = "A".repeat(5 * 1024 * 1024);
const NOTE = { type: "text", text: "[reprise repair left out an image of 5,242,884 bytes]" };

function image(data: string): Record<string, unknown> {
  return { type: "image", source: { type: "base64", media_type: "image/png", data } };
}

/** A session of Claude Code with these images in its first prompt, and in its first result. */
function sessionWith(prompt: unknown[], result: unknown[]): Uint8Array<ArrayBuffer> {
  const records = linesOf(wholeSession("claude")).map((line) => JSON.parse(line));
  const [asked, answered] = records.filter(({ type }) => type === "user");
  const text = { type: "text", text: "Please look at the files of this project" };
  asked.message.content = [text, ...prompt];
  answered.message.content[0].content = result;
  const lines = records.map((record) => `${JSON.stringify(record)}\n`).join("");
  return new TextEncoder().encode(lines);
}

inDirectory.test("a note takes the place of an image that the API refuses", async (directory) => {
  const large = image(`${LARGEST}AAAA`);
  const words = { type: "text", text: "a picture" };
  const bytes = sessionWith([large], [words, large]);
  const { library, path } = await sessionHome(directory, "claude", bytes);
  const session = await library.open(path);
  const told = await examineSession(session);
  assert.deepEqual(told.findings.map(({ damage, line }) => [damage, line]), [
    ["large-image", 1],
    ["large-image", 4],
  ]);
  assert.match(told.findings[0]?.today ?? "", /the API rejects/);
  assert.match(
    told.findings[0]?.found ?? "",
    /5,242,884 bytes in base64, and the API takes at most 5,242,880$/,
  );
  assert.equal(told.repairable, true);
  const out = `${directory}/out.jsonl`;
  const { messages } = await repairCopy(session, out);
  assert.equal(messages.before, messages.after);
  const repaired = new TextDecoder().decode(sessionWith([NOTE], [words, NOTE]));
  assert.equal(await Deno.readTextFile(out), repaired);
});

Deno.test("an image that the API just takes is left as it is", () => {
  const message = { role: "user", content: [image(LARGEST)] };
  assert.deepEqual(claudeRepair.facts({ type: "user", message }).large, []);
});
