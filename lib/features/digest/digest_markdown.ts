/** A digest as Markdown, for a note or for a message to others. */
import type { ProjectDigest, SessionDigest } from "./digest.ts";
import { codeSpan, plainText } from "../../text/render/markdown_document/harmless_markdown.ts";
import { directoryText } from "../../text/render/path_text.ts";
import { originTitle } from "../../text/render/origin_title.ts";
import { formatCost } from "../../text/render/usage_text.ts";
import { countsText, fileNames, openPoint } from "./digest_words.ts";

export function digestMarkdown(
  projects: readonly ProjectDigest[],
  { home, formatTime }: { home: string | undefined; formatTime: (iso: string) => string },
): string {
  return projects.map((project) => {
    const name = project.project === undefined
      ? "Without a directory"
      : codeSpan(directoryText(project.project, home));
    const files = fileNames(project).map(codeSpan);
    const commits = project.commits.map(({ hash, subject }) =>
      `- ${codeSpan(hash.slice(0, 8))} ${plainText(subject)}`
    );
    return [
      `## ${name}`,
      countsText([project], project.cost),
      ...project.sessions.map((session) => sessionMarkdown(session, formatTime)),
      ...files.length === 0 ? [] : [`Files: ${files.join(", ")}`],
      ...commits.length === 0 ? [] : [`Commits:\n\n${commits.join("\n")}`],
    ].join("\n\n") + "\n";
  }).join("\n");
}

function sessionMarkdown(session: SessionDigest, formatTime: (iso: string) => string): string {
  const { row, prompts, cost } = session;
  const about = [row.git_branch === undefined ? "" : codeSpan(row.git_branch), formatCost(cost)];
  const point = openPoint(session);
  return [
    [codeSpan(row.ref), ...about].filter((part) => part !== "").join(", "),
    [
      ...prompts.length === 0 ? [`- ${plainText(originTitle(row))}`] : [],
      ...prompts.map(({ time, text }) =>
        `- ${time === undefined ? "" : `${formatTime(time)} `}${plainText(text)}`
      ),
      ...point === undefined ? [] : [`- **${plainText(point.text)}**`],
    ].join("\n"),
  ].join("\n\n");
}
