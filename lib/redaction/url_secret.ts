/** Passwords in URLs, and the few tables that name them by their place. */
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
const STAND_IN_WORDS =
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

/** A place that holds a password without a name beside it. */
interface PasswordPlace {
  kind: string;
  anchors: readonly string[];
  form: RegExp;
}

/** Tables by place; group 1 is what stands before the password, group 2 the password. */
export const PASSWORD_PLACES: readonly PasswordPlace[] = [
  {
    kind: "netrc-password",
    anchors: ["machine "],
    form:
      /(machine[ \t]{1,8}\S{1,128}(?:\s{1,8}login[ \t]{1,8}\S{1,128})?\s{1,8}password[ \t]{1,8})(\S{1,256})/y,
  },
  {
    kind: "netrc-password",
    anchors: ["login "],
    form: /(login[ \t]{1,8}\S{1,128}\s{1,8}password[ \t]{1,8})(\S{1,256})/y,
  },
  {
    kind: "pgpass-password",
    anchors: [":5432:", ":5433:", ":6432:", ":26257:", ":*:"],
    form:
      /(?<=(?:^|[\s"'+]|\p{Cc}\[[\d;]{0,12}m)[\w.*-]{1,128})(:(?:\d{4,5}|\*):[\w*-]{1,64}:[\w*.-]{1,64}:)([^\s:"'\p{Cc}]{3,256})(?=$|[\s"'\\]|\p{Cc})/muy,
  },
  {
    kind: "authorization",
    anchors: ["Bearer ", "bearer ", "Bearer%20"],
    form: /([Bb]earer(?:%20|[ \t]{1,4}))(?=[^\s"'`\\,;]{0,255}\d)([\w.~+\/=-]{16,4096})/y,
  },
  {
    kind: "authorization",
    anchors: ["Basic "],
    form:
      /(Basic[ \t]{1,4})(?=[A-Za-z0-9+\/]{0,255}(?:\d|[a-z][A-Z]))([A-Za-z0-9+\/]{12,512}={0,2})(?![\w-])/y,
  },
  {
    kind: "curl-password",
    anchors: ["curl "],
    form:
      /(curl[ \t](?:[^\n"']{0,128}?[ \t])?(?:-u|--user)[ \t=]{0,4}["']?[^\s:"']{1,128}:)([^\s"'\\]{3,256})/y,
  },
  {
    kind: "password",
    anchors: ["sshpass "],
    form: /(sshpass[ \t]{1,4}-p[ \t]{0,4}["']?)([^\s"'\\]{3,256})/y,
  },
];

/** The password in a place whose anchor is at `at`. */
export function passwordAt(text: string, at: number, { kind, form }: PasswordPlace): SecretSpan[] {
  form.lastIndex = at;
  const [, before = "", secret = ""] = form.exec(text) ?? [];
  if (secret === "" || isStandIn(secret) || STAND_IN_WORDS.test(secret)) return [];
  const start = at + before.length;
  return [{ kind, start, end: start + secret.length, certain: true }];
}
