/**
 * Renders what Claude Code attached to a prompt and sends again as recorded. These are mentioned
 * files and folders, selected lines, and files that changed. The wording is that of version 2.1.100
 * (its bundle, the function that normalizes attachments); 2.1.330 records it with the attachment.
 */
import type { AttachmentPart, TextPart } from "../../event/message.ts";
import { attachmentFromBase64 } from "../../event/inline_attachment.ts";
import { asList, asName, asNumber, asObject, asText } from "../json_value.ts";
import { blocksOf, type Fields, toPart } from "./content.ts";

type Attached = TextPart | AttachmentPart;

const RENDERERS: Readonly<Record<string, (attachment: Fields) => Attached[]>> = {
  file: fileParts,
  directory: directoryParts,
  mcp_resource: resourceParts,
  selected_lines_in_ide: selectionParts,
  opened_file_in_ide: openedParts,
  edited_text_file: editedParts,
  nested_memory: memoryParts,
  compact_file_reference: ({ filename }) => [
    reminder(
      `Note: ${filename} was read before the last conversation was summarized, but the ` +
        "contents are too large to include. Use Read tool if you need to access it.",
    ),
  ],
};

/** The words that the rendering adds to those of the file. */
export const ATTACHED_WORDS = [
  "<system-reminder> Called the Read Bash tool with the following input: file_path command ls",
  "description Lists files in Result of calling the tool: Note: was modified, either by the user or",
  "The user selected the lines to from opened file in the IDE Contents of Full contents of resource",
].join(" ");

/** True for an attachment of a type that is sent again. */
export function isSentAgain(type: unknown): boolean {
  return typeof type === "string" && Object.hasOwn(RENDERERS, type);
}

/** What the model gets of a record's attachment; nothing where it is not sent again as it was. */
export function attachedParts({ attachment, rendered }: Fields): Attached[] {
  const fields = asObject(attachment);
  const type = asText(fields.type) ?? "";
  if (!isSentAgain(type)) return [];
  const recorded = asList(rendered).map(asObject)
    .flatMap(({ content }) => blocksOf(content).flatMap((block) => toPart(block) ?? []));
  return recorded.length > 0 ? recorded : RENDERERS[type]?.(fields) ?? [];
}

function reminder(text: string): TextPart {
  return { type: "text", text: `<system-reminder>\n${text}\n</system-reminder>` };
}

function called(tool: string, input: unknown): TextPart {
  return reminder(`Called the ${tool} tool with the following input: ${JSON.stringify(input)}`);
}

function gave(tool: string, output: string): TextPart {
  return reminder(`Result of calling the ${tool} tool:\n${output}`);
}

function fileParts({ filename, content }: Fields): Attached[] {
  const { type, file } = asObject(content);
  const fields = asObject(file);
  const call = called("Read", { file_path: filename });
  if (type === "text") {
    return [call, gave("Read", numbered(asText(fields.content) ?? "", fields.startLine))];
  }
  if (type === "image") {
    const { base64, type: media_type } = fields;
    if (typeof base64 !== "string") return [call];
    return [call, attachmentFromBase64(base64, asName(media_type) ?? "image/png")];
  }
  if (type === "pdf") return [call, gave("Read", `PDF file read: ${fields.filePath}`)];
  return type === undefined ? [] : [call, gave("Read", JSON.stringify(fields.cells ?? fields))];
}

/** Lines with their numbers, as the Read tool gives them. */
function numbered(text: string, start: unknown): string {
  const first = asNumber(start) ?? 1;
  return text.split(/\r?\n/).map((line, index) => `${first + index}\t${line}`).join("\n");
}

function directoryParts({ path, content }: Fields): Attached[] {
  const input = { command: `ls ${path}`, description: `Lists files in ${path}` };
  return [called("Bash", input), gave("Bash", asText(content) ?? "")];
}

function resourceParts({ content }: Fields): Attached[] {
  return asList(asObject(content).contents).map(asObject).flatMap(({ text }) =>
    typeof text === "string" ? [reminder(`Full contents of resource:\n${text}`)] : []
  );
}

function selectionParts({ lineStart, lineEnd, filename, content }: Fields): Attached[] {
  const text = asText(content) ?? "";
  return [
    reminder(
      `The user selected the lines ${lineStart} to ${lineEnd} from ${filename}:\n${text}\n\n` +
        "This may or may not be related to the current task.",
    ),
  ];
}

function openedParts({ filename }: Fields): Attached[] {
  return [
    reminder(
      `The user opened the file ${filename} in the IDE. This may or may not be related to the ` +
        "current task.",
    ),
  ];
}

function editedParts({ filename, snippet }: Fields): Attached[] {
  return [
    reminder(
      `Note: ${filename} was modified, either by the user or by a linter. This change was ` +
        "intentional, so make sure to take it into account as you proceed (ie. don't revert it " +
        "unless the user asks you to). Don't tell the user this, since they are already aware. " +
        `Here are the relevant changes (shown with line numbers):\n${asText(snippet) ?? ""}`,
    ),
  ];
}

function memoryParts({ content }: Fields): Attached[] {
  const { path, content: text } = asObject(content);
  return typeof text === "string" ? [reminder(`Contents of ${path}:\n\n${text}`)] : [];
}
