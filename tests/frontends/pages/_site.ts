/** A site of a temporary home, asked without a socket. */
import assert from "node:assert/strict";
import { type Library, openLibrary } from "../../../lib/library/library.ts";
import { annotate } from "../../../lib/library/handle/annotate.ts";
import { openLocalStore } from "../../../lib/core/store/open_store.ts";
import { createSite, OpenedSessions, type Site } from "../../../lib/frontends/pages/site.ts";
import type { SiteContext } from "../../../lib/frontends/pages/site_context.ts";
import type { PageRequest, PageResponse } from "../../../lib/frontends/pages/site_frame.ts";
import type { CliHome } from "../../_support/cli_home.ts";

/** What requests have to know. */
export const KEY = { authority: "127.0.0.1:4123", token: "secret-token", cookie: "secret-cookie" };
/** The header of a browser that has entered. */
export const COOKIE = `reprise=${KEY.cookie}`;

/** Asks for a page below the token. */
export type Ask = (path: string) => Promise<WholeResponse>;

/** A response that was read to its end. */
export type WholeResponse = PageResponse & { body: string };

/** Reads a response to its end. */
export async function whole(response: PageResponse): Promise<WholeResponse> {
  const { body } = response;
  if (typeof body === "string") return { ...response, body };
  return { ...response, body: (await Array.fromAsync(body)).join("") };
}

/** A request with the right host and cookie, and more. */
export function requestOf(
  target: string,
  headers: Readonly<Record<string, string | undefined>> = {},
  method = "GET",
): PageRequest {
  const all: Record<string, string | undefined> = {
    host: KEY.authority,
    cookie: COOKIE,
    ...headers,
  };
  return { method, target, header: (name) => all[name] };
}

/** What the pages of a home are made of. @param named Paths that the person named. */
export function contextOf(home: CliHome, named: string[] = []): SiteContext {
  const variables: Record<string, string> = {
    ...{ REPRISE_HOME: home.store, HOME: home.path, PATH: Deno.env.get("PATH") ?? "" },
  };
  const library = openLibrary({ variable: (name) => variables[name], cwd: home.work });
  return {
    library,
    sessions: new OpenedSessions(library, { named }),
    version: "0.0.0",
    now: () => new Date("2026-11-22T12:00:00Z"),
    format_time: (iso) => iso.slice(0, 10),
    day_of: (milliseconds) => new Date(milliseconds).toISOString().slice(0, 10),
    minute_of: (milliseconds) =>
      new Date(milliseconds).toISOString().slice(0, 16).replace("T", " "),
    home: home.path,
    mark: async (session, mark) => {
      await annotate(openLocalStore({ root: home.store }), session, mark);
    },
  };
}

/** As {@linkcode contextOf}, with a library that uses its cache folder. */
export function cachingContextOf(home: CliHome): SiteContext & { library: { cache: string } } {
  const variables: Record<string, string> = { REPRISE_HOME: home.store, HOME: home.path };
  const variable = (name: string): string | undefined => variables[name];
  const library = openLibrary({ variable, cwd: home.work, cache: { version: "0.0.0" } });
  const sessions = new OpenedSessions(library);
  assert.ok(library.cache !== undefined);
  return { ...contextOf(home), library: library as Library & { cache: string }, sessions };
}

/** The site of a home. */
export function siteOf(home: CliHome, named: string[] = []): Site {
  return createSite(contextOf(home, named), KEY);
}

/** Asks the site of a home, with the token. */
export function askOf(home: CliHome, named: string[] = []): Ask {
  return askIn(contextOf(home, named));
}

/** Asks the site of a context, with the token. */
export function askIn(context: SiteContext): Ask {
  const site = createSite(context, KEY);
  return async (path) => await whole(await site(requestOf(`/${KEY.token}/${path}`)));
}
