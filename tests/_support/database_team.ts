/** Stores of a team in databases of a test's server. */
import { initObjects } from "../../lib/features/team/objects/init_objects.ts";
import { openObjectTeam } from "../../lib/features/team/objects/object_team_store.ts";
import type { ConnectOptions } from "../../lib/features/team/postgres/connect.ts";
import { openDatabase } from "../../lib/features/team/postgres/database_store.ts";
import { makeObjectTable } from "../../lib/features/team/postgres/object_table.ts";
import type { TeamStore } from "../../lib/features/team/team_store.ts";

/** Makes a store in a database. */
export async function makeDatabase(url: string): Promise<void> {
  await makeObjectTable(url);
  const { objects, owner } = await openDatabase(url);
  await using _closed = objects;
  await initObjects(objects, { owner });
}

/** Connects to a store in a database. Nothing is read from a cache. */
export async function openDatabaseTeam(url: string, options?: ConnectOptions): Promise<TeamStore> {
  const { objects, owner } = await openDatabase(url, options);
  return openObjectTeam(objects, { owner });
}
