/**
 * The head of a session.
 *
 * @module
 */
import type {
  GitInfo,
  ImportInfo,
  ParentInfo,
  SessionStartedPayload,
} from "../../event/payload.ts";
import type { SessionItem } from "../../projection/transcript/transcript_item.ts";
import { firstLine } from "../first_line.ts";
import { parentName } from "../parent_name.ts";
import { joinWords, settingsText } from "../session_words.ts";
import { sanitizeLine } from "../sanitize.ts";
import { timeLabel } from "../time_label.ts";
import { ruleText, wrapCells, wrapWords } from "../wrap.ts";
import { narrowView, type View } from "./view.ts";

const LABEL_WIDTH = 11;
/** Columns of a title, as in a page. */
const TITLE = 200;

/** Rows of the head: the title, then what is known of where the session comes from. */
export function renderSession(item: SessionItem, view: View): string[] {
  const { session } = item;
  // A title may be all of a first message.
  const title = firstLine(session.title ?? "", TITLE);
  const rows = title === ""
    ? []
    : wrapWords(title, view.width).map((row) => view.style.paint("bold", row));
  for (const [label, value] of sessionFields(session, view)) {
    if (value !== "") { for (const row of renderField(label, value, view)) rows.push(row); }
  }
  return [...rows, view.style.paint("dim", ruleText(view.width))];
}

function sessionFields(session: SessionStartedPayload, view: View): [string, string][] {
  const { app, imported_from: origin } = session;
  return [
    ["session", session.session_id],
    ["directory", session.cwd],
    ["created", timeLabel(session.created_at, view.format_time)],
    ["branch", branchText(session.git)],
    ["remote", session.git?.remote ?? ""],
    ["app", app === undefined ? "" : joinWords(app.name, app.version)],
    ["parent", parentText(session.parent)],
    ["imported", importText(origin)],
    ["from", origin?.path ?? ""],
    ["settings", settingsText(session)],
  ];
}

function renderField(label: string, value: string, view: View): string[] {
  const rows = wrapCells(sanitizeLine(value), narrowView(view, LABEL_WIDTH).width);
  return rows.map((row, index) => {
    const margin = (index === 0 ? label : "").padEnd(LABEL_WIDTH);
    return view.style.paint("dim", margin) + row;
  });
}

function branchText(git: GitInfo | undefined): string {
  const commit = git?.commit?.slice(0, 8) ?? "";
  return git?.branch === undefined ? commit : joinWords(git.branch, commit && `(${commit})`);
}

function importText(origin: ImportInfo | undefined): string {
  if (origin === undefined) return "";
  const version = origin.agent_version;
  return joinWords(`${origin.agent}:${origin.id}`, version && `(version ${version})`);
}

function parentText(parent: ParentInfo | undefined): string {
  if (parent === undefined) return "";
  return joinWords(parentName(parent), parent.reason && `(${parent.reason})`);
}
