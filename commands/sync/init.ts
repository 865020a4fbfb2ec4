/** `reprise sync init` and `reprise sync join`: the store of this machine. */
import { present } from "../../lib/core/event/present.ts";
import { SessionError } from "../../lib/core/event/session_error.ts";
import { hostName } from "../../lib/core/platform/process.ts";
import type { SyncSettings } from "../../lib/features/team/shared_project.ts";
import type { StoreGreeting } from "../../lib/features/team/team_store.ts";
import { defineCommand, type Flags, type FlagsOf } from "../_command.ts";
import type { Context } from "../_context.ts";
import { counted } from "../../lib/core/event/counted.ts";
import { contextLibrary } from "../_library.ts";
import { say } from "../_message.ts";
import { keepSettings, knownSettings, storeAccess, withTeamStore } from "./connection.ts";
import { collectedKey, tellKey, trusting } from "./trust.ts";

const URL_ARGUMENT = [[
  "<url>",
  "a database's address, a folder, ssh://HOST/FOLDER, or s3://BUCKET",
]] as const;

const PASSWORD_FLAG = {
  "--password-command <line>": "a command that prints the password, or the S3 keys as JSON",
} as const satisfies Flags;

const INSECURE_FLAG = {
  "--insecure": "allow an unencrypted connection to another host (without TLS)",
} as const satisfies Flags;

const STORE_FLAGS = {
  ...PASSWORD_FLAG,
  "--trust <key>": {
    help: "the key of another of your machines, to receive its sessions; can be repeated",
    parse: collectedKey,
  },
  ...INSECURE_FLAG,
} as const satisfies Flags;

type StoreFlags = FlagsOf<typeof STORE_FLAGS>;

const DATABASE_ADDRESS = `
A database's URL is postgresql://USER@HOST[:PORT]/DATABASE. For a socket's
folder: ?host=/FOLDER. Other hosts are reached by TLS, which checks their
certificates. For your own authority: ?sslrootcert=FILE. The password is never
saved: put it into ~/.pgpass (mode 0600) as HOST:PORT:DATABASE:USER:PASSWORD, or
into PGPASSWORD, or give a command that prints the password; no shell runs it.
`;

const ADDRESSES = `
A folder is a mounted share, or one that Syncthing, Dropbox or rsync copies
between your machines. ssh:// is reached by sftp, with your keys. In a folder,
sessions are encrypted by default, because nothing else prevents others from
reading them. A member of a team gives a name: FOLDER?user=NAME.

s3://BUCKET/PREFIX?region=REGION is reached with the keys of AWS_ACCESS_KEY_ID,
of a profile in ~/.aws, or of a command. For your own server: &endpoint=URL.
${DATABASE_ADDRESS}`;

export const initCommand = defineCommand({
  summary: "make a store in a folder, a bucket or a database, and use it",
  description:
    "Make a store in a folder, in an S3 bucket, or in an empty PostgreSQL database, and use " +
    "it from this machine. Do this once. On every other machine: reprise sync join.",
  arguments: URL_ARGUMENT,
  flags: {
    ...STORE_FLAGS,
    "--sealed": "reject sessions that are not encrypted",
  },
  notes: ADDRESSES,
  examples: [
    "reprise sync init ~/Sync/reprise",
    "reprise sync init ssh://nas.local/backup/reprise",
    "reprise sync init 's3://my-sessions/reprise?region=eu-central-1'",
    "reprise sync init postgresql://admin@db.example.com/sessions",
    "reprise sync init 'postgresql://admin@/sessions?host=/run/postgresql'",
  ],
  run: init,
});

export const joinCommand = defineCommand({
  summary: "use an existing store",
  description:
    "Use an existing store on this machine: your own, or your team's. Nothing is sent yet. " +
    "To share a project: reprise sync add.",
  arguments: URL_ARGUMENT,
  flags: STORE_FLAGS,
  notes: ADDRESSES,
  examples: [
    "reprise sync join ~/Sync/reprise",
    "reprise sync join postgresql://ann@db.example.com/sessions",
  ],
  run: async (context, given, flags) => {
    const known = await knownSettings(context);
    const { settings, password } = await settingsFor(context, known, given, flags);
    const access = { ...settings, password };
    const greeting = await withTeamStore(context, access, (store) => store.hello(settings.device));
    assertSameStore(known, greeting);
    await keepSettings(context, { ...settings, store: greeting.id });
    await say(context, `Using the team's store as member ${greeting.owner}: ${settings.url}`);
    await tellNext(context, settings, password);
  },
});

async function init(
  context: Context,
  given: string,
  flags: StoreFlags & { sealed?: true },
): Promise<void> {
  const known = await knownSettings(context);
  const { settings, password } = await settingsFor(context, known, given, flags);
  const { storeKind } = await import("../../lib/features/team/store_address.ts");
  const is_database = storeKind(settings.url) === "postgres";
  // A new store has another id: what refuses it, refuses before it is made.
  if (known?.url !== settings.url) assertSameStore(known, { id: "" });
  const { machineKey } = await import("../../lib/features/team/state/device_key_file.ts");
  machineKey(contextLibrary(context).root, true);
  const { initStore } = await import("../../lib/features/team/open_store.ts");
  const access = await storeAccess(context, { ...settings, password });
  const owner = context.variable("USER") ?? context.variable("USERNAME") ?? "me";
  const greeting = await initStore(settings.url, access, { owner, sealed_only: flags.sealed });
  assertSameStore(known, greeting);
  await keepSettings(context, { ...settings, store: greeting.id });
  await say(
    context,
    is_database
      ? "Created a team's store. Its owner adds members with SQL: grant reprise_member to NAME"
      : `Created a store that belongs to ${greeting.owner}. On your other machines, run: ` +
        `reprise sync join '${settings.url}'`,
  );
  await tellNext(context, settings, password);
}

/** Returns the settings with another store. This machine's device and its projects stay. */
async function settingsFor(
  context: Context,
  known: SyncSettings | undefined,
  given: string,
  { passwordCommand, insecure, trust = [] }: StoreFlags,
): Promise<{ settings: SyncSettings; password?: string }> {
  const { storeAddress } = await import("../../lib/features/team/store_address.ts");
  const { url, password } = storeAddress(given, context.cwd);
  const { password_command: _command, insecure: _insecure, ...kept } = known ?? {
    version: 1 as const,
    device: { id: crypto.randomUUID(), label: hostName() },
    projects: [],
  };
  // A machine belongs to one member; another member gets a new device.
  const id = known === undefined || userOf(known.url) === userOf(url)
    ? kept.device.id
    : crypto.randomUUID();
  const settings: SyncSettings = present({
    ...{ ...kept, url, password_command: passwordCommand, insecure },
    device: { ...kept.device, id },
  });
  const trusted = trust.length === 0 ? settings : trusting(settings, trust);
  return present({ settings: trusted, password });
}

function userOf(url: string): string | undefined {
  return /^[a-z]+:\/\/([^/?#@]*)@/.exec(url)?.[1] ?? /[?&]user=([^&#]*)/.exec(url)?.[1];
}

/** Refuses another store while projects are shared in the present one. */
function assertSameStore(known: SyncSettings | undefined, { id }: Pick<StoreGreeting, "id">): void {
  if (known === undefined || known.projects.length === 0) return;
  if (known.store === undefined || known.store === id) return;
  const message = `Cannot use another store: this machine already shares ` +
    `${counted(known.projects.length, "project")} in ${known.url}; ` +
    "first remove each project: reprise sync remove DIR";
  throw new SessionError("invalid-config", message);
}

async function tellNext(
  context: Context,
  { url, projects }: SyncSettings,
  password: string | undefined,
): Promise<void> {
  if (password !== undefined) {
    const { passwordFileLine } = await import("../../lib/features/team/store_address.ts");
    const line = passwordFileLine(url);
    const advice = "The password is not saved. Put this line into ~/.pgpass, mode 0600:";
    await say(context, `${advice}\n  ${line}`);
  }
  await tellKey(context);
  if (projects.length === 0) {
    await say(
      context,
      "Nothing is shared yet. To share a project, run in its directory: reprise sync add",
    );
  }
}
