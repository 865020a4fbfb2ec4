/** A PostgreSQL server for a test alone: on a free port of this machine and on a socket. */
import type { Requirement } from "./needing.ts";
import { testsNeeding } from "./tests_in.ts";
import { join } from "node:path";
import { loadClient } from "../../lib/team/postgres/pg.ts";

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

async function openssl(folder: string, ...args: string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command("openssl", { args, cwd: folder }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
}

/** Whether certificates can be made. */
export const hasOpenssl: boolean = ["/usr/bin/openssl", "/usr/local/bin/openssl"].some((path) => {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
});

/** An RSA key takes ten times as long. */
const NEW_KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];

/** Makes an authority, and a certificate of it for `localhost`. */
async function makeCertificates(folder: string): Promise<void> {
  const key = [...NEW_KEY, "-days", "2"];
  const authority = ["-keyout", "authority.key", "-out", "authority.pem", "-subj", "/CN=authority"];
  await openssl(folder, "req", "-x509", ...key, ...authority);
  const request = ["-keyout", "server.key", "-out", "server.csr", "-subj", "/CN=localhost"];
  await openssl(folder, "req", ...key, ...request);
  Deno.writeTextFileSync(join(folder, "names"), "subjectAltName=DNS:localhost\n");
  await openssl(folder, "x509", "-req", ...["-in", "server.csr", "-CA", "authority.pem"], ...[
    ...["-CAkey", "authority.key", "-CAcreateserial", "-days", "2"],
    ...["-extfile", "names", "-out", "server.pem"],
  ]);
  Deno.chmodSync(join(folder, "server.key"), 0o600);
}

/**
 * Makes a certificate by which a member logs in to a server with TLS, and lets the server ask for one.
 *
 * @returns The files of the certificate and its key.
 */
export async function logInByCertificate(
  { authority, sql }: PostgresServer,
  member: string,
): Promise<{ certificate: string; key: string }> {
  const folder = authority.replace(/authority\.pem$/, "");
  const request = [...NEW_KEY, "-keyout", "member.key", "-out", "member.csr"];
  await openssl(folder, "req", ...request, "-subj", `/CN=${member}`);
  // Some runtimes read version 3 alone, which has extensions.
  Deno.writeTextFileSync(join(folder, "usage"), "extendedKeyUsage=clientAuth\n");
  await openssl(folder, "x509", "-req", ...["-in", "member.csr", "-CA", "authority.pem"], ...[
    ...["-CAkey", "authority.key", "-CAcreateserial", "-days", "2", "-out", "member.pem"],
    ...["-extfile", "usage"],
  ]);
  const rules = ["local all all trust", "hostssl all all 127.0.0.1/32 cert"];
  await sql(`alter system set ssl_ca_file = '${authority}'`);
  await sql(`copy (values ${rules.map((rule) => `('${rule}')`)}) to '${folder}data/pg_hba.conf'`);
  await sql("select pg_reload_conf()");
  return { certificate: join(folder, "member.pem"), key: join(folder, "member.key") };
}

/** What a server is reached by, also from another process. */
interface ServerPlace {
  folder: string;
  /** Of the owner. */
  password: string;
  port: number;
}

/** Makes the files of a server in a folder of its own. */
async function makeFiles({ tls }: PostgresOptions): Promise<ServerPlace> {
  const folder = Deno.makeTempDirSync({ prefix: "reprise-postgres-" });
  const password = crypto.randomUUID();
  const secret = join(folder, "password");
  Deno.mkdirSync(join(folder, "socket"));
  Deno.writeTextFileSync(secret, password, { mode: 0o600 });
  if (tls) await makeCertificates(folder);
  if (isRoot) {
    // The server runs as another user.
    await new Deno.Command("chown", { args: ["-R", "postgres", folder] }).output();
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
    ...(options.tls
      ? ["ssl=on", `ssl_cert_file=${folder}/server.pem`, `ssl_key_file=${folder}/server.key`]
      : []),
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
 * Runs a test with an empty server. One without options is emptied and lent to further tests: to make
 * one takes longer than most of them.
 */
export async function withPostgres(
  test: (server: PostgresServer) => Promise<void>,
  options?: PostgresOptions,
): Promise<void> {
  const waiting = options === undefined ? takeServer(serversFolder()) : undefined;
  const place = waiting ?? await makeFiles(options ?? {});
  const server = serverAt(place, options ?? {});
  let is_empty = false;
  try {
    if (waiting === undefined) await server.start();
    await test(server);
    is_empty = options === undefined && await isCleared(server);
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

/** A certificate that a test makes. */
export const OPENSSL: Requirement = {
  what: "openssl",
  get: "apt install openssl",
  met: hasOpenssl,
};

export const onPostgres = testsNeeding(POSTGRES);
