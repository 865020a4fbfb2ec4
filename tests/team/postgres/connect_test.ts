/** The ways to a server: certificates, sockets, and places of a password. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { logInByCertificate, OPENSSL, POSTGRES, withPostgres } from "../../_support/postgres.ts";
import { needing } from "../../_support/needing.ts";
import { ROOT } from "../../_support/source_code.ts";

const CHILD = fileURLToPath(new URL("../../_support/children/connect_team.ts", import.meta.url));

/** Connects in a process of its own, since a client reads its environment. Gives what it prints. */
async function connected(
  url: string,
  { home, env = {}, insecure = false }: {
    home: string;
    env?: Record<string, string>;
    insecure?: boolean;
  },
): Promise<string> {
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "--quiet", "--no-check", "--lock=tests/deno.lock", "--frozen", "-A"],
      ...[CHILD, url, ...(insecure ? ["insecure"] : [])],
    ],
    cwd: fileURLToPath(ROOT),
    clearEnv: true,
    env: {
      HOME: home,
      PATH: Deno.env.get("PATH") ?? "",
      // Where packages are downloaded for the first time.
      DENO_TLS_CA_STORE: Deno.env.get("DENO_TLS_CA_STORE") ?? "system,mozilla",
      DENO_DIR: Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`,
      ...env,
    },
  }).output();
  const decoder = new TextDecoder();
  return (decoder.decode(stdout) + decoder.decode(stderr)).trim();
}

Deno.test({
  ...needing(
    "the password comes from ~/.pgpass or PGPASSWORD, and a socket needs no host",
    POSTGRES,
  ),
  fn: async () => {
    await withPostgres(async (server) => {
      const home = await Deno.makeTempDir();
      const { password } = new URL(server.url);
      const bare = server.url.replace(`:${password}@`, "@");
      assert.match(await connected(bare, { home }), /asks for a password; put it into ~\/\.pgpass/);
      assert.equal(await connected(bare, { home, env: { PGPASSWORD: password } }), "connected");
      const pgpass = `${home}/.pgpass`;
      await Deno.writeTextFile(pgpass, `127.0.0.1:*:*:owner:${password}\n`, { mode: 0o600 });
      assert.equal(await connected(bare, { home }), "connected");
      const socket = `postgresql://owner@/postgres?host=${server.socket}&port=${server.port}`;
      assert.equal(await connected(socket, { home, env: { PGPASSWORD: "any" } }), "connected");
      await Deno.remove(home, { recursive: true });
    });
  },
});

Deno.test({
  ...needing(
    "a certificate is checked, with its name, unless the connection stays on this machine",
    POSTGRES,
    OPENSSL,
  ),
  fn: async () => {
    await withPostgres(async (server) => {
      const home = await Deno.makeTempDir();
      const named = server.url.replace("127.0.0.1", "localhost");
      const trusted = `sslrootcert=${server.authority}`;
      const full = "sslmode=verify-full";
      assert.equal(await connected(`${named}?${full}&${trusted}`, { home }), "connected");
      assert.match(
        await connected(`${named}?${full}`, { home }),
        /certificate of localhost is not trusted/,
      );
      const numbered = `${server.url}?${full}&${trusted}`;
      assert.match(
        await connected(numbered, { home }),
        /certificate of 127\.0\.0\.1 is not trusted/,
      );
      assert.equal(await connected(server.url, { home }), "connected");
      const { certificate, key } = await logInByCertificate(server, "owner");
      const own = `${named.replace(/:[^:@]+@/, "@")}?${full}&${trusted}`;
      assert.match(await connected(own, { home }), /Cannot connect/);
      assert.match(await connected(`${own}&sslcert=${certificate}`, { home }), /needs both/);
      const both = `sslcert=${certificate}&sslkey=${key}`;
      assert.equal(await connected(`${own}&${both}`, { home }), "connected");
      assert.match(
        await connected(`${own.replace("owner@", "postgres@")}&${both}`, { home }),
        /certificate authentication failed/,
      );
      await Deno.remove(home, { recursive: true });
    }, { tls: true });
  },
});
