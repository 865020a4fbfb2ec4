/** Finds an S3 account's keys like AWS's programs: in variables, then in the profile's files. */
import { join } from "node:path";
import { isObject } from "../../../core/event/guard.ts";
import { parsedJson } from "../../../core/event/parsed_json.ts";
import { present } from "../../../core/event/present.ts";
import { SessionError } from "../../../core/event/session_error.ts";
import { SETTINGS_BYTES, shortTextIn } from "../../../core/file/short_file.ts";
import { homeFolder } from "../../../core/workspace/home_folder.ts";

export interface S3Credentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
}

export interface S3Account {
  credentials: S3Credentials;
  region?: string;
}

export interface AccountSources {
  variable(name: string): string | undefined;
  /** Runs a command line without a shell, and returns the output. */
  run(line: string, setting: string): Promise<string>;
  /** The output of a command that the user named. It takes precedence over all other sources. */
  printed?: string;
}

/** The settings of a profile, by their names in lower case. */
type Profile = Readonly<Record<string, string>>;

/**
 * Finds the keys of the user's account, and the region that goes with them.
 *
 * @throws {SessionError} `permission` without keys. `invalid-key` if a key command prints no keys.
 */
export async function s3Account(sources: AccountSources): Promise<S3Account> {
  const { variable, run, printed } = sources;
  const profile = profileSettings(variable);
  const region = variable("AWS_REGION") || variable("AWS_DEFAULT_REGION") || profile["region"];
  const command = profile["credential_process"];
  const credentials = printed !== undefined
    ? printedKeys(printed, "password_command")
    : keysIn((name) => variable(name.toUpperCase())) ?? keysIn((name) => profile[name]) ??
      (command && printedKeys(await run(command, "credential_process"), "credential_process"));
  if (credentials) return present({ credentials, region });
  const message = "Cannot use the bucket: no access keys were found. Set AWS_ACCESS_KEY_ID " +
    "and AWS_SECRET_ACCESS_KEY, or set AWS_PROFILE to a profile of " +
    "~/.aws/credentials. If you log in by SSO, run: reprise sync team URL " +
    "--password-command 'aws configure export-credentials'";
  throw new SessionError("permission", message);
}

function keysIn(setting: (name: string) => string | undefined): S3Credentials | undefined {
  const accessKeyId = setting("aws_access_key_id");
  const secretAccessKey = setting("aws_secret_access_key");
  if (!accessKeyId || !secretAccessKey) return undefined;
  return present({
    accessKeyId,
    secretAccessKey,
    sessionToken: setting("aws_session_token") || undefined,
  });
}

/** Reads the keys in a command's output. No error message quotes the output. */
function printedKeys(text: string, setting: string): S3Credentials {
  // An error of the parser would repeat the text.
  const json = parsedJson(text);
  const value = isObject(json) ? json : {};
  const [accessKeyId, secretAccessKey, sessionToken] = [
    ...["AccessKeyId", "SecretAccessKey", "SessionToken"],
  ].map((name) => typeof value[name] === "string" && value[name] || undefined);
  if (accessKeyId && secretAccessKey) {
    return present({ accessKeyId, secretAccessKey, sessionToken });
  }
  const message = `Cannot use ${setting}: the command must print JSON with AccessKeyId and ` +
    "SecretAccessKey, like an AWS credential_process";
  throw new SessionError("invalid-key", message);
}

function profileSettings(variable: AccountSources["variable"]): Profile {
  const home = homeFolder(variable);
  const name = variable("AWS_PROFILE") || "default";
  const file = (named: string, usual: string): string => {
    const path = variable(named) || (home && join(home, ".aws", usual));
    // Without a file, the server says whether it wants keys.
    return path && shortTextIn(path, SETTINGS_BYTES) || "";
  };
  const config = name === "default" ? name : `profile ${name}`;
  return {
    ...sectionOf(file("AWS_CONFIG_FILE", "config"), config),
    ...sectionOf(file("AWS_SHARED_CREDENTIALS_FILE", "credentials"), name),
  };
}

/** Returns the settings of a section of an INI file. Indented lines belong to a nested setting. */
export function sectionOf(text: string, section: string): Profile {
  const found: [string, string][] = [];
  let current: string | undefined;
  for (const line of text.split(/\r?\n/)) {
    const head = /^\[\s*([^\]]*?)\s*\]/.exec(line);
    if (head !== null) current = head[1]?.replaceAll(/\s+/g, " ");
    const [, name, value = ""] = /^([^\s#;=[][^=]*?)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (current === section && name !== undefined) found.push([name.toLowerCase(), value]);
  }
  return Object.fromEntries(found);
}
