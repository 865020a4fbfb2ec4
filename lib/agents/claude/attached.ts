/**
 * Renders attachments of prompts that Claude Code sends again as recorded. These are mentioned
 * files and folders, selected lines, skills, and files that changed.
 *
 * The wording is that of version 2.1.100 (its bundle, the function that normalizes attachments).
 * Version 2.1.330 records the wording with the attachment.
 */
import { attachmentFromBase64 } from "../../core/event/attachment.ts";
import type { AttachmentPart, TextPart } from "../../core/event/message.ts";
import { asList, asName, asNumber, asObject, asText, type Json } from "../engine/json.ts";
import { hasFlag, subtypeOf } from "../engine/tree/record_index.ts";
import { isOnWay, rowOfStep, type Steps } from "../engine/tree/steps.ts";
import { blocksOf, toPart } from "../engine/events/anthropic_blocks.ts";
import { ASSISTANT, ATTACHMENT, type ClaudeIndex, RESULTS } from "./index/claude_record.ts";

type Attached = TextPart | AttachmentPart;

// Verbatim: Claude Code.
const RENDERERS: Readonly<Record<string, (attachment: Json) => Attached[]>> = {
  file: fileParts,
  directory: directoryParts,
  mcp_resource: resourceParts,
  selected_lines_in_ide: selectionParts,
  opened_file_in_ide: openedParts,
  edited_text_file: editedParts,
  nested_memory: memoryParts,
  invoked_skills: skillParts,
  compact_file_reference: ({ filename }) =>
    enclosed(
      filename,
      `Note: ${filename} was read before the last conversation was summarized, but the ` +
        "contents are too large to include. Use Read tool if you need to access it.",
    ),
};

/** The text before the skills that a compaction repeats (in the bundle of 2.1.330). */
// Verbatim: Claude Code.
const SKILLS_INVOKED =
  "The following skills were invoked in this session. Continue to follow these guidelines:";

/** Maximum number of lines of a file that a mention of the file attaches. */
const MOST_LINES = 2000;

/** All words that rendering adds to attachments, and line numbers. Records contain neither. */
// Verbatim: Claude Code.
export const ATTACHED_WORDS = [
  "Note: was read before the last conversation was summarized, but the contents are too " +
  "large to include. Use Read tool if you need to access it.",
  "The user opened the file in the IDE. This may or may not be related to the current task.",
  "PDF file read: The request failed",
  `${SKILLS_INVOKED} ### Skill: Path: ---`,
  Array.from({ length: MOST_LINES }, (_, line) => line + 1).join(" "),
].join(" ");

export function isSentAgain(type: unknown): boolean {
  return typeof type === "string" && Object.hasOwn(RENDERERS, type);
}

/**
 * Returns an attachment's parts for the model. Empty if Claude Code does not send attachments of
 * this type again. Only parts with the attachment's content have a name.
 */
export function attachedParts({ attachment, rendered }: Json): Attached[] {
  const fields = asObject(attachment);
  const type = asText(fields.type) ?? "";
  if (!isSentAgain(type)) return [];
  const recorded = asList(rendered).map(asObject)
    .flatMap(({ content }) => blocksOf(content).flatMap((block) => toPart(block) ?? []));
  if (recorded.length === 0) return RENDERERS[type]?.(fields) ?? [];
  const name = attachedName(fields);
  return recorded.map((part) => part.type === "text" ? { ...part, name } : part);
}

export function attachedName({ type, filename, path, ...fields }: Json): string {
  const content = asObject(fields.content);
  return asName(filename) ?? asName(path) ?? asName(content.path) ?? asName(content.uri) ??
    String(type).replaceAll("_", " ");
}

function enclosed(name: unknown, text: string, before = "", after = ""): TextPart[] {
  const continues = true;
  return [
    { type: "text", text: `<system-reminder>\n${before}` },
    { type: "text", text, name: String(name), continues },
    { type: "text", text: `${after}\n</system-reminder>`, continues },
  ];
}

// Verbatim: Claude Code.
function called(tool: string, input: unknown): TextPart {
  const text = `Called the ${tool} tool with the following input: ${JSON.stringify(input)}`;
  return { type: "text", text: `<system-reminder>\n${text}\n</system-reminder>` };
}

function gave(name: unknown, tool: string, output: string): TextPart[] {
  return enclosed(name, output, `Result of calling the ${tool} tool:\n`);
}

// Verbatim: Claude Code.
function fileParts({ filename, content }: Json): Attached[] {
  const { type, file } = asObject(content);
  const fields = asObject(file);
  const call = called("Read", { file_path: filename });
  if (type === "text") {
    const lines = numbered(asText(fields.content) ?? "", fields.startLine);
    return [call, ...gave(filename, "Read", lines)];
  }
  if (type === "image") {
    const { base64, type: media_type } = fields;
    if (typeof base64 !== "string") return [call];
    const image = attachmentFromBase64(base64, asName(media_type) ?? "image/png");
    return [call, { ...image, path: String(filename) }];
  }
  if (type === "pdf") return [call, ...gave(filename, "Read", `PDF file read: ${fields.filePath}`)];
  if (type === undefined) return [];
  return [call, ...gave(filename, "Read", JSON.stringify(fields.cells ?? fields))];
}

/** Returns text whose lines have numbers, in the form of the Read tool. */
function numbered(text: string, start: unknown): string {
  const first = asNumber(start) ?? 1;
  return text.split(/\r?\n/).map((line, index) => `${first + index}\t${line}`).join("\n");
}

function directoryParts({ path, content }: Json): Attached[] {
  const input = { command: `ls ${path}`, description: `Lists files in ${path}` };
  return [called("Bash", input), ...gave(path, "Bash", asText(content) ?? "")];
}

function resourceParts(fields: Json): Attached[] {
  const name = attachedName(fields);
  return asList(asObject(fields.content).contents).map(asObject).flatMap(({ text }) =>
    typeof text === "string" ? enclosed(name, text, "Full contents of resource:\n") : []
  );
}

function selectionParts({ lineStart, lineEnd, filename, content }: Json): Attached[] {
  return enclosed(
    `${filename}:${lineStart}-${lineEnd}`,
    asText(content) ?? "",
    `The user selected the lines ${lineStart} to ${lineEnd} from ${filename}:\n`,
    "\n\nThis may or may not be related to the current task.",
  );
}

// Verbatim: Claude Code.
function openedParts({ filename }: Json): Attached[] {
  return enclosed(
    filename,
    `The user opened the file ${filename} in the IDE. This may or may not be related to the ` +
      "current task.",
  );
}

// Verbatim: Claude Code.
function editedParts({ filename, snippet }: Json): Attached[] {
  return enclosed(
    filename,
    asText(snippet) ?? "",
    `Note: ${filename} was modified, either by the user or by a linter. This change was ` +
      "intentional, so make sure to take it into account as you proceed (ie. don't revert it " +
      "unless the user asks you to). Don't tell the user this, since they are already aware. " +
      "Here are the relevant changes (shown with line numbers):\n",
  );
}

function memoryParts({ content }: Json): Attached[] {
  const { path, content: text } = asObject(content);
  return typeof text === "string" ? enclosed(path, text, `Contents of ${path}:\n\n`) : [];
}

function skillParts({ skills }: Json): Attached[] {
  const own = asList(skills).map(asObject);
  if (own.length === 0) return [];
  const texts = own.map(({ name, path, content }) =>
    `### Skill: ${name}\nPath: ${path}\n\n${content}`
  );
  return enclosed("invoked skills", texts.join("\n\n---\n\n"), `${SKILLS_INVOKED}\n\n`);
}

// Moves attachments before their prompt, as the model gets them. Claude Code moves them up to the
// last answer, result or compaction. Source: 2.1.330, requests compared; its bundle, the function
// that reorders attachments.

export function withAttachedFirst(index: ClaudeIndex, steps: Steps): Steps {
  if (!steps.some((step) => isAttached(index, step))) return steps;
  const moved = new Int32Array(steps.length);
  let at = 0;
  let rest: number[] = [];
  for (const step of steps) {
    if (isAttached(index, step)) moved[at++] = step;
    else if (!isStop(index, rowOfStep(step))) rest.push(step);
    else {
      for (const waiting of rest) moved[at++] = waiting;
      rest = [];
      moved[at++] = step;
    }
  }
  for (const waiting of rest) moved[at++] = waiting;
  return moved;
}

function isAttached(index: ClaudeIndex, step: number): boolean {
  const row = rowOfStep(step);
  return index.type[row] === ATTACHMENT && isOnWay(step) && isSentAgain(subtypeOf(index, row));
}

/** True for answers, results and compactions. Attachments are not moved before these records. */
function isStop(index: ClaudeIndex, row: number): boolean {
  return index.type[row] === ASSISTANT || hasFlag(index, row, RESULTS) ||
    index.head.boundaries.has(row);
}
