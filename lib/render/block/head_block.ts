/** Makes the block of a session's first event. */
import type {
  GitInfo,
  ImportInfo,
  ParentInfo,
  SessionStartedPayload,
} from "../../event/payload.ts";
import type { SessionItem } from "../../projection/transcript/transcript_item.ts";
import { firstLine } from "../first_line.ts";
import { parentName } from "../parent_name.ts";
import type { BlockBase, Fact, HeadBlock } from "./block.ts";

/** Columns of a title, which may be the first message as far as a list keeps it. */
const TITLE = 300;

/** The block of the head: the title, then what is known of where the session comes from. */
export function headBlock(
  { session }: SessionItem,
  base: BlockBase,
  more: readonly Fact[] = [],
): HeadBlock {
  const { app, git, parent, imported_from: origin } = session;
  const facts: Fact[] = [
    { name: "Session", value: session.session_id, is_in_header: true },
    { name: "Directory", value: session.cwd, form: "path", is_in_header: true },
    { name: "Created", value: session.created_at, form: "time", is_in_header: true },
    { name: "Branch", value: branchText(git) },
    { name: "Remote", value: git?.remote ?? "" },
    { name: "App", value: app === undefined ? "" : joinWords(app.name, app.version) },
    { name: "Parent", value: parentText(parent) },
    { name: "Imported", value: importText(origin) },
    { name: "From", value: origin?.path ?? "", form: "path" },
    { name: "Settings", value: settingsText(session) },
    ...more,
  ];
  return {
    type: "head",
    ...base,
    title: firstLine(session.title ?? "", TITLE),
    facts: facts.filter(({ value }) => value !== ""),
  };
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

function settingsText({ environment = {} }: SessionStartedPayload): string {
  return Object.entries(environment).map(([name, value]) =>
    `${name} ${typeof value === "string" ? value : JSON.stringify(value)}`
  ).join(" · ");
}

/** Joins the words that are there. */
function joinWords(...words: (string | undefined)[]): string {
  return words.filter((word) => word).join(" ");
}
