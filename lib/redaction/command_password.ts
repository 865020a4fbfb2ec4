/** Passwords that programs take on their command lines, as their manuals describe the options. */

interface CommandPlace {
  kind: string;
  anchors: readonly string[];
  form: RegExp;
}

/** A word of a command line that names no variable, and no option. */
const WORD = "(?![$-])[^\\s\"'`\\\\|;&<>()]{3,256}";
const QUOTE = "(?:\\\\{0,3}[\"'])?";
/** What may stand between the program and the option, on one line of the command. */
const WORDS = "(?:[^\\n|;]{0,200}?[ \\t])?";

/**
 * A program with an option, joined or not. `names` are the names of programs that take it, `options`
 * expressions of what stands before the password, blanks included.
 */
function command(kind: string, names: string, ...options: readonly string[]): CommandPlace {
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

/** One row for each way to give a password. */
export const COMMAND_PLACES: readonly CommandPlace[] = [
  // `-p` takes what is joined to it alone: after a blank it is the name of a database.
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
