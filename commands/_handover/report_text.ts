/** Renders the report of a hand-over: included parts, omitted parts, secrets and warnings. */
import type { HandoverReport, LeftOut } from "../../lib/features/handover/mod.ts";
import { counted } from "../../lib/core/event/counted.ts";

const LEFT_OUT: Readonly<Record<LeftOut, string>> = {
  system_messages: "system message",
  environment: "text that the agent added for the model",
  reasoning: "thought",
  empty_messages: "empty message",
  files: "file (only the name is included)",
  encrypted: "encrypted summary of earlier messages (only the model's provider can read it)",
};

/** Share of the model's context window, from 0 to 1, above which a warning is shown. */
const FULL = 0.8;

export function reportLines(report: HandoverReport, title: string): string[] {
  const { from, prompts, notices, answers, attached, images, reasoning, tokens } = report;
  const kept = [
    `${counted(prompts, "prompt")} and ${counted(answers, "answer")}`,
    ...(notices === 0 ? [] : [counted(notices, "notice")]),
    ...(attached === 0 ? [] : [counted(attached, "attached file")]),
    ...(images === 0 ? [] : [counted(images, "image")]),
    ...(reasoning === 0 ? [] : [counted(reasoning, "thought")]),
  ];
  return [
    `Hand over ${from} to ${title}:`,
    `  ${kept.join(", ")}; about ${grouped(tokens)} tokens`,
    ...callLines(report, title),
    ...leftOutLines(report),
    ...secretLines(report, title),
    ...cautions(report, title),
  ];
}

function callLines({ calls }: HandoverReport, title: string): string[] {
  const { mapped, native, told, unanswered, restored } = calls;
  const forms = [
    ...(mapped === 0 ? [] : [`${grouped(mapped)} translated to calls of ${title}'s own tools`]),
    ...(native === 0 ? [] : [`${grouped(native)} kept with the original agent's tool names`]),
    ...(told === 0 ? [] : [`${grouped(told)} written as text`]),
  ];
  if (forms.length === 0) return [];
  const more = [
    ...(unanswered === 0 ? [] : [`${grouped(unanswered)} without a recorded result`]),
    ...(restored === 0
      ? []
      : [`${grouped(restored)} restored exactly as ${title} first recorded them`]),
  ];
  const parts = [forms.join(", "), ...more].join("; ");
  return [`  ${counted(mapped + native + told, "tool call")}: ${parts}`];
}

/** Maximum number of agent-added texts that the report lists by name. */
const MOST_NAMES = 5;

function leftOutLines({ left_out, hidden = [], compacted, cut, from }: HandoverReport): string[] {
  const more = hidden.length > MOST_NAMES ? ", …" : "";
  const names = hidden.length > 0 ? ` (${hidden.slice(0, MOST_NAMES).join(", ")}${more})` : "";
  const named = Object.entries(left_out).map(([kind, count]) => {
    const [noun = "", ...rest] = LEFT_OUT[kind as LeftOut].split(/(?=,| that| of| \()/);
    return `${counted(count, noun)}${rest.join("")}${kind === "environment" ? names : ""}`;
  });
  return [
    ...(named.length === 0 ? [] : [`  left out: ${named.join("; ")}`]),
    ...(cut ? [`  left out: the earlier turns (still in ${from})`] : []),
    ...(compacted ? [`  left out: messages before the last compaction (still in ${from})`] : []),
  ];
}

function secretLines({ secrets, redacted }: HandoverReport, title: string): string[] {
  const kinds = Object.entries(secrets);
  const count = kinds.reduce((sum, [, times]) => sum + times, 0);
  if (count === 0) return [];
  const named = kinds.map(([kind, times]) => `${times} ${kind}`).join(", ");
  if (redacted) return [`  replaced ${counted(count, "secret")}: ${named}`];
  return [
    `  ${counted(count, "secret")}: ${named}. ${title} will send the secrets to its model ` +
    "provider; to replace them: --redact",
  ];
}

function cautions({ tokens, window, proven }: HandoverReport, title: string): string[] {
  const full = window !== undefined && tokens > FULL * window;
  return [
    ...(full
      ? [
        `  the conversation fills ${
          Math.round(100 * tokens / window)
        } % of the usual context window of ` +
        `${title} (${grouped(window)} tokens); to hand over only the last N turns: --last N`,
      ]
      : []),
    ...(proven
      ? []
      : [`  Reprise was tested only with ${title}'s file format, not with ${title} itself`]),
  ];
}

function grouped(count: number): string {
  return count.toLocaleString("en-US");
}
