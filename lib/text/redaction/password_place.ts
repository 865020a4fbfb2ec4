/** Finds passwords without a name beside them: in tables, headers, command lines and URLs. */
import { isStandIn } from "./chance.ts";
import type { SecretSpan } from "./secret_span.ts";

/** A context of passwords, such as an option of a command, and literal texts that reveal it. */
export interface PasswordPlace {
  kind: string;
  anchors: readonly string[];
  /** Group 1 precedes the password, group 2 is the password. Quantifiers are bounded. */
  form: RegExp;
}

/** Finds the password after one of the place's `anchors` at the offset `at`. */
export function passwordAt(text: string, at: number, { kind, form }: PasswordPlace): SecretSpan[] {
  form.lastIndex = at;
  const [, before = "", secret = ""] = form.exec(text) ?? [];
  if (secret === "" || isStandIn(secret) || STAND_IN_WORDS.test(secret)) return [];
  const start = at + before.length;
  return [{ kind, start, end: start + secret.length, certain: true }];
}

/** Regular expression source for a value on a command line that is not a variable or an option. */
const WORD = "(?![$-])[^\\s\"'`\\\\|;&<>()]{3,256}";
const QUOTE = "(?:\\\\{0,3}[\"'])?";
/** Regular expression source for the words between a program and its option, on one line. */
const WORDS = "(?:[^\\n|;]{0,200}?[ \\t])?";

/**
 * Describes a password in a command line. `names` are programs, separated by blanks. Each of
 * `options` is a regular expression for the text before the password, blanks included.
 */
function command(kind: string, names: string, ...options: readonly string[]): PasswordPlace {
  const programs = names.split(" ");
  return {
    kind,
    anchors: programs.map((program) => `${program} `),
    form: new RegExp(
      `((?:(?<![\\w.-])|(?<=\\\\[nrt]))(?:${programs.join("|")})[ \\t]${WORDS}(?:${
        options.join("|")
      })${QUOTE})(${WORD})`,
      "y",
    ),
  };
}

const GAP = "[ \\t]{1,4}";
const GAP_OR_EQUALS = "(?:[ \\t]{1,4}|=)";

/** Contexts of passwords on command lines, as the manuals of programs describe them. */
const COMMAND_PLACES: readonly PasswordPlace[] = [
  // `-p` takes only joined text: after a blank comes the name of a database.
  command(
    "mysql-password",
    "mysql mysqldump mysqladmin mysqlimport mariadb mariadb-dump",
    "-p(?=[^\\s-])",
  ),
  command("command-password", "7z 7za 7zz rar unrar", "-p(?=[^\\s-])", "-hp(?=[^\\s-])"),
  command("command-password", "sshpass", "-p[ \\t]{0,4}"),
  command("redis-password", "redis-cli", `-a${GAP}`, `--pass${GAP}`),
  command(
    "mongo-password",
    "mongosh mongo mongodump mongorestore mongoexport mongoimport",
    `-p${GAP}`,
  ),
  command(
    "registry-password",
    "docker podman nerdctl buildah skopeo oras helm crane",
    `login[ \\t]${WORDS}(?:-p|--password)${GAP_OR_EQUALS}`,
    `(?:--creds|--src-creds|--dest-creds)${GAP_OR_EQUALS}[^\\s:"']{1,128}:`,
  ),
  command("command-password", "az", `login[ \\t]${WORDS}-p${GAP}`),
  command(
    "curl-password",
    "curl",
    `(?:-u|--user|-U|--proxy-user)[ \\t=]{0,4}${QUOTE}[^\\s:"']{1,128}:`,
  ),
  command("cookie", "curl", `(?:-b|--cookie)${GAP_OR_EQUALS}${QUOTE}[\\w.-]{1,60}=`),
  command(
    "command-password",
    "http https xh",
    `(?:-a|--auth)${GAP_OR_EQUALS}${QUOTE}[^\\s:"']{1,128}:`,
  ),
  command("command-password", "lftp", `-u${GAP}${QUOTE}[^\\s,"']{1,128},`),
  command("command-password", "ncftp ncftpput ncftpget ncftpls tnftp", `-p${GAP}`),
  command(
    "command-password",
    "smbclient rpcclient net smbget",
    `(?:-U|--user)${GAP_OR_EQUALS}${QUOTE}[^\\s%"']{1,128}%`,
  ),
  command("command-password", "mount mount.cifs", "[, \\t](?:password|pass)="),
  command("command-password", "openssl", `-(?:passin|passout|pass)${GAP}${QUOTE}pass:`, `-k${GAP}`),
  command("command-password", "zip unzip", `-P${GAP}`, "-P(?=[^\\s-])"),
  command("command-password", "gpg gpg2", `--passphrase${GAP_OR_EQUALS}`),
  command(
    "command-password",
    "keytool jarsigner",
    `-(?:store|key|src|dest|deststore|srcstore)pass${GAP}`,
  ),
  command("command-password", "ldapsearch ldapadd ldapmodify ldapdelete ldapwhoami", `-w${GAP}`),
  command("command-password", "sqlcmd bcp osql", `-P[ \\t]{0,4}`),
  command("command-password", "sqlplus rman expdp impdp sqlldr", `[\\w.-]{1,64}/`),
  command("command-password", "cqlsh", `-p${GAP}`),
  command("command-password", "mosquitto_pub mosquitto_sub mosquitto_rr", `-P${GAP}`),
  command(
    "command-password",
    "rabbitmqctl",
    `(?:add_user|change_password|authenticate_user)${GAP}\\S{1,64}${GAP}`,
  ),
  command("command-password", "xfreerdp wfreerdp xfreerdp3 cmdkey mstsc", "/p(?:ass)?:"),
  command("command-password", "ipmitool", `-P${GAP}`),
  command("command-password", "winexe psexec wmic", `-p${GAP}`, "/password:"),
  command("vault-token", "vault", `login[ \\t](?:-[\\w=-]{1,64}${GAP}){0,4}(?=[\\w.]{0,40}\\d)`),
  {
    kind: "command-password",
    anchors: ["htpasswd -"],
    form: new RegExp(
      `(htpasswd[ \\t](?:-[A-Za-z]{1,8}[ \\t]){1,3}[^\\s-]\\S{0,127}[ \\t]\\S{1,64}[ \\t]${QUOTE})(${WORD})`,
      "y",
    ),
  },
  {
    kind: "secret",
    anchors: ["configure set ", "config set "],
    form: new RegExp(
      `((?:configure|config)[ \\t]set[ \\t](?=[\\w./:@-]{0,120}(?:key|token|_auth|_password)[ \\t=])[\\w./:@-]{4,128}[ \\t=]${QUOTE})(${WORD})`,
      "y",
    ),
  },
  {
    kind: "command-password",
    anchors: ["echo ", "printf "],
    form: new RegExp(
      `((?:echo|printf)[ \\t]{1,4}(?:-n[ \\t]{1,4})?${QUOTE}(?:[\\w.-]{1,64}:(?=[^\\n]{0,300}chpasswd))?)(${WORD})(?=(?:\\\\{0,3}["'])?[ \\t]{0,4}\\|[ \\t]{0,4}(?:sudo[ \\t]{1,4})?(?:chpasswd|passwd|sudo -S|[\\w./-]{1,64}[ \\t][^\\n|]{0,200}--(?:password-stdin|passphrase-fd|with-token)))`,
      "y",
    ),
  },
  {
    kind: "command-password",
    anchors: ["sword:", "sphrase:", "assword*"],
    form:
      /((?:sword|sphrase)[:*]{0,2}[ \t]{0,2}\\{0,3}["'}][^\n]{0,40}?send(?:line)?[ \t]{1,4}(?:--[ \t])?\\{0,3}["'])([^\s"'`\\]{3,256})/y,
  },
];

/** Patterns of passwords in known contexts, the first to apply first. */
export const PASSWORD_PLACES: readonly PasswordPlace[] = [
  {
    kind: "netrc-password",
    anchors: ["machine "],
    form:
      /(machine[ \t]{1,8}\S{1,128}(?:\s{1,8}[+-]?\s{0,8}login[ \t]{1,8}\S{1,128})?\s{1,8}[+-]?\s{0,8}password[ \t]{1,8})(\S{1,256})/y,
  },
  {
    kind: "netrc-password",
    anchors: ["login "],
    // Behind `+` and `-` of a diff, too.
    form: /(login[ \t]{1,8}\S{1,128}\s{1,8}[+-]?\s{0,8}password[ \t]{1,8})(\S{1,256})/y,
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

/** The text before a URL's host or user: plain, percent-encoded or with escaped slashes. */
export const URL_ANCHORS: readonly string[] = ["://", "%3A%2F%2F", "%3a%2f%2f", ":\\/\\/"];

const USER_AND_PASSWORD =
  /(?::\/\/|:\\\/\\\/)([^\s\/@:"'`<>\\\[\]]{0,128}):([^\s\/"'`<>\\]{1,256})@(?=[\w\[.%$-])/y;
const ENCODED_PAIR =
  /%3[Aa]%2[Ff]%2[Ff]([\w.~+-]{0,128})(?::|%3[Aa])((?!%40)[\w.~%!*()+-]{1,256}?)(?:@|%40)/y;
/** Matches a URL's user without a password. A random user is a token: `https://<token>@host`. */
const USER_ALONE = /:\/\/([A-Za-z0-9_-]{20,255})@(?:(o\d{1,12}\.ingest\.)|(?=[\w\[.-]))/y;
/** Stand-ins for passwords in documentation and compose files. */
const STAND_IN_WORDS =
  /^(?:pass(?:word|wd)?|pwd|pw|secret|user(?:name)?|token|postgres|mysql|root|admin|guest|test|example|x-oauth-basic|x-access-token|oauth2?|git|\*+|-+|\.+|\d{1,5})$/i;

/** Returns the password or the token in the URL whose `://` is at the offset `anchor`. */
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
