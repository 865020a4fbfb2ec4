/**
 * The last messages of a log, read from its end.
 */
import { contentFor } from "../event/audience.ts";
import type { LogEvent } from "../event/envelope.ts";
import { contentText } from "../event/message.ts";
import { linesFromEnd } from "../log/backward_reader.ts";
import { readOpened } from "../log/byte_source.ts";
import { checksumHistory } from "../log/checksum_history.ts";
import { parseLineAlone } from "../log/line_parser.ts";
import type { AgentSession, AgentTailOptions } from "../source/agent.ts";
import { BackwardPath } from "../projection/branch_path.ts";
import { BRANCH_KINDS } from "./log_branches.ts";
import { endOfThread } from "./read_threads.ts";

/** Messages that are not in so much of a log's end are not looked for further. */
const MOST_BYTES = 8 * 1024 * 1024;

/** Reads the events of at least so many messages at the end of a log, and what stands between. */
export async function readTail(
  { path }: AgentSession,
  { messages, most_bytes = MOST_BYTES, needs, signal, thread }: AgentTailOptions,
): Promise<LogEvent[]> {
  const end = thread === undefined ? undefined : await endOfThread(path, thread);
  return await readOpened(path, async (file) => {
    const history = checksumHistory(path);
    const found: LogEvent[] = [];
    const walk = new BackwardPath(end);
    const kinds = needs && new Set([...needs, ...BRANCH_KINDS]);
    let [bytes, count] = [0, 0];
    for await (const lines of linesFromEnd(file, { max_line_bytes: MOST_BYTES })) {
      for (const line of lines) {
        if (signal?.aborted || bytes > most_bytes) return found.reverse();
        bytes += line.length;
        const wanted = parseLineAlone(line, { kinds, history }).reverse()
          .filter((event) => walk.has(event) && event.form !== "unparsed");
        found.push(...wanted);
        count += wanted.filter(speaks).length;
        if (count >= messages) return found.reverse();
      }
    }
    return found.reverse();
  });
}

/** True if an event has text for the user; an answer of calls alone has none. */
function speaks(event: LogEvent): boolean {
  if (event.form !== "known") return false;
  if (event.kind === "assistant_interrupted") return true;
  return (event.kind === "user_message" || event.kind === "assistant_message") &&
    contentText(contentFor(event.payload.content, "user")).trim() !== "";
}
