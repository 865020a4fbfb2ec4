/** Checks the address of a team's store, and takes the password out of it. Pure. */
import { present } from "../event/present.ts";
import { SessionError } from "../event/session_error.ts";

/** An address that may be written down, and the password that may not. */
interface StoreAddress {
  /** The address without a password. */
  url: string;
  /** The password that was in it, decoded. */
  password?: string;
}

const SCHEME = /^postgres(?:ql)?:\/\//;
const USER = /^([a-z]+:\/\/)([^/?#]*)@/;
const PASSWORD_PARAMETER = /([?&])password=([^&#]*)(&?)/;

function refused(reason: string): SessionError {
  // The address itself stays out of the message: it may hold a password.
  const advice = "give postgresql://USER@HOST/DATABASE";
  return new SessionError(
    "invalid-config",
    `Cannot use this store's address: ${reason}; ${advice}`,
  );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A percent sign that encodes nothing stands for itself.
    return text;
  }
}

/**
 * Separates the address of a store from its password, which is never kept.
 *
 * @param text As given: `postgresql://USER[:PASSWORD]@HOST[:PORT]/DATABASE[?sslmode=…]`.
 * @throws {SessionError} `invalid-config` where it is no such address. It does not repeat the text.
 */
export function storeAddress(text: string): StoreAddress {
  if (!SCHEME.test(text)) throw refused("it does not begin with postgresql://");
  if (/[\s\p{Cc}]/u.test(text)) throw refused("it holds a space or a control character");
  const { rest, password } = withoutUserPassword(text);
  const parameter = PASSWORD_PARAMETER.exec(rest);
  const url = rest.replace(PASSWORD_PARAMETER, (_all, before, _value, behind) => {
    return behind === "&" ? before : "";
  });
  if (PASSWORD_PARAMETER.test(url)) throw refused("it holds more than one password");
  if (!isAddress(url)) throw refused("it cannot be read; write %40 for @ and %2F for / in a name");
  const found = parameter === null ? password : decoded(parameter[2] ?? "");
  return present({ url, password: found || undefined });
}

function withoutUserPassword(text: string): { rest: string; password?: string } {
  const [all = "", scheme = "", user = ""] = USER.exec(text) ?? [];
  const colon = user.indexOf(":");
  if (colon < 0) return { rest: text };
  const rest = `${scheme}${user.slice(0, colon)}@${text.slice(all.length)}`;
  return { rest, password: decoded(user.slice(colon + 1)) };
}

/** Adds a host to an address whose socket's folder stands in `?host=`. */
export function withHost(url: string): string {
  return url.replace(/^([a-z]+:\/\/(?:[^/?#]*@)?)(?=[/?#]|$)/, "$1localhost");
}

/** Returns the line of `~/.pgpass` for an address, with `PASSWORD` where that goes. */
export function passwordFileLine(address: string): string {
  const url = new URL(withHost(address));
  const { hostname, port, pathname, username, searchParams } = url;
  const host = searchParams.has("host") ? "localhost" : hostname.replace(/^\[|\]$/g, "");
  const fields = [host, port || searchParams.get("port") || "5432", pathname.slice(1), username];
  const escaped = fields.map((field) => decoded(field).replaceAll(/[\\:]/g, "\\$&") || "*");
  return [...escaped, "PASSWORD"].join(":");
}

function isAddress(url: string): boolean {
  const hosted = withHost(url);
  if (!URL.canParse(hosted)) return false;
  const { pathname, hash } = new URL(hosted);
  return /^\/?[^/]*$/.test(pathname) && hash === "";
}
