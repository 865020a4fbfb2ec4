/** Reads and writes `machines.json`: sync place, this machine, its projects and pairing words. */
import { join } from "node:path";
import { fields, flag, list, optional, text } from "../../../core/event/guard.ts";
import { parsedJson } from "../../../core/event/parsed_json.ts";
import { SessionError } from "../../../core/event/session_error.ts";
import { readSettingsText, writeSettingsText } from "../../../core/workspace/settings_file.ts";
import type { MachineProject } from "./sent_sessions.ts";

export interface MachineSettings {
  version: 1;
  /** The sync place's address, without a password. */
  url: string;
  password_command?: string;
  /** True to allow a connection without TLS. */
  insecure?: boolean;
  device: { id: string; label: string };
  /** The pairing words. A holder of the words can read and write all synced sessions. */
  words: string;
  projects: MachineProject[];
  all_projects?: boolean;
}

const PROJECT = fields({ project: text, directory: text });
const SETTINGS = fields({
  url: text,
  password_command: optional(text),
  insecure: optional(flag),
  device: fields({ id: text, label: text }),
  words: text,
  projects: list(PROJECT),
  all_projects: optional(flag),
});

export function machineSettingsPath(root: string): string {
  return join(root, "machines.json");
}

/**
 * Reads the settings; undefined before the first `reprise sync PLACE`.
 *
 * @throws {SessionError} `invalid-config`, `unsupported-version`, `permission`, `io`
 */
export function readMachineSettings(root: string): MachineSettings | undefined {
  const path = machineSettingsPath(root);
  const written = readSettingsText(path);
  if (written === undefined) return undefined;
  const value = parsedJson(written) as Partial<MachineSettings> | undefined;
  if (typeof value?.version === "number" && value.version > 1) {
    const message = `Cannot read settings of machines: a newer Reprise wrote the file: ${path}`;
    throw new SessionError("unsupported-version", message, { path });
  }
  // The value itself stays out of the message: it has the words.
  const reason = SETTINGS(value);
  if (reason === undefined) return value as MachineSettings;
  const message =
    `Cannot read settings of machines: the file is not valid (${reason.slice(0, 80)});` +
    ` remove it and pair this machine again: ${path}`;
  throw new SessionError("invalid-config", message, { path });
}

export function writeMachineSettings(root: string, settings: MachineSettings): void {
  writeSettingsText(machineSettingsPath(root), `${JSON.stringify(settings, undefined, 2)}\n`);
}
