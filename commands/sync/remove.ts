/** `reprise sync remove`: stops sending the sessions of a project. */
import { resolve } from "node:path";
import { SessionError } from "../../lib/core/event/session_error.ts";
import { projectDirectories } from "../../lib/core/workspace/project.ts";
import { realDirectory } from "../../lib/core/workspace/real_directory.ts";
import { defineCommand } from "../_command.ts";
import type { Context } from "../_context.ts";
import { contextLibrary } from "../_library.ts";
import { say } from "../_message.ts";
import { keepSettings, knownSettings } from "./connection.ts";

export const removeCommand = defineCommand({
  summary: "stop sending a project's sessions",
  description: "Stop sending a project's sessions, to your machines and to your team. What was " +
    "sent stays there. To delete a session from the team's store: reprise sync withdraw REF.",
  arguments: [[
    "[dir]",
    "the project's directory (default: the project that contains this directory)",
  ]],
  examples: ["reprise sync remove", "reprise sync remove ~/src/my-app"],
  run: (context, dir) => remove(context, dir ?? "."),
});

async function remove(context: Context, given: string): Promise<void> {
  const { root } = contextLibrary(context);
  const { readMachineSettings, writeMachineSettings } = await import(
    "../../lib/features/backup/machines/machine_settings.ts"
  );
  const [team, machines] = [await knownSettings(context), readMachineSettings(root)];
  const path = resolve(context.cwd, given);
  const named = new Set([path, realDirectory(path), ...projectDirectories(path).slice(0, 1)]);
  const isNamed = ({ directory }: { directory: string }): boolean => named.has(directory);
  const shared = team?.projects ?? [];
  const left = shared.filter((one) => !isNamed(one)).map(({ work_trees = [], ...project }) => {
    const others = work_trees.filter((tree) => !named.has(tree));
    return others.length === 0 ? project : { ...project, work_trees: others };
  });
  const sent = machines?.projects ?? [];
  const gone = [...shared, ...sent].find(isNamed);
  const is_tree = JSON.stringify(left) !== JSON.stringify(shared);
  if (gone === undefined && !is_tree) throw notShared(path, [...shared, ...sent]);
  if (team !== undefined && is_tree) await keepSettings(context, { ...team, projects: left });
  if (machines !== undefined && sent.some(isNamed)) {
    const projects = sent.filter((one) => !isNamed(one));
    writeMachineSettings(root, { ...machines, projects });
  }
  await say(
    context,
    `No longer sent: ${gone === undefined ? path : `${gone.project}  ${gone.directory}`}`,
  );
}

function notShared(path: string, projects: readonly { directory: string }[]): SessionError {
  const shared = [...new Set(projects.map(({ directory }) => directory))].join(", ");
  const message = shared === ""
    ? `Cannot remove ${path}: no project is sent`
    : `Cannot remove ${path}: it is not one of the projects that are sent: ${shared}`;
  return new SessionError("not-found", message, { path });
}
