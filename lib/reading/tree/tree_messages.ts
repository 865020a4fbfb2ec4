/** Reads the messages of a session whose records form a tree, without events in between. */
import type { Message } from "../../event/message.ts";
import { conversation } from "../../projection/conversation/conversation.ts";
import { foldBatches } from "../../projection/projection.ts";
import type { AgentConversationOptions, AgentSession } from "../../source/agent.ts";
import { type MessageChoice, MessageWriter } from "../events/message_writer.ts";
import { present } from "../json_value.ts";
import { openedEvents, openPath, stepsOf } from "./read_tree.ts";
import type { TreeIndex } from "./record_index.ts";
import { rowOfStep, type Steps } from "./steps.ts";
import type { TreeFormat } from "./tree_format.ts";
import { findThread } from "./tree_threads.ts";

/** Reads the messages of a session, or of one of its threads; see {@linkcode SessionReader.messages}. */
export async function* treeMessages<Head, State, Saved>(
  format: TreeFormat<Head, State, Saved>,
  session: AgentSession,
  { tools, reasoning, report, signal, thread }: AgentConversationOptions = {},
): AsyncGenerator<Message[]> {
  const choice: MessageChoice = present({ tools, reasoning });
  const writer = new MessageWriter(choice);
  const source = { ...await findThread(format, session, thread), in_force: true };
  const options = present({ needs: writer.needs, report, signal, in_force: true });
  const open = await openPath(format, session, options, source);
  const { path } = open;
  const { index, steps } = path;
  if (isFolded(format, index, steps)) {
    const events = openedEvents(format, open);
    return yield (await foldBatches(conversation(choice), events)).messages;
  }
  const settled = steps.findLastIndex((step) => format.isReplacing?.(index, rowOfStep(step)));
  const { needs } = writer;
  const reading = { session: open.session, writer, needs, report, in_force: true };
  const state = await format.begin(reading, path);
  // In a thorough look all damage was reported already.
  const sink = path.thorough || report === undefined ? {} : { report };
  const batches = stepsOf(format, source.path, path, steps, state, {
    ...sink,
    ...{ signal, bodies_only: true },
  });
  let count = 0;
  for await (const batch of batches) {
    for (const { node, records } of batch) format.emit(records, node, state);
    count += batch.length;
    // What a compaction replaces must not be given before it.
    if (count <= settled || format.saveState(state) === undefined) continue;
    const messages = writer.take();
    if (messages.length > 0) yield messages;
  }
  format.end?.(state);
  yield writer.takeLast();
}

/** True where the model gets other messages than those of the steps, one after another. */
function isFolded<Head, State, Saved>(
  { isCompaction, firstKept, editsBefore }: TreeFormat<Head, State, Saved>,
  index: TreeIndex<Head>,
  steps: Steps,
): boolean {
  if (firstKept === undefined && editsBefore === undefined) return false;
  return steps.some((step) =>
    isCompaction(index, rowOfStep(step)) || (editsBefore?.(index, rowOfStep(step)) ?? false)
  );
}
