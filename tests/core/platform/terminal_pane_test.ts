/** The pane in which a process runs: of a real tmux, and of programs that answer as others do. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { findPane, type PaneOptions, showPane } from "../../../lib/core/platform/terminal_pane.ts";
import { terminalOf } from "../../../lib/core/platform/process_terminal.ts";
import { eventually } from "../../_support/eventually.ts";
import { withDirectory } from "../../_support/temp_directory.ts";
import { needing } from "../../_support/needing.ts";
import { TERMINAL } from "../../commands/_terminal.ts";

/** A tmux server of its own whose only pane runs `sleep`. */
class Server {
  readonly tmux: string;
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
    this.tmux = this.program("tmux", `TMUX_TMPDIR='${folder}' TMUX= exec tmux "$@"`);
  }

  /** Puts a shell script into the folder. */
  program(name: string, script: string): string {
    const path = join(this.folder, `${name}.sh`);
    Deno.writeTextFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    return path;
  }

  async run(...args: string[]): Promise<string> {
    const { stdout, success } = await new Deno.Command(this.tmux, { args }).output();
    assert.ok(success, args.join(" "));
    return new TextDecoder().decode(stdout).trim();
  }
}

const withServer = (body: (server: Server, pid: number, tty: string) => Promise<void>) =>
  withDirectory(async (folder) => {
    const server = new Server(folder);
    await server.run("-f", "/dev/null", "new-session", "-d", "-s", "a", "sleep 600");
    try {
      const [pid, tty = ""] =
        (await server.run("list-panes", "-a", "-F", "#{pane_pid} #{pane_tty}")).split(" ");
      // The shell of the pane becomes the program.
      assert.equal(await eventually(() => terminalOf(Number(pid))), tty);
      await body(server, Number(pid), tty);
    } finally {
      await server.run("kill-server");
    }
  });

/** Finds the programs that a test names. */
const asking = (programs: Record<string, string>, variables: Record<string, string> = {}) =>
  ({ find: (name) => programs[name], variable: (name) => variables[name] }) as PaneOptions;

Deno.test(
  needing("tmux shows the pane of a process, by its terminal", TERMINAL),
  () =>
    withServer(async ({ tmux }, pid, tty) => {
      const pane = await findPane(pid, asking({ tmux }));
      assert.equal(pane?.name, "tmux pane a:0.0");
      assert.equal(pane?.takes_terminal, true);
      assert.equal(pane?.show[3], "attach-session");
      const [, , socket = ""] = pane?.show ?? [];
      const inside = await findPane(pid, asking({ tmux }, { TMUX: `${socket},1,0` }));
      assert.deepEqual([inside?.show[3], inside?.takes_terminal], ["switch-client", false]);
      // No client is attached to this server.
      assert.equal(inside && await showPane(inside), false);
      assert.equal(await findPane(pid, asking({})), undefined);
      assert.ok(tty.startsWith("/dev/"));
    }),
);

Deno.test(
  needing("herdr, WezTerm and kitty are asked by their commands, without a shell", TERMINAL),
  () =>
    withServer(async (server, pid, tty) => {
      const told = join(server.folder, "told");
      const answering = (name: string, answers: Record<string, unknown>): string =>
        server.program(
          name,
          `case "$*" in\n${
            Object.entries(answers).map(([args, value]) =>
              `'${args}') echo '${JSON.stringify(value)}';;`
            ).join("\n")
          }\n*) for word in "$@"; do echo "$word"; done > '${told}';;\nesac`,
        );
      const panes = [{ pane_id: "w1:p1" }, { pane_id: "w1:p2" }];
      const info = (shell_pid: number): object => ({ result: { process_info: { shell_pid } } });
      const herdr = answering("herdr", {
        "pane list": { result: { panes } },
        "pane process-info --pane w1:p1": info(1),
        "pane process-info --pane w1:p2": info(pid),
      });
      const wezterm = answering("wezterm", {
        "cli --no-auto-start list --format json": [
          { pane_id: 3, tty_name: "/dev/nothing" },
          { pane_id: 4, tty_name: tty },
        ],
      });
      const kitten = answering("kitten", {
        "@ --to unix:/k ls": [{ tabs: [{ windows: [{ id: 1, pid: 1 }, { id: 7, pid }] }] }],
      });
      const shown = async (programs: Record<string, string>): Promise<unknown> => {
        const pane = await findPane(pid, asking(programs, { KITTY_LISTEN_ON: "unix:/k" }));
        assert.equal(pane?.takes_terminal, false);
        assert.equal(await showPane(pane), true);
        return [pane.name, ...Deno.readTextFileSync(told).trim().split("\n")];
      };
      assert.deepEqual(await shown({ herdr }), ["herdr pane w1:p2", "agent", "focus", "w1:p2"]);
      assert.deepEqual(await shown({ wezterm }), [
        ...["WezTerm pane 4", "cli", "--no-auto-start", "activate-pane", "--pane-id", "4"],
      ]);
      assert.deepEqual(await shown({ kitten }), [
        ...["kitty window 7", "@", "--to", "unix:/k", "focus-window", "--match", "id:7"],
      ]);
      // A program that fails or says something else is as if it were not there.
      const odd = server.program("odd", "echo '[1, {\"tabs\": 5}]'; exit 0");
      assert.equal(
        await findPane(pid, asking({ herdr: odd, wezterm: odd, kitten: odd })),
        undefined,
      );
      const failing = server.program("failing", "exit 1");
      assert.equal(await findPane(pid, asking({ tmux: failing, wezterm: failing })), undefined);
    }),
);
