/** A home of Codex with a cold rollout, which can be packed. */
import { dirname, join } from "node:path";
import { type PackedSession, packSessions } from "../../lib/features/backup/pack_sessions.ts";
import { unpackSessions } from "../../lib/features/backup/unpack_sessions.ts";
import { type Library, openLibrary } from "../../lib/library/mod.ts";

export const ID = "01a1aaaa-0000-7000-8000-000000000002";
export const OLD = new Date("2026-03-01T09:00:00Z");
export const PLAIN = Deno.readFileSync(
  new URL("../../testdata/agents/codex/paginated.jsonl", import.meta.url),
);

/** A home of Codex with a cold rollout and one of today. */
export class CodexHome implements Disposable {
  readonly home = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "reprise-test-" }));
  readonly root = join(this.home, "store");
  readonly cold = this.write(ID, OLD);
  readonly warm = this.write(ID.replace(/2$/, "3"), new Date());

  write(id: string, time: Date): string {
    const name = `sessions/2026/03/01/rollout-2026-03-01T09-00-00-${id}.jsonl`;
    const path = join(this.home, ".codex", name);
    Deno.mkdirSync(dirname(path), { recursive: true });
    Deno.writeFileSync(path, PLAIN);
    Deno.chmodSync(path, 0o640);
    Deno.utimeSync(path, time, time);
    return path;
  }

  get library(): Library {
    return openLibrary({ root: this.root, variable: (name) => this.variable(name) });
  }

  variable(name: string): string | undefined {
    return name === "HOME" ? this.home : undefined;
  }

  pack(dry = false): Promise<PackedSession[]> {
    const { environment } = this.library.place;
    const before = new Date("2026-06-01T00:00:00Z");
    return Array.fromAsync(packSessions("codex", { environment, root: this.root, before, dry }));
  }

  undo(dry = false): Promise<PackedSession[]> {
    return Array.fromAsync(unpackSessions("codex", { root: this.root, dry }));
  }

  names(): string[] {
    return [...Deno.readDirSync(dirname(this.cold))].map(({ name }) => name.slice(-20)).sort();
  }

  [Symbol.dispose](): void {
    Deno.removeSync(this.home, { recursive: true });
  }
}
