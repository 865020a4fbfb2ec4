import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { writeSyncSettings } from "../../../lib/features/team/sync_settings.ts";
import { CliHome } from "../../_support/cli_home.ts";
import { LINUX, needing } from "../../_support/needing.ts";

/** A machine whose `PATH` has a systemctl that keeps its words, and a state of the service. */
class ServiceHome extends CliHome {
  readonly unit = join(this.path, ".config/systemd/user/reprise-sync.service");
  readonly #bin = join(this.path, "bin");

  constructor() {
    super();
    Deno.mkdirSync(this.#bin);
    const device = { id: crypto.randomUUID(), label: "laptop" };
    const url = "postgresql://ann@db.example.org/sessions";
    Deno.mkdirSync(this.store, { recursive: true });
    writeSyncSettings(this.store, { version: 2, url, device, projects: [] });
  }

  answer(script: string): void {
    const text = `#!/bin/sh\necho "$*" >> "${this.#bin}/calls"\n${script}\n`;
    Deno.writeTextFileSync(join(this.#bin, "systemctl"), text, { mode: 0o755 });
  }

  calls(): string[] {
    const path = join(this.#bin, "calls");
    const lines = Deno.readTextFileSync(path).split("\n").filter(Boolean);
    Deno.removeSync(path);
    return lines;
  }

  async service(verb: string): Promise<{ status: number; stdout: string; stderr: string }> {
    const env = { PATH: this.#bin, PGPASSWORD: "hunter2", PGPASSFILE: "/etc/pass" };
    return await this.run(["sync", "service", verb], { env });
  }
}

Deno.test(
  needing("the service is installed, asked, started again and removed", LINUX),
  async () => {
    await using home = new ServiceHome();
    home.answer("exit 0");
    const before = await home.service("status");
    assert.match(before.stdout, /^The service is not installed: .*reprise-sync\.service\n$/);
    const installed = await home.service("install");
    assert.equal(installed.status, 0, installed.stderr);
    assert.match(
      installed.stderr,
      /^The service does not receive the environment variable PGPASSWORD\. Put its value into ~\/\.pgpass$/m,
    );
    const unit = Deno.readTextFileSync(home.unit);
    assert.match(unit, /^ExecStart=.* sync watch$/m);
    assert.match(unit, /^Environment=PGPASSFILE=\/etc\/pass$/m);
    assert.ok(!unit.includes("hunter2"));
    assert.deepEqual(home.calls(), ["--user enable --now reprise-sync"]);
    assert.match((await home.service("status")).stdout, /^The service runs: /);
    assert.deepEqual(home.calls(), ["--user is-active --quiet reprise-sync"]);
    home.answer("exit 3");
    assert.match((await home.service("status")).stdout, /^The service does not run: /);
    home.answer("exit 0");
    home.calls();
    assert.equal((await home.service("install")).status, 0);
    assert.deepEqual(home.calls(), ["--user enable --now reprise-sync"]);
    assert.equal((await home.service("remove")).status, 0);
    assert.deepEqual(home.calls(), ["--user disable --now reprise-sync"]);
    assert.ok(!existsSync(home.unit));
    assert.match((await home.service("remove")).stdout, /not installed/);
  },
);

Deno.test(needing("a service that does not start is not left behind", LINUX), async () => {
  await using home = new ServiceHome();
  home.answer("echo no bus; exit 1");
  const { status, stderr } = await home.service("install");
  assert.equal(status, 1);
  assert.match(stderr, /^reprise: Cannot install the service: Cannot run systemctl: .*: no bus$/m);
  assert.ok(!existsSync(home.unit));
});
