import assert from "node:assert/strict";
import configuration from "../deno.json" with { type: "json" };
import { openStore } from "../lib/core/store/open_store.ts";
import { jsonLines } from "./_support/cli.ts";
import { CliHome } from "./_support/cli_home.ts";
import { ON_DISK } from "./_support/memory_folder.ts";

const ROOT = new URL("../", import.meta.url);
const README = await Deno.readTextFile(new URL("README.md", ROOT));
const LIBRARY = await Deno.readTextFile(new URL(".github/LIBRARY.md", ROOT));

/** Runs the first program of the library's page in a process of its own, with the permissions that it asks for. */
async function runExample(root: string): Promise<Deno.CommandOutput> {
  const program = /```ts\n(.*?)```/s.exec(LIBRARY)?.[1] ?? "";
  const path = `${root}/agent.ts`;
  const library = new URL("../mod.ts", import.meta.url).href;
  await Deno.writeTextFile(path, program.replace('"@reprise/core"', JSON.stringify(library)));
  const store = `${root}/store`;
  return await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--quiet",
      "--no-prompt",
      "--allow-read",
      `--allow-write=${store}`,
      "--allow-env",
      path,
    ],
    env: { REPRISE_HOME: store },
    cwd: root,
  }).output();
}

Deno.test("the first example of the library runs, keeps a session, and needs no more than it says", async () => {
  const root = await Deno.makeTempDir(ON_DISK === undefined ? {} : { dir: ON_DISK });
  const { success, stdout, stderr } = await runExample(root);
  assert.ok(success, new TextDecoder().decode(stderr));
  assert.match(new TextDecoder().decode(stdout), /What is in a\.ts\?/);
  const [row] = await openStore({ root: `${root}/store` }).list();
  assert.deepEqual([row?.status, row?.message_count], ["completed", 2]);
  await Deno.remove(root, { recursive: true });
});

Deno.test("the commands that the README names first are tasks", () => {
  const named = [...README.matchAll(/npx -y deno@2\.7\.11 task (\w+)/g)].map(([, task]) => task);
  assert.deepEqual(named, ["demo", "test"]);
  for (const task of named) assert.ok(Object.hasOwn(configuration.tasks, task ?? ""), task);
});

Deno.test("the README is short, and its links and those of the pages lead to files", async () => {
  assert.ok(README.split("\n").length <= 150, `${README.split("\n").length}`);
  const pages = [...Deno.readDirSync(new URL(".github/", ROOT))].map(({ name }) => name)
    .filter((name) => name.endsWith(".md")).map((name) => `.github/${name}`);
  assert.ok(pages.length > 8, pages.join());
  for (const page of ["README.md", "CHANGELOG.md", ...pages]) {
    const text = await Deno.readTextFile(new URL(page, ROOT));
    const links = [...text.matchAll(/(?:\]\(|(?:src|srcset|href)=")([^)"#:]+)(?:#[^)"]*)?[)"]/g)];
    for (const [, link = ""] of links) {
      const target = new URL(link, new URL(page, ROOT));
      assert.ok((await Deno.stat(target).catch(() => undefined)) !== undefined, `${page}: ${link}`);
    }
  }
});

const TREE = ["lib/", "commands/", "tests/", "testdata/", ".ci/"].flatMap(pathsBelow);

function pathsBelow(folder: string): string[] {
  return [...Deno.readDirSync(new URL(folder, ROOT))].flatMap(({ name, isDirectory }) =>
    isDirectory ? [`${folder}${name}`, ...pathsBelow(`${folder}${name}/`)] : [`${folder}${name}`]
  );
}

/** Paths in backticks that are missing: those below a folder of the project, and TypeScript files. */
function missingPaths(page: string): string[] {
  const named = /`((?:(?:lib|commands|tests|testdata|\.ci)\/)?(?:[\w.-]+\/)*[\w.-]*)`/g;
  return [...page.replaceAll(/```.*?```/gs, "").matchAll(named)].map(([, path = ""]) => path)
    .filter((path) => /^(?:lib|commands|tests|testdata|\.ci)\/.|\.ts$/.test(path))
    .filter((path) => !["main.ts", "mod.ts"].includes(path))
    .filter((path) => !TREE.some((one) => `/${one}`.endsWith(`/${path.replace(/\/$/, "")}`)));
}

Deno.test("paths that the pages for contributors name exist", async () => {
  for (const name of ["ARCHITECTURE", "CONTRIBUTING", "GLOSSARY"]) {
    const page = await Deno.readTextFile(new URL(`.github/${name}.md`, ROOT));
    assert.deepEqual(missingPaths(page), [], name);
  }
  const broken =
    "`lib/gone/` `lib/core/event` `gone.ts` `payload.ts` `dist/npm` `lib/agents/<agent>`";
  assert.deepEqual(missingPaths(broken), ["lib/gone/", "gone.ts"]);
});

Deno.test("the recording of the library's page is answered as it says", async () => {
  const [, args = "", stdin = "", answers = ""] =
    /^\$ reprise (record .*) <<'EVENTS'\n(.*?)^EVENTS\n(.*?)^```/ms.exec(LIBRARY) ?? [];
  await using home = new CliHome();
  const { status, stdout } = await home.run(args.split(" "), { stdin });
  assert.equal(status, 1);
  const said = jsonLines(stdout);
  const [{ session_id } = {}] = said;
  const expected = jsonLines(answers).map((answer) =>
    "session_id" in answer ? { ...answer, session_id } : answer
  );
  assert.equal(expected.length, 5);
  assert.deepEqual(said, expected);
});
