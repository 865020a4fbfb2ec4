import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import type { LogEvent } from "../../../../lib/core/event/envelope.ts";
import { SessionError } from "../../../../lib/core/event/session_error.ts";
import { importHandle } from "../../../../lib/library/handle/import/import_handle.ts";
import { openLibrary } from "../../../../lib/library/library.ts";
import { openReader } from "../../../../lib/library/machine/registry.ts";
import { SessionHandle } from "../../../../lib/library/handle/session_handle.ts";
import { deriveReader } from "../../../../lib/agents/engine/session_reader.ts";
import { findImports } from "../../../../lib/core/store/import/find_imports.ts";
import { readManifest } from "../../../../lib/core/store/import/source_copy.ts";
import { openLocalStore } from "../../../../lib/core/store/open_store.ts";
import { keepPiSession } from "../../../commands/_pi_session.ts";
import { cliEnvironment } from "../../../_support/cli.ts";
import { type CliHome, inHome } from "../../../_support/cli_home.ts";

async function openIn(home: CliHome, ref: string): Promise<SessionHandle> {
  const env = cliEnvironment({ home: home.path });
  return await openLibrary({ variable: (name) => env[name], cwd: home.work }).open(ref);
}

/** A session whose file grows while its events are read, so many times. */
async function growing(
  { session }: SessionHandle,
  root: string,
  times: number,
): Promise<SessionHandle> {
  const reader = await openReader(session);
  let left = times;
  const open = deriveReader({
    summarize: (_, options) => reader.summarize(options),
    async *read({ path }, options): AsyncGenerator<readonly LogEvent[]> {
      yield* reader.read(options);
      if (left-- > 0) Deno.writeTextFileSync(path, "\n", { append: true });
    },
  });
  return new SessionHandle(open(session), root);
}

inHome.test("a session that grows during a backup is backed up once more, as it is then", async (home) => {
  const { ref, path } = keepPiSession(home);
  const store = openLocalStore({ root: home.store });
  const session = await growing(await openIn(home, ref), home.store, 1);
  const { session_id, path: log, manifest } = await importHandle(store, session, { backup: true });
  const copy = join(dirname(log), "source", manifest?.files[0]?.name ?? "");
  assert.deepEqual(Deno.readFileSync(copy), Deno.readFileSync(path));
  const found = findImports(home.store).get(ref);
  assert.deepEqual(found?.map((one) => one.session_id), [session_id]);
  assert.deepEqual(readManifest(dirname(log)), manifest);
});

inHome.test("a session that never stops growing is not backed up, and leaves nothing", async (home) => {
  const { ref } = keepPiSession(home);
  const store = openLocalStore({ root: home.store });
  const session = await openIn(home, ref);
  await assert.rejects(
    importHandle(store, await growing(session, home.store, 9), { backup: true }),
    (error) =>
      error instanceof SessionError && /the file changed while it was read/.test(error.message),
  );
  assert.equal(findImports(home.store).size, 0);
  // To import it, it need not stand still; the next import sees that it has grown.
  const first = await importHandle(store, await growing(session, home.store, 1));
  const second = await importHandle(store, session);
  const third = await importHandle(store, session);
  assert.deepEqual([first.status, second.status, third.status], [
    "imported",
    "imported",
    "unchanged",
  ]);
  assert.equal(second.earlier?.session_id, first.session_id);
  assert.equal(third.session_id, second.session_id);
});
