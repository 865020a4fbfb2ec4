/**
 * Reads the message that is piped into a chat.
 */
import { typedIfSystem } from "../../lib/log/io_error.ts";
import type { Context } from "../_context.ts";
import { UsageError } from "../_failure.ts";

/** More than the largest context window of a model takes, and little for a machine. */
const MOST_BYTES = 8 * 1024 * 1024;

/**
 * Returns the text of standard input, without white space around it.
 *
 * @throws {UsageError} Where it is longer than a message may be: no more of it is read.
 * @throws {SessionError} `io` where the system refuses to read it.
 */
export async function readPipedMessage(context: Context): Promise<string> {
  const decoder = new TextDecoder();
  const pieces: string[] = [];
  let bytes = 0;
  try {
    for await (const chunk of context.stdin()) {
      bytes += chunk.length;
      if (bytes > MOST_BYTES) throw tooLong();
      pieces.push(decoder.decode(chunk, { stream: true }));
    }
  } catch (error) {
    throw typedIfSystem(error, "read", "standard input");
  }
  pieces.push(decoder.decode());
  return pieces.join("").trim();
}

function tooLong(): UsageError {
  const message = `standard input has more than ${MOST_BYTES} bytes, the limit of a message: ` +
    "pipe less of it, or name the file in the message";
  return new UsageError(message);
}
