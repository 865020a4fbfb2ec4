/** The ways to a server: certificates, sockets, and places of a password. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { connect } from "../../../../lib/features/team/postgres/connect.ts";
import { POSTGRES, withPostgres } from "../../../_support/postgres.ts";
import { logInByCertificate, OPENSSL } from "../../../_support/postgres_tls.ts";
import { needing } from "../../../_support/needing.ts";
import { ROOT } from "../../../_support/source_code.ts";
import { withDirectory } from "../../../_support/temp_directory.ts";

const MIB = 1024 * 1024;
const CHILD = fileURLToPath(new URL("../../../_support/children/connect_team.ts", import.meta.url));

/** Connects in a process of its own, since a client reads its environment. Returns the outcomes. */
async function outcomes(
  ...connections: readonly (readonly [url: string, env: Record<string, string>])[]
): Promise<string[]> {
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "--quiet", "--no-check", "--lock=tests/deno.lock", "--frozen", "-A"],
      ...[CHILD, JSON.stringify(connections)],
    ],
    cwd: fileURLToPath(ROOT),
    clearEnv: true,
    env: {
      PATH: Deno.env.get("PATH") ?? "",
      // Where packages are downloaded for the first time.
      DENO_TLS_CA_STORE: Deno.env.get("DENO_TLS_CA_STORE") ?? "system,mozilla",
      DENO_DIR: Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`,
    },
  }).output();
  const decoder = new TextDecoder();
  return (decoder.decode(stdout) + decoder.decode(stderr)).trim().split("\n");
}

// Slow: a server starts, and each way to log in is a connection.
Deno.test({
  ...needing(
    "the password comes from ~/.pgpass or PGPASSWORD, and a socket needs no host",
    POSTGRES,
  ),
  fn: () =>
    withPostgres((server) =>
      withDirectory(async (folder) => {
        const [HOME, other] = [join(folder, "home"), join(folder, "other")];
        for (const home of [HOME, other]) Deno.mkdirSync(home);
        const { password } = new URL(server.url);
        const bare = server.url.replace(`:${password}@`, "@");
        const pgpass = join(other, ".pgpass");
        Deno.writeTextFileSync(pgpass, `127.0.0.1:*:*:owner:${password}\n`, { mode: 0o600 });
        const socket = `postgresql://owner@/postgres?host=${server.socket}&port=${server.port}`;
        const [refused = "", ...connected] = await outcomes(
          [bare, { HOME }],
          [bare, { HOME, PGPASSWORD: password }],
          [bare, { HOME: other }],
          [socket, { HOME, PGPASSWORD: "any" }],
        );
        assert.match(refused, /asks for a password; put the password in ~\/\.pgpass/);
        assert.deepEqual(connected, ["connected", "connected", "connected"]);
      })
    ),
});

// Slow: certificates are made, and a client reads its environment in a process of its own.
Deno.test({
  ...needing(
    "a certificate is checked, with its name, unless the connection stays on this machine",
    POSTGRES,
    OPENSSL,
  ),
  fn: (test) =>
    withPostgres((server) =>
      withDirectory(async (HOME) => {
        const named = server.url.replace("127.0.0.1", "localhost");
        const trusted = `sslrootcert=${server.authority}`;
        const full = "sslmode=verify-full";
        const { certificate, key } = await logInByCertificate(server, "ada", "ben");
        const as = (member: string): string => named.replace(/owner:[^:@]+@/, `${member}@`);
        const own = `${as("ada")}?${full}&${trusted}`;
        const both = `sslcert=${certificate}&sslkey=${key}`;
        const [checked, untrusted = "", numbered = "", near, ...logins] = await outcomes(
          [`${named}?${full}&${trusted}`, { HOME }],
          [`${named}?${full}`, { HOME }],
          [`${server.url}?${full}&${trusted}`, { HOME }],
          [server.url, { HOME }],
          [own, { HOME }],
          [`${own}&sslcert=${certificate}`, { HOME }],
          [`${own}&${both}`, { HOME }],
          [`${as("ben")}?${full}&${trusted}&${both}`, { HOME }],
        );
        assert.deepEqual([checked, near], ["connected", "connected"]);
        assert.match(untrusted, /certificate of localhost is not trusted/);
        assert.match(numbered, /certificate of 127\.0\.0\.1 is not trusted/);
        const [none = "", half = "", whole, foreign = ""] = logins;
        assert.match(none, /Cannot connect/);
        assert.match(half, /needs both/);
        assert.equal(whole, "connected");
        assert.match(foreign, /certificate authentication failed/);
        await test.step("an answer that comes by TLS has the usual bounds", async () => {
          await using connection = await connect(`${named}?${full}&${trusted}`);
          const ask = (size: number): Promise<unknown> =>
            connection.rows("ask", "select repeat('x', $1::int) as value", [size]);
          assert.deepEqual(await ask(3 * MIB), [{ value: "x".repeat(3 * MIB) }]);
          await assert.rejects(ask(5 * MIB), { code: "too-large" });
        });
      }), { tls: true }),
});
