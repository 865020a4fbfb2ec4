/** Reads a password from the user's `~/.pgpass`, as psql does. */
import { join } from "node:path";
import { readShortText, SETTINGS_BYTES } from "../../../core/file/short_file.ts";
import { othersMay } from "../../../core/platform/file_mode.ts";
import { statSync } from "../../../core/platform/files.ts";
import { environmentVariable } from "../../../core/platform/process.ts";
import { operatingSystem } from "../../../core/platform/runtime.ts";

interface PasswordPlace {
  host: string;
  port: string;
  database: string;
  user: string;
}

/** Matches one field of a line. In a field, a backslash escapes a colon or a backslash. */
const FIELD = /((?:[^:\\]|\\.)*)(:|$)/gy;

/** Finds the password in the first matching line, `host:port:database:user:password`. */
export function passwordIn(text: string, place: PasswordPlace): string | undefined {
  const wanted = [place.host, place.port, place.database, place.user];
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith("#")) continue;
    const fields = fieldsOf(line);
    const [password] = fields.slice(wanted.length);
    const fits = wanted.every((value, index) =>
      fields[index] === "*" || unescaped(fields[index] ?? "") === value
    );
    if (fits && password !== undefined) return unescaped(password);
  }
  return undefined;
}

function fieldsOf(line: string): string[] {
  const fields: string[] = [];
  for (const [, field = "", separator] of line.matchAll(FIELD)) {
    fields.push(field);
    // At the end an empty match would follow.
    if (separator === "") break;
  }
  return fields;
}

function unescaped(field: string): string {
  return field.replaceAll(/\\(.)/g, "$1");
}

/** Returns the server, database and user of an address. Missing parts get the defaults of psql. */
export function passwordPlace(address: string): PasswordPlace {
  const url = new URL(address);
  const host = url.searchParams.get("host") ?? decodeURIComponent(url.hostname);
  const user = decodeURIComponent(url.username) || url.searchParams.get("user") ||
    environmentVariable("PGUSER") || environmentVariable("USER") || "";
  return {
    // A socket counts as this machine.
    host: host === "" || host.startsWith("/") ? "localhost" : host.replace(/^\[|\]$/g, ""),
    port: url.port || url.searchParams.get("port") || "5432",
    database: decodeURIComponent(url.pathname.slice(1)) || user,
    user,
  };
}

/** Returns an address's password. Undefined if the file is missing or other users can read it. */
export function filePassword(address: string): string | undefined {
  const path = passwordFile();
  if (path === undefined) return undefined;
  try {
    if (othersMay("anything", statSync(path).mode)) return undefined;
    return passwordIn(readShortText(path, SETTINGS_BYTES), passwordPlace(address));
  } catch {
    // Not there, or not to be read: the server says whether it wants one.
    return undefined;
  }
}

function passwordFile(): string | undefined {
  const named = environmentVariable("PGPASSFILE");
  if (named) return named;
  if (operatingSystem === "windows") {
    const folder = environmentVariable("APPDATA");
    return folder && join(folder, "postgresql", "pgpass.conf");
  }
  const home = environmentVariable("HOME");
  return home && join(home, ".pgpass");
}
