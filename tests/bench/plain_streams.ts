/** A program that parses a log by plain Web Streams, and does no more. */
import { plainStreams } from "./baseline.ts";

const count = await plainStreams(Deno.args[0] ?? "");
Deno.stdout.writeSync(new TextEncoder().encode(`${count}\n`));
