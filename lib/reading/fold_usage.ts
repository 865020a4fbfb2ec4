/** Folds the events of a session's threads into the usage of its responses. */
import { responseUsage, type UsageState } from "../projection/response_usage.ts";
import type { SessionReader } from "../source/agent.ts";
import type { ResponseUsage } from "../source/response_usage.ts";
import { MAIN_THREAD } from "../source/session_thread.ts";

/** Yields the responses of all threads of a session. */
export async function* foldUsage(
  reader: Pick<SessionReader, "readThreads">,
): AsyncGenerator<readonly ResponseUsage[]> {
  const projection = responseUsage();
  const states = new Map<string, UsageState>();
  for await (const { thread, events } of reader.readThreads({ needs: projection.needs })) {
    let state = states.get(thread) ?? projection.initial();
    for (const event of events) state = projection.apply(state, event);
    states.set(thread, state);
  }
  for (const [thread, state] of states) {
    const responses = projection.result(state);
    yield thread === MAIN_THREAD ? responses : responses.map((one) => ({ ...one, thread }));
  }
}
