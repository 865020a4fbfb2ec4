/**
 * Finds what the rounds of a request hold beside their calls. A round is a response of the model. Edits
 * that no call asked for are found here, too (`IChatTextEditGroup`).
 */
import type { ReasoningPart } from "../../event/message.ts";
import type { DiffLine, DiffPayload } from "../../event/payload.ts";
import { asList, asName, asNumber, asObject, asText, type Json } from "../../reading/json_value.ts";
import { markdown, type RoundCall } from "./tool_calls.ts";

/** Finds summaries (vscode-copilot-chat, summarizedConversationHistory.tsx). */
export function summariesIn({ toolCallRounds, summaries }: Json): Map<number, string> {
  const told = new Map(
    asList(summaries).map(asObject).map(({ toolCallRoundId, text }) => [toolCallRoundId, text]),
  );
  return new Map(
    asList(toolCallRounds).map(asObject).flatMap(({ id, summary }, round) => {
      const text = asName(summary) ?? asName(told.get(id));
      return text === undefined ? [] : [[round, text] as const];
    }),
  );
}

/** Returns the reasoning that only the metadata has. */
export function thoughtsIn(
  items: readonly Json[],
  { toolCallRounds }: Json,
): Map<number | undefined, ReasoningPart> {
  const isShown = items.some(({ kind, value }) =>
    kind === "thinking" && (asName(value) ?? asList(value)[0]) !== undefined
  );
  const rounds = isShown ? [] : asList(toolCallRounds).map((round) => asObject(round).thinking);
  return new Map(
    [...rounds.entries()].flatMap(([round, thinking]) => {
      const { text } = asObject(thinking);
      const said = asName(text) ?? asName(asList(text).map(markdown).join(""));
      return said === undefined
        ? []
        : [[round, { type: "reasoning" as const, text: said }] as const];
    }),
  );
}

/** Returns the edits of a file, unless a recorded call asked for them. */
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

/** Returns an edit as lines: what it replaced is not recorded. */
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
