/** A PostgreSQL server for a test alone: on a free port of this machine and on a socket. */
import type { Requirement } from "./needing.ts";
import { testsNeeding } from "./tests_in.ts";
import { join } from "node:path";
import { own, speakTls } from "./postgres_tls.ts";
import { loadClient } from "../../lib/features/team/postgres/pg.ts";

/** A server that runs. */
export interface PostgresServer {
  /** Address of the database `postgres` for its owner, with the password. */
  url: string;
  /** The folder of its socket. */
  socket: string;
  /** The certificate of the authority that vouches for the server, where it speaks TLS. */
  authority: string;
  port: number;
  /** Runs statements as the owner. Returns a line for each row, as `psql -A -t` prints it. */
  sql(statements: string, database?: string): Promise<string>;
  /** Makes a database, empty or as another is, and gives its address for the owner. */
  database(name: string, as?: string): Promise<string>;
  /** Stops it, and waits until it is gone. */
  stop(): Promise<void>;
  /** Starts it again on the same port. */
  start(): Promise<void>;
}

/** The folder of PostgreSQL's programs, newest version first; undefined where there is none. */
function programs(): string | undefined {
  const folders = ["/usr/lib/postgresql", "/opt/homebrew/opt", "/usr/local/opt"].flatMap((root) => {
    try {
      return [...Deno.readDirSync(root)].map(({ name }) => join(root, name, "bin"));
    } catch {
      // No such place here.
      return [];
    }
  });
  const path = (Deno.env.get("PATH") ?? "").split(":");
  return [Deno.env.get("PGBIN") ?? "", ...folders.sort().reverse(), ...path].find((folder) => {
    try {
      return folder !== "" && Deno.statSync(join(folder, "initdb")).isFile;
    } catch {
      return false;
    }
  });
}

const BIN = programs();

/** Whether there is a PostgreSQL to start. Tests that need one are ignored without it. */
export const hasPostgres: boolean = BIN !== undefined;

const OWNER = "owner";
const isRoot = Deno.build.os !== "windows" && Deno.uid() === 0;

/** As a user without rights: PostgreSQL does not start as root. Unlike `runuser`, it is in `/usr/bin`. */
const AS_POSTGRES = ["--reuid=postgres", "--regid=postgres", "--clear-groups", "--"];

/** A program of PostgreSQL, and its arguments, as the user who may run it. */
function command(program: string, args: string[]): [string, string[]] {
  const path = join(BIN ?? "", program);
  return isRoot ? ["setpriv", [...AS_POSTGRES, path, ...args]] : [path, args];
}

async function run(program: string, args: string[]): Promise<void> {
  const [name, given] = command(program, args);
  const child = new Deno.Command(name, {
    args: given,
    stdout: "null",
    stderr: "piped",
    cwd: "/",
  }).spawn();
  const { success, stderr } = await child.output();
  if (!success) throw new Error(`${program}: ${new TextDecoder().decode(stderr)}`);
}

type Row = readonly (string | null)[];

/** Runs statements over a connection of their own: faster than `psql`, a process. */
async function linesOf(url: string, statements: string): Promise<string> {
  const Client = await loadClient();
  const client = new Client({
    ...{ connectionString: url, ssl: false, application_name: "tests", keepAlive: false },
    ...{ connectionTimeoutMillis: 60_000, query_timeout: 0 },
    types: { getTypeParser: () => String },
  });
  client.on("error", () => {});
  await client.connect();
  try {
    const query = { text: statements, rowMode: "array" } as unknown as string;
    const results = [await client.query<Row>(query)].flat();
    return results.flatMap(({ rows }) => rows.map((row) => `${row.join("|")}\n`)).join("");
  } finally {
    await client.end();
  }
}

function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return (listener.addr as Deno.NetAddr).port;
}

/** Options of a server. */
export interface PostgresOptions {
  /** Waits for the disk, as a server that people use. @default {false} */
  fsync?: boolean;
  /** Speaks TLS, with a certificate for `localhost`. @default {false} */
  tls?: boolean;
}

/** What a server is reached by, also from another process. */
interface ServerPlace {
  folder: string;
  /** Of the owner. */
  password: string;
  port: number;
}

/** Makes the files of a server in a folder of its own. */
async function makeFiles(): Promise<ServerPlace> {
  const folder = Deno.makeTempDirSync({ prefix: "reprise-postgres-" });
  const password = crypto.randomUUID();
  const secret = join(folder, "password");
  Deno.mkdirSync(join(folder, "socket"));
  Deno.writeTextFileSync(secret, password, { mode: 0o600 });
  if (isRoot) {
    // The server runs as another user.
    await own(folder);
    Deno.chmodSync(folder, 0o711);
    Deno.chmodSync(join(folder, "socket"), 0o755);
  }
  await run("initdb", [
    ...["-D", join(folder, "data"), "-U", OWNER, `--pwfile=${secret}`, "--no-sync"],
    ...["--auth-host=scram-sha-256", "--auth-local=trust", "-E", "UTF8", "--locale=C"],
  ]);
  return { folder, password, port: freePort() };
}

function stopServer({ folder }: ServerPlace): void {
  const [program, args] = command("pg_ctl", [
    ...["-s", "-D", join(folder, "data"), "-m", "immediate", "stop"],
  ]);
  new Deno.Command(program, { args, cwd: "/" }).outputSync();
}

function serverAt(place: ServerPlace, options: PostgresOptions): PostgresServer {
  const { folder, password, port } = place;
  const [data, socket] = [join(folder, "data"), join(folder, "socket")];
  const settings = [
    ...["listen_addresses=127.0.0.1", `port=${port}`, `unix_socket_directories=${socket}`],
    `fsync=${options.fsync ? "on" : "off"}`,
    // Each new database goes through the log: one for no replica, and for no crash, costs half.
    ...(options.fsync ? [] : ["wal_level=minimal", "max_wal_senders=0", "full_page_writes=off"]),
    "wal_init_zero=off",
  ];
  const url = `postgresql://${OWNER}:${password}@127.0.0.1:${port}/postgres`;
  const sql = (statements: string, database = "postgres"): Promise<string> =>
    linesOf(`postgresql://${OWNER}@/${database}?host=${socket}&port=${port}`, statements);
  return {
    url,
    socket,
    authority: join(folder, "authority.pem"),
    port,
    sql,
    start: async () => {
      const given = settings.map((setting) => `-c '${setting}'`).join(" ");
      await run("pg_ctl", [
        ...["-s", "-w", "-D", data, "-l", join(data, "log"), "-o", given, "start"],
      ]);
    },
    stop: () => Promise.resolve(stopServer(place)),
    database: async (name, as = "template1") => {
      await sql(`create database ${name} template ${as}`);
      return url.replace(/postgres$/, name);
    },
  };
}

/** Names a folder of servers that outlive their test. Whoever sets it ends them with `endServers`. */
export const SERVERS_VARIABLE = "REPRISE_SERVERS";

let own_folder: string | undefined;

/** The folder with a file for each server that waits for a test. */
function serversFolder(): string {
  const given = Deno.env.get(SERVERS_VARIABLE) ?? own_folder;
  if (given !== undefined) return given;
  const made = own_folder = Deno.makeTempDirSync({ prefix: "reprise-servers-" });
  globalThis.addEventListener("unload", () => {
    endServers(made);
    Deno.removeSync(made, { recursive: true });
  });
  return made;
}

/** Ends the servers that wait in a folder. */
export function endServers(folder: string): void {
  for (let one = takeServer(folder); one !== undefined; one = takeServer(folder)) endServer(one);
}

function endServer(place: ServerPlace): void {
  stopServer(place);
  Deno.removeSync(place.folder, { recursive: true });
}

/** Takes a server that waits. Of several tests at once, one alone can delete its file. */
function takeServer(folder: string): ServerPlace | undefined {
  for (const { name } of Deno.readDirSync(folder)) {
    try {
      const place = JSON.parse(Deno.readTextFileSync(join(folder, name)));
      Deno.removeSync(join(folder, name));
      return place;
    } catch {
      // Another test took it, or is still writing the file.
    }
  }
  return undefined;
}

/** Selects the statements that delete the databases and roles which a test made. */
const CLEARING = `
  select format('drop database %I with (force)', datname) from pg_database
    where datname not in ('postgres', 'template0', 'template1')
  union all
  select format('drop role %I', rolname) from pg_roles
    where rolname !~ '^pg_' and rolname <> '${OWNER}'`;

/** True once a server is as empty as a new one. It is not where a test stopped it. */
async function isCleared({ sql }: PostgresServer): Promise<boolean> {
  try {
    for (const line of (await sql(CLEARING)).trim().split("\n")) if (line !== "") await sql(line);
    return true;
  } catch {
    return false;
  }
}

/**
 * Runs a test with an empty server. One that does not wait for the disk is emptied and lent to further
 * tests: to make one takes longer than most of them.
 */
export async function withPostgres(
  test: (server: PostgresServer) => Promise<void>,
  options: PostgresOptions = {},
): Promise<void> {
  const waiting = options.fsync ? undefined : takeServer(serversFolder());
  const place = waiting ?? await makeFiles();
  const server = serverAt(place, options);
  let is_empty = false;
  try {
    if (waiting === undefined) await server.start();
    {
      await using _tls = options.tls ? await speakTls(place.folder, server) : undefined;
      await test(server);
    }
    is_empty = !options.fsync && await isCleared(server);
  } finally {
    if (is_empty) {
      const file = join(serversFolder(), crypto.randomUUID());
      Deno.writeTextFileSync(file, JSON.stringify(place), { mode: 0o600 });
    } else endServer(place);
  }
}

/** A server that a test starts. */
export const POSTGRES: Requirement = {
  what: "PostgreSQL",
  get: "bash .ci/servers",
  met: hasPostgres,
};

export const onPostgres = testsNeeding(POSTGRES);
