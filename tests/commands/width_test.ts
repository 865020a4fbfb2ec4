import assert from "node:assert/strict";
import { textWidth } from "../../lib/text/render/text_width.ts";
import { type CliHome, sessionId } from "../_support/cli_home.ts";
import { assistant, toolEnd, toolStart, user } from "../_support/log_bytes.ts";
import { testsNeeding } from "../_support/tests_in.ts";
import { GIT } from "../_support/trapped_repository.ts";
import { BlamedHome } from "../features/blame/_repository.ts";

const LONG = "An extremely long text about the ledger of Sydney that no line of a table holds "
  .repeat(3);

async function fill(home: CliHome): Promise<void> {
  const cwd = `${home.path}/${"deep/".repeat(12)}project-with-a-long-name`;
  for (const id of ["aaaa", "bbbb"]) {
    const usage = { input: 123_456_789, output: 99_999, cache_read: 88_888_888, cache_write: 7777 };
    const payload = { content: LONG, model: `model-${"x".repeat(40)}`, usage, cost_usd: 1234.5 };
    home.keep(sessionId(id), [
      ...[
        user(LONG),
        { kind: "assistant_message", payload } as const,
        assistant("全角".repeat(60)),
      ],
      ...[toolStart("c1", { path: "src/ledger.ts" }), toolEnd("c1", LONG)],
    ], { cwd: id === "aaaa" ? cwd : home.work, title: LONG, branch: `feature/${"y".repeat(60)}` });
  }
  await home.runInOrder([["tag", "aaaa", "a-tag"], ["index", "build"], ["delete", "bbbb"]]);
}

testsNeeding(GIT).test(
  "no line of a list or table is wider than a terminal of 80 columns",
  async () => {
    await using home = new BlamedHome();
    await fill(home);
    const path = `${"deep/".repeat(20)}ledger.ts`;
    home.commit("2026-11-20T10:00:00Z", { [path]: "one\n" });
    home.edits("cccc", [{
      path,
      old_string: "one",
      new_string: LONG,
      time: "2026-11-20T11:00:00Z",
    }]);
    home.commit("2026-11-20T12:00:00Z", { [path]: `${LONG}\n` });
    const place = `${home.path}/${"deep/".repeat(20)}team`;
    await home.succeed(["sync", "team", place, "--project", "site", "--yes", "--once"]);
    const groups = ["day", "week", "month", "model", "project", "agent", "session", "window"];
    const REPRISE_CACHE = `${home.path}/${"deep/".repeat(16)}cache`;
    Deno.chmodSync(home.store, 0o777);
    const lines = [
      ...[["blame", path], ["blame", `${path}:9`], ["sync"]],
      ...[["list", "--all"], ["list", "--all", "--exact"], ["search", "ledger", "--all"]],
      ...[["search", "全角"], ["search", "-l", "Sydney"], ["search", "okapi ".repeat(30)]],
      ...groups.map((by) => ["stats", "--all", "--by", by]),
      ...[["files", "aaaa"], ["doctor"], ["doctor", "agents"], ["cache", "status"]],
      ...[["context", "aaaa"], ["trash", "list"], ["tag", "aaaa"], ["index", "status"]],
      ...[["backup", "list"], ["config", "list"], ["secrets", "aaaa"], ["list", "--tag", "none"]],
      ...[["show", "aaaa", "--threads"], ["note", "aaaa"], ["watch", "--once"], ["list", "--gone"]],
      ...[["delete", "aaaa", "--dry-run"], ["pack", "claude"]],
      ...[["delete", "--older-than", "1d", "--dry-run"], ["setup", "--dry-run"]],
      ...[["relink", `/${"gone/".repeat(20)}from`, home.work], ["relink", "--list"]],
    ];
    const wide: string[] = [];
    for (const args of lines) {
      const { stdout, stderr } = await home.run(args, { columns: 80, env: { REPRISE_CACHE } });
      // deno-lint-ignore no-control-regex -- the escapes of colours
      const rows = (stdout + stderr).replaceAll(/\x1b\[[\d;?]*[A-Za-z]/g, "").split(/[\r\n]/);
      wide.push(
        ...rows.filter((row) => textWidth(row) > 80).map((row) => `${args.join(" ")}: ${row}`),
      );
      assert.ok(rows.length > 1, args.join(" "));
    }
    assert.deepEqual(wide, []);
  },
);
