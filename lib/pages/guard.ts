/**
 * Decides whether a request may be answered. A port of the loopback address is open to any program
 * of the machine. Any page in its browser can reach it, too.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import type { PageRequest } from "./exchange.ts";

/** What a request has to know. */
export interface Key {
  /** The host and port that the server listens on: `127.0.0.1:41234`. */
  authority: string;
  /** The secret that every address begins with. */
  token: string;
}

/** A request that may be answered, by its address behind the token, or why it may not. */
export type Admission =
  | { path: string; query: URLSearchParams }
  | { status: 403 | 405; reason: string };

const METHODS: readonly string[] = ["GET", "HEAD"];
/** What a browser says of a request that the person or one of our pages made. */
const OWN_SITES: readonly string[] = ["none", "same-origin"];

/** Admits a request, or says why not: to whoever does not know the token, as little as possible. */
export function admit(request: PageRequest, { authority, token }: Key): Admission {
  // A name that an attacker makes lead to the loopback address is still in the header.
  if (request.header("host") !== authority) return forbidden("it was sent to another host");
  const origin = request.header("origin");
  if (origin !== undefined && origin !== `http://${authority}`) {
    return forbidden("another site sent it");
  }
  const site = request.header("sec-fetch-site");
  if (site !== undefined && !OWN_SITES.includes(site)) {
    return forbidden("another site led here: paste the address into a new tab");
  }
  const [, given = "", path = "", query = ""] = /^\/([^/?#]*)\/([^?#]*)(?:\?([^#]*))?$/.exec(
    request.target,
  ) ?? [];
  if (!isSame(given, token)) return forbidden("its address has no valid token");
  if (!METHODS.includes(request.method)) {
    return { status: 405, reason: "Cannot do that: pages can only be read" };
  }
  return { path, query: new URLSearchParams(query) };
}

function forbidden(reason: string): Admission {
  return { status: 403, reason: `Cannot answer the request: ${reason}` };
}

/** Compares in a time that tells nothing of the token. */
function isSame(given: string, token: string): boolean {
  return timingSafeEqual(digest(given), digest(token));
}

function digest(text: string): Uint8Array {
  return createHash("sha256").update(text).digest();
}
