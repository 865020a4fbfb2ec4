/** A digest for a terminal. */
import { counted } from "../../core/event/counted.ts";
import type { CostSum } from "../../core/projection/cost_sum.ts";
import type { ProjectDigest, SessionDigest } from "./digest.ts";
import { directoryText } from "../../text/render/path_text.ts";
import { sanitizeLine } from "../../text/render/sanitize.ts";
import { originTitle } from "../../text/render/origin_title.ts";
import { shortIds } from "../../text/render/short_id.ts";
import { createStyle, type Format, type Style } from "../../text/render/style.ts";
import { cutText } from "../../text/render/text_width.ts";
import { formatCost } from "../../text/render/usage_text.ts";
import { wrapWords } from "../../text/render/wrap.ts";
import { countsText, fileNames, openPoint } from "./digest_words.ts";

export interface DigestTextOptions {
  width: number;
  color: boolean;
  /** The user's home directory, which is written as `~`. */
  home: string | undefined;
  formatTime: (iso: string) => string;
}

/** Maximum number of listed prompts per session. */
const MOST_PROMPTS = 12;
const MOST_COMMITS = 12;
const MOST_FILES = 12;
const COLORS: Readonly<Record<string, Format>> = {
  waits: "yellow",
  failed: "red",
  unfinished: "yellow",
  running: "cyan",
};

export function digestText(
  projects: readonly ProjectDigest[],
  cost: CostSum,
  options: DigestTextOptions,
): string {
  const style = createStyle(options.color);
  const ids = idsOf(projects);
  const all = `${counted(projects.length, "project")}: ${countsText(projects, cost)}`;
  const lines = [
    ...projects.length === 1 ? [] : [...wrapWords(all, options.width), ""],
    ...projects.flatMap((project, index) => [
      ...index === 0 ? [] : [""],
      ...projectLines(project, ids, style, options),
    ]),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

function idsOf(projects: readonly ProjectDigest[]): ReadonlyMap<SessionDigest, string> {
  const sessions = projects.flatMap(({ sessions }) => sessions);
  const ids = shortIds(sessions.map(({ row }) => row));
  return new Map(sessions.map((session, index) => [session, ids[index] ?? ""]));
}

function projectLines(
  project: ProjectDigest,
  ids: ReadonlyMap<SessionDigest, string>,
  style: Style,
  options: DigestTextOptions,
): string[] {
  const { width, home } = options;
  const { sessions, commits, cost } = project;
  const name = project.project === undefined
    ? "Without a directory"
    : directoryText(project.project, home);
  const files = fileNames(project);
  const shown = files.slice(0, MOST_FILES).join(", ");
  const more = files.length - MOST_FILES;
  return [
    style.paint("bold", cutText(name, width)),
    ...wrapWords(countsText([project], cost), width - 2).map((line) => `  ${line}`),
    ...sessions.flatMap((session) => sessionLines(session, ids.get(session) ?? "", style, options)),
    ...files.length === 0
      ? []
      : indented(`  Files: ${shown}${more > 0 ? ` and ${more} more` : ""}`, width),
    ...commits.slice(0, MOST_COMMITS).map(({ hash, subject }, index) =>
      cutText(
        `${index === 0 ? "  Commits: " : " ".repeat(11)}${hash.slice(0, 8)} ${
          sanitizeLine(subject)
        }`,
        width,
      )
    ),
    ...left(commits.length - MOST_COMMITS, 11),
  ];
}

function sessionLines(
  session: SessionDigest,
  id: string,
  style: Style,
  { width, formatTime }: DigestTextOptions,
): string[] {
  const { row, prompts, cost } = session;
  const title = originTitle(row);
  // A title that is the first prompt would stand there twice.
  const own = prompts.some(({ text }) => text.startsWith(title.replace(/…$/, ""))) ? [] : [title];
  const branch = row.git_branch === undefined ? [] : [sanitizeLine(row.git_branch)];
  const head = [id, ...branch, formatCost(cost), ...own].filter((part) => part !== "").join("  ");
  const point = openPoint(session);
  return [
    cutText(`  ${head}`, width),
    ...point === undefined
      ? []
      : [style.paint(COLORS[point.state] ?? "bold", cutText(`    ${point.text}`, width))],
    ...prompts.slice(0, MOST_PROMPTS).map(({ time, text }) =>
      cutText(
        `    ${time === undefined ? "" : `${formatTime(time)}  `}${sanitizeLine(text)}`,
        width,
      )
    ),
    ...left(prompts.length - MOST_PROMPTS, 4),
  ];
}

function left(count: number, indent: number): string[] {
  return count > 0 ? [`${" ".repeat(indent)}… ${count} more`] : [];
}

/** Wraps a line to the width. Indents all parts but the first by four spaces. */
function indented(line: string, width: number): string[] {
  return wrapWords(line, width - 2).map((part, index) => index === 0 ? part : `    ${part.trim()}`);
}
