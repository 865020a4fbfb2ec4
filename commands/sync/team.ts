/** `reprise sync team`: shares redacted copies of a project's sessions with a team. */
import { SessionError } from "../../lib/core/event/session_error.ts";
import { present } from "../../lib/core/event/present.ts";
import { hostName } from "../../lib/core/platform/process.ts";
import type { SharedProject, SyncSettings } from "../../lib/features/team/shared_project.ts";
import { collected, defineCommand, type Flags, type FlagsOf } from "../_command.ts";
import type { Context } from "../_context.ts";
import { CommandExit, STATUS, UsageError } from "../_failure.ts";
import { contextLibrary } from "../_library.ts";
import { say } from "../_message.ts";
import { isConfirmed } from "../_question.ts";
import { AGENTS_LINE } from "../_scope_flags.ts";
import { projectHere, SHARED_AGENTS } from "./added_project.ts";
import { keepSettings, knownSettings, storeAccess, withTeam } from "./connection.ts";
import { previewLines, previewProject } from "./preview.ts";
import { shareOnce } from "./transfer.ts";
import { assertPlace } from "./wrong_place.ts";

const FLAGS = {
  "--project <name>": "the project's name on all machines (default: host/path of its git remote)",
  "--agent <name>": {
    help: "only sessions of this agent; can be repeated",
    choices: SHARED_AGENTS,
    see: AGENTS_LINE,
    parse: collected,
  },
  "--once": "stop after one round (default: follow until ^C)",
  "-y, --yes": "do not ask for confirmation",
  "--password-command <line>": "a command that prints the password, or the S3 keys as JSON",
  "--insecure": "allow an unencrypted connection to another host (without TLS)",
} as const satisfies Flags;

type TeamFlags = FlagsOf<typeof FLAGS>;

export const teamCommand = defineCommand({
  summary: "share a project's sessions with a team, as redacted copies",
  description:
    "Share redacted copies of this project's sessions with a team, and receive those of other " +
    "members. The first member makes the store. PLACE is a folder, ssh://HOST/FOLDER, s3://BUCKET, " +
    "or postgresql://…; it is needed once. Secrets in known formats are replaced in the copies.",
  arguments: [["[place]"]],
  flags: FLAGS,
  notes: "\nIn a folder or bucket, give your name: 'FOLDER?user=NAME'.\n",
  examples: [
    "reprise sync team '/mnt/team/reprise?user=ann'",
    "reprise sync team postgresql://ann@db.example.com/sessions",
    "reprise sync team",
  ],
  run: team,
});

async function team(context: Context, place: string | undefined, flags: TeamFlags): Promise<void> {
  const known = await knownSettings(context);
  const url = place === undefined ? known?.url : await storeUrl(context, place);
  if (url === undefined) throw new UsageError("name the place: reprise sync team PLACE");
  // First, so that no store is made for a project without a name.
  const project = await projectHere(context, flags);
  const joined = await joinedStore(context, known, url, flags);
  const settings = project === undefined
    ? joined
    : { ...joined, projects: withProject(joined.projects, project) };
  const is_changed = JSON.stringify(settings) !== JSON.stringify(known);
  if (is_changed && project !== undefined) await confirm(context, settings, project, flags);
  if (is_changed) await keepSettings(context, settings);
  if (settings.projects.length === 0) {
    return await say(
      context,
      "Nothing is shared yet. To share a project, run in its directory: reprise sync team",
    );
  }
  if (flags.once) return await shareOnce(context, settings);
  const { followTeam } = await import("./watch.ts");
  await followTeam(context);
}

function withProject(
  projects: readonly SharedProject[],
  project: SharedProject,
): SharedProject[] {
  const others = projects.filter(({ directory }) => directory !== project.directory);
  return [...others, project];
}

/** Returns the address of the store that a user typed. Throws if it contains a password. */
async function storeUrl(context: Context, given: string): Promise<string> {
  assertPlace(context, "sync team", given);
  const { passwordFileLine, storeAddress } = await import(
    "../../lib/features/team/store_address.ts"
  );
  const { url, password } = storeAddress(given, context.cwd);
  if (password === undefined) return url;
  throw new UsageError(
    "the address has a password, which is never kept. Put this line into ~/.pgpass, mode 0600: " +
      passwordFileLine(url),
  );
}

/**
 * Returns the settings of the team's store at an address. Creates a missing store, unless this
 * machine already shares projects in another one.
 */
async function joinedStore(
  context: Context,
  known: SyncSettings | undefined,
  url: string,
  { passwordCommand, insecure }: TeamFlags,
): Promise<SyncSettings> {
  if (known?.url === url && passwordCommand === undefined) return known;
  const device = known?.device ?? { id: crypto.randomUUID(), label: hostName() };
  const { projects = [] } = known ?? {};
  const access = present({ url, password_command: passwordCommand, insecure });
  const is_bound = known?.store !== undefined && projects.length > 0;
  const id = await storeId(context, access, !is_bound);
  if (id === undefined || is_bound && known.store !== id) {
    const message = `Cannot use another store: this machine already shares projects in ` +
      `${known?.url}; first remove each project: reprise sync remove DIR`;
    throw new SessionError("invalid-config", message);
  }
  return { ...access, version: 2, store: id, device, projects };
}

/**
 * Returns the id of the team's store. Creates a missing store if `may_make` is true, else returns
 * undefined.
 */
async function storeId(
  context: Context,
  access: Pick<SyncSettings, "url" | "password_command" | "insecure">,
  may_make: boolean,
): Promise<string | undefined> {
  const idOf = async (): Promise<string> =>
    await withTeam(context, access, async ({ id, owner }) => {
      await say(context, `Using the team's store as member ${owner}: ${access.url}`);
      return await Promise.resolve(id);
    });
  try {
    return await idOf();
  } catch (error) {
    if (!isMissing(error)) throw error;
    if (!may_make) return undefined;
  }
  const { makeTeam } = await import("../../lib/features/team/open_team.ts");
  const owner = context.variable("USER") ?? context.variable("USERNAME") ?? "me";
  await makeTeam(access.url, await storeAccess(context, access), owner);
  await say(
    context,
    access.url.startsWith("postgres")
      ? "Created a team's store. Its owner adds members with SQL: grant reprise_member to NAME"
      : "Created a team's store",
  );
  return await idOf();
}

/** True if the error says that no store exists. A store of another version counts as existing. */
function isMissing(error: unknown): boolean {
  return error instanceof SessionError && !error.message.includes("version of Reprise") &&
    (error.message.includes("no store was found") ||
      error.message.includes("has no store of sessions"));
}

async function confirm(
  context: Context,
  { url }: SyncSettings,
  project: SharedProject,
  { yes }: TeamFlags,
): Promise<void> {
  const preview = await previewProject(context, contextLibrary(context), project);
  const { formatBytes } = await import("../../lib/text/render/byte_size.ts");
  await say(context, previewLines(project, preview, formatBytes).join("\n"));
  if (yes) return;
  if (!(context.stdin_terminal && context.stderr.terminal)) {
    throw new UsageError("Cannot ask whether to share them: this is not a terminal. Add --yes");
  }
  if (await isConfirmed(context, `Share them in ${url}?`)) return;
  await say(context, "Nothing was shared");
  throw new CommandExit(STATUS.cancelled);
}
