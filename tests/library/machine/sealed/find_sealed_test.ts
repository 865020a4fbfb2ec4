import assert from "node:assert/strict";
import { join } from "node:path";
import type { LogEvent } from "../../../../lib/core/event/envelope.ts";
import type { Message } from "../../../../lib/core/event/message.ts";
import type { Diagnostic } from "../../../../lib/core/log/diagnostic.ts";
import { openLibrary } from "../../../../lib/library/library.ts";
import type { SealedFile } from "../../../../lib/library/machine/sealed/find_sealed.ts";
import type { SessionHandle } from "../../../../lib/library/handle/session_handle.ts";
import { makeIdentity, recipientOf } from "../../../../lib/text/seal/keys.ts";
import { sealBytes, type SealTarget } from "../../../../lib/text/seal/seal.ts";
import { roundsOf } from "../../../_support/few_rounds.ts";
import { logOf } from "../../../_support/log_bytes.ts";
import { mulberry32 } from "../../../_support/mulberry32.ts";
import { inDirectory, withDirectory } from "../../../_support/temp_directory.ts";

const identity = await makeIdentity();
const identities = [identity];
const to: SealTarget = { recipients: [await recipientOf(identity)] };
const ID = "aaaa0000-0000-4000-8000-000000000000";

const LOG = logOf([
  {
    kind: "session_started",
    payload: { session_id: ID, created_at: "2026-11-21T20:21:53.000Z", cwd: "/work", title: "A" },
  },
  ...Array.from({ length: 40 }, (_, index) => ({
    kind: "user_message" as const,
    payload: { content: `${index} `.repeat(1500) },
  })),
]);

/** Puts bytes into a file, encrypted, and beside it the plain ones. */
async function keepSealed(directory: string, bytes = LOG, target = to): Promise<string> {
  const path = join(directory, "F.age");
  Deno.writeFileSync(join(directory, "plain.jsonl"), bytes);
  Deno.writeFileSync(path, await sealBytes(bytes, target));
  return path;
}

function libraryIn(directory: string): ReturnType<typeof openLibrary> {
  const variable = (name: string): string | undefined => name === "HOME" ? directory : undefined;
  return openLibrary({ root: join(directory, "store"), variable });
}

async function seqs(session: SessionHandle): Promise<number[]> {
  const found: number[] = [];
  for await (const events of session.events()) found.push(...events.map(({ seq }) => seq));
  return found;
}

inDirectory.test("an encrypted log is the session that its plain log is", async (directory) => {
  const path = await keepSealed(directory);
  const library = libraryIn(directory);
  const plain = await library.open(join(directory, "plain.jsonl"));
  const sealed = await library.open(path, { keys: { identities } });
  assert.deepEqual([sealed.id, sealed.agent, sealed.ref], [ID, "reprise", path]);
  assert.deepEqual(await seqs(sealed), await seqs(plain));
  assert.deepEqual(await sealed.conversation(), await plain.conversation());
  assert.deepEqual(await sealed.verify(() => {}), await plain.verify(() => {}));
  const { path: _, bytes: _bytes, ref: _ref, status: _status, ...row } = await sealed.summary();
  const { path: _1, bytes: _2, ref: _3, status: _4, ...other } = await plain.summary({
    exact: true,
  });
  assert.deepEqual(row, other);
  const bytes: Uint8Array[] = [];
  for await (const chunk of sealed.bytes()) bytes.push(chunk.slice());
  assert.deepEqual(new Uint8Array(bytes.flatMap((chunk) => [...chunk])), LOG);
  assert.deepEqual([sealed.log, sealed.writable, sealed.has_tail], [undefined, false, false]);
  assert.deepEqual(await sealed.files(), []);
});

inDirectory.test("keys are asked for once, and only where a file is encrypted", async (directory) => {
  const path = await keepSealed(directory);
  const asked: SealedFile[] = [];
  const keys = (file: SealedFile): { identities: string[] } => {
    asked.push(file);
    return { identities };
  };
  const library = libraryIn(directory);
  await library.open(join(directory, "plain.jsonl"), { keys });
  assert.deepEqual(asked, []);
  const session = await library.open(path, { keys });
  assert.equal((await seqs(session)).length, 41);
  assert.deepEqual(asked, [{ path, passphrase: false }]);
});

inDirectory.test("a passphrase is asked for once, and opens a log as often as it is read", async (directory) => {
  const path = await keepSealed(directory, LOG, { passphrase: "a b", work_factor: 10 });
  const asked: boolean[] = [];
  const library = libraryIn(directory);
  const session = await library.open(path, {
    keys: ({ passphrase }) => {
      asked.push(passphrase);
      return { passphrase: "a b" };
    },
  });
  for (let round = 0; round < 3; round++) assert.equal((await seqs(session)).length, 41);
  assert.deepEqual(asked, [true]);
  await assert.rejects(library.open(path, { keys: { passphrase: "c" } }), { code: "encrypted" });
});

inDirectory.test("without a key that fits, nothing is opened", async (directory) => {
  const path = await keepSealed(directory);
  const library = libraryIn(directory);
  await assert.rejects(library.open(path), {
    code: "encrypted",
    message:
      `Cannot decrypt: the file is encrypted; give --identity FILE, or set REPRISE_IDENTITY: ${path}`,
  });
  await assert.rejects(library.open(path, { keys: { identities: [await makeIdentity()] } }), {
    code: "encrypted",
    message:
      `Cannot decrypt: the file is encrypted for another key, so this identity (private key) cannot decrypt it: ${path}`,
  });
});

inDirectory.test("a log that was cut off is never taken for a whole one", async (directory) => {
  const path = await keepSealed(directory);
  const sealed = Deno.readFileSync(path);
  const library = libraryIn(directory);
  const random = mulberry32(14);
  for (let round = 0; round < roundsOf(40); round++) {
    const cut = Math.floor(random() * (sealed.length - 22)) + 22;
    Deno.writeFileSync(path, sealed.subarray(0, cut));
    const reading = async (): Promise<unknown> =>
      await seqs(await library.open(path, { keys: { identities } }));
    // A beginning of the first line is no age file yet.
    const code = cut < 34 ? /damaged|unsupported-source/ : /damaged/;
    await assert.rejects(reading(), (error: { code?: string }) => code.test(error.code ?? ""));
  }
});

inDirectory.test("an encrypted file that holds no log says what it holds, and how to decrypt it", async (directory) => {
  const claude = new URL("../../../../testdata/agents/claude/branches.jsonl", import.meta.url);
  const contents: Record<string, string> = {
    "an HTML document": "<!DOCTYPE html>\n<html>",
    "a Markdown document": "# The talk\n\nHello",
    "a JSON export": '{"summary":{"session_id":"s1"},"events":[]}',
    "a file of Claude Code": Deno.readTextFileSync(claude),
    "data of an unknown kind": "Hello\n",
    "nothing": "",
  };
  const library = libraryIn(directory);
  for (const [what, text] of Object.entries(contents)) {
    const path = await keepSealed(directory, new TextEncoder().encode(text));
    await assert.rejects(library.open(path, { keys: { identities } }), {
      code: "unsupported-source",
      message: `Cannot read session: the encrypted file contains ${what}, not a session log. ` +
        `To decrypt the file: age -d -i KEYFILE -o FILE ${path}`,
    });
  }
});

/** All that is read of a session, or the code of the error that stops it. */
async function allOf(open: () => Promise<SessionHandle>): Promise<unknown> {
  const found: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic): void => void found.push(diagnostic);
  try {
    const session = await open();
    const events: LogEvent[] = [];
    for await (const batch of session.events({ report })) events.push(...batch);
    const messages: Message[] = [];
    for await (const batch of session.messages()) messages.push(...batch);
    const bare: Message[] = [];
    for await (const batch of session.messages({ tools: "omit" })) bare.push(...batch);
    const { messages: held } = await session.conversation();
    const account = await session.verify(report);
    return { id: session.id, events, messages, bare, held, account, found };
  } catch (error) {
    return (error as { code?: string }).code;
  }
}

// Slow: every log is encrypted.
Deno.test("every log of the test data is read encrypted as it is read plain", async () => {
  const folder = new URL("../../../../testdata/logs/", import.meta.url);
  await withDirectory(async (directory) => {
    const library = libraryIn(directory);
    let read = 0;
    const all = [...Deno.readDirSync(folder)].map(({ name }) => name).sort()
      .filter((name) => name.endsWith(".jsonl"));
    const names = all.filter((_, index) => index % (all.length / roundsOf(all.length)) < 1);
    for (const name of names) {
      const path = await keepSealed(directory, Deno.readFileSync(new URL(name, folder)));
      const plain = join(directory, "plain.jsonl");
      const expected = await allOf(() => library.open(plain));
      const sealed = await allOf(() => library.open(path, { keys: { identities } }));
      // Without a head, an id is the name of its file.
      const named = JSON.stringify(sealed).replaceAll("F.age", "plain.jsonl");
      assert.equal(named, JSON.stringify(expected), name);
      read += Number(typeof sealed === "object");
    }
    assert.ok(read > 0.7 * names.length, `${read}`);
  });
});
