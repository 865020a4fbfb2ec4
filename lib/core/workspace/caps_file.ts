/** Reads and writes the caps of costs: `caps.json` in the data root. */
import { join } from "node:path";
import { isObject } from "../event/guard.ts";
import { SessionError } from "../event/session_error.ts";
import { parsedJson } from "../event/parsed_json.ts";
import { readSettingsText, writeSettingsText } from "./settings_file.ts";

/** Scopes of a cap: costs of each session, of each day, or of a project since the cap was set. */
export const CAP_SCOPES = ["session", "day", "project"] as const;

export interface Cap {
  scope: typeof CAP_SCOPES[number];
  usd: number;
  set_at: string;
  project?: string;
}

/** @throws {SessionError} `invalid-config`, `unsupported-source`, `permission`, `io` */
export function readCaps(root: string): Cap[] {
  const path = join(root, "caps.json");
  const text = readSettingsText(path);
  const caps = text === undefined ? [] : parsedJson(text);
  if (Array.isArray(caps) && caps.every(isCap)) return caps;
  const message = "Cannot read caps: the file is damaged; delete the file, then set the " +
    `caps again: ${path}`;
  throw new SessionError("invalid-config", message, { path });
}

function isCap(value: unknown): value is Cap {
  if (!isObject(value)) return false;
  const { scope, usd, set_at, project } = value;
  return CAP_SCOPES.some((one) => one === scope) && typeof usd === "number" && usd > 0 &&
    typeof set_at === "string" && !Number.isNaN(Date.parse(set_at)) &&
    typeof project === (scope === "project" ? "string" : "undefined");
}

/** @throws {SessionError} `unsafe-store`, `permission`, `disk-full`, `io` */
export function writeCaps(root: string, caps: readonly Cap[]): void {
  writeSettingsText(join(root, "caps.json"), JSON.stringify(caps, undefined, 2) + "\n");
}

/** Maximum number of warnings to remember, enough for the sessions of some days. */
const MOST_WARNINGS = 500;

/**
 * Records the name of a warning in a data root. Returns true if the name was not recorded yet.
 *
 * @throws {SessionError} `unsafe-store`, `permission`, `disk-full`, `io`
 */
export function isFirstWarning(root: string, name: string): boolean {
  const path = join(root, "cap_warnings.json");
  const value = parsedJson(readSettingsText(path) ?? "");
  const known: unknown[] = Array.isArray(value) ? value : [];
  if (known.includes(name)) return false;
  writeSettingsText(path, JSON.stringify([...known.slice(1 - MOST_WARNINGS), name]) + "\n");
  return true;
}
