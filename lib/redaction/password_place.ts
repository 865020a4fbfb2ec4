/** Places that hold a password without a name beside it: tables, headers, command lines. */
import { isStandIn } from "./chance.ts";
import { COMMAND_PLACES } from "./command_password.ts";
import type { SecretSpan } from "./secret_span.ts";
import { STAND_IN_WORDS } from "./url_secret.ts";

/** A place by the text that is always there. */
export interface PasswordPlace {
  kind: string;
  anchors: readonly string[];
  /** Group 1 is what stands before the password, group 2 the password. Quantifiers are bounded. */
  form: RegExp;
}

/** All places; most programs' are in a file of their own. */
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
    anchors: "5432 5433 5434 5439 6432 6543 15432 25432 26257 54320 54321 54322 *".split(" ")
      .map((port) => `:${port}:`),
    form:
      /(?<=(?:^|[\s"'`+:>]|\\n|\p{Cc}\[[\d;]{0,12}m)(?:\d{1,6}[:\t|])?[\w.*-]{1,128})(:(?:\d{4,5}|\*):[\w*-]{1,64}:[\w*.-]{1,64}:)([^\s:"'`\p{Cc}]{3,256})(?=$|[\s"'`\\]|\p{Cc})/muy,
  },
  {
    kind: "authorization",
    anchors: ["Bearer ", "bearer ", "Bearer%20"],
    form: /([Bb]earer(?:%20|[ \t]{1,4}))(?=[^\s"'`\\,;]{0,255}\d)([\w.~+\/=-]{16,4096})/y,
  },
  {
    kind: "authorization",
    anchors: ["SSWS ", "Token ", "ApiKey ", "Api-Key "],
    form:
      /((?:SSWS|Token|ApiKey|Api-Key)[ \t]{1,4}(?:token=)?"?)(?=[^\s"'`\\,;]{0,255}\d)([\w.~+\/=-]{24,4096})/y,
  },
  {
    kind: "authorization",
    anchors: ["Basic "],
    form:
      /(Basic[ \t]{1,4})(?=[A-Za-z0-9+\/]{0,255}(?:\d|[a-z][A-Z]))([A-Za-z0-9+\/]{12,512}={0,2})(?![\w-])/y,
  },
  {
    kind: "secret",
    anchors: ["_KEY'", "_SALT'", '_KEY"', '_SALT"'],
    form: /(_(?:KEY|SALT)["'],\s{0,8}["'])([^\n"']{32,128})/y,
  },
  ...COMMAND_PLACES,
];

/** The password in a place whose anchor is at `at`. */
export function passwordAt(text: string, at: number, { kind, form }: PasswordPlace): SecretSpan[] {
  form.lastIndex = at;
  const [, before = "", secret = ""] = form.exec(text) ?? [];
  if (secret === "" || isStandIn(secret) || STAND_IN_WORDS.test(secret)) return [];
  const start = at + before.length;
  return [{ kind, start, end: start + secret.length, certain: true }];
}
