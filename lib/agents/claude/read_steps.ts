/**
 * The records of a branch in its order. Those that nobody needs are not read, but have their place.
 */
import { readRecordsAt } from "../records_at.ts";
import type { RecordSink, SourceRecord } from "../source_record.ts";
import type { PathStep } from "./answer_siblings.ts";
import type { TalkNode } from "./talk_node.ts";

/** A step of the branch; without a record where it was not needed, or cannot be read. */
export interface ReadStep {
  step: PathStep;
  record?: SourceRecord;
}

/**
 * Reads the records of steps, in batches.
 *
 * @throws {SessionError} From the iterator: `not-found`, `permission`, `io`, `unsupported-source`
 */
export async function* readSteps(
  path: string,
  steps: readonly PathStep[],
  needed: (node: TalkNode) => boolean,
  sink: RecordSink & { signal?: AbortSignal | undefined } = {},
): AsyncGenerator<ReadStep[]> {
  const places = steps.filter(({ node }) => needed(node)).map(({ node }) => node);
  let next = 0;
  for await (const batch of readRecordsAt(path, places, sink)) {
    const read: ReadStep[] = [];
    for (const { place, record } of batch) {
      for (let step = steps[next++]; step !== undefined; step = steps[next++]) {
        const found = step.node === place;
        const own = found && record !== undefined && isRecordOf(record, place);
        read.push(own ? { step, record } : { step });
        if (found) break;
      }
    }
    yield read;
  }
  yield steps.slice(next).map((step) => ({ step }));
}

/** In a damaged line another record may be found than the one that its ends told of. */
function isRecordOf({ value }: SourceRecord, { id }: TalkNode): boolean {
  return value.uuid === id || (!value.uuid && id.startsWith("#"));
}
