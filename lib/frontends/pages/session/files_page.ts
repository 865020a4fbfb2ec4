/** Renders the files that a session changed, with what it did to each. */
import { fileDiff } from "../../../features/blame/files/file_diff.ts";
import { type SessionFile, sessionFiles } from "../../../features/blame/files/session_files.ts";
import type { DiffLine } from "../../../core/event/payload.ts";
import { FOLDS } from "../../../text/render/fold.ts";
import { changeHtml } from "../../../text/render/html_document/diff.ts";
import { sessionTitle } from "../../../text/render/html_document/page.ts";
import { joinHtml, safe, type SafeHtml } from "../../../text/render/html_document/html.ts";
import { createView } from "../../../text/render/html_document/view.ts";
import { relativePath } from "../../../text/render/path_text.ts";
import { blameLink } from "./blame_page.ts";
import type { SiteContext } from "../site_context.ts";
import { type PageResponse, sessionLink, sitePage } from "../site_frame.ts";

/** The most lines of changes on the page. Further files are shown with their counts only. */
const MOST_LINES = 1500;

export async function filesPage(
  site: SiteContext,
  query: URLSearchParams,
): Promise<PageResponse> {
  const { ref, handle, summary } = await site.sessions.open(query.get("ref") ?? "");
  const in_turn = query.get("turn") === "last";
  const { cwd, files } = await sessionFiles(handle, { from: in_turn ? "last-turn" : undefined });
  const session = sessionTitle((await summary()).summary);
  const title = in_turn ? `Files that the last turn changed in ${session}` : `Files of ${session}`;
  const other = `?${new URLSearchParams({ ref, ...(in_turn ? {} : { turn: "last" }) })}`;
  const body = safe`<h1 dir="auto">${title}</h1>
${
    files.length === 0
      ? safe`<p class="note">${in_turn ? "The last turn" : "The session"} changed no files.</p>`
      : filesHtml(ref, files, cwd)
  }
<p class="note"><a href="${other}">${
    in_turn ? "All files of the session" : "Only the files of the last turn"
  }</a> · <a href="${sessionLink(ref)}">Back to the session</a></p>`;
  return sitePage({ title, place: "session", body }, site.version);
}

function filesHtml(
  ref: string,
  files: readonly SessionFile[],
  cwd: string | undefined,
): SafeHtml {
  const view = createView({ tools: "full", blame: (path) => blameLink(ref, path) });
  let room = MOST_LINES;
  return joinHtml(
    files.map((file) => {
      const { added, removed, lines } = fileDiff(file);
      room -= lines.length;
      return changeHtml({
        ...{ type: "diff", seq: 0, path: relativePath(file.path, cwd), fold: FOLDS.diff },
        ...{ added, removed, lines: room < 0 ? [] : lines.map(diffLine) },
      }, view);
    }),
    "\n",
  );
}

const KINDS: Readonly<Record<string, DiffLine["kind"]>> = { "+": "added", "-": "removed" };

function diffLine(line: string): DiffLine {
  if (line.startsWith("@@")) return { kind: "hunk", content: line };
  return { kind: KINDS[line[0] ?? ""] ?? "context", content: line.slice(1) };
}
