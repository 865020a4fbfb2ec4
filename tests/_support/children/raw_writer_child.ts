/**
 * A program that appends lines to a log without a lock, as no program should: `<path> <name>
 * <count> <bytes>`. It waits for a line on its input to begin.
 */
import { encodeEvent } from "../../../lib/core/event/encode.ts";
import { LogWriter } from "../../../lib/core/log/log_writer.ts";

const [path = "", name, count, bytes] = Deno.args;

if (import.meta.main) {
  const writer = LogWriter.open(path);
  const lines = Array.from({ length: Number(count) }, (_, index) => {
    const content = `${name} ${index} ${"x".repeat((index * 7919) % Number(bytes))}`;
    return encodeEvent({ seq: index + 1, kind: "user_message", payload: { content } });
  });
  await Deno.stdout.write(new TextEncoder().encode("ready\n"));
  await Deno.stdin.read(new Uint8Array(16));
  for (const line of lines) writer.write([line]);
  await writer.close();
}
