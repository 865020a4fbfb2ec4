/**
 * The settings and files in which agents accept hooks. An agent adds a hook's answer to its model's
 * context.
 */
import type { HookMoment, HookPlace, RootCandidates } from "./agent_descriptor.ts";

/** The moments at which a hook runs, in the order in which hooks are installed. */
export const HOOK_MOMENTS: readonly HookMoment[] = ["start", "compact", "call"];

/** A plug-in's import line, joined from parts so that tools do not take it for a real import. */
const EXEC = `${"import"} { exec } from ${JSON.stringify(["node", "child_process"].join(":"))};`;

/** Returns the place of a `SessionStart` hook in settings that have Claude Code's form. */
export function sessionStartPlace(path: RootCandidates, matcher?: string): HookPlace {
  return {
    path,
    keys: ["hooks", "SessionStart"],
    entry: (command) => ({
      ...matcher === undefined ? {} : { matcher },
      hooks: [{ type: "command", command }],
    }),
  };
}

export function sessionStartPlaces(
  path: RootCandidates,
): Readonly<Record<"start" | "compact", HookPlace>> {
  return {
    start: sessionStartPlace(path, "startup|resume"),
    compact: sessionStartPlace(path, "compact"),
  };
}

/** Returns the text of a plug-in: a function `ask` that runs the command, followed by `code`. */
export function pluginText(command: string, code: string): string {
  return `// Written by \`reprise setup\`, and removed by \`reprise setup --remove\`.
${EXEC}

const COMMAND = ${JSON.stringify(command)};

/** Returns what the hook says; undefined where it says nothing. */
const ask = (session) =>
  new Promise((resolve) => {
    const child = exec(COMMAND, { timeout: 10000, windowsHide: true }, (error, answer) => {
      try {
        resolve(error ? undefined : JSON.parse(answer).additionalContext);
      } catch {
        resolve(undefined);
      }
    });
    child.stdin.on("error", () => {});
    child.stdin.end(JSON.stringify(session));
  });

${code}`;
}
