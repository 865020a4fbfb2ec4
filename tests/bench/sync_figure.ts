/**
 * Copies of sessions, shared over PostgreSQL on this machine, which waits for the disk, and in a
 * folder: push and pull.
 * `sync_figure.ts ACT ROOT DIRECTORY URL` does one of them in this process and prints what it took.
 */
import assert from "node:assert/strict";
import { isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import { openLibrary } from "../../lib/library/library.ts";
import { openStore } from "../../lib/core/store/open_store.ts";
import { openFolderStore } from "../../lib/features/team/folder/folder_store.ts";
import { makeTeamIn, teamIn } from "../../lib/features/team/open_team.ts";
import { makeDatabase, openDatabaseTeam } from "../_support/database_team.ts";
import { pull } from "../../lib/features/team/pull/pull.ts";
import { push } from "../../lib/features/team/push/push.ts";
import type { SyncSettings } from "../../lib/features/team/shared_project.ts";
import { cuttingProxy } from "../_support/cutting_proxy.ts";
import { hasPostgres, type PostgresServer, withPostgres } from "../_support/postgres.ts";
import { makeBenchStore } from "./bench_store.ts";
import { v8Flags } from "./compile_recipe.ts";
import { type Bench, type Figure, rounded, type Row, row } from "./figure.ts";
import { peakMemory } from "./peak_memory.ts";

const SESSIONS = 1000;
const SESSION_BYTES = 390_000;

/** What a push or a pull took. */
interface Synced {
  ms: number;
  peak_memory: number | undefined;
  bytes: number;
  sent_bytes: number;
}

/** What to do, and with what. */
interface Asked {
  act: "push" | "pull";
  root: string;
  directory: string;
  url: string;
}

async function sync({ act, root, directory, url }: Asked): Promise<Synced> {
  const settings: SyncSettings = {
    ...{ version: 2, url: "", device: { id: deviceOf(root), label: "bench" } },
    projects: [{ directory, project: "bench" }],
  };
  await using team = isAbsolute(url)
    ? await teamIn(openFolderStore(url))
    : await openDatabaseTeam(url);
  const library = openLibrary({ root, variable: () => undefined, cache: { version: "bench" } });
  const start = performance.now();
  const { bytes, ...report } = act === "pull"
    ? await pull(root, team, settings)
    : await push(library, team, settings);
  const ms = performance.now() - start;
  const sent_bytes = "sent_bytes" in report ? report.sent_bytes : report.received_bytes;
  return { ms, peak_memory: peakMemory(), bytes, sent_bytes };
}

/** Each data root is a device of its own. */
function deviceOf(root: string): string {
  const digits = Array.from(root, (one) => one.charCodeAt(0).toString(16)).join("");
  return `11111111-1111-4111-8111-${digits.slice(-12).padStart(12, "0")}`;
}

/** In a new process, with the engine set as in the executable. */
async function inProcess(
  { act, root, directory, url }: Asked,
): Promise<Synced> {
  const flags = v8Flags();
  const { success, stdout } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "--quiet", "-A", "--no-check"],
      ...(flags.length === 0 ? [] : [`--v8-flags=${flags.join(",")}`]),
      ...[fileURLToPath(import.meta.url), act, root, directory, url],
    ],
    stderr: "inherit",
  }).output();
  assert.ok(success, `the ${act} failed`);
  return JSON.parse(new TextDecoder().decode(stdout)) as Synced;
}

async function memberOf(server: PostgresServer, name: string): Promise<string> {
  const url = await server.database(name);
  await makeDatabase(url);
  await server.sql(`create role ${name} login password 'pw'; grant reprise_member to ${name}`);
  return Object.assign(new URL(url), { username: name, password: "pw" }).href;
}

async function measured(bench: Bench, server: PostgresServer): Promise<Row[]> {
  const directory = join(bench.directory, "shared-project");
  const root = join(bench.directory, "shared");
  Deno.mkdirSync(directory, { recursive: true });
  const id = makeBenchStore({
    ...{ root, sessions: SESSIONS, bytes: SESSION_BYTES, directories: [directory] },
  });
  const url = await memberOf(server, "member");
  const first = await inProcess({ act: "push", root, directory, url });
  const nothing = await inProcess({ act: "push", root, directory, url });
  const session = await openStore({ root }).resume(id);
  await session.append({ kind: "user_message", payload: { content: "One more." } });
  const wire = await oneEvent(server, { act: "push", root, directory, url });
  await session.finish();
  const pull = (name: string, url: string): Promise<Synced> => {
    const other = join(bench.directory, name);
    Deno.mkdirSync(other, { recursive: true, mode: 0o700 });
    return inProcess({ act: "pull", root: other, directory, url });
  };
  const folder = join(bench.directory, "folder");
  await makeTeamIn(openFolderStore(folder), "bench");
  await inProcess({ act: "push", root, directory, url: folder });
  const folder_pulled = await pull("pulled-from-folder", folder);
  const pulled = await pull("pulled", url);
  const note = `${rounded(first.bytes / 1e6)} MB, ${rounded(first.sent_bytes / 1e6)} sent`;
  return [
    row("first push, 1,000 sessions", { value: first.ms / 1000, most: 60, unit: " s", note }),
    ...(first.peak_memory === undefined ? [] : [
      row("peak memory of it", { value: first.peak_memory / 2 ** 20, most: 200, unit: " MiB" }),
    ]),
    row("push with nothing new", { value: nothing.ms, most: 200, unit: " ms" }),
    row("push of one new event", { value: wire.ms, most: 200, unit: " ms" }),
    row("bytes up, one new event", { value: wire.up, most: 3000, unit: " B" }),
    row("bytes down, one new event", { value: wire.down, most: 2000, unit: " B" }),
    row("pull of all into an empty root", { value: pulled.ms / 1000, most: 10, unit: " s" }),
    row("pull of all : folder, PostgreSQL", {
      ...{ value: folder_pulled.ms / pulled.ms, most: 1.5, unit: " x" },
      note: `${rounded(folder_pulled.ms / 1000)} s : ${rounded(pulled.ms / 1000)} s`,
    }),
  ];
}

/** Pushes through a proxy that counts, the greeting of the connection left out. */
async function oneEvent(
  server: PostgresServer,
  asked: Asked,
): Promise<{ ms: number; up: number; down: number }> {
  await using proxy = cuttingProxy(server.port);
  const address = new URL(asked.url);
  address.port = String(proxy.port);
  await using connected = await openDatabaseTeam(address.href);
  const [up, down] = [proxy.up, proxy.down];
  await connected[Symbol.asyncDispose]();
  const { ms } = await inProcess({ ...asked, url: address.href });
  return { ms, up: proxy.up - 2 * up, down: proxy.down - 2 * down };
}

/** Push and pull; nothing where no PostgreSQL is installed. */
export const shared: Figure = {
  name: "sync",
  async measure(bench: Bench): Promise<Row[]> {
    if (!hasPostgres) {
      bench.note("sync: no PostgreSQL here");
      return [];
    }
    let rows: Row[] = [];
    await withPostgres(async (server) => {
      rows = await measured(bench, server);
    }, { fsync: true });
    return rows;
  },
};

if (import.meta.main) {
  const [act = "push", root = "", directory = "", url = ""] = Deno.args;
  const result = await sync({ act: act as Asked["act"], root, directory, url });
  Deno.stdout.writeSync(new TextEncoder().encode(JSON.stringify(result)));
}
