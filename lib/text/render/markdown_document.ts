/** Writes a session as a Markdown document. */
import type {
  AttachedBlock,
  Block,
  CallBlock,
  CodeBlock,
  CommandBlock,
  DiffBlock,
  HeadBlock,
  MessageBlock,
  NoticeBlock,
  Word,
} from "./block/block.ts";
import { attachedLine, attachmentText, diffText, wordsText } from "./block/block_text.ts";
import { inputText } from "./input_summary.ts";
import { integrityMark, markedTitle } from "./integrity_mark.ts";
import {
  codeSpan,
  fence,
  harmlessMarkdown,
  plainText,
} from "./markdown_document/harmless_markdown.ts";
import type { DocumentHeader, SessionDocument } from "./session_document.ts";
import { utcMinute } from "./time_label.ts";

/**
 * Creates a document of GitHub-flavoured Markdown. Text of the session adds no raw HTML, remote
 * images, or links that run code.
 */
export function markdownDocument(): SessionDocument {
  return {
    begin: heading,
    block(block): string {
      const mark = integrityMark(block.doubt);
      const text = blockMarkdown(block);
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
    ["Created", created_at === undefined ? "" : plainText(utcMinute(created_at))],
    ["Updated", updated_at === undefined ? "" : plainText(utcMinute(updated_at))],
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

export function blockMarkdown(block: Block): string {
  switch (block.type) {
    case "head":
      return headMarkdown(block);
    case "message":
      return messageMarkdown(block);
    case "prose":
      return block.is_quiet ? quote(block.text) : harmlessMarkdown(block.text);
    case "thinking":
      return `*Thinking (event ${block.seq}):*\n\n${quote(block.text)}`;
    case "reminder":
      return block.first_seq === undefined
        ? `*System reminder:*\n\n${quote(block.text)}`
        : `*System reminder, the same as at event ${block.first_seq}*\n`;
    case "call":
      return callMarkdown(block);
    case "command":
      return commandMarkdown(block);
    case "code":
      return codeMarkdown(block);
    case "diff":
      return diffMarkdown(block);
    case "attachment":
      return `${plainText(attachmentText(block.part))}\n`;
    case "attached":
      return attachedMarkdown(block);
    case "notice":
      return noticeMarkdown(block);
    case "turn":
      return `*${plainText(wordsText(block.words))}*\n`;
  }
}

function headMarkdown({ facts }: HeadBlock): string {
  return facts.filter(({ is_in_header }) => !is_in_header)
    .map(({ name, value }) => `- ${name}: ${codeSpan(value)}`).join("\n");
}

function messageMarkdown({ role, seq, time, model, content }: MessageBlock): string {
  const facts = [`event ${seq}`];
  if (time !== undefined) facts.push(plainText(utcMinute(time)));
  if (model !== undefined) facts.push(plainText(model));
  const head = role === "user" ? "## User" : "### Assistant";
  return `${head} (${facts.join(", ")})\n\n${joined(content)}`;
}

function callMarkdown({ name, summary, input, outcome, content }: CallBlock): string {
  const head = `**${plainText(name)}** ${codeSpan(inputText(summary))}`.trim();
  const whole = input === undefined || summary.is_whole
    ? ""
    : `${fence(JSON.stringify(input, undefined, 2), "json")}\n`;
  return `${head} — ${outcomeText(outcome)}\n\n${whole}${joined(content)}`;
}

function commandMarkdown({ command, purpose = "", outcome, content }: CommandBlock): string {
  const what = purpose === "" ? "" : ` ${plainText(purpose)}`;
  const head = `**bash**${what} — ${outcomeText(outcome)}\n\n`;
  return `${head}${fence(command, "sh")}\n${joined(content)}`;
}

function codeMarkdown({ label, text, language = "" }: CodeBlock): string {
  if (text === "") return "";
  const name = label === "Output" || label === "Text" ? "" : `${plainText(label)}:\n\n`;
  return name + fence(text, /^[a-z0-9]+$/.test(language) ? language : "");
}

function diffMarkdown(block: DiffBlock): string {
  const { path, lines, added, removed } = block;
  const head = `**diff** ${codeSpan(path ?? "")}`.trim();
  if (lines.length === 0) return added + removed === 0 ? head : `${head} — +${added} -${removed}`;
  return `${head}\n\n${fence(diffText(block), "diff")}`;
}

/** Writes a `<details>` element. The empty lines make parsers read its content as Markdown. */
function attachedMarkdown(block: AttachedBlock): string {
  const summary = `<summary>Attached ${plainText(attachedLine(block))}</summary>`;
  return `<details>${summary}\n\n${joined(block.content)}\n</details>\n`;
}

function noticeMarkdown({ form, ink, title, detail, words, content }: NoticeBlock): string {
  const name = ink === "fail" ? `**${plainText(title)}**` : `*${plainText(title)}*`;
  const why = detail === undefined ? "" : `: ${plainText(detail)}`;
  const more = words.length === 0 ? "" : ` (${plainText(outcomeText(words))})`;
  return `${form === "rule" ? "---\n\n" : ""}${name}${why}${more}\n\n${joined(content)}`;
}

function joined(content: readonly Block[]): string {
  return content.map(blockMarkdown).filter((text) => text !== "").join("\n");
}

function outcomeText(words: readonly Word[]): string {
  return words.map(({ text }) => text).join(", ");
}

function quote(text: string): string {
  return harmlessMarkdown(text).trimEnd().split("\n").map((line) => `> ${line}`.trimEnd())
    .join("\n") + "\n";
}
