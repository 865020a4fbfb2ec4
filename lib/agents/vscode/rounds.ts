/**
 * Finds the content of a request's rounds that is not a call: thoughts, texts and summaries. A
 * round is one response of the model. Also finds edits that no call asked for
 * (`IChatTextEditGroup`).
 */
import type { Part } from "../../core/event/message.ts";
import type { DiffLine, DiffPayload } from "../../core/event/payload.ts";
import { asList, asName, asNumber, asObject, asText, type Json } from "../engine/json.ts";
import { markdown, type RoundCall } from "./tool_calls.ts";

export interface Round {
  /** The round's thought and text, if only the metadata has them. */
  readonly unshown: Part[];
  /** The summary of the conversation so far, which comes after the round's results. */
  readonly summary: string | undefined;
}

/** Returns the rounds of a request (vscode-copilot-chat, summarizedConversationHistory.tsx). */
export function roundsOf(items: readonly Json[], { toolCallRounds, summaries }: Json): Round[] {
  const shows_thoughts = items.some(({ kind, value }) =>
    kind === "thinking" && (asName(value) ?? asList(value)[0]) !== undefined
  );
  const shows_texts = items.some(({ kind, value, content }) =>
    (kind === undefined || kind === "markdownContent") && markdown(value ?? content) !== ""
  );
  const summarized = new Map(
    asList(summaries).map(asObject).map(({ toolCallRoundId, text }) => [toolCallRoundId, text]),
  );
  return asList(toolCallRounds).map(asObject).map(({ id, thinking, response, summary }) => {
    const { text } = asObject(thinking);
    const thought = asName(text) ?? asList(text).map(markdown).join("");
    const unshown: Part[] = [];
    if (thought !== "" && !shows_thoughts) unshown.push({ type: "reasoning", text: thought });
    const said = asName(response);
    if (said !== undefined && !shows_texts) unshown.push({ type: "text", text: said });
    return { unshown, summary: asName(summary) ?? asName(summarized.get(id)) };
  });
}

/** Returns a file's edits. Undefined if there are none, or if a call's arguments name the file. */
export function unaskedEdits(
  { uri, edits }: Json,
  calls: Iterable<RoundCall>,
): DiffPayload | undefined {
  const { fsPath, path: plain } = asObject(uri);
  const path = asName(fsPath) ?? asText(plain) ?? "";
  const named = JSON.stringify(path).slice(1, -1);
  for (const { call } of calls) if (asText(call.arguments)?.includes(named)) return undefined;
  const lines = asList(edits).flatMap(asList).map(asObject).flatMap(editLines);
  return lines.length === 0 ? undefined : { path, lines };
}

/** Converts an edit to diff lines without the replaced text, because VS Code does not record it. */
function editLines({ text, range }: Json): DiffLine[] {
  const { startLineNumber, endLineNumber } = asObject(range);
  const start = asNumber(startLineNumber) ?? 1;
  const added = (asName(text) ?? "").replace(/\r?\n$/, "").split(/\r?\n/);
  if (asName(text) === undefined) return [];
  const old = (asNumber(endLineNumber) ?? start) - start + 1;
  return [
    { kind: "hunk", content: `@@ -${start},${old} +${start},${added.length} @@` },
    ...added.map((content, index) => ({ kind: "added" as const, new: start + index, content })),
  ];
}
