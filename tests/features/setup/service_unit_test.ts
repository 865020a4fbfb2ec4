import assert from "node:assert/strict";
import { serviceUnit } from "../../../lib/features/setup/service_unit.ts";

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
