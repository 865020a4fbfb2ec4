/** Renders an item of a session as text for a model. */
import type { Content, Output } from "../../core/event/message.ts";
import type {
  BashItem,
  DiffItem,
  ToolItem,
  TranscriptItem,
} from "../../core/projection/transcript/item.ts";
import { attachmentText } from "../../text/render/block/block_text.ts";
import { inputText, summarizeInput } from "../../text/render/input_summary.ts";
import { sanitizeLine } from "../../text/render/sanitize.ts";
import { indented, type Quotation } from "./quotation.ts";
import type { TOOL_DETAILS } from "./tool_definitions.ts";

type Detail = typeof TOOL_DETAILS[number];

const BRIEF = 300;

/**
 * Renders an item as lines. The first begins with kind and number, the others are indented. Returns
 * an empty text for an omitted item.
 */
export function itemText(item: TranscriptItem, detail: Detail, quotation: Quotation): string {
  const { words, body } = describe(quotation.value(item), detail);
  if (words === undefined) return "";
  const [kind, ...more] = words.filter((word) => word !== "").map(sanitizeLine);
  const { seq, id } = item;
  const name = seq > 0 ? `#${seq}` : `@${id ?? ""}`;
  const head = [kind, name, ...more].join(" ");
  const text = indented(body);
  return text === "" ? `[${head}]\n` : `[${head}] ${text}\n`;
}

interface Described {
  /** The item's kind and details; undefined for an omitted item. */
  words?: readonly string[];
  body: string;
}

const NOTHING: Described = { body: "" };

function describe(item: TranscriptItem, detail: Detail): Described {
  switch (item.type) {
    case "session":
      return { words: ["session"], body: item.session.cwd ?? "" };
    case "message": {
      const body = contentText(item.content);
      if (item.interrupted) return { words: [item.role, "interrupted"], body };
      return body.trim() === "" ? NOTHING : { words: [item.role], body };
    }
    case "reasoning":
      return detail === "none" ? NOTHING : { words: ["thinking"], body: fitted(item.text, detail) };
    case "tool":
      return detail === "none" ? NOTHING : describeCall(item, detail);
    case "bash":
      return detail === "none" ? NOTHING : describeCommand(item, detail);
    case "diff":
      return detail === "none" ? NOTHING : describeDiff(item, detail);
    case "compaction":
      return { words: ["compaction"], body: item.summary ?? item.status };
    case "replaced":
      return { words: ["replaced"], body: item.reason };
    case "branched":
      return { words: ["branched", `from event ${item.from_seq}`], body: item.reason ?? "" };
    case "attached": {
      const text = contentText(item.content);
      return {
        words: ["attached", item.name],
        body: detail === "full" ? text : fitted(text, "brief"),
      };
    }
    case "notice":
      return { words: ["notice", item.title], body: item.text };
    case "failure":
      return { words: ["failed", item.reason], body: item.message };
    case "closed":
      return { words: ["ended", item.status], body: item.summary ?? "" };
    case "unreadable":
      return { words: ["unreadable", item.kind], body: item.reason };
    // Instructions are files of the project, and records of agents are for themselves.
    case "context":
    case "extension":
      return NOTHING;
  }
}

function describeCall(item: ToolItem, detail: Detail): Described {
  const words = ["call", item.name, item.status];
  const output = outputText(item.output);
  if (detail === "full") {
    const input = item.input === undefined ? "" : JSON.stringify(item.input);
    return { words, body: joined([item.captions?.at(-1), input, item.error, output]) };
  }
  const input = inputText(summarizeInput(item.input));
  return { words, body: brief([input, item.error, output]) };
}

function describeCommand(item: BashItem, detail: Detail): Described {
  const { exit_code, command, error } = item;
  const exit = exit_code === undefined || exit_code === 0 ? "" : `exit ${exit_code}`;
  const words = ["command", item.status, exit];
  const texts = [command, outputText(item.output), error];
  if (detail === "brief") return { words, body: brief(texts) };
  return { words, body: joined([item.captions?.at(-1), ...texts]) };
}

const SIGNS: Readonly<Record<string, string>> = { added: "+", removed: "-", hunk: "" };

function describeDiff({ path = "", lines }: DiffItem, detail: Detail): Described {
  const count = (kind: string): number => lines.filter((line) => line.kind === kind).length;
  const words = ["change", path, `+${count("added")}`, `-${count("removed")}`];
  if (detail === "brief") return { words, body: "" };
  return {
    words,
    body: lines.map(({ kind, content }) => `${SIGNS[kind] ?? " "}${content}`).join("\n"),
  };
}

function contentText(content: Content): string {
  if (typeof content === "string") return content;
  const texts = content.flatMap((part) => {
    if (part.type === "text") return [part.text];
    return part.type === "image" || part.type === "file" ? [attachmentText(part)] : [];
  });
  return texts.join("\n\n");
}

function outputText(output: Output | undefined): string {
  if (output === undefined || typeof output === "string") return output ?? "";
  const texts = output.map((part) => {
    if (part.type === "text") return part.text;
    return part.type === "json" ? JSON.stringify(part.value) : attachmentText(part);
  });
  return texts.join("\n");
}

function joined(texts: readonly (string | undefined)[]): string {
  return texts.filter((text) => text !== undefined && text !== "").join("\n");
}

function brief(texts: readonly (string | undefined)[]): string {
  const found = texts.filter((text) => text !== undefined && text.trim() !== "") as string[];
  return fitted(found.map((text) => text.slice(0, BRIEF + 1)).join(" → "), "brief");
}

function fitted(text: string, detail: Detail): string {
  if (detail === "full") return text;
  const line = text.slice(0, 2 * BRIEF).replaceAll(/\s+/g, " ").trim();
  return line.length <= BRIEF && text.length <= 2 * BRIEF
    ? line
    : `${line.slice(0, BRIEF - 1).toWellFormed()}…`;
}
