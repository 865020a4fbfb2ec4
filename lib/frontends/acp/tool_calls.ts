/** Converts tool calls, and the file changes that they made, to updates of ACP. Pure. */
import type {
  SessionUpdate,
  ToolCall,
  ToolCallContent,
  ToolCallLocation,
  ToolCallStatus,
  ToolKind,
} from "npm:@agentclientprotocol/sdk@2.4.0";
import type { CallUnderWay } from "../../features/chat/chat_options.ts";
import { isObject } from "../../core/event/guard.ts";
import { present } from "../../core/event/present.ts";
import type { BashItem, DiffItem, ToolItem } from "../../core/projection/transcript/item.ts";
import { sanitizeLine, sanitizeText } from "../../text/render/sanitize.ts";
import { cutText } from "../../text/render/text_width.ts";
import { inputPath, inputText, summarizeInput } from "../../text/render/input_summary.ts";
import { sessionFilePath } from "../../core/workspace/session_directory.ts";
import { contentBlocks, shortText, shownInput, textBlock } from "./content_blocks.ts";

export const TITLE_COLUMNS = 200;
/** Number of characters of a call from which its title is made. */
const LOOKED_AT = 2000;

export function callUpdate(call: CallUnderWay, id: string, cwd: string): SessionUpdate {
  return { sessionUpdate: "tool_call", ...pendingCall(call, id, cwd) };
}

export function pendingCall(
  { name, input, title }: CallUnderWay,
  id: string,
  cwd: string,
): ToolCall {
  const about = aboutCall(name, input, cwd);
  const shown = title === "" ? about.title : callTitle(name, title);
  const rawInput = shownInput(input, true);
  return { toolCallId: id, status: "pending", ...about, title: shown, rawInput };
}

export function outputUpdate(id: string, output: string): SessionUpdate {
  const content = output === "" ? undefined : [textContent(output)];
  const update = {
    sessionUpdate: "tool_call_update",
    toolCallId: id,
    status: "in_progress",
  } as const;
  return present({ ...update, content });
}

export function aboutCall(
  name: string,
  input: unknown,
  cwd: string,
): Pick<ToolCall, "title" | "kind" | "locations"> {
  const path = inputPath(input) ?? (isObject(input) ? input["notebook_path"] : undefined);
  const locations: ToolCallLocation[] = typeof path === "string" && path !== ""
    ? [{ path: sanitizeLine(sessionFilePath(path, cwd)) }]
    : [];
  return {
    title: callTitle(name, inputText(summarizeInput(input, cwd))),
    kind: toolKind(name),
    locations,
  };
}

/** Returns a one-line title. Line ends are visible, and a cut is marked by an ellipsis. */
function callTitle(name: string, subject: string): string {
  const whole = toolKind(name) === "execute" && subject !== "" ? subject : `${name} ${subject}`;
  const start = whole.trim().slice(0, LOOKED_AT).replaceAll(/[^\S\r\n]+/g, " ");
  const title = cutText(sanitizeLine(start), TITLE_COLUMNS);
  return whole.length > LOOKED_AT && !title.endsWith("…") ? `${title}…` : title;
}

export function statusOf({ status }: ToolItem | BashItem): ToolCallStatus {
  return status === "ok" ? "completed" : "failed";
}

export function callContent(item: ToolItem | BashItem, whole: boolean): ToolCallContent[] {
  const { output = "", error, status } = item;
  const texts = [
    item.type === "bash" && item.exit_code ? `exit code ${item.exit_code}` : "",
    error ?? (status === "ok" || status === "error" ? "" : status.replace("_", " ")),
  ];
  const blocks = [
    ...contentBlocks(output),
    ...contentBlocks(texts.filter((text) => text !== "").join("\n")),
  ];
  return blocks.map((content) => {
    const is_long = !whole && content.type === "text";
    return { type: "content", content: is_long ? textBlock(shortText(content.text)) : content };
  });
}

export function diffContent(
  { path, lines }: DiffItem,
  cwd: string,
): (ToolCallContent & { type: "diff" }) | undefined {
  if (path === undefined || path === "") return undefined;
  const side = (other: "added" | "removed"): string[] =>
    lines.filter(({ kind }) => kind !== "hunk" && kind !== other)
      .map(({ content }) => sanitizeText(content));
  const [before, after] = [side("added"), side("removed")];
  const oldText = before.length === 0 ? null : before.join("\n");
  return {
    type: "diff",
    path: sanitizeLine(sessionFilePath(path, cwd)),
    oldText,
    newText: after.join("\n"),
  };
}

export function textContent(text: string): ToolCallContent {
  return { type: "content", content: textBlock(text) };
}

/** The known tool names by kind, in lower case without dashes and underscores. */
const NAMES: readonly [kind: ToolKind, names: string][] = [
  ["read", "read view cat readfile readmanyfiles notebookread viewimage openfile readtool"],
  ["edit", "edit write multiedit notebookedit applypatch strreplace strreplaceeditor"],
  ["edit", "strreplacebasededittool writefile editfile createfile replace insert patch texteditor"],
  ["delete", "delete deletefile remove removefile rm"],
  ["move", "move movefile rename renamefile mv"],
  ["search", "grep glob search find ls list listdirectory listdir listfiles searchfilecontent"],
  ["search", "ripgrep codebasesearch grepsearch filesearch findfiles toolsearch"],
  ["execute", "bash shell exec execcommand runshellcommand localshell localshellcall terminal"],
  ["execute", "runcommand executecommand writestdin bashoutput killshell killbash run command"],
  ["think", "think thinking sequentialthinking todowrite todoread updateplan writetodos"],
  ["fetch", "fetch webfetch websearch googlewebsearch browser urlfetch webbrowser"],
  ["switch_mode", "exitplanmode enterplanmode switchmode planmode"],
];

const KINDS = new Map(
  NAMES.flatMap(([kind, names]) => names.split(" ").map((name) => [name, kind] as const)),
);

function toolKind(name: string): ToolKind {
  return KINDS.get(name.toLowerCase().replaceAll(/[-_]/g, "")) ?? "other";
}
