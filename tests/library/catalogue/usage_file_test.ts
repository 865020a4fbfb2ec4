import assert from "node:assert/strict";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { forgetSessions } from "../../../lib/library/catalogue/forget_sessions.ts";
import { sessionDigest } from "../../../lib/library/catalogue/session_key.ts";
import { lookAtSession } from "../../../lib/library/catalogue/session_state.ts";
import { UsageFile, usagePath } from "../../../lib/library/catalogue/usage_file.ts";
import type { PackedUsage } from "../../../lib/library/usage/packed_usage.ts";
import type { AgentSession } from "../../../lib/source/agent.ts";
import { LATER, makeSession } from "../../_support/catalogued.ts";
import { mulberry32 } from "../../_support/mulberry32.ts";
import { withDirectory } from "../../_support/temp_directory.ts";
import { ALL_TORTURE } from "../../_support/torture.ts";

const FIELDS = 12;

/** Responses that tell whose they are. */
function usageOf({ id }: AgentSession, responses = id.length): PackedUsage {
  return {
    models: [`model of ${id}`, "日本"],
    threads: ["", "side"],
    rows: Uint32Array.from(
      { length: responses * FIELDS },
      (_, at) => (at * 2654435761 + id.length) >>> 0,
    ),
    work: { tools: [[id, 900, 2, 1]], files: [] },
    costs: Float64Array.from({ length: id.length % 2 === 0 ? 0 : responses }, (_, at) => at / 7),
  };
}

function keep(root: string, sessions: readonly AgentSession[], version = ""): void {
  const file = new UsageFile({ folder: root, version, now: LATER });
  for (const session of sessions) {
    const read = { files: [session.path], state: lookAtSession(session) };
    file.put(session, read, usageOf(session));
  }
  file.save();
}

function known(root: string, sessions: readonly AgentSession[]): (PackedUsage | undefined)[] {
  const file = new UsageFile({ folder: root });
  return sessions.map((session) => {
    const found = file.find(session, lookAtSession(session));
    assert.deepEqual(file.findWork(session), found?.work);
    return found;
  });
}

async function withSessions(
  ids: readonly string[],
  test: (root: string, sessions: AgentSession[]) => void,
): Promise<void> {
  await withDirectory((directory) => {
    const root = join(directory, "store");
    Deno.mkdirSync(root);
    test(root, ids.map((id) => makeSession(directory, id)));
  });
}

const IDS = ["a", "bb", "ccc", "dddd"];

Deno.test("UsageFile returns cached usage, and appends new usage", async () => {
  await withSessions(IDS, (root, sessions) => {
    const [first, ...others] = sessions;
    assert.ok(first);
    keep(root, [first]);
    const before = Deno.readFileSync(usagePath(root));
    keep(root, others);
    assert.deepEqual(known(root, sessions), sessions.map((session) => usageOf(session)));
    const bytes = Deno.readFileSync(usagePath(root));
    assert.deepEqual(bytes.subarray(0, before.length), before);
    if (Deno.build.os === "windows") return;
    assert.equal((Deno.statSync(usagePath(root)).mode ?? 0) & 0o777, 0o600);
  });
});

Deno.test("UsageFile does not know a session that changed, and forgets what does not count", async () => {
  await withSessions(IDS, (root, sessions) => {
    keep(root, sessions);
    const { size } = Deno.statSync(usagePath(root));
    for (let round = 0; round < 6; round++) {
      for (const { path } of sessions) Deno.writeTextFileSync(path, "more\n", { append: true });
      assert.deepEqual(known(root, sessions), IDS.map(() => undefined));
      keep(root, sessions);
      assert.deepEqual(known(root, sessions), sessions.map((session) => usageOf(session)));
      assert.ok(Deno.statSync(usagePath(root)).size <= 2 * size);
    }
  });
});

Deno.test("UsageFile gives no usage of a session whose key has the same digest", async () => {
  await withSessions(["a"], (root, [session]) => {
    assert.ok(session);
    keep(root, [session]);
    // Both are in one file, so that their states are the same.
    const other = { ...session, id: "b" };
    const [head, line = ""] = Deno.readTextFileSync(usagePath(root)).split("\n");
    const rest = line.slice(8).replace(`${sessionDigest(session)}`, `${sessionDigest(other)}`);
    const crc = crc32(rest).toString(16).padStart(8, "0");
    Deno.writeTextFileSync(usagePath(root), `${head}\n${crc}${rest}\n`);
    assert.deepEqual(known(root, [other]), [undefined]);
  });
});

Deno.test("UsageFile drops sessions that are gone when it is written anew", async () => {
  await withSessions(["gone", "kept"], (root, sessions) => {
    const [gone, kept] = sessions;
    assert.ok(gone && kept);
    keep(root, sessions);
    Deno.removeSync(gone.path);
    for (let round = 0; round < 3; round++) {
      Deno.writeTextFileSync(kept.path, "more\n", { append: true });
      keep(root, [kept]);
    }
    const text = new TextDecoder().decode(Deno.readFileSync(usagePath(root)));
    assert.ok(!text.includes("gone") && text.includes("model of kept"));
  });
});

Deno.test("UsageFile of another version is made anew", async () => {
  await withSessions(IDS, (root, sessions) => {
    keep(root, sessions, "1");
    assert.deepEqual(known(root, sessions), IDS.map(() => undefined));
    keep(root, sessions);
    assert.deepEqual(known(root, sessions), sessions.map((session) => usageOf(session)));
  });
});

Deno.test("forgetSessions removes the responses of a session too", async () => {
  await withSessions(["secret", "b"], (root, sessions) => {
    keep(root, sessions);
    forgetSessions({ folder: root }, "claude", ["secret"]);
    const [secret, other] = known(root, sessions);
    assert.deepEqual([secret, other?.models[0]], [undefined, "model of b"]);
    const text = new TextDecoder().decode(Deno.readFileSync(usagePath(root)));
    assert.ok(!text.includes("secret"));
  });
});

Deno.test("a flipped bit or a cut in the file of usage never gives wrong responses", async () => {
  await withSessions(IDS.slice(0, 2), (root, sessions) => {
    keep(root, sessions);
    const bytes = Deno.readFileSync(usagePath(root));
    const right = sessions.map((session) => usageOf(session));
    const random = mulberry32(3);
    for (const [at, byte] of bytes.entries()) {
      // Each border of a line and of its parts, and some bytes of each.
      if (!ALL_TORTURE && at % 4 > 0 && byte > 0x20) continue;
      const flipped = bytes.slice();
      flipped[at] = (flipped[at] ?? 0) ^ (1 << Math.floor(random() * 8));
      for (const damaged of [flipped, bytes.subarray(0, at)]) {
        Deno.writeFileSync(usagePath(root), damaged);
        const found = known(root, sessions);
        assert.ok(found.includes(undefined));
        for (const [index, usage] of found.entries()) {
          if (usage !== undefined) assert.deepEqual(usage, right[index]);
        }
      }
    }
    keep(root, sessions.slice(0, 1));
    assert.deepEqual(known(root, sessions.slice(0, 1)), right.slice(0, 1));
  });
});

Deno.test("a damaged line costs its own session alone, and is kept again", async () => {
  await withSessions(IDS, (root, sessions) => {
    const [first, ...others] = sessions;
    assert.ok(first);
    keep(root, [first]);
    const { size } = Deno.statSync(usagePath(root));
    keep(root, others);
    const bytes = Deno.readFileSync(usagePath(root));
    bytes[size - 9] = (bytes[size - 9] ?? 0) ^ 1;
    Deno.writeFileSync(usagePath(root), bytes);
    const right = sessions.map((session) => usageOf(session));
    assert.deepEqual(known(root, sessions), [undefined, ...right.slice(1)]);
    keep(root, [first]);
    assert.deepEqual(known(root, sessions), right);
  });
});
