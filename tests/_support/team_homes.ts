/** A team's store in a real PostgreSQL, and the machines of its members. */
import { join } from "node:path";
import type { CliResult } from "./cli.ts";
import { CliHome } from "./cli_home.ts";
import { POSTGRES, type PostgresServer, withPostgres } from "./postgres.ts";
import { testsIn } from "./tests_in.ts";

/** A team's database, with two members who need no password on its socket. */
export interface TeamHomes {
  server: PostgresServer;
  /** The database's name. */
  name: string;
  /** The address of the database for a role, by its socket. */
  address(role: string): string;
  /** Runs statements in the database, as its owner; gives lines. */
  sql(statements: string): Promise<string>;
  /** A machine; it is gone after the test. */
  machine(): CliHome;
}

/** Runs tests on one server; each call gives an empty database, and machines of its own. */
export async function withTeamServer(
  test: (newTeam: () => Promise<TeamHomes>) => Promise<void>,
): Promise<void> {
  const homes: CliHome[] = [];
  let made = 0;
  try {
    await withPostgres(async (server) => {
      await server.sql("create role ann login; create role ben login;");
      await test(async () => {
        const name = `team${++made}`;
        await server.database(name);
        return {
          server,
          name,
          address: (role) =>
            `postgresql://${role}@/${name}?host=${server.socket}&port=${server.port}`,
          sql: async (statements) => (await server.sql(statements, name)).trim(),
          machine: () => {
            const home = new CliHome();
            homes.push(home);
            return home;
          },
        };
      });
    });
  } finally {
    for (const home of homes) await home[Symbol.asyncDispose]();
  }
}

/** Runs one test with an empty database, and the roles `ann` and `ben`. */
export async function withTeamHomes(test: (team: TeamHomes) => Promise<void>): Promise<void> {
  await withTeamServer(async (newTeam) => await test(await newTeam()));
}

/** Tests with an empty database each. */
export const onTeam = testsIn(withTeamHomes, POSTGRES);

/** Makes the store as the database's owner, and both roles its members. */
export async function makeStore({ address, machine, sql }: TeamHomes): Promise<void> {
  const home = machine();
  const { status, stderr } = await home.run(["sync", "team", address("owner"), "--once"], {
    cwd: home.path,
  });
  if (status !== 0) throw new Error(stderr);
  await sql("grant reprise_member to ann, ben");
}

/** Runs a command line; fails the test where its status is another. */
export async function expectStatus(
  home: CliHome,
  args: readonly string[],
  status = 0,
): Promise<CliResult> {
  const result = await home.run(args);
  if (result.status === status) return result;
  throw new Error(`reprise ${args.join(" ")}: ${result.status}\n${result.stdout}${result.stderr}`);
}

/** Makes a directory of a home a repository with a remote. */
export function setRemote(directory: string, remote: string): void {
  Deno.mkdirSync(join(directory, ".git"), { recursive: true });
  Deno.writeTextFileSync(
    join(directory, ".git", "config"),
    `[remote "origin"]\n\turl = ${remote}\n`,
  );
}
