import assert from "node:assert/strict";
import type { Keeping } from "../../../lib/features/backup/keep_session.ts";
import {
  isCaughtUp,
  isWorthALook,
  newAgenda,
  nextStep,
  nextTime,
  noteEvent,
  type WatchAgenda,
  type WatchStep,
} from "../../../lib/features/backup/watch_agenda.ts";
import type { WatchedSession } from "../../../lib/features/backup/watched_sessions.ts";

const QUIET = { is_polled: false, databases_at: Infinity };

/** An agenda whose first look is over. */
function checked(): WatchAgenda {
  const agenda = newAgenda();
  noteEvent(agenda, { kind: "checked", began: 0 }, 0);
  return agenda;
}

function session(id: string): WatchedSession {
  return {
    ...{ session: { agent: "claude", id, path: `/${id}` }, folder: id, files: undefined },
    ...{ stamp: 0, mended: false, gone: false, failures: 0, compared_ms: 0 },
  };
}

function step(agenda: WatchAgenda, now: number): WatchStep | undefined {
  return nextStep(agenda, QUIET, now);
}

Deno.test("many notices at once are a burst, as many one after the other are none", () => {
  const agenda = checked();
  const notice = (agent: "claude" | "pi", now: number): boolean => {
    noteEvent(agenda, { kind: "notice", agent }, now);
    return agenda.look.has(agent);
  };
  const slow = Array.from({ length: 20 }, (_, index) => notice("claude", index * 100));
  assert.ok(slow.every((is) => !is));
  const fast = Array.from({ length: 20 }, () => notice("claude", 5000));
  assert.deepEqual([fast[0], fast.at(-1), notice("pi", 5000)], [false, true, false]);
  assert.deepEqual(step(agenda, 5499), undefined);
  assert.deepEqual(step(agenda, 5500), { kind: "look", agents: ["claude"] });
});

Deno.test("everything is looked at first, and once a minute", () => {
  const agenda = newAgenda();
  assert.deepEqual(step(agenda, 1), { kind: "check" });
  noteEvent(agenda, { kind: "checked", began: 1 }, 2);
  assert.deepEqual([step(agenda, 3), nextTime(agenda, QUIET)], [undefined, 60_002]);
  noteEvent(agenda, { kind: "checked", began: 0 }, 10_000);
  assert.equal(nextTime(agenda, QUIET), 210_000);
});

Deno.test("changed sessions go before the backlog, and databases are last", () => {
  const [changed, compared, ...there] = Array.from({ length: 12 }, (_, n) => session(`${n}`));
  assert.ok(changed && compared);
  const agenda = checked();
  for (const one of there) noteEvent(agenda, { kind: "found", session: one }, 1);
  agenda.compare.set(compared, 1);
  noteEvent(agenda, { kind: "changed", session: changed }, 1);
  noteEvent(agenda, { kind: "looked", agents: ["pi"], began: 1 }, 1);
  const steps: unknown[] = [];
  for (let round = 0; round < 6; round++) {
    const next = nextStep(agenda, { is_polled: false, databases_at: 1 }, 1);
    steps.push([next?.kind, next && "sessions" in next ? next.sessions.length : 0]);
  }
  assert.deepEqual(steps, [
    ...[["locate", 0], ["keep", 1], ["compare", 1]],
    ...[["catch-up", 8], ["catch-up", 2], ["databases", 0]],
  ]);
});

Deno.test("sessions without notices are polled each second", () => {
  const agenda = checked();
  const facts = { ...QUIET, is_polled: true };
  assert.deepEqual(nextStep(agenda, facts, 1), { kind: "poll" });
  noteEvent(agenda, { kind: "polled", began: 1 }, 1);
  assert.deepEqual([nextStep(agenda, facts, 1000), nextTime(agenda, facts)], [undefined, 1001]);
});

Deno.test("changes of a moment are kept in one go, at the time of the first", () => {
  const agenda = checked();
  const one = session("a");
  for (const now of [100, 200, 300]) noteEvent(agenda, { kind: "changing", session: one }, now);
  assert.equal(step(agenda, 349), undefined);
  assert.deepEqual(step(agenda, 350), { kind: "keep", sessions: [one] });
  assert.equal(step(agenda, 999), undefined);
});

Deno.test("a session that grew is compared once it is quiet, and each change puts that off", () => {
  const agenda = checked();
  const one = { ...session("a"), compared_ms: 100 };
  const keeping = { added: 5, more: false } as Keeping;
  const how = { thorough: false, sync: false };
  for (const now of [0, 500]) noteEvent(agenda, { kind: "kept", session: one, keeping, how }, now);
  assert.deepEqual([step(agenda, 2499), nextTime(agenda, QUIET)], [undefined, 2500]);
  assert.deepEqual(step(agenda, 2500), { kind: "compare", sessions: [one] });
  const thorough = { thorough: true, sync: true };
  noteEvent(agenda, { kind: "kept", session: one, keeping, how: thorough }, 2600);
  assert.equal(agenda.compare.size, 0);
});

Deno.test("a session with more bytes is kept again at once", () => {
  const agenda = checked();
  const one = session("a");
  const how = { thorough: false, sync: true };
  const keeping = { added: 5, more: true } as Keeping;
  noteEvent(agenda, { kind: "kept", session: one, keeping, how }, 10);
  assert.deepEqual(step(agenda, 10), { kind: "keep", sessions: [one] });
  noteEvent(agenda, { kind: "kept", session: one, keeping: { ...keeping, added: 0 }, how }, 10);
  assert.equal(nextTime(agenda, QUIET), 260);
});

Deno.test("failures are tried again, twice as late each time, and once a minute at last", () => {
  const waits = [0, 1, 4, 5, 20].map((before) => {
    const agenda = checked();
    noteEvent(agenda, { kind: "failed", session: session("a"), before }, 0);
    return nextTime(agenda, QUIET);
  });
  assert.deepEqual(waits, [2000, 4000, 32_000, 60_000, 60_000]);
});

Deno.test("a file without a session is looked at, the longer the rarer", () => {
  const agenda = checked();
  const looks = [0, 499, 500, 1499, 1500, 3499, 3500].map((now) => isWorthALook(agenda, "/a", now));
  assert.deepEqual(looks, [true, false, true, false, true, false, true]);
  const around = [session("a")];
  noteEvent(agenda, { kind: "stranger", agent: "claude", around }, 0);
  assert.deepEqual(step(agenda, 250), { kind: "locate", agents: ["claude"] });
  assert.deepEqual(step(agenda, 250), { kind: "keep", sessions: around });
});

Deno.test("a watch is caught up once all was tried, also where a session fails again and again", () => {
  const agenda = checked();
  const one = session("a");
  noteEvent(agenda, { kind: "found", session: one }, 0);
  assert.equal(isCaughtUp(agenda), false);
  assert.deepEqual(step(agenda, 0), { kind: "catch-up", sessions: [one] });
  noteEvent(agenda, { kind: "failed", session: one, before: one.failures++ }, 0);
  assert.equal(isCaughtUp(agenda), true);
  noteEvent(agenda, { kind: "changed", session: session("b") }, 0);
  assert.equal(isCaughtUp(agenda), false);
});
