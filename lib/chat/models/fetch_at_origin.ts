/**
 * Requests that stay with the server that the user named: another one gets neither key nor
 * conversation.
 */
import { ModelError } from "./model_error.ts";

/** Redirects that are followed, at most. */
const MAX_HOPS = 5;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** These ask for the same request again; the others make a `GET` of it. */
const SAME_REQUEST: ReadonlySet<number> = new Set([307, 308]);

/**
 * Fetches as `fetch` does, but follows redirects only to the same origin, and only as the same request.
 *
 * @param setting The variable that names the server, for the message.
 * @throws {ModelError} `redirected` when the server sends the request elsewhere.
 * @throws {TypeError} When there is no connection, as `fetch` does.
 */
export async function fetchAtOrigin(
  url: string,
  init: RequestInit,
  setting = "base_url",
): Promise<Response> {
  let at = new URL(url);
  for (let hop = 0;; hop++) {
    const response = await fetch(at, { ...init, redirect: "manual" });
    const { status } = response;
    const location = response.headers.get("location");
    if (!REDIRECTS.has(status) || location === null) return response;
    await response.body?.cancel();
    const next = URL.parse(location, at);
    const same_request = SAME_REQUEST.has(status) || (init.method ?? "GET") === "GET";
    if (next?.origin !== at.origin || !same_request || hop === MAX_HOPS) {
      throw redirected(at, next, status, setting);
    }
    next.username = at.username;
    next.password = at.password;
    at = next;
  }
}

function redirected(from: URL, to: URL | null, status: number, setting: string): ModelError {
  const there = to === null ? "nowhere" : to.origin === from.origin ? placeOf(to) : originOf(to);
  const message = `Cannot get an answer from the model: ${from.origin} redirects to ${there} \
(status ${status}), and neither key nor conversation follows. \
If that is the right server, set ${setting} to it`;
  return new ModelError("redirected", message, { status });
}

/** An address without its query, which may hold anything. */
function placeOf({ origin, pathname }: URL): string {
  return `${origin}${pathname}`.slice(0, 200);
}

/** Schemes such as `file:` have no origin. */
function originOf({ origin, protocol }: URL): string {
  return origin === "null" ? `a ${protocol} address` : origin;
}
