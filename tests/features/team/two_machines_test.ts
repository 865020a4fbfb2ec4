import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { dirname, join } from "node:path";
import { acquireLock, type SessionLock } from "../../../lib/core/log/session_lock.ts";
import { makeIdentity, recipientOf } from "../../../lib/text/seal/mod.ts";
import { appendMark, readMarks } from "../../../lib/core/store/marks.ts";
import { sharedIn } from "../../../lib/features/team/state/sync_state.ts";
import { syncStatus } from "../../../lib/features/team/sync_status.ts";
import type { TeamStore } from "../../../lib/features/team/team_store.ts";
import { withdraw } from "../../../lib/features/team/withdraw.ts";
import { listed } from "../../_support/listed.ts";
import { runCli } from "../../_support/cli.ts";
import { countedCalls } from "../../_support/counted_calls.ts";
import { Machine, type MachineOptions } from "../../_support/machine.ts";
import { ObjectTeam } from "../../_support/folder_team.ts";
import { roundsOf } from "../../_support/few_rounds.ts";
import { mulberry32 } from "../../_support/mulberry32.ts";
import { withDirectory } from "../../_support/temp_directory.ts";
import { testsIn } from "../../_support/tests_in.ts";

const inPair = testsIn(withPair);

interface Pair {
  laptop: Machine;
  desktop: Machine;
  team: ObjectTeam;
}

function withPair(
  test: (pair: Pair) => Promise<void>,
  options: Partial<MachineOptions> = {},
): Promise<void> {
  return withDirectory(async (folder) => {
    const laptop = new Machine({ folder: join(folder, "laptop"), ...options });
    const desktop = new Machine({
      ...{ folder: join(folder, "desktop"), label: "desktop" },
      ...options,
    });
    await test({ laptop, desktop, team: await new ObjectTeam().init() });
  });
}

inPair.test("a session arrives on the other machine under its id, byte for byte", async ({ laptop, desktop, team }) => {
  const id = await laptop.write(["one", "two \0 \ud800"]);
  const pushed = await laptop.push(team.connect());
  assert.deepEqual([pushed.pushed, pushed.began, pushed.failed], [1, 1, []]);
  const pulled = await desktop.pull(team.connect());
  assert.deepEqual([pulled.adopted, pulled.failed], [[id], []]);
  assert.deepEqual(desktop.logs(), laptop.logs());
  const summary = await (await desktop.library.open(id)).summary();
  assert.equal(summary.title, "one");
});

inPair.test("a session that went on arrives as what follows, in both directions", async ({ laptop, desktop, team }) => {
  const id = await laptop.write(["one"]);
  await laptop.push(team.connect());
  await desktop.pull(team.connect());
  await desktop.continue(id, ["two"]);
  const pushed = await desktop.push(team.connect());
  assert.deepEqual([pushed.pushed, pushed.branches], [1, []]);
  const pulled = await laptop.pull(team.connect());
  assert.deepEqual([pulled.extended, pulled.adopted, pulled.mirrored], [[id], [], []]);
  assert.equal(laptop.log(id), desktop.log(id));
  const [branch, ...others] = await (await team.greeted()).branches();
  assert.deepEqual([branch?.n, others], [1, []]);
  assert.deepEqual(laptop.mirror().size, 0);
});

inPair.test("if both went on, both ends are kept, and nothing is lost", async ({ laptop, desktop, team }) => {
  const id = await laptop.write(["one"]);
  await laptop.push(team.connect());
  await desktop.pull(team.connect());
  await laptop.continue(id, ["on the laptop"]);
  await desktop.continue(id, ["on the desktop"]);
  const [onLaptop, onDesktop] = [laptop.log(id), desktop.log(id)];
  await laptop.push(team.connect());
  const pushed = await desktop.push(team.connect());
  assert.deepEqual(pushed.branches, [{ session: id, n: 2 }]);
  const atLaptop = await laptop.pull(team.connect());
  const atDesktop = await desktop.pull(team.connect());
  assert.deepEqual(atLaptop.diverged, [`team:${id}@2`]);
  assert.deepEqual(atDesktop.diverged, [`team:${id}`]);
  assert.deepEqual([laptop.log(id), desktop.log(id)], [onLaptop, onDesktop]);
  assert.deepEqual([...laptop.mirror()], [[`${id}@2`, onDesktop]]);
  assert.deepEqual([...desktop.mirror()], [[id, onLaptop]]);
  for (const machine of [laptop, desktop]) {
    const again = await machine.push(team.connect());
    assert.deepEqual([again.bytes, again.branches], [0, []]);
  }
});

// Slow: two machines push and pull for three rounds.
inPair.test("both ends go on after they diverged, each in its branch and its mirror", async ({ laptop, desktop, team }) => {
  const id = await laptop.write(["one"]);
  await laptop.push(team.connect());
  await desktop.pull(team.connect());
  await laptop.continue(id, ["on the laptop"]);
  await desktop.continue(id, ["on the desktop"]);
  for (let round = 0; round < 3; round++) {
    await laptop.push(team.connect());
    await desktop.push(team.connect());
    await laptop.pull(team.connect());
    await desktop.pull(team.connect());
    assert.deepEqual([...laptop.mirror()], [[`${id}@2`, desktop.log(id)]]);
    assert.deepEqual([...desktop.mirror()], [[id, laptop.log(id)]]);
    await laptop.continue(id, [`laptop ${round}`]);
    await desktop.continue(id, [`desktop ${round}`]);
  }
  assert.equal((await (await team.greeted()).branches({ sessions: [id] })).length, 2);
});

inPair.test("nothing new costs one question, and one new event three", async ({ laptop, team }) => {
  const id = await laptop.write(["one"]);
  await laptop.write(["another"]);
  await laptop.push(team.connect());
  const counted = countedCalls(team.connect());
  await laptop.push(counted.store);
  assert.deepEqual(counted.calls, ["hello"]);
  await laptop.continue(id, ["two"]);
  counted.calls.length = 0;
  await laptop.push(counted.store);
  // The last one looks at what the greeting listed, and asks nothing.
  assert.deepEqual(counted.calls, ["hello", "branches", "append", "deleteWithdrawn"]);
});

inPair.test("state that was deleted costs questions, and no bytes", async ({ laptop, desktop, team }) => {
  for (let count = 0; count < 5; count++) await laptop.write([`session ${count}`]);
  await laptop.push(team.connect());
  laptop.forget();
  const counted = countedCalls(team.connect());
  const pushed = await laptop.push(counted.store);
  assert.deepEqual([pushed.changed, pushed.bytes, pushed.branches], [5, 0, []]);
  assert.deepEqual(counted.calls, [
    ...["hello", "restore", "branches", "hashes", "deleteWithdrawn"],
  ]);
  await desktop.pull(team.connect());
  desktop.forget();
  const pulled = await desktop.pull(team.connect());
  assert.deepEqual([pulled.bytes, pulled.adopted, pulled.mirrored], [0, [], []]);
});

Deno.test("a copy comes into the mirror, and others' sessions too", () =>
  withPair(async ({ laptop, desktop, team }) => {
    const id = await laptop.write(["one", "password: hunter2-hunter2"]);
    await laptop.push(team.connect());
    const mine = await desktop.pull(team.connect());
    assert.deepEqual([mine.adopted, mine.mirrored], [[], [`team:${id}`]]);
    const others = await new Machine({ folder: join(desktop.root, "other") })
      .pull(team.connect("grace"));
    assert.deepEqual(others.mirrored, [`team:ada/${id}`]);
    const text = desktop.mirror().get(id) ?? "";
    assert.match(text, /\[redacted:password:1\]/);
    assert.doesNotMatch(text, /hunter2/);
    assert.equal(desktop.logs().size, 0);
  }, { form: "copy" }));

inPair.test("a session that was deleted here does not come back, but can be read", async ({ laptop, desktop, team }) => {
  const id = await laptop.write(["one"]);
  await laptop.push(team.connect());
  await desktop.pull(team.connect());
  await desktop.sessions.remove(id);
  await laptop.continue(id, ["two"]);
  await laptop.push(team.connect());
  const pulled = await desktop.pull(team.connect());
  assert.deepEqual([pulled.adopted, pulled.mirrored], [[], [`team:${id}`]]);
  assert.equal(desktop.mirror().get(id), laptop.log(id));
});

/** A store during whose answers something happens. */
function meanwhile(store: TeamStore, happens: () => Promise<void>): TeamStore {
  return new Proxy(store, {
    get(target, name): unknown {
      if (name === "segments") {
        return async function* (
          ...given: Parameters<TeamStore["segments"]>
        ): ReturnType<TeamStore["segments"]> {
          await happens();
          yield* target.segments(...given);
        };
      }
      const value = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

inPair.test("a log that somebody writes, or wrote meanwhile, gets nothing from a pull", async ({ laptop, desktop, team }) => {
  const id = await laptop.write(["one"]);
  await laptop.push(team.connect());
  await desktop.pull(team.connect());
  await laptop.continue(id, ["two"]);
  await laptop.push(team.connect());
  const before = desktop.log(id);
  const path = (await desktop.library.open(id)).session.path;
  const holder = { pid: 1, host: "elsewhere", since: "2026-11-21T20:21:50.002Z" };
  let lock: SessionLock | undefined;
  const held = await desktop.pull(meanwhile(team.connect(), async () => {
    lock ??= await acquireLock(dirname(path), holder);
  }));
  lock?.release();
  assert.deepEqual([held.busy, held.extended, desktop.log(id)], [[id], [], before]);
  const written = await desktop.pull(
    meanwhile(team.connect(), async () => {
      if (desktop.log(id) === before) await desktop.continue(id, ["mine"]);
    }),
  );
  assert.deepEqual([written.busy, written.extended], [[id], []]);
  assert.ok(desktop.log(id).startsWith(before) && !desktop.log(id).includes('"two"'));
  assert.deepEqual((await desktop.pull(team.connect())).diverged.length, 1);
});

inPair.test("a stopped push knows the sessions that the store answered for", async ({ laptop, team }) => {
  const noise = (): string => randomBytes(2_250_000).toString("base64");
  for (let made = 0; made < 3; made++) await laptop.write([noise()]);
  const stop = new AbortController();
  const onProgress = ({ done }: { done: number }): void => {
    if (done === 2) stop.abort();
  };
  const stopped = laptop.push(team.connect(), { signal: stop.signal, onProgress });
  await assert.rejects(stopped, { name: "AbortError" });
  const status = await syncStatus(laptop.library, team.connect(), laptop.settings);
  assert.equal(status.to_push.length, 2);
  const rest = await laptop.push(team.connect());
  assert.deepEqual([rest.changed, rest.failed], [2, []]);
  const known = await (await team.greeted()).branches();
  assert.deepEqual(known.map(({ n }) => n), [1, 1, 1]);
});

inPair.test("a withdrawn session is never pushed again", async ({ laptop, desktop, team }) => {
  const id = await laptop.write(["one"]);
  await laptop.push(team.connect());
  await desktop.pull(team.connect());
  assert.equal(await (await team.greeted()).withdraw(id), true);
  await laptop.continue(id, ["two"]);
  const pushed = await laptop.push(team.connect());
  assert.deepEqual([pushed.withdrawn, pushed.bytes], [[id], 0]);
  await desktop.continue(id, ["three"]);
  assert.deepEqual((await desktop.push(team.connect())).withdrawn, [id]);
  const counted = countedCalls(team.connect());
  await laptop.push(counted.store);
  assert.deepEqual(counted.calls, ["hello"]);
});

inPair.test("a session keeps the form in which it is shared", async ({ laptop, team }) => {
  const id = await laptop.write(["one"]);
  await laptop.push(team.connect());
  const [project] = laptop.settings.projects;
  assert.ok(project);
  project.form = "copy";
  const pushed = await laptop.push(team.connect());
  const shared = { project: "example.org/app", form: "log", visible: "team" };
  assert.deepEqual(pushed.other_terms, [{
    session: id,
    shared,
    wanted: { ...shared, form: "copy" },
  }]);
  assert.equal(pushed.bytes, 0);
  assert.deepEqual((await laptop.push(team.connect())).other_terms, []);
});

inPair.test("a directory that is added twice in different forms is refused in one line", async ({ laptop, team }) => {
  const [project] = laptop.settings.projects;
  assert.ok(project);
  laptop.settings.projects.push({ ...project, form: "copy" });
  await assert.rejects(laptop.push(team.connect()), {
    code: "invalid-config",
    message:
      /added twice, to project example.org\/app \(as log\) and to project example.org\/app \(as copy\)/,
  });
});

inPair.test("sessions of other directories do not leave", async ({ laptop, team }) => {
  await laptop.write(["secret"], laptop.root);
  const inside = await laptop.write(["one"], join(laptop.directory, "below"));
  await laptop.push(team.connect());
  const there = await (await team.greeted()).branches();
  assert.deepEqual(there.map(({ session }) => session), [inside]);
});

Deno.test("pulled sessions of Windows, and of a whole drive, belong to the project here", async () => {
  for (const from of ["C:\\work\\app", "/", "C:\\"]) {
    await withPair(async ({ laptop, desktop, team }) => {
      const [project] = laptop.settings.projects;
      assert.ok(project);
      project.directory = from;
      const whole = from.length < 4;
      const ids = [await laptop.write(["one"], from)];
      if (!whole) ids.push(await laptop.write(["two"], `${from.toLowerCase()}\\pkg`));
      await laptop.push(team.connect());
      // No other session of the drive moves.
      const { relinked } = await desktop.pull(team.connect());
      assert.deepEqual(relinked, whole ? [] : [{ from, to: desktop.directory }]);
      await desktop.write(["of another project"], join(desktop.root, "other"));
      const rows = await listed(desktop.library, { directories: [desktop.directory] });
      assert.deepEqual(new Set(rows.map(({ ref }) => ref)), new Set(ids));
      if (!whole) assert.ok(rows.some(({ cwd }) => cwd === join(desktop.directory, "pkg")));
    });
  }
});

inPair.test("pulled sessions belong to the project's directory here", async ({ laptop, desktop, team }) => {
  const elsewhere = join(laptop.root, "gone", "app");
  const [project] = laptop.settings.projects;
  assert.ok(project);
  project.directory = elsewhere;
  const id = await laptop.write(["one"], elsewhere);
  const below = await laptop.write(["two"], join(elsewhere, "pkg"));
  await laptop.push(team.connect());
  const pulled = await desktop.pull(team.connect());
  assert.deepEqual(pulled.relinked, [{ from: elsewhere, to: desktop.directory }]);
  const rows = await listed(desktop.library, { directories: [desktop.directory] });
  assert.deepEqual(new Set(rows.map(({ ref }) => ref)), new Set([id, below]));
  await desktop.continue(id, ["on the desktop"]);
  assert.equal((await desktop.push(team.connect())).pushed, 1);
  await laptop.pull(team.connect());
  assert.equal(laptop.log(id), desktop.log(id));
  const later = await laptop.write(["three"], elsewhere);
  await laptop.push(team.connect());
  await desktop.pull(team.connect());
  const now = await listed(desktop.library, { directories: [desktop.directory] });
  assert.ok(now.some(({ ref }) => ref === later));
});

inPair.test("status tells what a push and a pull would do, and where both went on", async ({ laptop, desktop, team }) => {
  const id = await laptop.write(["one"]);
  await laptop.push(team.connect());
  await desktop.pull(team.connect());
  const pulled = await syncStatus(desktop.library, team.connect(), desktop.settings);
  assert.deepEqual([pulled.sessions, pulled.to_push], [1, []]);
  await laptop.continue(id, ["on the laptop"]);
  await desktop.continue(id, ["on the desktop", "and more"]);
  const gone_on = await syncStatus(desktop.library, team.connect(), desktop.settings);
  assert.deepEqual(gone_on.to_push, [id]);
  const waiting = await syncStatus(laptop.library, team.connect(), laptop.settings);
  assert.deepEqual([waiting.to_push, waiting.to_pull, waiting.diverged], [[id], [], []]);
  await desktop.push(team.connect());
  const ahead = await syncStatus(laptop.library, team.connect(), laptop.settings);
  assert.deepEqual([ahead.to_push, ahead.to_pull], [[id], [`team:${id}`]]);
  await laptop.push(team.connect());
  const diverged = await syncStatus(laptop.library, team.connect(), laptop.settings);
  assert.deepEqual(diverged.diverged, [{
    session: id,
    here: { ref: id, device: "laptop", last_seq: 7 },
    others: [{ ref: `team:${id}`, device: "laptop", last_seq: 8 }],
  }]);
  await desktop.pull(team.connect());
  const [there] = (await syncStatus(desktop.library, team.connect(), desktop.settings)).diverged;
  assert.deepEqual(there?.others, [{ ref: `team:${id}@2`, device: "laptop", last_seq: 7 }]);
});

inPair.test("a withdrawn session is forgotten there, and told on every machine", async ({ laptop, desktop, team }) => {
  const id = await laptop.write(["one"]);
  await laptop.push(team.connect());
  await desktop.pull(team.connect());
  assert.deepEqual(sharedIn(laptop.root, id).map(({ form }) => form), ["log"]);
  await withdraw(laptop.library, team.connect(), laptop.settings, id);
  assert.deepEqual(sharedIn(laptop.root, id), []);
  assert.deepEqual(await (await team.greeted()).branches(), []);
  const status = await syncStatus(laptop.library, team.connect(), laptop.settings);
  assert.deepEqual([status.withdrawn, status.to_push, status.sessions], [[id], [], 0]);
  const there = await syncStatus(desktop.library, team.connect(), desktop.settings);
  assert.deepEqual([there.withdrawn, there.to_push, there.sessions], [[id], [], 0]);
  await assert.rejects(withdraw(laptop.library, team.connect(), laptop.settings, "none"), {
    code: "not-found",
  });
});

inPair.test("titles and archive flags travel, the latest wins on both machines", async ({ laptop, desktop, team }) => {
  const id = await laptop.write(["one"]);
  const other = await laptop.write(["elsewhere"], laptop.root);
  appendMark(laptop.root, { ref: id, title: "From the laptop", time: at(1) });
  appendMark(laptop.root, { ref: other, title: "Nobody's business", time: at(1) });
  appendMark(laptop.root, { ref: id, relinked: laptop.directory, time: at(1) });
  assert.equal((await laptop.push(team.connect())).marks, 1);
  assert.equal((await desktop.pull(team.connect())).marks, 1);
  assert.equal(readMarks(desktop.root).get(id)?.title?.value, "From the laptop");
  assert.equal(readMarks(desktop.root).get(id)?.relinked, undefined);
  appendMark(desktop.root, { ref: id, title: "From the desktop", time: at(0) });
  appendMark(desktop.root, { ref: id, archived: true, time: at(2) });
  assert.equal((await desktop.push(team.connect())).marks, 2);
  assert.equal((await laptop.pull(team.connect())).marks, 2);
  for (const { root } of [laptop, desktop]) {
    const { title, archived } = readMarks(root).get(id) ?? {};
    assert.deepEqual([title?.value, archived?.value], ["From the desktop", true]);
  }
  const { marks } = await (await team.greeted()).marks(0);
  assert.deepEqual(marks.map(({ ref }) => ref), [id, id]);
  const counted = countedCalls(team.connect());
  assert.equal((await laptop.push(counted.store)).marks, 0);
  assert.equal((await laptop.pull(team.connect())).marks, 0);
  assert.deepEqual(counted.calls, ["hello"]);
});

inPair.test("two titles of one shared log give it no second end", async ({ laptop, desktop, team }) => {
  const id = await laptop.write(["one"]);
  await laptop.push(team.connect());
  await desktop.pull(team.connect());
  const before = laptop.log(id);
  for (const machine of [laptop, desktop]) {
    const { status } = await runCli(["rename", id, `From ${machine.settings.device.label}`], {
      home: machine.directory,
      env: { REPRISE_HOME: machine.root },
    });
    assert.equal(status, 0);
    await machine.push(team.connect());
  }
  await laptop.pull(team.connect());
  for (const machine of [laptop, desktop]) {
    assert.equal(machine.log(id), before);
    const { title } = await (await machine.library.open(id)).summary();
    assert.equal(title, "From desktop");
  }
  assert.equal((await (await team.greeted()).branches({ sessions: [id] })).length, 1);
});

inPair.test("a title of a clock that is ahead can be replaced at once", async ({ laptop, desktop, team }) => {
  const id = await laptop.write(["one"]);
  await laptop.push(team.connect());
  await desktop.pull(team.connect());
  const ahead = new Date(Date.now() + 4 * 60_000).toISOString();
  appendMark(laptop.root, { ref: id, title: "Ahead", time: ahead });
  await laptop.push(team.connect());
  await desktop.pull(team.connect());
  await desktop.sessions.rename(id, "Now");
  const row = await (await desktop.library.open(id)).summary();
  assert.equal(row.title, "Now");
});

Deno.test("no title of a sealed session leaves, and none of a copy with a secret", async () => {
  for (const form of ["sealed", "copy"] as const) {
    const identity = await makeIdentity();
    const recipients = [await recipientOf(identity)];
    await withPair(async ({ laptop, team }) => {
      const id = await laptop.write(["one"]);
      appendMark(laptop.root, { ref: id, title: "password: hunter2-hunter2", time: at(1) });
      await laptop.push(team.connect());
      const { marks } = await (await team.greeted()).marks(0);
      const values = marks.map(({ value }) => value);
      assert.deepEqual(values, form === "sealed" ? [] : ["password: [redacted:password:1]"]);
    }, { form, recipients });
  }
});

function at(second: number): string {
  return new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
}

// Slow: 12 pairs of machines do 14 random acts each.
Deno.test("whatever two machines do, no byte of a log is lost or changed", async () => {
  const random = mulberry32(7);
  for (let round = 0; round < roundsOf(12); round++) {
    await withPair(async ({ laptop, desktop, team }) => {
      const machines = [laptop, desktop];
      const seen = new Map<string, Set<string>>();
      const note = (id: string, text: string): void => {
        seen.set(id, (seen.get(id) ?? new Set()).add(text));
      };
      for (let step = 0; step < 14; step++) {
        const machine = machines[Math.floor(random() * 2)] ?? laptop;
        const ids = [...machine.logs().keys()].sort();
        const id = ids[Math.floor(random() * ids.length)];
        const before = machine.logs();
        const act = random();
        if (id === undefined || act < 0.15) await machine.write([`begun ${step}`]);
        else if (act < 0.5) {
          await machine.continue(id, [`step ${step} ${"x".repeat(random() * 500)}`]);
        } else if (act < 0.75) await machine.push(team.connect());
        else if (act < 0.95) await machine.pull(team.connect());
        else machine.forget();
        for (const [one, text] of machine.logs()) {
          assert.ok(text.startsWith(before.get(one) ?? ""), "a log was changed");
          note(one, text);
        }
      }
      for (const machine of [...machines, ...machines, laptop]) {
        await machine.push(team.connect());
        await machine.pull(team.connect());
      }
      for (const [id, texts] of seen) {
        const all = machines.flatMap((
          one,
        ) => [one.log(id), one.mirror().get(id), ...ends(one, id)]);
        for (const machine of machines) {
          const here = [machine.log(id), machine.mirror().get(id), ...ends(machine, id)];
          for (const text of texts) {
            assert.ok(here.some((one) => one?.startsWith(text)), `lost at ${machine.root}`);
          }
        }
        assert.ok(all.length > 0);
      }
    });
  }
});

function ends(machine: Machine, id: string): string[] {
  return [...machine.mirror()].filter(([path]) => path.startsWith(`${id}@`)).map(([, text]) =>
    text
  );
}
