/** A program that asks for a session and then reads a line, as the chat does. */
import { processContext } from "../../commands/_context.ts";
import { pickSession } from "../../commands/_terminal.ts";

const context = processContext("0.0.0");
const row = await pickSession(context);
context.stdout.write(`picked ${row?.title ?? "nothing"}\n`);
const { value } = await context.stdin().getReader().read();
context.stdout.write(`read ${JSON.stringify(new TextDecoder().decode(value))}\n`);
Deno.exit(0);
