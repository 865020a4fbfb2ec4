import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import type { Context } from "../../commands/_context.ts";
import { importSource } from "../../commands/_import.ts";
import type { SessionSource } from "../../commands/_session_source.ts";
import { openWhole } from "../../commands/_source.ts";
import type { LogEvent } from "../../lib/event/envelope.ts";
import { SessionError } from "../../lib/event/session_error.ts";
import { findImports } from "../../lib/session/import/find_imports.ts";
import { readManifest } from "../../lib/session/import/kept_source.ts";
import { cliEnvironment } from "../_support/cli.ts";
import { CliHome } from "../_support/cli_home.ts";
import { keepPiSession } from "./_pi_session.ts";

function contextOf(home: CliHome): Context {
  const env = cliEnvironment({ home: home.path });
  const size = { terminal: false, width: 80, height: Infinity };
  const output = { ...size, write: (): void => {}, writeBytes: (): void => {} };
  return {
    cwd: home.work,
    variable: (name) => env[name],
    now: () => new Date(),
    stdout: output,
    stderr: output,
    stdin: () => new Blob().stream(),
    stdin_terminal: false,
    version: "0.0.0",
  };
}

/** A source whose file grows while its events are read, so many times. */
function growing(source: SessionSource, times: number): SessionSource {
  let left = times;
  return {
    ...source,
    async *events(options): AsyncGenerator<readonly LogEvent[]> {
      yield* source.events(options);
      if (left-- > 0) Deno.writeTextFileSync(source.path, "\n", { append: true });
    },
  };
}

Deno.test("a session that grows while it is kept is kept once more, as it is then", async () => {
  await using home = new CliHome();
  const context = contextOf(home);
  const { ref, path } = keepPiSession(home);
  const source = growing(await openWhole(context, ref), 1);
  const { session_id, path: log, manifest } = await importSource(context, source, { keep: true });
  const copy = join(dirname(log), "source", manifest?.files[0]?.name ?? "");
  assert.deepEqual(Deno.readFileSync(copy), Deno.readFileSync(path));
  const found = findImports(home.store).get(ref);
  assert.deepEqual(found?.map((one) => one.session_id), [session_id]);
  assert.deepEqual(readManifest(dirname(log)), manifest);
});

Deno.test("a session that never stands still is not kept, and leaves nothing", async () => {
  await using home = new CliHome();
  const context = contextOf(home);
  const { ref } = keepPiSession(home);
  const source = await openWhole(context, ref);
  await assert.rejects(
    importSource(context, growing(source, 9), { keep: true }),
    (error) => error instanceof SessionError && /it changed while it was read/.test(error.message),
  );
  assert.equal(findImports(home.store).size, 0);
  // To import it, it need not stand still; the next import sees that it has grown.
  const first = await importSource(context, growing(source, 1));
  const second = await importSource(context, source);
  const third = await importSource(context, source);
  assert.deepEqual([first.status, second.status, third.status], [
    "imported",
    "imported",
    "unchanged",
  ]);
  assert.equal(second.earlier?.session_id, first.session_id);
  assert.equal(third.session_id, second.session_id);
});
