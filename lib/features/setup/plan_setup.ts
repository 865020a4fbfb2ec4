/** Plans a step of a setup, or of its removal. It is pure, and reads files through a function. */
import { SessionError } from "../../core/event/session_error.ts";
import { runsCommand } from "./settings/entry_command.ts";
import { jsonList, jsonSettings } from "./settings/json_settings.ts";
import { notUnderstood, type SettingsText } from "./settings/settings_text.ts";
import { tomlSettings } from "./settings/toml_settings.ts";
import { yamlSettings } from "./settings/yaml_settings.ts";
import type { CommandLine, EntryItem, FileItem, SetupItem } from "./setup_item.ts";

const COPY = ".reprise-backup";

export type SetupStep =
  & { what: string; path: string }
  & (
    /** No step. `there`: installed; `absent`: not installed; `other`: the user has another item. */
    | { action: "none"; why: "there" | "absent" | "other" }
    | { action: "refuse"; why: string }
    | { action: "run"; command: CommandLine }
    /** Writes the text. With `copy`, first copies the old file. Last, runs the command, if any. */
    | { action: "write"; text: string; copy: boolean; shared: boolean; command?: CommandLine }
    /** Restores the former text from the copy, and deletes the copy. */
    | { action: "restore"; text: string; copy: string }
    /** Runs the command and deletes the file. `folder`: also deletes our folder if it is empty. */
    | { action: "delete"; folder: boolean; command?: CommandLine }
  );

export type ReadText = (path: string) => string | undefined;

const FORMATS: Readonly<Record<EntryItem["format"], SettingsText>> = {
  ...{ json: jsonSettings, toml: tomlSettings, yaml: yamlSettings },
};

export function planStep(item: SetupItem, read: ReadText, remove: boolean): SetupStep {
  try {
    if (item.kind === "file") return remove ? fileRemoval(item, read) : fileStep(item, read);
    return entryStep(item, read, remove);
  } catch (error) {
    if (error instanceof SessionError) {
      return { ...about(item), action: "refuse", why: error.message };
    }
    // Patterns need a stack, which settings of many megabytes exhaust.
    if (!(error instanceof RangeError)) throw error;
    return {
      ...about(item),
      action: "refuse",
      why: notUnderstood("the settings file is too long").message,
    };
  }
}

function about({ what, path }: SetupItem): { what: string; path: string } {
  return { what, path };
}

function fileStep(item: FileItem, read: ReadText): SetupStep {
  const there = read(item.path);
  if (there === item.text) return { ...about(item), action: "none", why: "there" };
  const command = item.starts === undefined ? {} : { command: item.starts };
  const copy = there !== undefined;
  return { ...about(item), action: "write", text: item.text, copy, shared: true, ...command };
}

function fileRemoval(item: FileItem, read: ReadText): SetupStep {
  const there = read(item.path);
  if (there === undefined) return { ...about(item), action: "none", why: "absent" };
  if (there !== item.text) {
    const why =
      "somebody edited the file, or another version of Reprise wrote it; if you do not need it, " +
      "delete it yourself";
    return { ...about(item), action: "refuse", why };
  }
  const command = item.stops === undefined ? {} : { command: item.stops };
  return { ...about(item), action: "delete", folder: true, ...command };
}

function entryStep(item: EntryItem, read: ReadText, remove: boolean): SetupStep {
  const { keys: path, entry, mark = "" } = item;
  const format = item.isOurs === undefined ? FORMATS[item.format] : jsonList(item.isOurs);
  const text = read(item.path);
  const is_there = text !== undefined && format.has(text, path);
  const is_ours = is_there && text.includes(mark) &&
    (!remove || item.command === undefined || runsCommand(format, text, path, item.command));
  if (is_there && !is_ours) return { ...about(item), action: "none", why: "other" };
  if (is_ours !== remove) {
    return { ...about(item), action: "none", why: remove ? "absent" : "there" };
  }
  const command = remove ? item.remove : item.add;
  if (command !== undefined) return { ...about(item), action: "run", command };
  if (!remove || text === undefined) {
    const added = format.add(text ?? "", path, entry);
    const copy = text !== undefined;
    return { ...about(item), action: "write", text: added, copy, shared: false };
  }
  const copy = lastCopy(item.path, read);
  if (copy !== undefined && format.add(copy.text, path, entry) === text) {
    return { ...about(item), action: "restore", text: copy.text, copy: copy.path };
  }
  if (format.add("", path, entry) === text) {
    return { ...about(item), action: "delete", folder: false };
  }
  const left = format.remove(text, path);
  return { ...about(item), action: "write", text: left, copy: true, shared: false };
}

export function copyPath(path: string, number: number): string {
  return `${path}${COPY}${number === 1 ? "" : `-${number}`}`;
}

/** Returns a file's latest copy, if any. Each added entry left a copy, numbered from 1. */
function lastCopy(path: string, read: ReadText): { path: string; text: string } | undefined {
  let last: { path: string; text: string } | undefined;
  for (let number = 1;; number++) {
    const copy = copyPath(path, number);
    const text = read(copy);
    if (text === undefined) return last;
    last = { path: copy, text };
  }
}
