/** Checks the address of a team's store, and takes the password out of it. Pure. */
import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { percentDecoded } from "../../core/event/attachment.ts";
import { present } from "../../core/event/present.ts";
import { SessionError } from "../../core/event/session_error.ts";
import { s3Place } from "./s3/s3_place.ts";

interface StoreAddress {
  /** The address without a password. */
  url: string;
  /** The password, percent-decoded. */
  password?: string;
}

/** The kind of a store. Only `postgres` has row-level security. */
export type StoreKind = "postgres" | "folder" | "sftp" | "s3";

const KINDS: Readonly<Record<string, StoreKind>> = {
  "postgres:": "postgres",
  "postgresql:": "postgres",
  "file:": "folder",
  "ssh:": "sftp",
  "s3:": "s3",
};
const USER = /^([a-z]+:\/\/)([^/?#]*)@/;
const PASSWORD_PARAMETER = /([?&])password=([^&#]*)(&?)/;

function refused(reason: string): SessionError {
  // The address itself stays out of the message: it may hold a password.
  const advice =
    "give postgresql://USER@HOST/DATABASE, a folder, ssh://HOST/FOLDER, or s3://BUCKET";
  return new SessionError(
    "invalid-config",
    `Cannot use this store's address: ${reason}; ${advice}`,
  );
}

/**
 * Separates a store's address from its password, because the password is never stored.
 *
 * @param text As given: `postgresql://USER[:PASSWORD]@HOST[:PORT]/DATABASE[?sslmode=…]`, a folder's
 * path, `file://…` or `ssh://[USER@]HOST[:PORT]/FOLDER`, `s3://BUCKET[/PREFIX]`. `?user=NAME` names
 * the member.
 * @param cwd The base of a relative path. @default {a path is refused}
 * @throws {SessionError} `invalid-config` if the address is invalid. The message omits the address.
 */
export function storeAddress(text: string, cwd?: string): StoreAddress {
  if (cwd !== undefined && text !== "" && !text.includes("://")) {
    const [path = "", query] = text.split(/\?(?=user=[^/?]*$)/);
    const url = pathToFileURL(resolve(cwd, path)).href;
    return storeAddress(query === undefined ? url : `${url}?${query}`);
  }
  const kind = KINDS[/^[a-z0-9]+:(?=\/\/)/.exec(text)?.[0] ?? ""];
  if (kind === undefined) throw refused("the address has an unknown scheme");
  if (kind === "s3") return { url: s3Place(text, { insecure: true }) && text };
  if (kind !== "postgres") return objectsAddress(text);
  if (/[\s\p{Cc}]/u.test(text)) {
    throw refused("the address contains a space or a control character");
  }
  const { rest, password } = withoutUserPassword(text);
  const parameter = PASSWORD_PARAMETER.exec(rest);
  const url = rest.replace(PASSWORD_PARAMETER, (_all, before, _value, behind) => {
    return behind === "&" ? before : "";
  });
  if (PASSWORD_PARAMETER.test(url)) throw refused("the address contains more than one password");
  if (!isAddress(url)) {
    throw refused("the address is not valid; in a name, write %40 for @ and %2F for /");
  }
  const found = parameter === null ? password : percentDecoded(parameter[2] ?? "");
  return present({ url, password: found || undefined });
}

/** Checks a `file:` or `ssh:` address. It must not contain a password. */
function objectsAddress(url: string): StoreAddress {
  const { password, hash = "#", pathname = "" } = URL.parse(url) ?? {};
  if (password) throw refused("an ssh address cannot contain a password; use an ssh key");
  if (hash !== "" || pathname.length < 2 || !isPlain(url)) {
    throw refused("the address is not valid");
  }
  return { url };
}

/** True if an address has no space and no encoded line break, which would end an sftp command. */
function isPlain(url: string): boolean {
  try {
    return !/\s/.test(url) && !/\p{Cc}/u.test(decodeURIComponent(url));
  } catch {
    // A percent sign that encodes nothing.
    return false;
  }
}

export function storeKind(url: string): StoreKind {
  return KINDS[/^[a-z0-9]+:/.exec(url)?.[0] ?? ""] ?? "postgres";
}

export function memberOf(url: string): string | undefined {
  return new URL(url).searchParams.get("user") ?? undefined;
}

export function folderPath(url: string): string {
  const { pathname } = new URL(url);
  return fileURLToPath(`file://${pathname}`);
}

function withoutUserPassword(text: string): { rest: string; password?: string } {
  const [all = "", scheme = "", user = ""] = USER.exec(text) ?? [];
  const colon = user.indexOf(":");
  if (colon < 0) return { rest: text };
  const rest = `${scheme}${user.slice(0, colon)}@${text.slice(all.length)}`;
  return { rest, password: percentDecoded(user.slice(colon + 1)) };
}

/** Adds `localhost` to an address without a host. It names a socket's folder in `?host=`. */
export function withHost(url: string): string {
  return url.replace(/^([a-z]+:\/\/(?:[^/?#]*@)?)(?=[/?#]|$)/, "$1localhost");
}

/** Returns a line of `~/.pgpass` for an address, with `PASSWORD` in place of the password. */
export function passwordFileLine(address: string): string {
  const url = new URL(withHost(address));
  const { hostname, port, pathname, username, searchParams } = url;
  const host = searchParams.has("host") ? "localhost" : hostname.replace(/^\[|\]$/g, "");
  const fields = [host, port || searchParams.get("port") || "5432", pathname.slice(1), username];
  const escaped = fields.map((field) => percentDecoded(field).replaceAll(/[\\:]/g, "\\$&") || "*");
  return [...escaped, "PASSWORD"].join(":");
}

function isAddress(url: string): boolean {
  const hosted = withHost(url);
  if (!URL.canParse(hosted)) return false;
  const { pathname, hash } = new URL(hosted);
  return /^\/?[^/]*$/.test(pathname) && hash === "";
}
