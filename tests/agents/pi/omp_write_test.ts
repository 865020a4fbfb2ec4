import assert from "node:assert/strict";
import { join } from "node:path";
import { omp } from "../../../lib/agents/pi/family.ts";
import { ompWriter } from "../../../lib/agents/pi/write/omp_writer.ts";
import { makeHome } from "../../_support/agent_contract.ts";
import { checkRoundTrip } from "../../_support/handed_session.ts";
import { inDirectory } from "../../_support/temp_directory.ts";
import { placeOf } from "../../_support/agent_place.ts";
import { failedOrNot, recordsWritten, START, testReadBack, testWriter } from "../_written.ts";

const agent = await omp.loadReader();

testWriter("a session of oh-my-pi", ompWriter);
testReadBack("a session of oh-my-pi", agent, { form: { result: failedOrNot } });

inDirectory.test("a session of oh-my-pi has what is hard to carry", async (home) => {
  const { placement } = await checkRoundTrip(agent, home);
  assert.ok(placement.path.startsWith(join(home, ".omp/agent/sessions/--home-ada-été--/")));
});

Deno.test("oh-my-pi's folders go by the home, the temporary folder, or the whole path", async () => {
  await using home = await makeHome({ "work/deep.d/a.txt": "", "tmp/b/a.txt": "" });
  await Deno.symlink(join(home.path, "work"), join(home.path, "link"));
  const folderOf = (cwd: string, at: string): string | undefined => {
    const variable = (name: string): string | undefined =>
      name === "TMPDIR" ? join(home.path, "tmp") : undefined;
    const place = placeOf("omp", { ...home.environment, variable, home: join(home.path, at) });
    return ompWriter.place(place, { ...START, cwd }, "/tmp").path.split("/").at(-2);
  };
  const named = (path: string, at: string): string | undefined =>
    folderOf(join(home.path, path), at);
  assert.equal(named("work", "work"), "-");
  assert.equal(named("work/deep.d", "work"), "-deep.d");
  assert.equal(named("link/deep.d", ""), "-work-deep.d");
  assert.equal(named("tmp/b", "work"), "-tmp-b");
  assert.equal(named("tmp", "work"), "-tmp");
  assert.equal(folderOf("/no/such:place", "work"), "--no-such-place--");
});

Deno.test("oh-my-pi has a session's title in its header", async () => {
  const [header, ...others] = await recordsWritten(ompWriter, [], { title: "The title" });
  assert.deepEqual([header?.title, others], ["The title", []]);
});

Deno.test("oh-my-pi reads whole files alone as other agents do, and edits in no way of theirs", () => {
  const { read, edit } = ompWriter.tools;
  assert.deepEqual(read?.input({ path: "/a" }), { path: "/a" });
  assert.equal(read?.input({ path: "/a", offset: 2 }), undefined);
  assert.equal(edit, undefined);
});
