import assert from "node:assert/strict";
import { join } from "node:path";
import { sessionFolders } from "../../../lib/core/store/session_folder.ts";
import { CliHome, inHome, sessionId } from "../../_support/cli_home.ts";
import { ACCOUNT, withBucket } from "../../_support/bucket_server.ts";
import { user } from "../../_support/log_bytes.ts";
import { needing, UNIX } from "../../_support/needing.ts";
import { expectStatus, trustEachOther } from "../../_support/team_homes.ts";

const ENV = { USER: "ann", ...ACCOUNT };
const KEYS = '{"Version":1,\n"AccessKeyId":"S3RVER",\n"SecretAccessKey":"S3RVER"}\n';

Deno.test(
  needing("two machines share a session by a bucket, each with its keys", UNIX),
  async () => {
    await withBucket(async ({ url, requests }) => {
      await using laptop = new CliHome();
      await using desktop = new CliHome();
      const id = sessionId("aaaa");
      laptop.keep(id, [user("Where is the zebra?")]);
      const run = async (home: CliHome, ...args: string[]): Promise<string> => {
        const { stdout, stderr } = await home.succeed(["sync", ...args], {
          env: home === laptop ? ENV : {},
        });
        return stdout + stderr;
      };
      assert.match(
        await run(laptop, "init", url),
        /^Created a store that belongs to ann\. .* join 's3:\/\/team\/sessions/,
      );
      const keys = join(desktop.path, "keys.json");
      Deno.writeTextFileSync(keys, KEYS);
      await run(desktop, "join", url, "--password-command", `cat ${keys}`);
      await trustEachOther(laptop, desktop);
      for (const home of [laptop, desktop]) {
        await run(home, "add", "--project", "site", "--exact", "--yes");
      }
      assert.match(await run(laptop, "push"), /^1 session pushed \(1 new\)/);
      requests.length = 0;
      assert.match(await run(laptop, "push"), /^Nothing new/);
      assert.ok(requests.length <= 2, `${requests.length}`);
      await run(desktop, "pull");
      assert.equal((await expectStatus(desktop, ["show", id])).stdout.includes("zebra"), true);
      const logs = (home: CliHome): string[] =>
        sessionFolders(home.store).map(({ path }) => Deno.readTextFileSync(path));
      assert.equal(logs(laptop).length, 1);
      assert.deepEqual(logs(desktop), logs(laptop));
      for (const home of [laptop, desktop]) {
        assert.ok(!Deno.readTextFileSync(join(home.store, "sync.json")).includes("S3RVER"));
      }
      Deno.mkdirSync(join(desktop.path, ".aws"));
      const process = `[default]\ncredential_process = cat ${keys}\n`;
      Deno.writeTextFileSync(join(desktop.path, ".aws", "config"), process);
      await run(desktop, "join", url);
      const { stdout } = await desktop.run(["sync", "status"], { env: { AWS_PROFILE: "work" } });
      assert.match(stdout, /^last pull .* by sync pull: 1 session$/m);
    });
  },
);

inHome.test("an address of a bucket with keys is refused, and not repeated", async (home) => {
  const { stderr } = await expectStatus(home, ["sync", "join", "s3://KEY:SECRET@team"], 1);
  assert.match(
    stderr,
    /^reprise: Cannot use this store's address: the address must not contain access keys/,
  );
  assert.ok(!stderr.includes("SECRET"));
});
