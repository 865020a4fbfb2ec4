/**
 * Decides whether a request may be answered. A port of the loopback address is open to any program
 * of the machine. Any page in its browser can reach it, too.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import type { PageRequest } from "./site_frame.ts";

export interface ServerKey {
  /** The host and port that the server listens on: `127.0.0.1:41234`. */
  authority: string;
  /** The secret at the beginning of every address. It admits one browser, once. */
  token: string;
  /** The secret in the cookie of the admitted browser. */
  cookie: string;
}

/**
 * The verdict on a request: the path to answer, or a refusal. `enters` is true for the first
 * request with the token. Its answer sets the cookie. `acts` is true for a form's `POST`.
 */
type Admission =
  | { path: string; query: URLSearchParams; enters: boolean; acts: boolean }
  | { status: 403 | 405; reason: string };

const METHODS: readonly string[] = ["GET", "HEAD"];
/** The paths of buttons, which are requested by `POST`. */
const ACTIONS: readonly string[] = ["index", "mark"];
/** The `sec-fetch-site` header of requests from own pages. It is `none` for a typed address. */
const OWN_SITE = "same-origin";
const OWN_SITES: readonly string[] = ["none", OWN_SITE];
/** The name of the cookie. Its path keeps several servers apart, because cookies ignore ports. */
const COOKIE = "reprise";

export class RequestGuard {
  readonly #key: ServerKey;
  #is_used = false;

  constructor(key: ServerKey) {
    this.#key = key;
  }

  /** Returns the header that sets the cookie. Scripts, other sites and paths cannot read it. */
  get set_cookie(): string {
    const { token, cookie } = this.#key;
    return `${COOKIE}=${cookie}; Path=/${token}/; HttpOnly; SameSite=Strict`;
  }

  /** Admits or rejects a request. Without the secret token, the reason tells a stranger little. */
  admit(request: PageRequest): Admission {
    const { authority, token, cookie } = this.#key;
    // A name that an attacker makes lead to the loopback address is still in the header.
    if (request.header("host") !== authority) {
      return forbidden("the Host header of the request names another host");
    }
    const [, given = "", path = "", text = ""] = /^\/([^/?#]*)\/([^?#]*)(?:\?([^#]*))?$/.exec(
      request.target,
    ) ?? [];
    const acts = request.method === "POST" && ACTIONS.includes(path);
    const site = request.header("sec-fetch-site");
    const origin = request.header("origin");
    // A page without a referrer names no origin in its forms. Then its site must be told.
    const is_nameless = acts && origin === "null" && site === OWN_SITE;
    if (origin !== undefined && origin !== `http://${authority}` && !is_nameless) {
      return forbidden("another site sent the request");
    }
    if (!isSame(given, token)) {
      return forbidden("the address has no valid token; for a new address: reprise open");
    }
    if (!acts && !METHODS.includes(request.method)) {
      return {
        status: 405,
        reason: "Cannot accept the request: this page can only be read, with GET or HEAD",
      };
    }
    const query = new URLSearchParams(text);
    if (!cookiesOf(request).some((value) => isSame(value, cookie))) {
      if (this.#is_used || request.method !== "GET") {
        return forbidden("this address was already used; for a new address: reprise open");
      }
      // The file that leads a browser here is of no site, so the browser calls it another one.
      this.#is_used = true;
      return { path, query, enters: true, acts };
    }
    if (acts && site !== OWN_SITE) {
      return forbidden("the request does not come from a page of this server");
    }
    if (site !== undefined && !OWN_SITES.includes(site)) {
      return forbidden(
        "you followed a link on another site, which is not allowed; paste the address into a new tab",
      );
    }
    return { path, query, enters: false, acts };
  }
}

/** Returns the values of all cookies with our name. Other servers of this host may set one, too. */
function cookiesOf(request: PageRequest): string[] {
  return (request.header("cookie") ?? "").split(";").flatMap((pair) => {
    const [name = "", value = ""] = pair.trim().split("=", 2);
    return name === COOKIE ? [value] : [];
  });
}

function forbidden(reason: string): Admission {
  return { status: 403, reason: `Cannot answer the request: ${reason}` };
}

/** Compares two texts in constant time. */
function isSame(given: string, secret: string): boolean {
  return timingSafeEqual(digest(given), digest(secret));
}

function digest(text: string): Uint8Array {
  return createHash("sha256").update(text).digest();
}
