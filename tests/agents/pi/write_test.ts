import assert from "node:assert/strict";
import { join } from "node:path";
import { piAgent } from "../../../lib/agents/pi/pi_agent.ts";
import { piWriter } from "../../../lib/agents/pi/write/pi_writer.ts";
import { ORIGINALS_MARK } from "../../../lib/agents/engine/handed/line.ts";
import {
  checkRoundTrip,
  environmentOf,
  handedSession,
  nastyMessages,
  writeSession,
} from "../../_support/handed_session.ts";
import { inDirectory } from "../../_support/temp_directory.ts";
import { failedOrNot, testReadBack, testWriter } from "../_written.ts";
import { placeOf } from "../../_support/agent_place.ts";

testWriter("a session of pi", piWriter, {
  images: ["png", "jpeg", "gif", "webp", "heic", "svg+xml", "bmp", "tiff"],
});
testReadBack("a session of pi", piAgent, { form: { result: failedOrNot } });

inDirectory.test("the reader of pi reads a written session whole, in order, once", async (home) => {
  const { placement, session } = await checkRoundTrip(piAgent, home);
  const folder = join(home, ".pi/agent/sessions/--home-ada-été--");
  assert.equal(placement.path, `${folder}/2026-08-05T10-00-00-000Z_${session.id}.jsonl`);
  assert.equal(placement.prepare, undefined);
});

inDirectory.test("pi's list has the title, the directory and the time of what is written", async (home) => {
  const { placement } = await checkRoundTrip(piAgent, home);
  const [session] = await piAgent.sessionsIn(placement.path);
  assert.ok(session !== undefined);
  const row = await piAgent.open(session).summarize();
  assert.equal(row?.title, "A title — mit Ümlaut");
  assert.equal(row?.cwd, "/home/ada/été");
  assert.equal(row?.created_at, "2026-08-05T10:00:00.000Z");
});

Deno.test("pi's entries are one chain, and answers have what pi needs of them", async () => {
  const session = handedSession(piWriter, nastyMessages(piWriter));
  const lines: Record<string, unknown>[] = [];
  for await (const line of piWriter.write(session, placeOf("pi", environmentOf("/nowhere")))) {
    lines.push(JSON.parse(line));
  }
  const [header, ...entries] = lines;
  assert.equal(header?.version, 3);
  const ids = entries.map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length);
  assert.deepEqual(entries.map(({ parentId }) => parentId), [null, ...ids.slice(0, -1)]);
  const answers = entries.map(({ message }) => message as Record<string, unknown>)
    .filter(({ role }) => role === "assistant");
  assert.ok(answers.every(({ stopReason }) => stopReason === "stop" || stopReason === "toolUse"));
  const totals = answers.map(({ usage }) => (usage as { totalTokens: number }).totalTokens);
  assert.deepEqual(totals, [...totals.slice(0, -1).fill(0), 23_456]);
});

inDirectory.test("calls travel with their old names and ids, and line separators are escaped", async (home) => {
  const messages = nastyMessages(piWriter);
  const session = handedSession(piWriter, messages);
  const { text } = await writeSession(piWriter, session, placeOf("pi", environmentOf(home)));
  const calling = messages.filter((one) => one.role === "assistant" && one.calls.length > 0);
  assert.equal(text.split(ORIGINALS_MARK).length - 1, calling.length);
  assert.ok(!/[\u2028\u2029]/.test(text));
});

inDirectory.test("pi is given the model that its user set, or none", async (home) => {
  await Deno.mkdir(join(home, ".pi/agent"), { recursive: true });
  const settings = {
    defaultProvider: "anthropic",
    defaultModel: "claude-x",
    sessionDir: "~/all",
  };
  await Deno.writeTextFile(join(home, ".pi/agent/settings.json"), JSON.stringify(settings));
  const session = handedSession(piWriter, nastyMessages(piWriter));
  const { text, placement } = await writeSession(
    piWriter,
    session,
    placeOf("pi", environmentOf(home)),
  );
  assert.ok(text.includes('"provider":"anthropic","model":"claude-x"'));
  assert.ok(placement.path.startsWith(join(home, "all/2026-")), placement.path);
  assert.ok(!(await textFor("/nowhere")).includes('"model"'));
});

async function textFor(home: string): Promise<string> {
  const session = handedSession(piWriter, nastyMessages(piWriter));
  return (await Array.fromAsync(piWriter.write(session, placeOf("pi", environmentOf(home))))).join(
    "",
  );
}
