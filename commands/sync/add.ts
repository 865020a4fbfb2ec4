/** `reprise sync add` and `reprise sync remove`: the shared projects. */
import { resolve } from "node:path";
import { AGENT_NAMES } from "../../lib/core/event/agent_name.ts";
import { SessionError } from "../../lib/core/event/session_error.ts";
import type { SharedProject } from "../../lib/features/team/shared_project.ts";
import { isInProject, projectDirectories } from "../../lib/core/workspace/project.ts";
import { homeFolder } from "../../lib/core/workspace/home_folder.ts";
import { pathRules } from "../../lib/core/workspace/path_rules.ts";
import { realDirectory } from "../../lib/core/workspace/real_directory.ts";
import { isRoot } from "../../lib/core/workspace/system_path.ts";
import { collected, defineCommand } from "../_command.ts";
import { type Context, isDirectory } from "../_context.ts";
import { CommandExit, STATUS } from "../_failure.ts";
import { contextLibrary } from "../_library.ts";
import { printJson, say } from "../_message.ts";
import { isConfirmed } from "../_question.ts";
import { AGENTS_LINE } from "../_scope_flags.ts";
import { addedProject, type AddFlags, isAddedAlready } from "./added_project.ts";
import { previewLines, previewProject } from "./preview.ts";
import { keepSettings, neededSettings } from "./connection.ts";

const FORMS = `
Three ways to share:
  --copies   send redacted copies: secrets in known formats are replaced. Also
             works for sessions of agents other than Reprise. Default for a
             database.
  --exact    send the full sessions, without redaction. You can continue them
             on your other machines.
  --sealed   like --exact, but encrypted. Only the owners of the keys that you
             name with --recipient can read the sessions. Without --recipient,
             only you can (with your key in REPRISE_IDENTITY). The store's
             owner sees the sizes and times of sessions. Default for a folder,
             because anyone with access to the folder can read its files.

Examples:
  reprise sync add                        this project, as redacted copies
  reprise sync add ~/notes --project notes --exact --private
  reprise sync add --sealed --recipient age1…`;

export const addCommand = defineCommand({
  summary: "add a project, to share its sessions",
  description:
    "Add a project, to share its sessions. The command first shows what would be sent, and how " +
    "many secrets it contains. Nothing is sent until you run reprise sync push.",
  arguments: [[
    "[dir]",
    "the project's directory (default: the project that contains this directory)",
  ]],
  flags: {
    "--project <name>": "the project's name on all machines (default: host/path of its git remote)",
    "--copies": { help: "send redacted copies", conflicts: ["exact", "sealed"] },
    "--exact": { help: "send the full sessions, unchanged", conflicts: ["sealed"] },
    "--sealed": "send the full sessions, encrypted",
    "--recipient <age1…>": {
      help: "with --sealed: the public key (age recipient) of someone who may read the " +
        "sessions; can be repeated",
      parse: collected,
    },
    "--agent <name>": {
      help: "only sessions of this agent; can be repeated",
      get choices(): readonly string[] {
        return [...AGENT_NAMES, "all"];
      },
      see: AGENTS_LINE,
      parse: collected,
    },
    "--private": "share only with your own machines; other members cannot read the sessions",
    "--yes": "do not ask",
    "--json": "print one JSON object that describes what would be sent",
  },
  notes: FORMS,
  run: (context, dir, flags) => add(context, dir ?? ".", flags),
});

async function add(context: Context, given: string, flags: AddFlags): Promise<void> {
  const settings = await neededSettings(context, "add a project");
  const project = await addedProject(context, given, flags, settings.url);
  if (isAddedAlready(settings.projects, project)) {
    return await say(context, `Shared already: ${project.project}  ${project.directory}`);
  }
  if (!flags.yes) refuseHome(context, project.directory);
  const preview = await previewProject(context, contextLibrary(context), project);
  if (flags.json) await printJson(context, { ...project, ...preview });
  else {
    const { formatBytes } = await import("../../lib/text/render/byte_size.ts");
    await say(context, previewLines(project, preview, formatBytes).join("\n"));
  }
  if (project.form !== "copy" && !flags.yes) await confirm(context, project);
  // Another process may have changed them meanwhile.
  const latest = await neededSettings(context, "add a project");
  if (!isAddedAlready(latest.projects, project)) {
    const others = latest.projects.filter(({ directory }) => directory !== project.directory);
    await keepSettings(context, { ...latest, projects: [...others, project] });
  }
  await say(context, "Added. Nothing was sent yet. To send the sessions: reprise sync push");
}

/** Refuses a home directory, or a whole drive, as a project, even if it is a repository. */
function refuseHome({ variable }: Context, directory: string): void {
  const home = homeFolder(variable);
  const has_home = home !== undefined && isInProject(realDirectory(home), [directory]);
  if (!has_home && !isRoot(directory, pathRules())) return;
  const what = has_home ? "it contains your home directory" : "the directory is a whole drive";
  const message = `Cannot add ${directory}: ${what}, so sessions of all projects would be sent; ` +
    "name a project's directory, or confirm with --yes";
  throw new SessionError("invalid-config", message, { path: directory });
}

async function confirm(context: Context, { form }: SharedProject): Promise<void> {
  const what = form === "log"
    ? "Share the sessions unchanged, without redaction"
    : "Share the sessions encrypted";
  if (!context.stdin_terminal || !context.stderr.terminal) {
    const flag = form === "log" ? "--exact" : "--sealed";
    const message = `Cannot add: ${flag} sends sessions unredacted; to agree to this, add --yes`;
    throw new SessionError("invalid-config", message);
  }
  if (await isConfirmed(context, `${what}?`)) return;
  await say(context, "Nothing was added");
  throw new CommandExit(STATUS.failed);
}

export const removeCommand = defineCommand({
  summary: "stop sharing a project's sessions, or remove a lost machine",
  description:
    "Stop sharing a project's sessions. Sessions that were sent stay in the store. To delete " +
    "such a session: reprise sync withdraw REF. If you give the name or the key of another of " +
    "your machines instead, this machine stops trusting it. New events are then encrypted with " +
    "new keys, which that machine does not have.",
  arguments: [[
    "[dir]",
    "the project's directory (default: the project that contains this directory), or a machine",
  ]],
  flags: {
    "--recipient <age1…>": {
      help: "with a machine: its own public key, if your machines have different private keys",
      parse: collected,
    },
  },
  examples: [
    "reprise sync remove",
    "reprise sync remove ~/src/my-app",
    "reprise sync remove old-laptop",
  ],
  run: (context, dir, { recipient }) => remove(context, dir ?? ".", recipient),
});

async function remove(
  context: Context,
  given: string,
  recipient: readonly string[] | undefined,
): Promise<void> {
  const settings = await neededSettings(context, "remove a project");
  const path = resolve(context.cwd, given);
  const is_shared = settings.projects.some(({ directory, work_trees = [] }) =>
    [directory, ...work_trees].includes(path)
  );
  if (/^[^.\/\\][^\/\\]*$/.test(given) && !is_shared && !isDirectory(path)) {
    const { removeMachine } = await import("./remove_machine.ts");
    return await removeMachine(context, settings, given, recipient);
  }
  const named = new Set([path, realDirectory(path), ...projectDirectories(path).slice(0, 1)]);
  const left = settings.projects.filter(({ directory }) => !named.has(directory))
    .map(({ work_trees = [], ...project }) => {
      const others = work_trees.filter((tree) => !named.has(tree));
      return others.length === 0 ? project : { ...project, work_trees: others };
    });
  const [gone] = settings.projects.filter(({ directory }) => named.has(directory));
  if (gone === undefined) throw notShared(path, settings.projects);
  await keepSettings(context, { ...settings, projects: left });
  await say(context, `No longer shared: ${gone.project}  ${gone.directory}`);
  await say(
    context,
    "Sessions that were sent stay in the store. To delete one: reprise sync withdraw REF",
  );
}

function notShared(path: string, projects: readonly SharedProject[]): SessionError {
  const shared = projects.map(({ directory }) => directory).join(", ");
  const message = shared === ""
    ? `Cannot remove ${path}: no project is shared`
    : `Cannot remove ${path}: it is not one of the shared projects: ${shared}`;
  return new SessionError("not-found", message, { path });
}
