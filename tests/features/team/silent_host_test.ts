/** Hosts that accept a connection and say nothing. Each ends with one line. */
import assert from "node:assert/strict";
import { openTeam } from "../../../lib/features/team/open_team.ts";
import { needing } from "../../_support/needing.ts";
import { SFTP } from "../../_support/sftp.ts";

/** Milliseconds of silence in these tests, where users wait 20 seconds. */
const SILENCE_MS = 150;

/** Asks a store at a silent port, and expects one line. */
async function assertGivenUp(address: (port: number) => string): Promise<void> {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const accepted: Deno.Conn[] = [];
  const accepting = (async () => {
    for await (const connection of listener) accepted.push(connection);
  })();
  await assert.rejects(async () => {
    const account = { variable: () => undefined, run: () => Promise.resolve("") };
    const password = JSON.stringify({ AccessKeyId: "a", SecretAccessKey: "b" });
    const options = { silence_ms: SILENCE_MS, account, password };
    await using _team = await openTeam(address(listener.addr.port), options);
  }, { code: "unreachable", message: /^Cannot [^\n]*127\.0\.0\.1.*does not answer[^\n]*$/ });
  listener.close();
  for (const connection of accepted) connection.close();
  await accepting;
}

Deno.test("a silent bucket is given up", async () => {
  await assertGivenUp((port) => `s3://sessions?region=x&endpoint=http://127.0.0.1:${port}`);
});

Deno.test("a silent database is given up", async () => {
  await assertGivenUp((port) => `postgresql://me@127.0.0.1:${port}/sessions`);
});

// Slow: sftp and ssh start.
Deno.test({
  ...needing("a silent host of sftp is given up", SFTP),
  fn: () => assertGivenUp((port) => `ssh://127.0.0.1:${port}/sessions`),
});
