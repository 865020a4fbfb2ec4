/**
 * The `reprise` executable.
 *
 * @module
 */
import { processContext } from "./commands/_context.ts";
import { start } from "./commands/_start.ts";
import configuration from "./deno.json" with { type: "json" };

if (import.meta.main) {
  // Left by itself, the process would wait for a read of standard input that nobody needs any more.
  Deno.exit(await start(Deno.args, processContext(configuration.version)));
}
