/**
 * The `reprise` executable.
 *
 * @module
 */
import { processContext } from "./commands/_context.ts";
import { run } from "./commands/_run.ts";
import configuration from "./deno.json" with { type: "json" };

if (import.meta.main) {
  Deno.exitCode = await run(Deno.args, processContext(configuration.version));
}
