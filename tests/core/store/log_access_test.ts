import assert from "node:assert/strict";
import type { OpenLog } from "../../../lib/core/store/session_parts.ts";
import { Session } from "../../../lib/core/store/session.ts";
import { summary } from "../../../lib/core/projection/summary.ts";
import { assistant, user } from "../../_support/log_bytes.ts";
import { SessionError } from "../../../lib/core/event/session_error.ts";

const HEADER = { session_id: "s", created_at: "2026-11-21T20:21:53.123Z", cwd: "/" };

function codeIs(code: string): (error: unknown) => boolean {
  return (error) => error instanceof SessionError && error.code === code;
}

function none(): never {
  throw new Error("No session begins here");
}

/** A session whose log opens when the test says so. */
class SlowSession {
  readonly lines: string[] = [];
  is_locked = false;
  #opened = Promise.withResolvers<OpenLog>();
  readonly session: Session;

  constructor() {
    this.session = new Session({
      id: "s",
      path: "/none",
      durability: "boundary",
      now: () => new Date(),
      create: () => this.#opened.promise,
      header: HEADER,
      state: summary().initial(),
    }, { begin: none, resume: none, ended: () => {} });
  }

  open(): void {
    this.is_locked = true;
    const write = (lines: readonly Uint8Array[]): void => {
      for (const line of lines) this.lines.push(new TextDecoder().decode(line));
    };
    this.#opened.resolve({
      id: "s",
      path: "/none",
      named: Promise.resolve(),
      writer: { write, sync: () => Promise.resolve(), close: () => Promise.resolve() },
      lock: { release: () => void (this.is_locked = false) },
    });
  }

  refuse(): void {
    const refused = this.#opened;
    this.#opened = Promise.withResolvers();
    refused.reject(new SessionError("io", "no lock", {}));
  }

  kinds(): string[] {
    return this.lines.map((line) => JSON.parse(line).kind);
  }
}

Deno.test("appends that wait for the lock are written in the order of the calls", async () => {
  const slow = new SlowSession();
  const { session } = slow;
  await session.append({ kind: "session_renamed", payload: { title: "held" } });
  const payload = { content: "first" };
  const all = [
    session.append({ kind: "user_message", payload }),
    session.append({ kind: "session_renamed", payload: { title: "waits" } }),
    session.append(assistant("second")),
  ];
  payload.content = "changed by the caller";
  assert.equal(session.on_disk, false);
  slow.open();
  assert.deepEqual((await Promise.all(all)).map((one) => "seq" in one && one.seq), [3, 4, 5]);
  assert.deepEqual(slow.kinds(), [
    "session_started",
    "session_renamed",
    "user_message",
    "session_renamed",
    "assistant_message",
  ]);
  assert.match(slow.lines[2] ?? "", /"first"/);
});

Deno.test("finishing waits for the appends before it, and lets the lock go", async () => {
  const slow = new SlowSession();
  const append = slow.session.append(user("p"));
  const finish = slow.session.finish();
  await assert.rejects(slow.session.append(user("late")), codeIs("closed"));
  slow.open();
  await append;
  await finish;
  assert.deepEqual(slow.kinds().slice(1, 2), ["user_message"]);
  assert.equal(slow.kinds().at(-1), "session_closed");
  assert.equal(slow.is_locked, false);
});

Deno.test("a lock that cannot be taken refuses the append, and the next one tries again", async () => {
  const slow = new SlowSession();
  const refused = assert.rejects(slow.session.append(user("p")), codeIs("io"));
  slow.refuse();
  await refused;
  assert.equal(slow.session.degraded, true);
  const again = slow.session.append(user("q"));
  slow.open();
  assert.deepEqual(await again, { seq: 2, state: "synced" });
  assert.equal(slow.session.degraded, false);
});

Deno.test("an event that does not fit is refused before the lock is asked for", async () => {
  const slow = new SlowSession();
  const wrong = { kind: "user_message", payload: { content: 5 as unknown as string } } as const;
  await assert.rejects(slow.session.append(wrong), codeIs("invalid-event"));
  assert.equal(slow.session.on_disk, false);
});

Deno.test("a conversation includes the appends that wait before it", async () => {
  const slow = new SlowSession();
  const append = slow.session.append(user("p"));
  const synced = slow.session.sync();
  slow.open();
  await synced;
  assert.equal(slow.session.last_seq, 2);
  await append;
});
