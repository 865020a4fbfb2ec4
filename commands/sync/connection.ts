/** Connects to the team's store that the settings name. */
import { present } from "../../lib/event/present.ts";
import type { SyncSettings } from "../../lib/team/shared_project.ts";
import type { TeamStore } from "../../lib/team/team_store.ts";
import type { Context } from "../_context.ts";

/** Where a store is, and how its password is had. */
export type StoreAccess = Pick<SyncSettings, "url" | "insecure" | "password_command"> & {
  /** As it was typed; else the command's, else that of the environment or of `~/.pgpass`. */
  password?: string;
};

/** What a connection takes beside the address. */
export interface AccessOptions {
  insecure?: boolean;
  password?: string;
}

/**
 * Returns the options of a connection. Runs the password's command, if one is set.
 *
 * @throws {SessionError} `invalid-key` where the command fails. No message repeats what it printed.
 */
export async function accessOptions(
  context: Context,
  { insecure, password, password_command }: StoreAccess,
): Promise<AccessOptions> {
  const given = password ?? await printedPassword(context, password_command);
  return present({ ...(insecure ? { insecure } : {}), password: given });
}

async function printedPassword(
  context: Context,
  command: string | undefined,
): Promise<string | undefined> {
  if (command === undefined) return undefined;
  const { runKeyCommand } = await import("../_key_command.ts");
  const [line = ""] = (await runKeyCommand(context, command, "password_command")).split(/\r?\n/);
  return line;
}

/**
 * Works with the store that the settings name, and closes the connection.
 *
 * @throws {SessionError} `unreachable`, `permission`, `not-found`, `unsupported-version`
 */
export async function withTeamStore<Result>(
  context: Context,
  access: StoreAccess,
  work: (store: TeamStore) => Promise<Result>,
): Promise<Result> {
  const options = await accessOptions(context, access);
  const { openTeamStore } = await import("../../lib/team/postgres/postgres_store.ts");
  await using store = await openTeamStore(access.url, options);
  return await work(store);
}
