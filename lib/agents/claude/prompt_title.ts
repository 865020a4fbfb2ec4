/**
 * Derives a title from a prompt. It drops what an editor, a hook or Claude Code itself put before
 * the person's words.
 */
import { asObject } from "../../reading/json_value.ts";
import { blocksOf, type Fields } from "./content.ts";
import { CONTINUED, INTERRUPTED, isWrapped } from "./user_events.ts";

/** What stands around a prompt without being asked: notes of an editor, of hooks, of the client. */
const NOTE =
  /<(ide_[a-z_]+|system-reminder|local-command-caveat|user-prompt-submit-hook|new-diagnostics|teammate-message)\b[^>]*>[^]*?<\/\1>/y;
const COMMAND = /<command-name>\s*([^<]*?)\s*<\/command-name>/;
const ARGUMENTS = /<command-args>([^]*?)<\/command-args>/;
/** Commands of the client itself: they ask nothing of the model. */
const OWN_COMMANDS = new Set(
  ("add-dir agents bashes bug clear compact config context continue copy cost doctor exit export " +
    "extra-usage fast feedback help hooks ide install-github-app keybindings login logout mcp memory " +
    "model output-style permissions plan plugin privacy-settings quit release-notes remote-control " +
    "rename resume rewind sandbox settings skills stats status statusline tasks terminal-setup theme " +
    "todos upgrade usage vim voice").split(" "),
);

/** The title that a record of a prompt gives; undefined where it says something else. */
export function promptTitle({ value }: { value: Fields }): string | undefined {
  if (value.type !== "user" || value.isMeta === true || value.isCompactSummary === true) {
    return undefined;
  }
  for (const { type, text } of blocksOf(asObject(value.message).content)) {
    const title = type === "text" && typeof text === "string" ? titleOfText(text) : undefined;
    if (title !== undefined) return title;
  }
  return undefined;
}

/** What was asked in a text, on one line; undefined where nothing was. */
export function titleOfText(text: string): string | undefined {
  const asked = withoutNotes(text);
  const command = COMMAND.exec(asked);
  const words = command === null ? asked : commandTitle(command[1] ?? "", asked);
  const line = words.replace(/\s+/g, " ").trim();
  const said = line !== "" && !isWrapped(line) && !INTERRUPTED.test(line) && !CONTINUED.test(line);
  return said ? line : undefined;
}

/** A text without the notes that it begins with. */
function withoutNotes(text: string): string {
  let start = text.length - text.trimStart().length;
  for (NOTE.lastIndex = start; NOTE.test(text); NOTE.lastIndex = start) {
    start = NOTE.lastIndex;
    while (start < text.length && /\s/.test(text[start] as string)) start++;
  }
  return text.slice(start);
}

/** A command that was given something to do. */
function commandTitle(name: string, text: string): string {
  const given = ARGUMENTS.exec(text)?.[1]?.trim() ?? "";
  return given === "" || OWN_COMMANDS.has(name.replace(/^\//, "")) ? "" : `${name} ${given}`;
}
