/** Reads and writes the caps of costs: `caps.json` in the data root. */
import { join } from "node:path";
import { isObject } from "../event/guard.ts";
import { present } from "../event/present.ts";
import { SessionError } from "../event/session_error.ts";
import { parsedJson } from "../event/parsed_json.ts";
import { readSettingsText, writeSettingsText } from "./settings_file.ts";

/** The scopes of a cap: each session, all of a day, or those of a project since it was set. */
export const CAP_SCOPES = ["session", "day", "project"] as const;

export type CapScope = typeof CAP_SCOPES[number];

/** The most that sessions may cost. */
export interface Cap {
  scope: CapScope;
  /** US dollars. */
  usd: number;
  /** ISO 8601. */
  set_at: string;
  /** The directory of the project, for its scope. */
  project?: string;
}

function capsPath(root: string): string {
  return join(root, "caps.json");
}

/**
 * Reads the caps of a data root; none where there is no file.
 *
 * @throws {SessionError} `invalid-config`, `unsupported-source`, `permission`, `io`
 */
export function readCaps(root: string): Cap[] {
  const path = capsPath(root);
  const text = readSettingsText(path);
  if (text === undefined) return [];
  const value = parsedJson(text);
  const caps = isObject(value) && Array.isArray(value.caps) ? value.caps.map(capIn) : [undefined];
  if (caps.every((cap) => cap !== undefined)) return caps;
  const message = `Cannot read caps: the file is damaged; to set caps anew, delete it: ${path}`;
  throw new SessionError("invalid-config", message, { path });
}

function capIn(value: unknown): Cap | undefined {
  if (!isObject(value)) return undefined;
  const { usd, set_at, project } = value;
  const scope = CAP_SCOPES.find((one) => one === value.scope);
  const is_whole = scope !== undefined && typeof usd === "number" && usd > 0 &&
    typeof set_at === "string" && !Number.isNaN(Date.parse(set_at)) &&
    (typeof project === "string") === (scope === "project");
  return is_whole ? present({ scope, usd, set_at, project: project as string }) : undefined;
}

/**
 * Writes the caps of a data root.
 *
 * @throws {SessionError} `unsafe-store`, `permission`, `disk-full`, `io`
 */
export function writeCaps(root: string, caps: readonly Cap[]): void {
  writeSettingsText(capsPath(root), JSON.stringify({ caps }, undefined, 2) + "\n");
}

/** True for caps of one thing: one takes the place of the other. */
export function isSameCap(one: Pick<Cap, "scope" | "project">, other: typeof one): boolean {
  return one.scope === other.scope && one.project === other.project;
}

function warningsPath(root: string): string {
  return join(root, "cap_warnings.json");
}

/** Warnings that are remembered: more than sessions of some days. */
const MOST_WARNINGS = 500;

/**
 * True the first time that a session comes near a cap. Each is remembered in the data root.
 *
 * @throws {SessionError} `unsafe-store`, `permission`, `disk-full`, `io`
 */
export function isFirstWarning(root: string, name: string): boolean {
  const path = warningsPath(root);
  const value = parsedJson(readSettingsText(path) ?? "");
  const known: unknown[] = Array.isArray(value) ? value : [];
  if (known.includes(name)) return false;
  writeSettingsText(path, JSON.stringify([...known.slice(1 - MOST_WARNINGS), name]) + "\n");
  return true;
}
