/** Repositories that point git at what never answers, or at programs of the internet's other end. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { runGit } from "../../../lib/features/blame/git/run_git.ts";
import { Repository } from "../../../lib/features/blame/git/repository.ts";
import type { SessionError } from "../../../lib/core/event/session_error.ts";
import { GIT } from "../../_support/trapped_repository.ts";
import { BlamedHome, git } from "./_repository.ts";
import { needing } from "../../_support/needing.ts";

const AT = "2026-11-21T20:00:00Z";
const variable = (name: string): string | undefined => name === "PATH" ? Deno.env.get(name) : "";

/** Makes a pipe without a writer. */
function makePipe(path: string): string {
  assert.ok(new Deno.Command("mkfifo", { args: [path] }).outputSync().success);
  return path;
}

function setting(home: BlamedHome, text: string): void {
  Deno.writeTextFileSync(join(home.work, ".git", "config"), `${text}\n`, { append: true });
}

async function withRepository(test: (home: BlamedHome) => Promise<void>): Promise<void> {
  await using home = new BlamedHome();
  home.commit(AT, { "a.txt": "one\ntwo\n" });
  await test(home);
}

/** Blames the file as the command does. */
async function blamed(cwd: string): Promise<number> {
  const repository = await Repository.around({ cwd, variable, limit_ms: 5000 });
  assert.ok(repository !== undefined);
  assert.equal((await repository.history("a.txt")).length, 1);
  return (await repository.blame("a.txt"))?.length ?? 0;
}

for (const name of ["mailmap.file", "blame.ignoreRevsFile", "core.attributesFile"]) {
  for (const target of ["pipe", "/dev/zero"]) {
    Deno.test({
      ...needing(`a setting that names a pipe or a device is overridden: ${name}=${target}`, GIT),
      fn: () =>
        withRepository(async (home) => {
          const path = target === "pipe" ? makePipe(join(home.path, "pipe")) : target;
          const [section = "", key = ""] = name.split(".");
          setting(home, `[${section}]\n\t${key} = ${path}`);
          assert.equal(await blamed(home.work), 2);
        }),
    });
  }
}

for (const name of [".mailmap", ".gitattributes"]) {
  Deno.test({
    ...needing(`a pipe in place of a file that git reads is refused at once: ${name}`, GIT),
    fn: () =>
      withRepository(async (home) => {
        makePipe(join(home.work, name));
        await assert.rejects(blamed(home.work), {
          code: "unsupported-source",
          message: `Cannot blame: git needs a file at this path, not a pipe or a device: ${
            join(home.work, name)
          }`,
        } as Partial<SessionError>);
      }),
  });
}

const WAITS: Record<string, (home: BlamedHome) => void> = {
  "include.path": (home) => setting(home, `[include]\n\tpath = ${makePipe(join(home.path, "p"))}`),
  "HEAD": ({ work }) => {
    Deno.removeSync(join(work, ".git", "HEAD"));
    makePipe(join(work, ".git", "HEAD"));
  },
  "info/attributes": ({ work }) => makePipe(join(work, ".git", "info", "attributes")),
  "objects/info/alternates": ({ work }) =>
    makePipe(join(work, ".git", "objects", "info", "alternates")),
};

for (const [name, makeWait] of Object.entries(WAITS)) {
  Deno.test({
    ...needing(`git that waits for what never comes is ended: ${name}`, GIT),
    fn: () =>
      withRepository(async (home) => {
        makeWait(home);
        const place = { cwd: home.work, variable, limit_ms: 500 };
        const args = ["blame", "--porcelain", "--no-textconv", "HEAD", "--", "a.txt"];
        const began = performance.now();
        try {
          assert.ok(await runGit(place, args) !== undefined, "it needs not wait, or it is ended");
        } catch (error) {
          assert.equal((error as SessionError).code, "unreachable");
          assert.match((error as Error).message, /^Cannot blame: git did not answer within 0.5 s/);
        }
        assert.ok(performance.now() - began < 20_000);
      }),
  });
}

Deno.test({
  ...needing("no setting of a repository lets git talk to another one", GIT),
  fn: () =>
    withRepository(async (home) => {
      const mark = join(home.path, "mark");
      const helper = join(home.path, "git-remote-trap");
      Deno.writeTextFileSync(helper, `#!/bin/sh\ntouch '${mark}'\n`, { mode: 0o700 });
      const PATH = `${home.path}:${Deno.env.get("PATH")}`;
      const blob = new TextDecoder().decode(
        new Deno.Command("git", { args: ["rev-parse", "HEAD:a.txt"], cwd: home.work }).outputSync()
          .stdout,
      ).trim();
      Deno.removeSync(join(home.work, ".git", "objects", blob.slice(0, 2), blob.slice(2)));
      const config = Deno.readTextFileSync(join(home.work, ".git", "config"));
      const remotes: Record<string, string> = {
        ext: `url = ext::${helper}`,
        file: `url = ${home.work}\n\tuploadpack = ${helper}`,
        ssh: `url = ssh://x/y`,
        trap: "url = trap::x",
        vcs: "url = x\n\tvcs = trap",
      };
      for (const [name, remote] of Object.entries(remotes)) {
        const protocol = name === "vcs" ? "trap" : name;
        Deno.writeTextFileSync(
          join(home.work, ".git", "config"),
          `${config}
[core]
	repositoryformatversion = 1
	sshCommand = ${helper}
[extensions]
	partialClone = origin
[remote "origin"]
	${remote}
	promisor = true
[protocol "${protocol}"]
	allow = always
`,
        );
        const run = (args: string[]): Promise<Uint8Array | undefined> =>
          runGit({
            cwd: home.work,
            variable: (key) => key === "PATH" ? PATH : undefined,
            limit_ms: 5000,
          }, args);
        assert.equal(await run(["cat-file", "-p", blob]), undefined, name);
        assert.throws(() => Deno.statSync(mark), Deno.errors.NotFound, name);
        // Liveness: without care, git runs it.
        new Deno.Command("git", { args: ["cat-file", "-p", blob], cwd: home.work, env: { PATH } })
          .outputSync();
        assert.ok(Deno.statSync(mark).isFile, `the trap works: ${name}`);
        Deno.removeSync(mark);
      }
    }),
});

Deno.test({
  ...needing("an answer in time is whole, however often git is asked", GIT),
  fn: () =>
    withRepository(async (home) => {
      for (let count = 2; count < 7; count++) {
        home.commit(AT, { "a.txt": "line\n".repeat(count) });
      }
      git(home.work, AT, "gc", "--quiet");
      const repository = await Repository.around({ cwd: home.work, variable });
      assert.equal((await repository?.blame("a.txt"))?.length, 6);
    }),
});
