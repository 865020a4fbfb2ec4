import assert from "node:assert/strict";
import { SessionError } from "../../../../lib/core/event/session_error.ts";
import { type AccountSources, s3Account } from "../../../../lib/features/team/s3/credentials.ts";
import { s3Place } from "../../../../lib/features/team/s3/s3_place.ts";
import { testData } from "../../../_support/test_data.ts";
import { inDirectory } from "../../../_support/temp_directory.ts";

const ADDRESSES = testData<{
  roots: [address: string, url: string, region?: string][];
  refused: string[];
  accounts: { variables: Record<string, string>; printed?: string; account: unknown }[];
}>("team/s3_accounts.json");

Deno.test("an address names a bucket, and its server", () => {
  const root = (text: string, region?: string): string => s3Place(text, { usual: region }).root;
  for (const [text, url, region] of ADDRESSES.roots) assert.equal(root(text, region), url);
  assert.equal(s3Place("s3://team//a%20b/c/").prefix, "a b/c/");
  assert.equal(s3Place("s3://team?user=ann").prefix, "");
  assert.equal(s3Place("s3://t3m?endpoint=http://10.0.0.1", { insecure: true }).host, "10.0.0.1");
});

Deno.test("an address with keys, or without protection, is refused and not repeated", () => {
  for (const text of ADDRESSES.refused) {
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

inDirectory.test("keys come from a command, variables, files of profiles, and their command", async (HOME) => {
  Deno.mkdirSync(`${HOME}/.aws`);
  for (const name of ["credentials", "config"]) {
    const file = new URL(`../../../../testdata/team/aws/${name}`, import.meta.url);
    Deno.copyFileSync(file, `${HOME}/.aws/${name}`);
  }
  for (const { variables, printed, account } of ADDRESSES.accounts) {
    assert.deepEqual(await s3Account(sources({ HOME, ...variables }, printed)), account);
  }
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
