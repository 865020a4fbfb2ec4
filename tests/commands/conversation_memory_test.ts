/** The memory that printing a long conversation takes, in each form. */
import assert from "node:assert/strict";
import type { NewEvent } from "../../lib/core/event/envelope.ts";
import { peakMemoryOf } from "../bench/peak_memory.ts";
import { cliProcess } from "../_support/cli.ts";
import { CliHome, sessionId } from "../_support/cli_home.ts";
import { atFullSize } from "../_support/full_size.ts";
import { logOf, toolEnd, toolStart, user } from "../_support/log_bytes.ts";
import { LINUX, needing } from "../_support/needing.ts";

const MIB = 1024 * 1024;
/** Maximum memory of the whole process, `deno run` included. */
const MOST_MIB = 190;

/** Turns of some 100 KiB, with a call each. */
function turn(at: number): NewEvent[] {
  const text = `Line ${at} of a text.\n`.repeat(2500);
  const done: NewEvent = { kind: "assistant_message", payload: { content: `Done ${at}.` } };
  return [user(text), toolStart(`c${at}`), toolEnd(`c${at}`, text), done]
    .map((event) => ({ ...event, turn_id: `t${at}` }) as NewEvent);
}

/** Keeps a session of so many bytes; gives the number of its messages. */
function keepLong(home: CliHome, bytes: number): number {
  const { path } = home.keep(sessionId("aaaa"), []);
  let events = 0;
  for (let size = 0; size < bytes; events += 4) {
    const lines = logOf(turn(events / 4), 2 + events);
    Deno.writeFileSync(path, lines, { append: true });
    size += lines.length;
  }
  return events;
}

/** Runs a command; gives the number of messages that it prints, and the most memory that it had. */
async function peakOf(
  home: CliHome,
  args: readonly string[],
  env: Record<string, string>,
): Promise<{ messages: number; mib: number }> {
  const child = cliProcess(args, { home: home.path, cwd: home.work, env }).spawn();
  const [peak = 0, printed, stderr] = await Promise.all([
    peakMemoryOf(child),
    new Response(child.stdout as BodyInit).json(),
    new Response(child.stderr).text(),
  ]);
  assert.deepEqual([(await child.status).code, stderr], [0, ""]);
  const { length } = printed.messages ?? printed.conversation ?? printed;
  return { messages: length, mib: peak / MIB };
}

const NAME = "conversation and resume --json print a long log in every form without holding it";

// The peak of a process varies by 30 MiB, so a log must be longer than that to be noticed in it.
// A heap with little room for more than the program shows the same of a short log.
for (
  const [test, bytes, env] of [
    [needing(NAME, LINUX), 8 * MIB, { DENO_V8_FLAGS: "--max-old-space-size=24" }],
    [atFullSize(NAME, LINUX), 64 * MIB, {}],
  ] as const
) {
  // Slow: a process for each form prints a log that its heap cannot hold.
  Deno.test({
    ...test,
    async fn(): Promise<void> {
      await using home = new CliHome();
      const kept = keepLong(home, bytes);
      const lines = ["plain", "openai", "anthropic", "ai-sdk"]
        .map((format) => ["conversation", "aaaa", "--format", format]);
      for (const line of [...lines, ["resume", "aaaa", "--json"]]) {
        const { messages, mib } = await peakOf(home, line, env);
        assert.equal(messages, kept, line.join(" "));
        assert.ok(mib > 0 && mib < MOST_MIB, `${line.join(" ")}: ${Math.round(mib)} MiB`);
      }
    },
  });
}
