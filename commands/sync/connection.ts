/** Connects to the folders, buckets and databases that the settings of `sync` name. */
import { present } from "../../lib/core/event/present.ts";
import type { MachineSettings } from "../../lib/features/backup/machines/machine_settings.ts";
import type { SyncSettings } from "../../lib/features/team/shared_project.ts";
import type { AccountSources } from "../../lib/features/team/s3/credentials.ts";
import type { Team } from "../../lib/features/team/open_team.ts";
import type { StoreAccessOptions } from "../../lib/features/team/open_store.ts";
import type { Context } from "../_context.ts";
import { SessionError } from "../../lib/core/event/session_error.ts";
import { contextLibrary } from "../_library.ts";

type StoreAccess = Pick<SyncSettings, "url" | "insecure" | "password_command"> & {
  /**
   * The typed password. Without it, the password comes from the command, the environment or
   * `~/.pgpass`.
   */
  password?: string | undefined;
};

export interface AccessOptions {
  insecure?: boolean;
  password?: string;
}

/**
 * Returns the options of a connection. Runs `password_command` for the password, unless `password`
 * is given.
 *
 * @throws {SessionError} `invalid-key` if the command fails. No message contains the command's
 * output.
 */
export async function accessOptions(
  context: Context,
  { url, insecure, password, password_command }: StoreAccess,
): Promise<AccessOptions> {
  const given = password ?? await printedPassword(context, url, password_command);
  return present({ insecure: insecure || undefined, password: given });
}

async function printedPassword(
  context: Context,
  url: string,
  command: string | undefined,
): Promise<string | undefined> {
  if (command === undefined) return undefined;
  const { runKeyCommand } = await import("../_key_command.ts");
  const printed = await runKeyCommand(context, command, "password_command");
  // Keys of S3 are a document; a password is a line.
  return url.startsWith("s3:") ? printed : printed.split(/\r?\n/)[0] ?? "";
}

export async function storeAccess(
  context: Context,
  access: StoreAccess,
): Promise<StoreAccessOptions> {
  return { ...await accessOptions(context, access), account: accountSources(context) };
}

export function accountSources(context: Context): AccountSources {
  return {
    variable: context.variable,
    run: async (line, setting) =>
      await (await import("../_key_command.ts")).runKeyCommand(context, line, setting),
  };
}

/**
 * Opens the team's store, calls `work` with it, and closes the connection.
 *
 * @throws {SessionError} `unreachable`, `permission`, `not-found`, `unsupported-version`
 */
export async function withTeam<Result>(
  context: Context,
  access: StoreAccess,
  work: (team: Team) => Promise<Result>,
): Promise<Result> {
  const options = await storeAccess(context, access);
  const { openTeam } = await import("../../lib/features/team/open_team.ts");
  await using team = await openTeam(access.url, options);
  return await work(team);
}

/** Reads the settings of the team. Undefined before `reprise sync team`. */
export async function knownSettings(context: Context): Promise<SyncSettings | undefined> {
  const { readSyncSettings } = await import("../../lib/features/team/sync_settings.ts");
  return readSyncSettings(contextLibrary(context).root);
}

/**
 * Reads the settings of the team.
 *
 * @param action The action that needs the settings, for the message, such as "push"
 * @throws {SessionError} `invalid-config` if this machine shares with no team. The message says how
 * to join one.
 */
export async function neededSettings(context: Context, action: string): Promise<SyncSettings> {
  const settings = await knownSettings(context);
  if (settings !== undefined) return settings;
  const machines = await machineSettings(context) === undefined
    ? ""
    : " To sync your machines: reprise sync --once.";
  const message =
    `Cannot ${action}: this machine shares with no team yet.${machines} To make a team's store, ` +
    "or to join one, run in a project's directory: reprise sync team PLACE";
  throw new SessionError("invalid-config", message);
}

/** Reads the settings for syncing the user's machines. Undefined before `reprise sync PLACE`. */
export async function machineSettings(context: Context): Promise<MachineSettings | undefined> {
  const { readMachineSettings } = await import(
    "../../lib/features/backup/machines/machine_settings.ts"
  );
  return readMachineSettings(contextLibrary(context).root);
}

export function nothingToSync(action: string): SessionError {
  const message = `Cannot ${action}: this machine syncs with no other yet. To begin, run in a ` +
    "project's directory: reprise sync PLACE, or to share with a team: reprise sync team PLACE";
  return new SessionError("invalid-config", message);
}

export async function keepSettings(context: Context, settings: SyncSettings): Promise<void> {
  const { writeSyncSettings } = await import("../../lib/features/team/sync_settings.ts");
  writeSyncSettings(contextLibrary(context).root, settings);
}
