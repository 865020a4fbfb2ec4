/** The manifest of a bundle: the session, its commit, and the parts that follow. Pure. */
import type { AgentName } from "../../../core/event/agent_name.ts";
import { AGENT_NAMES } from "../../../core/event/agent_name.ts";
import {
  fields,
  type Guard,
  list,
  oneOf,
  optional,
  text,
  whole,
} from "../../../core/event/guard.ts";
import { parsedJson } from "../../../core/event/parsed_json.ts";
import { SessionError } from "../../../core/event/session_error.ts";

export interface BundleCommit {
  /** The full hash. */
  commit: string;
  branch?: string;
  /** Address of the remote `origin`, without a user. */
  remote?: string;
}

export interface BundlePart {
  /**
   * `session`: a file of the session, its main file first. `rows`: the session's rows in a
   * database, instead of files. `snapshot`: an earlier version of a file of the user. `patch`: the
   * changes of the work tree; the last part.
   */
  kind: "session" | "rows" | "snapshot" | "patch";
  /** Path below the agent's folder, with `/` between names. Only a label for the kind `rows`. */
  name: string;
  bytes: number;
  sha256: string;
}

export interface BundleManifest {
  bundle: "reprise";
  format: number;
  made_at: string;
  agent: AgentName;
  id: string;
  title?: string;
  cwd?: string;
  /** Absolute path of the work tree's top folder; absent outside of git. */
  top?: string;
  /** The folder in the agent's folder whose name depends on `cwd`; absent if there is none. */
  cwd_folder?: string;
  git?: BundleCommit;
  parts: BundlePart[];
}

/** The latest format. Bundles without rows have format 1, which earlier versions read. */
const LATEST_FORMAT = 2;
export const MOST_MANIFEST_BYTES = 4 * 1024 * 1024;
const MOST_PARTS = 10_000;
const MOST_BYTES = 64 * 1024 ** 3;
const MOST_PATH = 1024;
const MOST_NAME = 255;

const digits = (form: RegExp, what: string): Guard => (value) =>
  typeof value === "string" && form.test(value) ? undefined : `is not ${what}`;

const MANIFEST = fields({
  bundle: oneOf("reprise"),
  format: whole(1),
  made_at: text,
  agent: oneOf(...AGENT_NAMES),
  id: digits(/^[\w][\w.-]{3,127}$/, "an id"),
  title: optional(text),
  cwd: optional(text),
  top: optional(text),
  cwd_folder: optional(plainPath),
  git: optional(fields({
    commit: digits(/^[0-9a-f]{40,64}$/, "a commit"),
    branch: optional(text),
    remote: optional(text),
  })),
  parts: list(fields({
    kind: oneOf("session", "rows", "snapshot", "patch"),
    name: plainPath,
    bytes: whole(0),
    sha256: digits(/^[0-9a-f]{64}$/, "a SHA-256"),
  })),
});

export function formatOf(parts: readonly Pick<BundlePart, "kind">[]): number {
  return parts.some(({ kind }) => kind === "rows") ? LATEST_FORMAT : 1;
}

/** Returns why a value is not a relative path on all systems; undefined for a valid path. */
export function plainPath(value: unknown): string | undefined {
  if (typeof value !== "string") return "is not a string";
  if (value.length > MOST_PATH) return "is too long";
  const encoder = new TextEncoder();
  const wrong = value.split("/").some((name) =>
    /^(?:|\.{1,2}|\.git|.*[. ])$/i.test(name) || encoder.encode(name).length > MOST_NAME
  );
  // deno-lint-ignore no-control-regex -- no name may have one.
  return wrong || /[\\:<>|"?*\x00-\x1f\x7f]/.test(value) ? "is not a plain path" : undefined;
}

/** @throws {SessionError} `unsupported-source`, `unsupported-version`, `damaged`, `too-large` */
export function parseManifest(line: string): BundleManifest {
  const value = parsedJson(line) as Partial<BundleManifest> | undefined;
  if (value?.bundle !== "reprise") {
    throw new SessionError(
      "unsupported-source",
      "Cannot take the sent session: the file was not made by reprise send",
    );
  }
  if (typeof value.format === "number" && value.format > LATEST_FORMAT) {
    const message =
      `Cannot take the sent session: a later version of Reprise wrote the file (format ` +
      `${value.format}). Update Reprise`;
    throw new SessionError("unsupported-version", message);
  }
  const reason = MANIFEST(value) ?? wrongParts(value as BundleManifest);
  if (reason === undefined) return value as BundleManifest;
  const place = reason.startsWith(".")
    ? `the list of files in it is not valid: ${reason.slice(1)}`
    : reason;
  throw new SessionError("damaged", `Cannot take the sent session: ${place}`);
}

function wrongParts({ parts }: BundleManifest): string | undefined {
  const [main] = parts;
  const rest = parts.slice(1).map(({ kind }) => kind);
  const has_rows = main?.kind === "rows" && rest.every((kind) => kind === "patch");
  const has_files = main?.kind === "session" && !rest.includes("rows");
  if (!has_rows && !has_files) return "the list has no session";
  if (parts.length > MOST_PARTS) return "the list has too many files";
  if (parts.reduce((sum, { bytes }) => sum + bytes, 0) > MOST_BYTES) {
    return "the files are too large";
  }
  const patch = parts.findIndex(({ kind }) => kind === "patch");
  if (patch >= 0 && patch !== parts.length - 1) {
    return "the patch in it is not the last part";
  }
  // Systems differ in which names are equal.
  const names = new Set(parts.map(({ name }) => name.normalize("NFC").toLowerCase()));
  const clash = names.size < parts.length ||
    [...names].some((name) =>
      name.split("/").some((_, index, all) => index > 0 && names.has(all.slice(0, index).join("/")))
    );
  return clash ? "two files in it have the same name" : undefined;
}
