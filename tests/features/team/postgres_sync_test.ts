/** Push and pull over a real PostgreSQL: several machines, processes, kills and cuts. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { SessionError } from "../../../lib/core/event/session_error.ts";
import { sessionFolders } from "../../../lib/core/store/session_folder.ts";
import { appendMark, readMarks } from "../../../lib/core/store/marks.ts";
import { makeDatabase, openDatabaseTeam } from "../../_support/database_team.ts";
import { openStore } from "../../../lib/features/team/open_store.ts";
import type { TeamStore } from "../../../lib/features/team/team_store.ts";
import { cuttingProxy } from "../../_support/cutting_proxy.ts";
import { Machine, said } from "../../_support/machine.ts";
import { mulberry32 } from "../../_support/mulberry32.ts";
import { POSTGRES, type PostgresServer, withPostgres } from "../../_support/postgres.ts";
import { childPath } from "../../_support/processes.ts";
import { withDirectory } from "../../_support/temp_directory.ts";
import { ALL_TORTURE } from "../../_support/torture.ts";
import { needing } from "../../_support/needing.ts";

/** How much of the thorough run the usual one has time for. */
const [PROCESSES, ROUNDS, KILLS, CUTS] = ALL_TORTURE ? [8, 10, 50, 200] : [2, 1, 2, 8];

interface Scene {
  server: PostgresServer;
  folder: string;
  /** Addresses of two members, with their passwords. */
  ada: string;
  grace: string;
}

let databases = 0;

/** A store of its own for each step. */
async function withStore(
  server: PostgresServer,
  test: (scene: Scene) => Promise<void>,
): Promise<void> {
  const url = await server.database(`team_${++databases}`);
  await makeDatabase(url);
  const member = async (name: string): Promise<string> => {
    const role = `${name}_${databases}`;
    await server.sql(`create role ${role} login password 'pw'; grant reprise_member to ${role}`);
    return Object.assign(new URL(url), { username: role, password: "pw" }).href;
  };
  const [ada, grace] = [await member("ada"), await member("grace")];
  await withDirectory((folder) => test({ server, folder, ada, grace }));
}

function machines(folder: string): { laptop: Machine; desktop: Machine } {
  return {
    laptop: new Machine({ folder: join(folder, "laptop") }),
    desktop: new Machine({ folder: join(folder, "desktop"), label: "desktop" }),
  };
}

interface Ended {
  status: number;
  stderr: string;
}

/** Runs a push or a pull in a process of its own. */
function started(machine: Machine, url: string, act: "push" | "pull"): Deno.ChildProcess {
  const { root, directory, settings: { device } } = machine;
  return new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "-A", "--quiet", "--no-check", childPath("sync_child")],
      ...[root, directory, url, device.id, "log", act],
    ],
    stdout: "null",
    stderr: "piped",
  }).spawn();
}

async function ended(child: Deno.ChildProcess): Promise<Ended> {
  const { code, stderr } = await child.output();
  return { status: code, stderr: new TextDecoder().decode(stderr) };
}

async function storedBytes(store: TeamStore, owner: string, session: string): Promise<string> {
  const elsewhere = Deno.makeTempDirSync();
  try {
    const machine = new Machine({ folder: elsewhere });
    await machine.pull(store);
    return machine.log(session) || machine.mirror().get(`${owner}/${session}`) || "";
  } finally {
    Deno.removeSync(elsewhere, { recursive: true });
  }
}

async function machinesAgree({ folder, ada, grace }: Scene): Promise<void> {
  const { laptop, desktop } = machines(folder);
  await using store = await openDatabaseTeam(ada);
  await using other = await openDatabaseTeam(grace);
  const id = await laptop.write(["one \0", "two \ud800", "x".repeat(3_000_000)]);
  appendMark(laptop.root, { ref: id, title: "Amounts \0 \ud800", time: "2026-01-01T00:00:00Z" });
  assert.deepEqual((await laptop.push(store)).failed, []);
  await desktop.pull(store);
  assert.deepEqual(desktop.logs(), laptop.logs());
  assert.equal(readMarks(desktop.root).get(id)?.title?.value.slice(0, 8), "Amounts ");
  await laptop.continue(id, ["on the laptop"]);
  await desktop.continue(id, ["on the desktop"]);
  await laptop.push(store);
  assert.deepEqual((await desktop.push(store)).branches, [{ session: id, n: 2 }]);
  await laptop.pull(store);
  assert.deepEqual([...laptop.mirror()], [[`${id}@2`, desktop.log(id)]]);
  const third = new Machine({ folder: join(folder, "third") });
  const { owner } = await store.hello(laptop.settings.device);
  const pulled = await third.pull(other);
  assert.deepEqual(pulled.mirrored.sort(), [`team:${owner}/${id}`, `team:${owner}/${id}@2`]);
  assert.equal(third.mirror().get(`${owner}/${id}`), laptop.log(id));
}

async function clocksDiffer({ folder, ada }: Scene): Promise<void> {
  const { laptop, desktop } = machines(folder);
  await using store = await openDatabaseTeam(ada);
  const id = await laptop.write(["one"]);
  const ahead = new Date(Date.now() + 2 * 3_600_000).toISOString();
  appendMark(laptop.root, { ref: id, title: "From the future", time: ahead });
  const pushed = await laptop.push(store);
  assert.equal(pushed.pushed, 1);
  assert.match(pushed.marks_refused ?? "", /^[^\n]*clock[^\n]*$/);
  await desktop.pull(store);
  const behind = new Date(Date.now() - 2 * 3_600_000).toISOString();
  appendMark(desktop.root, { ref: id, archived: true, time: behind });
  assert.equal((await desktop.push(store)).marks, 1);
}

/** Processes push one session while it is written: no branch, and no byte lost. */
async function writersMeet({ folder, ada }: Scene): Promise<void> {
  const laptop = new Machine({ folder });
  for (let round = 0; round < ROUNDS; round++) {
    const session = laptop.sessions.create({ cwd: laptop.directory });
    await session.append(said("y".repeat(2_000_000)));
    let writing = true;
    const writer = (async (): Promise<void> => {
      for (let count = 0; writing; count++) {
        await session.append(said(`event ${count} ${"z".repeat(3000)}`));
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
    })();
    const children = Array.from({ length: PROCESSES }, () => ended(started(laptop, ada, "push")));
    assert.deepEqual(
      await Promise.all(children),
      Array.from({ length: PROCESSES }, () => ({ status: 0, stderr: "" })),
    );
    writing = false;
    await writer;
    await session.finish();
    await using store = await openDatabaseTeam(ada);
    await laptop.push(store);
    const branches = await store.branches({ sessions: [session.id] });
    assert.equal(branches.length, 1);
    assert.equal(await storedBytes(store, "", session.id), laptop.log(session.id));
  }
}

/** A push or a pull that is killed leaves nothing torn, and the next one completes it. */
async function killsAreHarmless({ folder, ada }: Scene): Promise<void> {
  const random = mulberry32(50);
  const { laptop, desktop } = machines(folder);
  await using store = await openDatabaseTeam(ada);
  for (let round = 0; round < KILLS; round++) {
    for (let count = 0; count < 2; count++) {
      await laptop.write(Array.from({ length: 8 }, () => text(random, 60_000)));
    }
    const [some] = laptop.logs().keys();
    if (some !== undefined) await laptop.continue(some, [text(random, 900_000)]);
    for (const [machine, act] of [[laptop, "push"], [desktop, "pull"]] as const) {
      const child = started(machine, ada, act);
      const killing = new Promise((resolve) => setTimeout(resolve, 150 + random() * 500));
      await killing;
      try {
        child.kill("SIGKILL");
      } catch {
        // It has ended.
      }
      await ended(child);
      const whole = laptop.logs();
      for (const [id, log] of desktop.logs()) {
        assert.ok(whole.get(id)?.startsWith(log), "a log has bytes that are not the laptop's");
      }
    }
    assert.deepEqual((await laptop.push(store)).failed, []);
    assert.deepEqual((await desktop.pull(store)).failed, []);
    assert.deepEqual(desktop.logs(), laptop.logs());
    assert.equal(desktop.mirror().size, 0);
  }
  const drafts = [...Deno.readDirSync(join(desktop.root, "sessions"))]
    .flatMap(({ name }) => [...Deno.readDirSync(join(desktop.root, "sessions", name))])
    .filter(({ name }) => name.endsWith(".tmp"));
  assert.deepEqual(drafts, []);
}

/** Text that does not compress to nothing. */
function text(random: () => number, length: number): string {
  let text = "";
  while (text.length < length) text += random().toString(36).slice(2);
  return text;
}

async function cutsAreHarmless({ server, folder, ada }: Scene): Promise<void> {
  const random = mulberry32(200);
  await using proxy = cuttingProxy(server.port);
  const through = Object.assign(new URL(ada), { port: String(proxy.port) }).href;
  const { laptop, desktop } = machines(folder);
  await using straight = await openDatabaseTeam(ada);
  for (let round = 0; round < CUTS; round++) {
    await laptop.write(Array.from({ length: 8 }, () => text(random, 12_000)));
    const ids = [...laptop.logs().keys()];
    await laptop.continue(ids[Math.floor(random() * ids.length)] ?? "", [text(random, 12_000)]);
    for (const act of ["push", "pull"] as const) {
      Object.assign(proxy, { up: 0, down: 0, cut_after: 20 + Math.floor(random() ** 3 * 150_000) });
      try {
        await using store = await openDatabaseTeam(through);
        await (act === "push" ? laptop.push(store) : desktop.pull(store));
      } catch (error) {
        assert.ok(error instanceof SessionError, String(error));
        assert.equal(error.code, "unreachable");
        assert.match(error.message, /^Cannot [^\n]+$/);
      }
      if (act === "push") await laptop.push(straight);
    }
    assert.deepEqual((await desktop.pull(straight)).failed, []);
    if (round % 10 === 0) assert.deepEqual(desktop.logs(), laptop.logs());
  }
  assert.deepEqual(desktop.logs(), laptop.logs());
  const branches = await straight.branches();
  assert.ok(branches.every(({ n }) => n === 1));
}

async function longLines({ folder, ada }: Scene): Promise<void> {
  const { laptop, desktop } = machines(folder);
  await using store = await openDatabaseTeam(ada);
  const id = await laptop.write(["one"]);
  const [log] = sessionFolders(laptop.root);
  assert.ok(log);
  const size = ALL_TORTURE ? 60_000_000 : 3_000_000;
  const long = text(mulberry32(60), 1000).repeat(size / 1000);
  const line = `{"seq":90,"kind":"user_message","payload":{"content":"${long}"}}\n`;
  Deno.writeTextFileSync(log.path, `${line}{"torn`, { append: true });
  assert.deepEqual((await laptop.push(store)).failed, []);
  await desktop.pull(store);
  assert.equal(desktop.log(id) + '{"torn', laptop.log(id));
}

async function wireIsShort({ server, folder, ada }: Scene): Promise<void> {
  await using proxy = cuttingProxy(server.port);
  const laptop = new Machine({ folder });
  for (let count = 0; count < 40; count++) await laptop.write([`session ${count}`]);
  const [id = ""] = laptop.logs().keys();
  const through = Object.assign(new URL(ada), { port: String(proxy.port) }).href;
  const options = {
    kept: { folder: join(folder, "cache") },
    account: { variable: () => undefined, run: () => Promise.reject() },
  };
  const pushOnce = async (): Promise<void> => {
    await using store = await openStore(through, options);
    Object.assign(proxy, { up: 0, down: 0 });
    await laptop.push(store);
  };
  await pushOnce();
  await pushOnce();
  assert.ok(proxy.up < 500 && proxy.down < 1000, `${proxy.up} up, ${proxy.down} down`);
  const session = await laptop.sessions.resume(id);
  await session.append(said("one more"));
  await pushOnce();
  await session.finish();
  assert.ok(proxy.up < 3000 && proxy.down < 2000, `${proxy.up} up, ${proxy.down} down`);
}

/** The deadline of a statement is a minute: only the thorough run waits for it. */
async function silenceEnds({ server, folder, ada }: Scene): Promise<void> {
  if (!ALL_TORTURE) return;
  await using proxy = cuttingProxy(server.port);
  const through = Object.assign(new URL(ada), { port: String(proxy.port) }).href;
  const laptop = new Machine({ folder });
  await laptop.write(["one"]);
  await using store = await openDatabaseTeam(through);
  proxy.swallows = true;
  await assert.rejects(laptop.push(store), { code: "unreachable", message: /^Cannot [^\n]+$/ });
  await using straight = await openDatabaseTeam(ada);
  assert.equal((await laptop.push(straight)).pushed, 1);
}

const STEPS: Record<string, (scene: Scene) => Promise<void>> = {
  "machines get the same bytes, and both ends where both went on": machinesAgree,
  "a clock that is two hours off stops no session": clocksDiffer,
  "processes push one session while it is written: one branch, no byte lost": writersMeet,
  "a push and a pull that are killed are completed by the next": killsAreHarmless,
  "a connection that is cut anywhere ends in one line, and the next run completes": cutsAreHarmless,
  "a line far longer than a segment travels whole, a torn one stays": longLines,
  "a store that falls silent ends a push in one line": silenceEnds,
  "nothing new and one new event are told in few bytes": wireIsShort,
};

// Slow: six processes push and pull, and some of them are killed.
Deno.test(needing("sessions are shared over PostgreSQL", POSTGRES), async (test) => {
  await withPostgres(async (server) => {
    for (const [name, step] of Object.entries(STEPS)) {
      await test.step(name, () => withStore(server, step));
    }
  });
});
