/** Renders a file with the session, prompt and model that wrote each line. */
import { join } from "node:path";
import {
  type BlamedRun,
  blameFile,
  blameRuns,
  type FileBlame,
} from "../../../features/blame/blame_file.ts";
import { linesOf } from "../../../library/touches/file_lines.ts";
import { nameInProject, readProjectFile } from "../../../features/blame/files/project_path.ts";
import { sessionFiles } from "../../../features/blame/files/session_files.ts";
import { errorText } from "../../../core/event/error_text.ts";
import { present } from "../../../core/event/present.ts";
import { SessionError } from "../../../core/event/session_error.ts";
import { quoteWord } from "../../../core/platform/shell_word.ts";
import { counted } from "../../../core/event/counted.ts";
import { joinHtml, NOTHING, safe, type SafeHtml } from "../../../text/render/html_document/html.ts";
import { withoutMarks } from "../../../text/render/html_document/page.ts";
import { highlightLines } from "../../../text/render/html_document/view.ts";
import { languageOf, relativePath } from "../../../text/render/path_text.ts";
import { sanitizeLine } from "../../../text/render/sanitize.ts";
import { cutText, firstLine } from "../../../text/render/text_width.ts";
import { sessionDirectory } from "../../../core/workspace/session_directory.ts";
import { filterQuery } from "../list/filter.ts";
import { whileRunning } from "../page_stream.ts";
import { agentHtml, agoHtml, modelName } from "../session_labels.ts";
import type { SiteContext } from "../site_context.ts";
import { type PageResponse, sessionLink, sitePage } from "../site_frame.ts";

const PAGE_LINES = 500;
/** Maximum number of characters of a file. For longer files, the command line is better. */
const MOST_SIZE = 2_000_000;
const MOST_WIDTH = 1000;
const PROMPT = 120;

export function blameLink(ref: string, file: string, from = 1): string {
  const more: Record<string, string> = from === 1 ? {} : { from: String(from) };
  return `blame?${new URLSearchParams({ ref, file, ...more })}`;
}

export async function blamePage(
  site: SiteContext,
  query: URLSearchParams,
): Promise<PageResponse> {
  const { ref, handle } = await site.sessions.open(query.get("ref") ?? "");
  const given = query.get("file") ?? "";
  const { cwd, files } = await sessionFiles(handle);
  const changed = files.find(({ path }) => path === given || relativePath(path, cwd) === given);
  if (changed === undefined) {
    throw new SessionError(
      "not-found",
      `Cannot blame ${given}: the session did not change this file`,
    );
  }
  const name = relativePath(changed.path, cwd);
  const title = `Blame of ${sanitizeLine(name)}`;
  const file = fileAt(changed.path, cwd);
  const body = safe`<h1 dir="auto">${title}</h1>
<p class="note">Each line is shown with the prompt that wrote it. <a href="./${
    filterQuery({ file: name })
  }">All sessions that changed this file</a> · <a href="files?${
    new URLSearchParams({ ref }).toString()
  }">Changed files</a> · <a href="${sessionLink(ref)}">Back to the session</a></p>`;
  const page = { title, place: "session" as const };
  if ("reason" in file) {
    const notice = noticeHtml(`Cannot show the file here: ${file.reason}`, changed.path);
    return sitePage({ ...page, body: safe`${body}\n${notice}` }, site.version);
  }
  const asked = /^[1-9]\d{0,8}$/.test(query.get("from") ?? "") ? Number(query.get("from")) : 1;
  const count = linesOf(file.text).length;
  const from = Math.min(asked, Math.max(1, count));
  const place = { ref, name, path: file.path, count, from };
  const rest = (signal: AbortSignal): AsyncIterable<SafeHtml> => stagesHtml(site, place, signal);
  return sitePage({ ...page, body, rest }, site.version);
}

/**
 * Reads a file in the session's directory, or returns the reason for a refusal. Other files are
 * never read, because an imported session may name any file.
 */
function fileAt(
  changed: string,
  cwd: string | undefined,
): { path: string; text: string } | { reason: string } {
  const own = sessionDirectory(cwd);
  if (cwd === undefined || own?.local === undefined) {
    return { reason: "the session's directory is not known on this machine" };
  }
  const directory = own.real;
  const { name, reason } = nameInProject(directory, cwd, changed);
  if (name === undefined) return { reason };
  const file = readProjectFile(directory, name);
  if (file.reason !== undefined) return { reason: file.reason };
  const { content } = file;
  if (content === null) return { reason: "the file no longer exists" };
  if (typeof content !== "string" || content.includes("\0")) {
    return { reason: "the file is not text" };
  }
  if (content.length > MOST_SIZE) return { reason: "the file is too long" };
  return { path: join(directory, name), text: content };
}

function noticeHtml(text: string, path: string): SafeHtml {
  return safe`<p class="notice">${
    sanitizeLine(text)
  }. The command line may show more: <code>reprise blame ${quoteWord(path)}</code></p>`;
}

interface BlamePlace {
  ref: string;
  /** The file's path relative to the session's directory. */
  name: string;
  path: string;
  count: number;
  /** Number of the first line on the page. */
  from: number;
}

/** Yields progress while reading sessions, then the lines of the file. */
async function* stagesHtml(
  site: SiteContext,
  place: BlamePlace,
  signal: AbortSignal,
): AsyncGenerator<SafeHtml> {
  const { path, count, from } = place;
  if (count === 0) return yield safe`<p class="note">The file is empty.</p>`;
  const unread = new Set<string>();
  let progress = "";
  const blaming = blameFile(site.library, path, {
    lines: { from, to: from + PAGE_LINES - 1 },
    variable: site.library.place.environment.variable,
    now: site.now().getTime(),
    signal,
    onError: ({ message }) => unread.add(message),
    onProgress: (done, all) => progress = `: ${done} of ${all}`,
  });
  for await (const _ of whileRunning(blaming)) {
    yield safe`<section class="stage"><p class="note" role="status">Reading sessions${progress}</p></section>\n`;
  }
  try {
    const blame = await blaming;
    const notes = [...unread].map((text) => safe`<p class="notice">${sanitizeLine(text)}</p>\n`);
    yield safe`<section class="stage" aria-label="Lines">${joinHtml(notes)}${
      linesHtml(site, place, blame)
    }</section>`;
  } catch (error) {
    if (signal.aborted) return;
    yield safe`<section class="stage">${noticeHtml(errorText(error), path)}</section>`;
  }
}

function linesHtml(
  site: SiteContext,
  place: BlamePlace,
  { lines, untracked }: FileBlame,
): SafeHtml {
  const { name, count, from } = place;
  const texts = lines.map(({ text }) =>
    cutText(sanitizeLine(text.replaceAll("\t", "    ")), MOST_WIDTH)
  );
  const code = highlightLines(texts, languageOf(name));
  const written = lines.filter(({ edit }) => edit !== undefined);
  const sessions = new Set(written.map(({ edit }) => edit?.ref)).size;
  const rows = blameRuns(lines).map((run) => runHtml(site, run, code.slice(run.from - from)));
  return safe`<p class="note">Lines ${from} to ${from + lines.length - 1} of ${count}: ${
    counted(sessions, "session")
  } wrote ${written.length} of them.${
    untracked ? " The file is not in git: only session records show who wrote it." : ""
  }</p>
${stepsHtml(place, "above")}<div class="blame"><table><caption class="unseen">Lines of ${
    sanitizeLine(name)
  }</caption><colgroup><col><col><col></colgroup>
<thead><tr><th scope="col">Written by</th><th scope="col">Line</th><th scope="col">Text</th></tr></thead>
<tbody>
${joinHtml(rows)}</tbody></table></div>
${stepsHtml(place, "below")}`;
}

function stepsHtml({ ref, name, count, from }: BlamePlace, side: string): SafeHtml {
  const link = (line: number, step: string, text: string): SafeHtml =>
    line < 1 || line > count
      ? NOTHING
      : safe`<a data-step="${step}" href="${blameLink(ref, name, line)}">${text}</a>`;
  const links = joinHtml([
    link(from === 1 ? 0 : Math.max(1, from - PAGE_LINES), "earlier", "Earlier lines"),
    link(from + PAGE_LINES, "later", "Later lines"),
  ]);
  return links.markup === ""
    ? NOTHING
    : safe`<nav class="pages" aria-label="Pages of the file, ${side}">${links}</nav>\n`;
}

function runHtml(site: SiteContext, run: BlamedRun, code: readonly SafeHtml[]): SafeHtml {
  const count = run.lines.length;
  const by = safe`<td class="by" rowspan="${count}">${writerHtml(site, run)}</td>`;
  return joinHtml(run.lines.map((_, index) => {
    const line = run.from + index;
    const kind = run.edit === undefined ? "nobody" : run.grade;
    const first = index === 0 ? "first " : "";
    return safe`<tr class="${first}${kind}"${index === 0 ? safe` data-row` : NOTHING}>${
      index === 0 ? by : NOTHING
    }<td>${line}</td><td>${code[index] ?? NOTHING}</td></tr>\n`;
  }));
}

/** Reasons why a session is only the likely writer of a line. */
const DOUBTS: Readonly<Record<NonNullable<BlamedRun["doubt"]>, string>> = {
  order: "the session wrote this line, but at another place in the file",
  "white-space": "the session wrote this line with different white space",
  several: "another session wrote the same line",
  elsewhere: "the session that wrote this line ran in another directory",
  "equal-lines":
    "the file has this line several times, and the session wrote one of them, perhaps not this one",
};

function writerHtml(site: SiteContext, { edit, grade, doubt }: BlamedRun): SafeHtml {
  if (edit === undefined) return NOTHING;
  const { session, ref, thread, seq, time, model, prompt } = edit;
  const text = withoutMarks(firstLine(prompt?.text ?? "", PROMPT)) || "(no prompt)";
  const iso = Number.isNaN(time) ? undefined : new Date(time).toISOString();
  const reason = doubt === undefined ? "" : DOUBTS[doubt];
  return safe`<div>${agentHtml(session.agent)}<a href="${
    sessionLink(ref, present({ thread, seq: String(seq) }), `e${seq}`)
  }" dir="auto" title="${text}">${text}</a>${
    grade === "likely" ? safe`<span title="${reason}">likely</span>` : NOTHING
  }${
    model === undefined
      ? NOTHING
      : safe`<span class="model" title="${model}">${modelName(model)}</span>`
  }${agoHtml(iso, site)}</div>`;
}
