/**
 * A session as a Markdown document.
 *
 * @module
 */
import type { Content, Output, Part } from "../event/message.ts";
import type {
  MessageItem,
  SessionItem,
  TranscriptItem,
} from "../projection/transcript/transcript_item.ts";
import { attachmentText } from "./attachment.ts";
import { inputText, summarizeInput } from "./input_summary.ts";
import { integrityMark, markedTitle } from "./integrity_mark.ts";
import { bashMarkdown, diffMarkdown, toolMarkdown } from "./markdown_document/call.ts";
import { codeSpan, fence, plainText } from "./markdown_document/fence.ts";
import { harmlessMarkdown } from "./markdown_document/harmless_markdown.ts";
import { outputText } from "./output_text.ts";
import { parentName } from "./parent_name.ts";
import { replacedText } from "./replaced_text.ts";
import { sanitizeLine } from "./sanitize.ts";
import type { DocumentHeader, DocumentOptions, SessionDocument } from "./session_document.ts";
import { utcMinute } from "./time_label.ts";
import { atDetail } from "./tool_detail.ts";

/** A document of GitHub-flavoured Markdown without raw HTML, remote images, or links that run. */
export function markdownDocument({ tools }: DocumentOptions): SessionDocument {
  return {
    begin: heading,
    item(item): string {
      const shown = atDetail(item, tools);
      if (shown === undefined) return "";
      const mark = integrityMark(item.integrity);
      const text = itemMarkdown(shown, tools === "full");
      const marked = (mark === undefined ? text : `**${mark}**\n\n${text}`).trimEnd();
      return marked === "" ? "" : `${marked}\n\n`;
    },
    end: () => "",
  };
}

function heading({ summary, exported_at, generator, redacted }: DocumentHeader): string {
  const { created_at, updated_at, models = [] } = summary;
  const facts: [string, string][] = [
    ["Session", codeSpan(summary.ref)],
    ["Agent", plainText(summary.agent)],
    ["Directory", codeSpan(summary.cwd ?? "")],
    ["Created", created_at === undefined ? "" : utcMinute(created_at)],
    ["Updated", updated_at === undefined ? "" : utcMinute(updated_at)],
    ["Models", models.map(plainText).join(", ")],
    [
      "Exported",
      `${utcMinute(exported_at)} by ${generator}${redacted ? ", secrets redacted" : ""}`,
    ],
  ];
  const rows = facts.filter(([, value]) => value !== "").map(([name, value]) =>
    `- ${name}: ${value}`
  );
  const title = plainText(markedTitle(summary.title || summary.ref, summary.altered));
  return `# ${title}\n\n${rows.join("\n")}\n\n`;
}

function itemMarkdown(item: TranscriptItem, full: boolean): string {
  switch (item.type) {
    case "session":
      return sessionMarkdown(item);
    case "context":
      return `*Loaded:* ${item.sources.map(({ path }) => codeSpan(path)).join(", ")}`;
    case "message":
      return messageMarkdown(item);
    case "reasoning":
      return `*Reasoning (event ${item.seq}):*\n\n${quote(harmlessMarkdown(item.text))}`;
    case "tool":
      return toolMarkdown(item, full);
    case "bash":
      return bashMarkdown(item);
    case "diff":
      return diffMarkdown(item);
    case "compaction":
      return compactionMarkdown(item.status, item.summary);
    case "replaced":
      return `*${plainText(replacedText(item))}*`;
    case "failure":
      return `**Turn ${item.reason === "cancelled" ? "cancelled" : "failed"}** ` +
        plainText(item.message);
    case "closed":
      return `*Session ${item.status}.* ${plainText(item.summary ?? "")}`;
    case "unreadable":
      return `*Event ${item.seq} (${plainText(item.kind)}) is not readable: ` +
        `${plainText(item.reason)}*\n\n${dataMarkdown(item.payload)}`;
    case "extension":
      return `*${plainText(`${item.agent} ${item.name}`)}*\n\n` +
        dataMarkdown(item.data);
  }
}

function dataMarkdown(data: unknown): string {
  const json: string | undefined = JSON.stringify(data);
  return json === undefined ? "" : fence(json, "json");
}

function sessionMarkdown({ session: { app, git, parent, imported_from } }: SessionItem): string {
  const facts: [string, string][] = [
    ["App", app === undefined ? "" : plainText(`${app.name} ${app.version ?? ""}`.trim())],
    ["Branch", codeSpan(git?.branch ?? "")],
    ["Parent", parent === undefined ? "" : codeSpan(parentName(parent))],
    [
      "Imported from",
      imported_from === undefined ? "" : codeSpan(`${imported_from.agent}:${imported_from.id}`),
    ],
  ];
  return facts.filter(([, value]) => value !== "")
    .map(([name, value]) => `- ${name}: ${value}`).join("\n");
}

function messageMarkdown(item: MessageItem): string {
  const { role, seq, time, model, interrupted } = item;
  const facts = [`event ${seq}`];
  if (time !== undefined) facts.push(utcMinute(time));
  if (model !== undefined) facts.push(plainText(model));
  if (interrupted) facts.push("interrupted");
  const head = role === "user" ? "## User" : "### Assistant";
  return `${head} (${facts.join(", ")})\n\n${contentMarkdown(item.content)}`;
}

function contentMarkdown(content: Content): string {
  if (typeof content === "string") return harmlessMarkdown(content);
  return content.map(partMarkdown).filter((text) => text !== "").join("\n");
}

function partMarkdown(part: Part): string {
  switch (part.type) {
    case "text":
      return harmlessMarkdown(part.text);
    case "reasoning":
      return part.text === "" ? "" : quote(harmlessMarkdown(part.text));
    case "tool_call":
      return `**${plainText(part.name)}** ${codeSpan(inputText(summarizeInput(part.input)))}\n`;
    case "tool_result":
      return `**${plainText(part.name)}** — ${part.status}\n\n` +
        outputMarkdown(part.output);
    default:
      return `${plainText(attachmentText(part))}\n`;
  }
}

function outputMarkdown(output: Output): string {
  const text = outputText(output);
  return text === "" ? "" : fence(text);
}

function compactionMarkdown(status: string, summary: string | undefined): string {
  const line = `---\n\n*${plainText(sanitizeLine(status) || "Conversation compacted")}*`;
  return summary === undefined ? line : `${line}\n\n${quote(harmlessMarkdown(summary))}`;
}

function quote(text: string): string {
  return text.trimEnd().split("\n").map((line) => `> ${line}`.trimEnd()).join("\n") + "\n";
}
