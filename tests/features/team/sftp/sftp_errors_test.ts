/** What a host refuses is one line that says what to do. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { openSftpStore } from "../../../../lib/features/team/sftp/sftp_store.ts";
import { cuttingProxy } from "../../../_support/cutting_proxy.ts";
import { needing, UNIX } from "../../../_support/needing.ts";
import { SFTP, type SshServer, withSshServer } from "../../../_support/sftp.ts";
import { withDirectory } from "../../../_support/temp_directory.ts";

async function refusal(
  target: readonly string[],
  folder: string,
): Promise<{ code: string; message: string }> {
  await using store = openSftpStore({ target, folder, url: "ssh://nas/sessions" });
  try {
    await store.put("v1/a", new Uint8Array(3));
  } catch (error) {
    return error as { code: string; message: string };
  }
  assert.fail("nothing was refused");
}

/** Target of a proxy to the server. */
function through({ target }: SshServer, port: number): string[] {
  return target.map((one, at) => target[at - 1] === "-P" ? `${port}` : one);
}

// Slow: an SSH server starts, and each refusal is of a connection of its own.
Deno.test({
  ...needing("a host that refuses says why, and what to do", SFTP, UNIX),
  fn: () =>
    withDirectory((folder) =>
      withSshServer(async (server) => {
        const { target, known_hosts, authorized_keys } = server;
        const refused = async (code: string, message: RegExp, place = folder): Promise<void> => {
          const told = await refusal(target, place);
          assert.equal(told.code, code, told.message);
          assert.match(told.message, message);
          assert.doesNotMatch(told.message, /\n/);
        };
        await refused(
          "io",
          /refused the file; check the permissions and the free disk space/,
          "/proc/sessions",
        );
        const keys = Deno.readTextFileSync(authorized_keys);
        Deno.writeTextFileSync(authorized_keys, "");
        await refused("permission", /rejects your keys.*without a password: sftp HOST$/);
        Deno.writeTextFileSync(authorized_keys, keys);
        Deno.writeTextFileSync(known_hosts, `test ${keys}`);
        await refused("permission", /the host key changed/);
        Deno.writeTextFileSync(known_hosts, "");
        await refused(
          "permission",
          /the host key is unknown; log in once and compare the key: ssh HOST$/,
        );
        const nowhere = await refusal(["--", "no-such-host.invalid"], folder);
        assert.deepEqual([nowhere.code, /no host has this name/.test(nowhere.message)], [
          "unreachable",
          true,
        ]);
        const silent = await refusal(through(server, 1), folder);
        assert.deepEqual([silent.code, /no ssh server answers on this host/.test(silent.message)], [
          "unreachable",
          true,
        ]);
      })
    ),
});

Deno.test({
  ...needing("a host without sftp is named as such", SFTP, UNIX),
  fn: () =>
    withSshServer(async ({ target }) => {
      const { code, message } = await refusal(target, "/tmp/none");
      assert.equal(code, "unreachable", message);
      assert.match(message, /the host does not allow sftp; its sshd_config needs: Subsystem sftp/);
    }, { has_sftp: false }),
});

// Slow: each cut needs a login of its own.
Deno.test({
  ...needing("a connection that is cut ends in one line, and leaves no half object", SFTP, UNIX),
  fn: () =>
    withDirectory((folder) =>
      withSshServer(async (server) => {
        await using proxy = cuttingProxy(server.port);
        const bytes = new Uint8Array(300_000).fill(7);
        let cut = 0;
        for (let round = 0; round < 5; round++) {
          Object.assign(proxy, { up: 0, down: 0, cut_after: 4000 + 100_000 * round });
          const target = through(server, proxy.port);
          await using store = openSftpStore({ target, folder, url: "ssh://nas/sessions" });
          try {
            await store.put(`v1/${round}`, bytes);
          } catch (error) {
            const { code, message } = error as { code: string; message: string };
            assert.deepEqual([code, /^Cannot reach ssh:[^\n]+$/.test(message)], [
              "unreachable",
              true,
            ]);
            cut++;
          }
        }
        assert.ok(cut > 3 && cut < 5, `${cut}`);
        for (const { name, size } of filesOf(join(folder, "v1"))) assert.equal(size, 300_000, name);
      })
    ),
});

function filesOf(folder: string): { name: string; size: number }[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => {
    const { size } = Deno.statSync(join(folder, name));
    return { name, size };
  });
}

Deno.test(needing("a store that is opened and not used leaves nothing open", UNIX), async () => {
  await using _store = openSftpStore({ program: "cat", target: [], folder: ".", url: "ssh://nas" });
});
