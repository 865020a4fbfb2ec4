/** Passwords and tokens in URLs. */
import { isStandIn } from "./chance.ts";
import type { SecretSpan } from "./secret_span.ts";

/** Where a URL's host begins, or the user before it; plain and percent-encoded. */
export const URL_ANCHORS: readonly string[] = ["://", "%3A%2F%2F", "%3a%2f%2f", ":\\/\\/"];

const USER_AND_PASSWORD =
  /(?::\/\/|:\\\/\\\/)([^\s\/@:"'`<>\\\[\]]{0,128}):([^\s\/"'`<>\\]{1,256})@(?=[\w\[.%$-])/y;
const ENCODED_PAIR =
  /%3[Aa]%2[Ff]%2[Ff]([\w.~+-]{0,128})(?::|%3[Aa])((?!%40)[\w.~%!*()+-]{1,256}?)(?:@|%40)/y;
/** A user alone is a token where chance made it: `https://<token>@host`. */
const USER_ALONE = /:\/\/([A-Za-z0-9_-]{20,255})@(?:(o\d{1,12}\.ingest\.)|(?=[\w\[.-]))/y;
/** What documents and compose files write in place of a password. */
export const STAND_IN_WORDS =
  /^(?:pass(?:word|wd)?|pwd|pw|secret|user(?:name)?|token|postgres|mysql|root|admin|guest|test|example|x-oauth-basic|x-access-token|oauth2?|git|\*+|-+|\.+|\d{1,5})$/i;

/** The password of the URL whose host or user begins after an anchor. */
export function urlSecrets(text: string, anchor: number): SecretSpan[] {
  const form = text.startsWith(":", anchor) ? USER_AND_PASSWORD : ENCODED_PAIR;
  form.lastIndex = anchor;
  const pair = form.exec(text);
  if (pair !== null) return passwordIn(pair);
  USER_ALONE.lastIndex = anchor;
  const alone = USER_ALONE.exec(text);
  const [, user = "", sentry] = alone ?? [];
  if (!/\d/.test(user) || isStandIn(user)) return [];
  const kind = sentry === undefined ? "url-token" : "sentry-dsn";
  return [{ kind, start: anchor + 3, end: anchor + 3 + user.length, certain: true }];
}

function passwordIn(
  { 0: whole, 1: user = "", 2: password = "", index }: RegExpExecArray,
): SecretSpan[] {
  const end = index + whole.replace(/(?:@|%40)$/, "").length;
  const spans: SecretSpan[] = [];
  if (password.length >= 3 && !isStandIn(password) && !STAND_IN_WORDS.test(password)) {
    spans.push({ kind: "url-password", start: end - password.length, end, certain: true });
  }
  // `https://<token>:x-oauth-basic@host`
  if (spans.length === 0 && user.length >= 20 && /\d/.test(user) && !isStandIn(user)) {
    const start = index + whole.indexOf(user);
    spans.push({ kind: "url-token", start, end: start + user.length, certain: true });
  }
  return spans;
}
