/** A program that runs a shell script in the foreground, and ends as it did. */
import { endAs, runInForeground } from "../../../lib/core/platform/foreground.ts";

const [script = ""] = Deno.args;
const exit = await runInForeground("/bin/sh", { args: ["-c", script], cwd: "/" });
await endAs(exit);
Deno.exit(exit.code);
