/** The blocks of one session in a history. */
import { linesFromEnd } from "../../log/backward_reader.ts";
import { readOpened } from "../../log/byte_source.ts";
import type { AgentSession } from "../../source/agent.ts";
import type { SourceRecord } from "../../reading/records/source_record.ts";
import { blockSource } from "../../reading/sources/block_source.ts";
import type { RecordSource, RecordStretch } from "../../reading/sources/record_source.ts";
import { printedModel } from "./announcement.ts";
import { beginsPrompt, HistoryBlocks } from "./history_blocks.ts";
import { type HistoryRange, rangeOf } from "./history_file.ts";

/** Makes the source of a session's blocks. */
export function historySource(session: AgentSession): RecordSource {
  const { path } = session;
  const source = blockSource<HistoryRange>({
    path,
    range: () => rangeOf(session),
    splitter: (range) => new HistoryBlocks(range),
    begins: beginsPrompt,
  });
  const last = async (bytes: number): Promise<RecordStretch> => {
    const { records, whole } = await source.last(bytes);
    return { records: await withModel(records, path), whole };
  };
  return { ...source, last };
}

/** Adds the model that was announced before the first of some records. */
async function withModel(
  records: readonly SourceRecord[],
  path: string,
): Promise<readonly SourceRecord[]> {
  const [first, ...more] = records;
  if (first === undefined) return records;
  const model = await modelBefore(path, first.position.offset);
  return [{ ...first, value: { ...first.value, model } }, ...more];
}

const decoder = new TextDecoder();
const QUOTE = 0x3e;

async function modelBefore(path: string, to: number): Promise<string | undefined> {
  return await readOpened(path, async (file) => {
    for await (const lines of linesFromEnd(file, { to })) {
      for (const { bytes } of lines) {
        if (bytes[0] !== QUOTE) continue;
        const model = printedModel(decoder.decode(bytes.subarray(2)));
        if (model !== undefined) return model;
      }
    }
    return undefined;
  });
}
