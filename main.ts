/**
 * The `reprise` executable.
 *
 * @module
 */
import { processContext } from "./commands/_context.ts";
import { run } from "./commands/_run.ts";
import configuration from "./deno.json" with { type: "json" };

if (import.meta.main) {
  // Left by itself, the process would wait for a read of standard input that nobody needs any more.
  Deno.exit(await run(Deno.args, processContext(configuration.version)));
}
