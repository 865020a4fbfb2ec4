import assert from "node:assert/strict";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { onUnix } from "../../_support/tests_in.ts";
import { withDirectory } from "../../_support/temp_directory.ts";
import { serviceCommands, serviceUnit } from "../../../lib/features/setup/service_unit.ts";

const NAMES = { name: "backup", description: "Keep sessions" };

Deno.test("a unit quotes what systemd would read otherwise", () => {
  const unit = serviceUnit("systemd", {
    ...NAMES,
    command: ["/home/a b/50% $x/reprise", "backup", "--watch"],
    variables: { REPRISE_HOME: '/s/"q"\\n' },
  });
  assert.match(unit, /^ExecStart="\/home\/a b\/50%% \$\$x\/reprise" backup --watch$/m);
  assert.match(unit, /^Environment="REPRISE_HOME=\/s\/\\"q\\"\\\\n"$/m);
});

Deno.test("a list for launchd is XML, whatever the paths are", () => {
  const list = serviceUnit("launchd", {
    ...NAMES,
    command: ["/a&b/<reprise>", "backup", "--watch"],
  });
  assert.match(list, /<string>\/a&amp;b\/&lt;reprise&gt;<\/string>\n {4}<string>backup<\/string>/);
  assert.doesNotMatch(list, /EnvironmentVariables/);
});

Deno.test("launchd keeps what the program prints", () => {
  const list = serviceUnit("launchd", { ...NAMES, command: ["/reprise"], log: "/Users/a/x.log" });
  assert.match(list, /<key>StandardErrorPath<\/key>\n {2}<string>\/Users\/a\/x\.log<\/string>/);
});

Deno.test("a task runs without a window, for its user alone, and keeps running", () => {
  const task = serviceUnit("schtasks", {
    ...NAMES,
    command: ["C:\\Program Files\\reprise.exe", "backup", "--watch"],
    user: "DESK\\Zoë",
  });
  assert.match(
    task,
    /<Command>conhost\.exe<\/Command>\n {6}<Arguments>--headless "C:\\Program Files\\reprise\.exe" backup --watch<\/Arguments>/,
  );
  assert.equal(task.match(/<UserId>DESK\\Zo&#235;<\/UserId>/g)?.length, 2);
  assert.match(task, /<ExecutionTimeLimit>PT0S</);
  assert.match(task, /<RegistrationTrigger \/>/);
  // schtasks reads a file without a declared encoding by the code page.
  // deno-lint-ignore no-control-regex
  assert.match(task, /^[\x00-\x7f]*$/);
});

Deno.test("a task sets the variables that Task Scheduler does not have", () => {
  const task = serviceUnit("schtasks", {
    ...NAMES,
    command: ["C:\\reprise.exe", "sync", "watch"],
    variables: { REPRISE_HOME: "D:\\a & b", CODEX_HOME: "E:\\c" },
  });
  assert.ok(task.includes(
    '--headless cmd.exe /d /s /c "set "REPRISE_HOME=D:\\a &amp; b"&amp;&amp;' +
      'set "CODEX_HOME=E:\\c"&amp;&amp;C:\\reprise.exe sync watch"<',
  ));
});

Deno.test("Task Scheduler is told by the service's name", () => {
  const { starts, stops, asks } = serviceCommands("schtasks", { name: "sync", path: "C:\\s.xml" });
  assert.deepEqual(starts, [
    "schtasks",
    "/Create",
    "/F",
    "/TN",
    "reprise-sync",
    "/XML",
    "C:\\s.xml",
  ]);
  assert.match(
    stops.join(" "),
    /\/End \/TN reprise-sync & schtasks \/Delete \/F \/TN reprise-sync$/,
  );
  assert.match(asks.join(" "), /Get-ScheduledTask -TaskName reprise-sync/);
});

onUnix.test("launchd loads a service anew, and unloads it", () =>
  withDirectory(async (directory) => {
    const program = join(directory, "launchctl");
    const calls = join(directory, "calls");
    Deno.writeTextFileSync(program, `#!/bin/sh\necho "$*" >> '${calls}'\n[ "$1" != bootout ]\n`);
    chmodSync(program, 0o755);
    const { starts, stops } = serviceCommands("launchd", { name: "sync", path: "/a b/s.plist" });
    const PATH = `${directory}:/usr/bin:/bin`;
    for (const [name, ...args] of [starts, stops]) {
      await new Deno.Command(name, { args, env: { PATH }, stdout: "null", stderr: "null" })
        .output();
    }
    const domain = `gui/${Deno.uid()}`;
    assert.deepEqual(Deno.readTextFileSync(calls).split("\n").filter(Boolean), [
      `bootout ${domain}/reprise.sync`,
      `bootstrap ${domain} /a b/s.plist`,
      `bootout ${domain}/reprise.sync`,
    ]);
  }));
