/** Stores of a team in databases of a test's server. */
import { makeTeamIn, type Team, teamIn } from "../../lib/features/team/open_team.ts";
import type { ConnectOptions } from "../../lib/features/team/postgres/connect.ts";
import { openDatabase } from "../../lib/features/team/postgres/database_store.ts";
import { makeObjectTable } from "../../lib/features/team/postgres/object_table.ts";

/** Makes a store in a database. */
export async function makeDatabase(url: string): Promise<void> {
  await makeObjectTable(url);
  const { objects, owner } = await openDatabase(url);
  await using _closed = objects;
  await makeTeamIn(objects, owner);
}

/** Connects to a store in a database. */
export async function openDatabaseTeam(url: string, options?: ConnectOptions): Promise<Team> {
  const { objects, owner } = await openDatabase(url, options);
  return await teamIn(objects, owner);
}
