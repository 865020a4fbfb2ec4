import assert from "node:assert/strict";
import { SessionError } from "../../../../lib/core/event/session_error.ts";
import { type AccountSources, s3Account } from "../../../../lib/features/team/s3/credentials.ts";
import { s3Place } from "../../../../lib/features/team/s3/s3_place.ts";
import { inDirectory } from "../../../_support/temp_directory.ts";

Deno.test("an address names a bucket, and its server", () => {
  const root = (text: string, region?: string): string => s3Place(text, { usual: region }).root;
  assert.equal(root("s3://team/a/b"), "https://team.s3.us-east-1.amazonaws.com/");
  assert.equal(root("s3://team", "eu-west-1"), "https://team.s3.eu-west-1.amazonaws.com/");
  assert.equal(root("s3://t.m?region=eu-west-1"), "https://s3.eu-west-1.amazonaws.com/t.m/");
  assert.equal(root("s3://team?endpoint=https://s.example/x/"), "https://s.example/x/team/");
  assert.equal(s3Place("s3://team//a%20b/c/").prefix, "a b/c/");
  assert.equal(s3Place("s3://team?user=ann").prefix, "");
  assert.equal(s3Place("s3://t3m?endpoint=http://10.0.0.1", { insecure: true }).host, "10.0.0.1");
});

Deno.test("an address with keys, or without protection, is refused and not repeated", () => {
  const refused = [
    ...["s3://", "s3:team", "s3://Team", "s3://SECRET:SECRET@team", "s3://SECRET@team"],
    ...["s3://team?secret=SECRET", "s3://team#SECRET", "s3://team/%zz", "s3://team/a%2F..%2Fb"],
    ...["s3://team?endpoint=SECRET", "s3://team?endpoint=https://SECRET:b@host", "s3://team/%0a"],
    ...["s3://team?endpoint=ftp://host", "s3://team?endpoint=http://10.0.0.1", "http://team"],
    ...["s3://team?region=a.evil.example/", "s3://team?endpoint=https://host?a=SECRET"],
  ];
  for (const text of refused) {
    assert.throws(() => s3Place(text), (error: Error) => {
      assert.ok(error instanceof SessionError && error.code === "invalid-config", text);
      return !error.message.includes("SECRET");
    }, text);
  }
});

function sources(
  variables: Readonly<Record<string, string>>,
  printed?: string,
): AccountSources & { lines: string[] } {
  const lines: string[] = [];
  return {
    lines,
    variable: (name) => variables[name],
    run: (line) => {
      lines.push(line);
      return Promise.resolve('{"Version":1,"AccessKeyId":"P","SecretAccessKey":"p"}');
    },
    ...(printed !== undefined && { printed }),
  };
}

const CREDENTIALS = `# a comment
[default]
aws_access_key_id = D
aws_secret_access_key=d

[ work ]
aws_access_key_id=W
aws_secret_access_key = w=+/
AWS_SESSION_TOKEN = t
`;
const CONFIG = `[default]
region = eu-west-1
s3 =
  region = nested
[profile work]
region=eu-north-1
[profile sso]
credential_process = "/opt/my tool" --json
[profile empty]
`;

inDirectory.test("keys come from a command, variables, files of profiles, and their command", async (HOME) => {
  Deno.mkdirSync(`${HOME}/.aws`);
  Deno.writeTextFileSync(`${HOME}/.aws/credentials`, CREDENTIALS);
  Deno.writeTextFileSync(`${HOME}/.aws/config`, CONFIG);
  const variables = { HOME, AWS_ACCESS_KEY_ID: "V", AWS_SECRET_ACCESS_KEY: "v" };
  const printed = '{\n"AccessKeyId":"A","SecretAccessKey":"a","SessionToken":"s"}\n';
  assert.deepEqual(await s3Account(sources(variables, printed)), {
    credentials: { accessKeyId: "A", secretAccessKey: "a", sessionToken: "s" },
    region: "eu-west-1",
  });
  assert.deepEqual(await s3Account(sources({ ...variables, AWS_REGION: "r" })), {
    credentials: { accessKeyId: "V", secretAccessKey: "v" },
    region: "r",
  });
  assert.deepEqual(await s3Account(sources({ HOME })), {
    credentials: { accessKeyId: "D", secretAccessKey: "d" },
    region: "eu-west-1",
  });
  assert.deepEqual(await s3Account(sources({ HOME, AWS_PROFILE: "work" })), {
    credentials: { accessKeyId: "W", secretAccessKey: "w=+/", sessionToken: "t" },
    region: "eu-north-1",
  });
  const by_command = sources({ HOME, AWS_PROFILE: "sso" });
  const { credentials } = await s3Account(by_command);
  assert.deepEqual(credentials, { accessKeyId: "P", secretAccessKey: "p" });
  assert.deepEqual(by_command.lines, ['"/opt/my tool" --json']);
  const named = { AWS_SHARED_CREDENTIALS_FILE: `${HOME}/.aws/credentials` };
  assert.equal((await s3Account(sources(named))).credentials.accessKeyId, "D");
});

Deno.test("without keys, messages say how to give them and repeat nothing", async () => {
  await assert.rejects(s3Account(sources({ HOME: "/nowhere" })), (error: SessionError) => {
    return error.code === "permission" && error.message.includes("AWS_ACCESS_KEY_ID");
  });
  for (const printed of ["hunter2", '{"SecretAccessKey":"hunter2"}', '"hunter2"', ""]) {
    await assert.rejects(s3Account(sources({}, printed)), (error: SessionError) => {
      return error.code === "invalid-key" && !`${error.stack}`.includes("hunter2");
    });
  }
});
