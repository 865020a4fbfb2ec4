/**
 * The way into the program: what can be answered at once is, before anything else is loaded.
 */
import type { Context } from "./_context.ts";

/** Runs a command line; gives the exit status. */
export async function start(args: readonly string[], context: Context): Promise<number> {
  const [flag = ""] = args;
  if (args.length === 1 && (flag === "--version" || flag === "-V")) {
    context.stdout.write(`${context.version}\n`);
    return 0;
  }
  const { run } = await import("./_run.ts");
  return await run(args, context);
}
