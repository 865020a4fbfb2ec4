/** Old names of commands. They work for one release more, and are listed nowhere. */
import type { Context } from "./_context.ts";
import { say } from "./_message.ts";

const NEW_NAMES: Readonly<Record<string, string>> = { keep: "backup", scan: "secrets" };

/** Returns the arguments with the command's name of today; says so where an old one was given. */
export async function withNewName(
  context: Context,
  args: readonly string[],
): Promise<readonly string[]> {
  const place = args[0] === "help" ? 1 : 0;
  const old = args[place] ?? "";
  const name = Object.hasOwn(NEW_NAMES, old) ? NEW_NAMES[old] : undefined;
  if (name === undefined) return args;
  const note = `reprise: "${old}" is called "${name}" now; the next release will not know "${old}"`;
  await say(context, note);
  return args.with(place, name);
}
