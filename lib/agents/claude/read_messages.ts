/**
 * The messages that Claude Code would send, without events in between.
 */
import type { Message } from "../../event/message.ts";
import type { AgentConversationOptions, AgentSession } from "../../source/agent.ts";
import { MAIN_THREAD } from "../../source/session_thread.ts";
import { present } from "../../reading/json_value.ts";
import { type MessageChoice, MessageWriter } from "../../reading/events/message_writer.ts";
import { startEmission } from "./emission.ts";
import { UNANSWERED } from "./header.ts";
import { DAMAGED, hasFlag, type RecordIndex, SUMMARY } from "./index/record_index.ts";
import { findLivePath, type PathScope, reportBroken, type ThreadPlace } from "./path/live_path.ts";
import { rowOfStep } from "./path/steps.ts";
import { isNeeded, preservedBy } from "./read.ts";
import { readSteps } from "./read_rows.ts";
import { finishDialogue, startDialogue, takeStep } from "./dialogue.ts";
import { findThread } from "./threads.ts";

/** Reads the messages of a session, or of one of its threads; see {@linkcode Agent.messages}. */
export async function* readMessages(
  session: AgentSession,
  options: AgentConversationOptions = {},
): AsyncGenerator<Message[]> {
  const place = await findThread(session, options.thread ?? MAIN_THREAD);
  yield* branchMessages({ ...session, path: place.path }, options, place);
}

async function* branchMessages(
  session: AgentSession,
  { tools, reasoning, report, signal }: AgentConversationOptions,
  { scope, ...place }: ThreadPlace,
): AsyncGenerator<Message[]> {
  const choice: MessageChoice = present({ tools, reasoning });
  const writer = new MessageWriter(choice);
  writer.unanswered = UNANSWERED;
  const options = present({ needs: writer.needs, report, signal });
  const inForce = (index: RecordIndex): PathScope => ({ ...scope(index), in_force: true });
  const live = await findLivePath(session, options, { ...place, scope: inForce });
  reportBroken(live, report);
  const { index, steps } = live;
  const dialogue = startDialogue(startEmission(writer, index));
  const needed = (row: number): boolean => !hasFlag(index, row, DAMAGED) && isNeeded(index, row);
  const replacing = (step: number): boolean =>
    index.boundaries.has(rowOfStep(step)) || hasFlag(index, rowOfStep(step), SUMMARY);
  const boundary = steps.findLast((step) => index.boundaries.has(rowOfStep(step)));
  const settled = steps.findLastIndex(replacing);
  // In a thorough look all damage was reported already.
  const found = live.thorough || report === undefined ? {} : { report };
  let count = 0;
  const reading = { signal, messages_only: true, ...found };
  for await (const batch of readSteps(session.path, index, steps, needed, reading)) {
    for (const read of batch) {
      const kept = read.step === boundary ? await preservedBy(session, live, read) : undefined;
      takeStep(dialogue, read, kept);
    }
    count += batch.length;
    // What a compaction replaces must not be given before it.
    if (count <= settled || dialogue.compaction !== undefined) continue;
    const messages = writer.take();
    if (messages.length > 0) yield messages;
  }
  finishDialogue(dialogue);
  yield writer.takeLast();
}
