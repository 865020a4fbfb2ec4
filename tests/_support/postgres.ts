/** A PostgreSQL server of the test's own: on a free port of this machine and on a socket. */
import type { Requirement } from "./needing.ts";
import { join } from "node:path";

/** A server that runs. */
export interface PostgresServer {
  /** Address of the database `postgres` for its owner, with the password. */
  url: string;
  /** The folder of its socket. */
  socket: string;
  /** The certificate of the authority that vouches for the server, where it speaks TLS. */
  authority: string;
  port: number;
  /** Runs statements as the owner, by psql. */
  sql(statements: string, database?: string): Promise<string>;
  /** Makes an empty database, and gives its address for the owner. */
  database(name: string): Promise<string>;
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

async function run(program: string, args: string[], input = ""): Promise<string> {
  const [command, given] = isRoot
    ? ["setpriv", [...AS_POSTGRES, join(BIN ?? "", program), ...args]]
    : [join(BIN ?? "", program), args];
  const child = new Deno.Command(command as string, {
    args: given as string[],
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
    cwd: "/",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(input));
  await writer.close();
  const { success, stdout, stderr } = await child.output();
  const text = new TextDecoder().decode(stdout);
  if (!success) throw new Error(`${program}: ${text}${new TextDecoder().decode(stderr)}`);
  return text;
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
  /** More settings, as in `["max_connections=5"]`. */
  settings?: readonly string[];
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

/** Makes an authority, and a certificate of it for `localhost`. */
async function makeCertificates(folder: string): Promise<void> {
  const key = ["-newkey", "rsa:2048", "-nodes", "-days", "2"];
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
  const request = ["-newkey", "rsa:2048", "-nodes", "-keyout", "member.key", "-out", "member.csr"];
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

/** Starts a server in a folder below the temporary one, which `stop` does not delete. */
async function startPostgres(folder: string, options: PostgresOptions): Promise<PostgresServer> {
  const password = crypto.randomUUID();
  const data = join(folder, "data");
  const socket = join(folder, "socket");
  Deno.mkdirSync(socket);
  const secret = join(folder, "password");
  Deno.writeTextFileSync(secret, password, { mode: 0o600 });
  if (options.tls) await makeCertificates(folder);
  if (isRoot) {
    // The server runs as another user.
    await new Deno.Command("chown", { args: ["-R", "postgres", folder] }).output();
    Deno.chmodSync(folder, 0o711);
    Deno.chmodSync(socket, 0o755);
  }
  await run("initdb", [
    ...["-D", data, "-U", OWNER, `--pwfile=${secret}`, "--auth-host=scram-sha-256"],
    ...["--auth-local=trust", "--no-sync", "-E", "UTF8", "--locale=C"],
  ]);
  const port = freePort();
  const settings = [
    ...["listen_addresses=127.0.0.1", `port=${port}`, `unix_socket_directories=${socket}`],
    `fsync=${options.fsync ? "on" : "off"}`,
    ...(options.tls
      ? ["ssl=on", `ssl_cert_file=${folder}/server.pem`, `ssl_key_file=${folder}/server.key`]
      : []),
    ...options.settings ?? [],
  ];
  const start = async (): Promise<void> => {
    const given = settings.map((setting) => `-c '${setting}'`).join(" ");
    await run("pg_ctl", [
      "-s",
      "-w",
      "-D",
      data,
      "-l",
      join(folder, "data", "log"),
      "-o",
      given,
      "start",
    ]);
  };
  await start();
  const url = `postgresql://${OWNER}:${password}@127.0.0.1:${port}/postgres`;
  const sql = async (statements: string, database = "postgres"): Promise<string> =>
    await run("psql", [
      ...["-h", socket, "-p", `${port}`, "-U", OWNER, "-d", database],
      ...["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1"],
    ], statements);
  return {
    url,
    socket,
    authority: join(folder, "authority.pem"),
    port,
    sql,
    start,
    stop: async () => void await run("pg_ctl", ["-s", "-D", data, "-m", "immediate", "stop"]),
    database: async (name) => {
      await sql(`create database ${name}`);
      return url.replace(/postgres$/, name);
    },
  };
}

/** Runs tests with a server of their own, which is gone after them. */
export async function withPostgres(
  test: (server: PostgresServer) => Promise<void>,
  options: PostgresOptions = {},
): Promise<void> {
  const folder = Deno.makeTempDirSync({ prefix: "reprise-postgres-" });
  let server: PostgresServer | undefined;
  try {
    server = await startPostgres(folder, options);
    await test(server);
  } finally {
    await server?.stop().catch(() => {});
    Deno.removeSync(folder, { recursive: true });
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
