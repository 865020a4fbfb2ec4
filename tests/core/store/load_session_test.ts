import type { Diagnostic } from "../../../lib/core/log/diagnostic.ts";
import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "npm:fast-check@4.10.2";
import { SessionError } from "../../../lib/core/event/session_error.ts";
import {
  conversation,
  type ConversationOptions,
} from "../../../lib/core/projection/conversation/conversation.ts";
import { foldEvents } from "../../../lib/core/projection/projection.ts";
import { transcript } from "../../../lib/core/projection/transcript/transcript.ts";
import { loadConversation, readTranscript } from "../../../lib/core/store/load_session.ts";
import { findResumePoint } from "../../../lib/core/store/resume_point.ts";
import { roundsOf } from "../../_support/few_rounds.ts";
import { logOf, readNow, toolStart, user } from "../../_support/log_bytes.ts";
import { randomLog } from "../../_support/random_log.ts";
import { inDirectory, withDirectory } from "../../_support/temp_directory.ts";

const ROUNDS = roundsOf(250);
const OPTIONS: ConversationOptions[] = (["include", "omit"] as const).flatMap((tools) =>
  (["include", "omit"] as const).map((reasoning) => ({ tools, reasoning }))
);

// Slow: random logs are read whole and from their ends.
Deno.test("the conversation read from a log's end is that of the whole log", async () => {
  const seen = { messages: 0, partly: 0, compacted: 0 };
  await withDirectory(async (directory) => {
    const path = join(directory, "log");
    await fc.assert(
      fc.asyncProperty(randomLog, async (bytes) => {
        Deno.writeFileSync(path, bytes);
        const { events } = readNow(bytes);
        for (const options of OPTIONS) {
          const whole = foldEvents(conversation(options), events);
          const loaded = await loadConversation(path, options);
          assert.deepEqual(loaded.messages, whole.messages);
          assert.equal(loaded.compaction_seq, whole.compaction_seq);
          seen.messages += whole.messages.length;
          seen.compacted += Number(whole.compaction_seq !== undefined);
        }
        seen.partly += Number((await findResumePoint(path)).from > 0);
        assert.deepEqual(
          await Array.fromAsync(readTranscript(path)),
          foldEvents(transcript(), events),
        );
      }),
      { seed: 20261121, numRuns: ROUNDS },
    );
  });
  const enough = seen.messages > 6 * ROUNDS && seen.partly > ROUNDS / 10;
  assert.ok(enough && seen.compacted > 0.6 * ROUNDS, JSON.stringify(seen));
});

inDirectory.test("loading reports what is wrong in the part that is read", async (directory) => {
  const path = join(directory, "log");
  Deno.writeFileSync(path, logOf([user("1")]));
  Deno.writeTextFileSync(path, "noise\n", { append: true });
  const found: Diagnostic[] = [];
  await loadConversation(path, { report: (diagnostic) => void found.push(diagnostic) });
  assert.deepEqual(found.map(({ code, offset }) => [code, offset]), [
    ["malformed-line", logOf([user("1")]).length],
  ]);
});

inDirectory.test("loading what is no log is a typed error", async (directory) => {
  for (
    const [path, code] of [[join(directory, "none"), "not-found"], [
      directory,
      "unsupported-source",
    ]]
  ) {
    const refused = (error: unknown): boolean =>
      error instanceof SessionError && error.code === code;
    await assert.rejects(loadConversation(path ?? ""), refused);
    await assert.rejects(Array.fromAsync(readTranscript(path ?? "")), refused);
  }
});

inDirectory.test("a signal stops the reading", async (directory) => {
  const path = join(directory, "log");
  Deno.writeFileSync(path, logOf([user("1"), toolStart("c1")]));
  const signal = AbortSignal.abort();
  await assert.rejects(loadConversation(path, { signal }), /AbortError|aborted/);
  assert.equal(
    (await loadConversation(path, { signal: new AbortController().signal })).messages.length,
    3,
  );
});
