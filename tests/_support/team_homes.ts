/** A team's store in a real PostgreSQL, and the machines of its members. */
import { join } from "node:path";
import { deviceKey } from "../../lib/features/team/state/device_key_file.ts";
import { readSyncSettings, writeSyncSettings } from "../../lib/features/team/sync_settings.ts";
import type { CliResult } from "./cli.ts";
import { openLocalStore } from "../../lib/core/store/open_store.ts";
import { CliHome } from "./cli_home.ts";
import { user } from "./log_bytes.ts";
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

/** Makes the schema as the database's owner, and both roles its members. */
export async function makeStore({ address, machine, sql }: TeamHomes): Promise<void> {
  const { status, stderr } = await machine().run(["sync", "init", address("owner")]);
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

/** Runs a query for the number of segments that the database has. */
export async function segmentsOf({ sql }: TeamHomes): Promise<number> {
  return Number(await sql("select count(*) from reprise.object where key like 'v1/segments/%'"));
}

/** Names the machine of a home, as its host's name does. */
export function nameMachine({ store }: CliHome, label: string): void {
  const settings = readSyncSettings(store);
  if (settings === undefined) throw new Error("no store was joined");
  settings.device.label = label;
  writeSyncSettings(store, settings);
}

/** Says something more in a session of a home. */
export async function continueSession({ store }: CliHome, id: string, text: string): Promise<void> {
  const session = await openLocalStore({ root: store }).resume(id);
  await session.append(user(text));
  await session.finish();
}

/** Lets machines of one member trust each other, as a person does who copies their keys. */
export async function trustEachOther(...homes: readonly CliHome[]): Promise<void> {
  const keys = homes.map(({ store }) => deviceKey(store).id);
  for (const home of homes) await expectStatus(home, ["sync", "trust", ...keys]);
}

/** Makes a directory of a home a repository with a remote. */
export function setRemote(directory: string, remote: string): void {
  Deno.mkdirSync(join(directory, ".git"), { recursive: true });
  Deno.writeTextFileSync(
    join(directory, ".git", "config"),
    `[remote "origin"]\n\turl = ${remote}\n`,
  );
}
