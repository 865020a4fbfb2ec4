/**
 * The README's first command: lists the sample sessions in testdata/demo, replays one, and prints
 * what a model would get next.
 */
import { fileURLToPath } from "node:url";
import { type Context, processContext } from "../commands/_context.ts";
import { run } from "../commands/_run.ts";
import configuration from "../deno.json" with { type: "json" };

Deno.env.set("REPRISE_HOME", fileURLToPath(new URL("../testdata/demo", import.meta.url)));
const context: Context = processContext(configuration.version);

for (
  const args of [
    ["list", "--all", "--agent", "reprise"],
    ["show", "8d1f0c4e"],
    ["conversation", "8d1f0c4e"],
  ]
) {
  context.stdout.write(`\n$ reprise ${args.join(" ")}\n`);
  // The sample store is a part of the repository: nothing is written into it.
  const status = await run([...args, "--no-cache"], context);
  if (status !== 0) Deno.exit(status);
}
