import assert from "node:assert/strict";
import { diffLines } from "../../../../lib/features/chat/tools/diff_lines.ts";
import { EditCollector } from "../../../../lib/library/touches/edit_collector.ts";
import { type FileFact, fileStateAt } from "../../../../lib/features/blame/files/file_states.ts";
import { hasOnlyCrlf, toCrlf } from "../../../../lib/features/blame/files/replay_change.ts";
import type { FileChange } from "../../../../lib/library/touches/edit.ts";
import type { LogEvent } from "../../../../lib/core/event/envelope.ts";
import { mulberry32 } from "../../../_support/mulberry32.ts";
import { roundsOf } from "../../../_support/few_rounds.ts";

const SESSION = { agent: "reprise", id: "a", path: "/a" } as const;

/** The change that a diff records, through the collector of real sessions. */
function recorded(before: string, after: string): FileChange | undefined {
  const collector = new EditCollector(SESSION);
  const payload = { path: "/p/a", lines: diffLines(before, after) };
  collector.take(
    {
      ...{ form: "known", integrity: "verified", seq: 1, kind: "diff", payload },
    } as LogEvent,
  );
  return collector.edits()[0]?.change;
}

/** Random numbers, lines and files of few different lines, so that changes are hard to place. */
class Writer {
  readonly #next: () => number;
  /** @param has_ends True for files whose last lines have newlines, because diffs do not tell them. */
  constructor(seed: number, readonly has_ends = false) {
    this.#next = mulberry32(seed);
  }
  below(count: number): number {
    return Math.floor(this.#next() * count);
  }
  file(): string {
    const end = this.below(4) === 0 ? "\r\n" : "\n";
    const lines = Array.from({ length: this.below(14) }, () => this.line());
    const text = lines.join(end);
    return text === "" || (!this.has_ends && this.below(4) === 0) ? text : text + end;
  }
  line(): string {
    return ["", "}", "a", "ä\u2028b", "  return 1;", `x${this.below(40)}`][this.below(6)] ?? "";
  }
  /** Changes some lines, and keeps the ends of the others. */
  edited(text: string): string {
    const lines = text.split(/(?<=\n)/).filter((line) => line !== "");
    const end = text.includes("\r\n") ? "\r\n" : "\n";
    for (let count = 1 + this.below(2); count > 0; count--) {
      const at = this.below(lines.length + 1);
      const added = Array.from({ length: this.below(3) }, () => this.line() + end);
      lines.splice(at, this.below(3), ...added);
    }
    return lines.map((line) => this.has_ends && !line.endsWith("\n") ? line + end : line).join("");
  }
}

interface Made {
  facts: FileFact[];
  /** The file after each fact. */
  model: (string | null)[];
}

/** Makes a session's facts about one file. Nobody else changes it, unless `others`. */
function made(writer: Writer, { others = false, starts_known = true } = {}): Made {
  let now: string | null = writer.below(3) === 0 ? null : writer.file();
  const facts: FileFact[] = starts_known ? [{ kind: "known", content: now }] : [];
  const model = facts.map(() => now);
  for (let count = 2 + writer.below(8); count > 0; count--) {
    if (others && writer.below(4) === 0) now = writer.edited(now ?? "");
    // Agents edit a file of CRLF as one of LF.
    const is_crlf = hasOnlyCrlf(now ?? "");
    const before: string = is_crlf ? now?.replaceAll("\r\n", "\n") ?? "" : now ?? "";
    const kind = writer.below(5);
    let change: FileChange | undefined;
    if (kind === 0) change = { kind: "write", content: now = writer.file() };
    else if (kind === 1 && before.length > 2 && (is_crlf || !before.includes("\r"))) {
      const from = writer.below(before.length - 1);
      // The last newline stays.
      const old_text = before.slice(from, Math.min(from + 1 + writer.below(6), before.length - 1));
      const once = before.indexOf(old_text) === before.lastIndexOf(old_text);
      const new_text = writer.line();
      const replaced = once
        ? before.slice(0, from) + new_text + before.slice(from + old_text.length)
        : before.replaceAll(old_text, () => new_text);
      // All newlines may be replaced, the last one too.
      if (writer.has_ends && !replaced.endsWith("\n")) continue;
      now = replaced;
      change = { kind: "replacements", replacements: [{ old_text, new_text, all: !once }] };
      if (is_crlf) now = toCrlf(now);
    } else if (kind < 4 && now !== null) {
      const [old, edited]: string[] = [now, writer.edited(now)];
      now = edited ?? "";
      change = recorded(old ?? "", now);
    } else {
      facts.push({ kind: "known", content: now });
      model.push(now);
    }
    if (change === undefined) continue;
    facts.push({ kind: "change", change });
    model.push(now);
  }
  return { facts, model };
}

Deno.test("a proven state is the file as it was after every fact of random sessions", () => {
  let proven = 0;
  let all = 0;
  for (let seed = 1; seed <= roundsOf(4000); seed++) {
    const { facts, model } = made(new Writer(seed));
    for (let count = 1; count <= facts.length; count++) {
      const { grade, content } = fileStateAt(facts, count);
      all++;
      if (grade !== "proven") continue;
      proven++;
      assert.equal(content, model[count - 1], `seed ${seed}, after ${count}`);
    }
  }
  // Liveness: most states of a file that nobody else changes are told.
  assert.ok(proven > all * 0.8, `${proven} of ${all}`);
});

Deno.test("states that are taken back from later contents are the file as it was", () => {
  let likely = 0;
  for (let seed = 1; seed <= roundsOf(4000); seed++) {
    const { facts, model } = made(new Writer(seed, true), { starts_known: false });
    const present = model.at(-1);
    for (let count = 1; count <= facts.length; count++) {
      const state = fileStateAt(facts, count, present);
      if (state.doubt === "undone" || state.doubt === "present") likely++;
      else if (state.grade !== "proven") continue;
      assert.equal(state.content, model[count - 1], `seed ${seed}, after ${count}`);
    }
  }
  assert.ok(likely > roundsOf(4000) / 8, `${likely}`);
});

Deno.test("a file that others changed is proven only where the session saw it or wrote it", () => {
  let doubted = 0;
  for (let seed = 1; seed <= roundsOf(4000); seed++) {
    const { facts, model } = made(new Writer(seed), { others: true });
    for (let count = 1; count <= facts.length; count++) {
      const last = facts[count - 1];
      const { grade, doubt, content } = fileStateAt(facts, count);
      if (doubt !== undefined) doubted++;
      if (last?.kind === "known") {
        assert.equal(content, last.content);
        assert.equal(content, model[count - 1]);
      }
      assert.equal(grade === "likely", doubt !== undefined);
      assert.equal(grade === "unknown", content === undefined);
    }
  }
  assert.ok(doubted > roundsOf(4000) / 4, `${doubted}`);
});

Deno.test("a content that contradicts the changes makes the state before it likely", () => {
  const facts: FileFact[] = [
    { kind: "change", change: { kind: "write", content: "one\n" } },
    { kind: "known", content: "one\ntwo\n" },
  ];
  assert.deepEqual(fileStateAt(facts, 1), { grade: "likely", content: "one\n", doubt: "changed" });
  assert.deepEqual(fileStateAt(facts, 2), { grade: "proven", content: "one\ntwo\n" });
});

Deno.test("a made file has doubtful line ends until a later content confirms them", () => {
  const block = { before: [], removed: [], added: ["a", "b"], after: [], whole: true } as const;
  const facts: FileFact[] = [{ kind: "change", change: { kind: "blocks", blocks: [block] } }];
  const likely = { grade: "likely", content: "a\nb\n", doubt: "line-ends" };
  assert.deepEqual(fileStateAt(facts, 1), likely);
  assert.deepEqual(fileStateAt(facts, 1, "a\nb"), likely);
  assert.deepEqual(fileStateAt(facts, 1, "a\nb\n"), { grade: "proven", content: "a\nb\n" });
  const known: FileFact = { kind: "known", content: "a\nb\n" };
  assert.equal(fileStateAt([...facts, known], 1).grade, "proven");
});

Deno.test("the lines of a file that was emptied have doubtful line ends", () => {
  const block = { before: [], removed: ["a"], added: [], after: [] };
  const facts: FileFact[] = [
    { kind: "command" },
    { kind: "change", change: { kind: "blocks", blocks: [block] } },
  ];
  const likely = { grade: "likely", content: "a\n", doubt: "line-ends" };
  assert.deepEqual(fileStateAt(facts, 1, ""), likely);
  assert.deepEqual(fileStateAt([...facts, { kind: "known", content: "" }], 1), likely);
  assert.equal(fileStateAt([...facts, { kind: "command" }], 1, "").doubt, "command");
});

Deno.test("a change of which a part fits nowhere leaves the content unknown until it is known again", () => {
  const part = (old_text: string, new_text: string) => ({ old_text, new_text, all: false });
  const block = (removed: string, added: string) => ({
    before: [],
    removed: [removed],
    added: [added],
    after: [],
  });
  const broken: FileChange[] = [
    { kind: "replacements", replacements: [part("a", "A"), part("gone", "x")] },
    { kind: "replacements", replacements: [part("b", "B")] },
    { kind: "blocks", blocks: [block("a", "A"), block("gone", "x")] },
  ];
  for (const change of broken) {
    const facts: FileFact[] = [
      { kind: "known", content: "a\nb b\n" },
      { kind: "change", change },
      { kind: "change", change: { kind: "write", content: "new\n" } },
    ];
    assert.deepEqual(fileStateAt(facts, 2), { grade: "unknown" });
    assert.deepEqual(fileStateAt(facts, 3), { grade: "proven", content: "new\n" });
  }
});

Deno.test("a command that names the file makes its content likely until a later one confirms it", () => {
  const facts: FileFact[] = [
    { kind: "change", change: { kind: "write", content: "one\n" } },
    { kind: "command" },
  ];
  assert.equal(fileStateAt(facts, 1).grade, "proven");
  assert.deepEqual(fileStateAt(facts, 2), { grade: "likely", content: "one\n", doubt: "command" });
  assert.equal(fileStateAt(facts, 2, "one\n").grade, "proven");
  assert.equal(fileStateAt([...facts, { kind: "known", content: "one\n" }], 2).grade, "proven");
  const changed: FileFact = { kind: "known", content: "two\n" };
  assert.equal(fileStateAt([...facts, changed], 2).doubt, "changed");
});

Deno.test("a content that the session saw before its first change was there all the time", () => {
  const known: FileFact = { kind: "known", content: "one\r\n" };
  const change: FileFact = { kind: "change", change: { kind: "write", content: "two\n" } };
  assert.deepEqual(fileStateAt([known, change], 0), { grade: "proven", content: "one\r\n" });
  assert.equal(fileStateAt([{ kind: "command" }, known, change], 0).doubt, "command");
  assert.deepEqual(fileStateAt([change], 0, "two\n"), { grade: "unknown" });
});

Deno.test("a deleted file is no file, and a binary one cannot be edited", () => {
  const removed = { before: [], removed: ["a"], added: [], after: [], whole: true } as const;
  const deleted: FileFact = { kind: "change", change: { kind: "blocks", blocks: [removed] } };
  const before = { grade: "likely", content: "a\n", doubt: "line-ends" };
  assert.deepEqual(fileStateAt([deleted], 0, null), before);
  const binary: FileFact = { kind: "known", content: new Uint8Array([0, 255]) };
  assert.deepEqual(fileStateAt([binary, deleted], 2), { grade: "proven", content: null });
  const replacements = [{ old_text: "a", new_text: "b", all: false }];
  const edit: FileFact = { kind: "change", change: { kind: "replacements", replacements } };
  assert.deepEqual(fileStateAt([binary, edit], 2), { grade: "unknown" });
});
