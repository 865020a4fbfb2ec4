/** Makes the entry of a shared project from the command line. */
import { resolve } from "node:path";
import { AGENT_NAMES, type AgentName } from "../../lib/core/event/agent_name.ts";
import { present } from "../../lib/core/event/present.ts";
import { SessionError } from "../../lib/core/event/session_error.ts";
import type { SharedProject } from "../../lib/features/team/shared_project.ts";
import type { SharedForm } from "../../lib/features/team/team_store.ts";
import { projectDirectories } from "../../lib/core/workspace/project.ts";
import { type Context, isDirectory } from "../_context.ts";
import { UsageError } from "../_failure.ts";
import { FORM_WORDS } from "./report_text.ts";

export interface AddFlags {
  project?: string;
  exact?: true;
  sealed?: true;
  copies?: true;
  recipient?: string[];
  agent?: string[];
  private?: true;
  yes?: true;
  json?: true;
}

/**
 * Makes the entry of a directory's project.
 *
 * @throws {SessionError} `not-found`, `invalid-config` @throws {UsageError} For want of a name.
 */
export async function addedProject(
  context: Context,
  given: string,
  flags: AddFlags,
  url: string,
): Promise<SharedProject> {
  const [directory, ...work_trees] = projectTrees(context, given);
  const form = await chosenForm(flags, url);
  const agents = chosenAgents(flags, form);
  const recipients = await chosenRecipients(context, flags, form);
  return present({
    directory,
    work_trees: work_trees.length === 0 ? undefined : work_trees,
    project: await nameOf(directory, flags.project),
    form,
    agents,
    visible: flags.private ? "private" : "team",
    recipients,
  });
}

/** Returns the form of the shared sessions: sealed by default if all members could read them. */
async function chosenForm({ sealed, exact, copies }: AddFlags, url: string): Promise<SharedForm> {
  if (sealed) return "sealed";
  if (exact) return "log";
  const { storeKind } = await import("../../lib/features/team/store_address.ts");
  return copies || storeKind(url) === "postgres" ? "copy" : "sealed";
}

/** Returns the real directories of a project, its top first. */
function projectTrees({ cwd }: Context, given: string): [string, ...string[]] {
  const path = resolve(cwd, given);
  if (!isDirectory(path)) {
    const message = `Cannot add ${path}: there is no such directory`;
    throw new SessionError("not-found", message, { path });
  }
  const [top = path, ...others] = projectDirectories(path);
  return [top, ...others];
}

async function nameOf(directory: string, name: string | undefined): Promise<string> {
  const { checkedProjectName, projectId } = await import("../../lib/features/team/project_id.ts");
  if (name !== undefined) return checkedProjectName(name);
  const found = projectId(directory);
  if (found !== undefined) return found;
  throw new UsageError(
    `the project in ${directory} has no git remote, so Reprise cannot name it; give a name, ` +
      "the same on all machines: --project NAME",
  );
}

/** The reason for sealed sessions without `--sealed`. */
const SEALED_HERE = "in a folder or a bucket, sessions are encrypted (--sealed)";

/** Returns the agents of `--agent`; undefined for the default ones. */
function chosenAgents(flags: AddFlags, form: SharedForm): AgentName[] | undefined {
  const { agent = [] } = flags;
  if (agent.length === 0) return undefined;
  const agents = agent.includes("all") ? [...AGENT_NAMES] : [...new Set(agent)] as AgentName[];
  if (form === "sealed" && agents.some((name) => name !== "reprise")) {
    throw new UsageError(
      [
        flags.sealed
          ? "With --sealed, sync sends only sessions that Reprise itself recorded, and none of other agents."
          : `${SEALED_HERE}, and only Reprise's own sessions can be encrypted.`,
        "To send sessions of agents such as Claude Code as copies, with secrets replaced: " +
        "--copies. To make them sessions of Reprise first, run in the project's directory: reprise backup --agent all",
      ].join(" "),
    );
  }
  return agents;
}

async function chosenRecipients(
  context: Context,
  flags: AddFlags,
  form: SharedForm,
): Promise<string[] | undefined> {
  const { recipient } = flags;
  if (form !== "sealed") {
    if (recipient !== undefined) throw new UsageError("--recipient needs --sealed");
    return undefined;
  }
  if (recipient === undefined) {
    const { identitiesAtHand } = await import("../_seal_keys.ts");
    const identities = await identitiesAtHand(context, undefined) ?? [];
    // Without another word they are for the user's own machines: each push asks for their key.
    if (identities.length > 0) return undefined;
    throw new UsageError(
      (flags.sealed ? "--sealed needs a key: " : `${SEALED_HERE}, which needs a key: `) +
        "make one with reprise key new --out FILE, and set " +
        "REPRISE_IDENTITY=FILE on this and your other machines. Or name who may read: " +
        "--recipient age1…",
    );
  }
  const { checkRecipients } = await import("../../lib/text/seal/keys.ts");
  return await checkRecipients(recipient);
}

/** Names the shared directories that are no longer there. */
export function goneLines(projects: readonly SharedProject[]): string[] {
  return projects.filter(({ directory }) => !isDirectory(directory)).map((
    { project, directory },
  ) =>
    `Not shared: new sessions of ${project}, because the directory ${directory} does not exist. ` +
    `If you moved it: reprise relink ${directory} NEW. If not: reprise sync remove ${directory}`
  );
}

/** Names the work trees that are newer than their projects' entries. */
export function newTreeLines(projects: readonly SharedProject[]): string[] {
  return projects.flatMap(({ directory, work_trees = [] }) => {
    const fresh = projectDirectories(directory).slice(1).filter((tree) =>
      !work_trees.includes(tree) && !projects.some((other) => other.directory === tree)
    );
    return fresh.map((tree) =>
      `Not shared: ${tree}, which is a work tree of ${directory}; to share the work tree, too: ` +
      `reprise sync add ${directory}`
    );
  });
}

/**
 * Refuses to share one directory or one project in two ways.
 *
 * @returns True if the same was added before, with the same work trees.
 */
export function isAddedAlready(
  projects: readonly SharedProject[],
  added: SharedProject,
): boolean {
  const here = projects.find(({ directory }) => directory === added.directory);
  if (here !== undefined) {
    if (wayOf(here) !== wayOf(added) || here.project !== added.project) {
      throw addedOtherwise(added.directory, here);
    }
    return (added.work_trees ?? []).every((tree) => here.work_trees?.includes(tree));
  }
  const same = projects.find(({ project, form, visible }) =>
    project === added.project && (form !== added.form || visible !== added.visible)
  );
  if (same !== undefined) throw addedOtherwise(added.project, same);
  return false;
}

function wayOf({ form, visible, agents = [], recipients = [] }: SharedProject): string {
  return JSON.stringify([form, visible, [...agents].sort(), [...recipients].sort()]);
}

function addedOtherwise(what: string, { directory, project, form, visible }: SharedProject): Error {
  const whose = visible === "private" ? "private " : "";
  const message =
    `Cannot add ${what}: ${directory} already shares ${whose}${FORM_WORDS[form]} under the name ` +
    `${project}. To change that: reprise sync remove ${directory}, then add it again`;
  return new SessionError("invalid-config", message, { path: directory });
}
