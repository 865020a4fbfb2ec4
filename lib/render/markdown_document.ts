/**
 * A session as a Markdown document.
 *
 * @module
 */
import { blockMarkdown } from "./markdown_document/block.ts";
import { codeSpan, plainText } from "./markdown_document/fence.ts";
import { integrityMark, markedTitle } from "./integrity_mark.ts";
import type { DocumentHeader, SessionDocument } from "./session_document.ts";
import { utcMinute } from "./time_label.ts";

/** A document of GitHub-flavoured Markdown without raw HTML, remote images, or links that run. */
export function markdownDocument(): SessionDocument {
  return {
    begin: heading,
    block(block): string {
      const mark = block.doubt === undefined ? undefined : integrityMark(block.doubt);
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
