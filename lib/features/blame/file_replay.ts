/** Replays recorded changes on a file's lines and remembers the change behind each line. Pure. */
import type { EditedBlock, RecordedEdit, Replacement } from "../../library/touches/edit.ts";
import { linesOf } from "../../library/touches/file_lines.ts";
import { traceLines } from "./traced_lines.ts";

/** A line and the change that wrote it. `by` is undefined for an original line. */
export interface WrittenLine {
  text: string;
  by: RecordedEdit | undefined;
  /** True if the change may have written another, equal line instead of this one. */
  unsure: boolean;
  /** The number of the version that added the line; undefined until a version has the line. */
  version?: number;
}

export class FileReplay {
  #lines: readonly WrittenLine[];

  constructor(lines: readonly string[]) {
    this.#lines = lines.map((text) => ({ text, by: undefined, unsure: false }));
  }

  get lines(): readonly WrittenLine[] {
    return this.#lines;
  }

  /** Applies the parts of a change whose position is certain. Returns false if no part fits. */
  apply(edit: RecordedEdit): boolean {
    const { change } = edit;
    if (change.kind === "write") {
      for (const block of change.blocks ?? []) this.#replaceBlock(block, edit);
      const by = change.blocks === undefined ? edit : undefined;
      this.#become(linesOf(change.content), { by });
      return true;
    }
    if (change.kind === "blocks") {
      return change.blocks.map((block) => this.#replaceBlock(block, edit)).some(Boolean);
    }
    return change.replacements.map((one) => this.#replaceText(one, edit)).some(Boolean);
  }

  /**
   * Replaces the lines by a version's lines. A line that no replayed change wrote has no writer.
   */
  settle(texts: readonly string[], version: number): void {
    this.#become(texts, { by: undefined });
    this.#lines = this.#lines.map((line) =>
      line.version === undefined ? { ...line, version } : line
    );
  }

  #become(texts: readonly string[], { by }: Pick<WrittenLine, "by">): void {
    const old = this.#lines;
    const { places, unsure } = traceLines(old.map(({ text }) => text), texts);
    this.#lines = texts.map((text, index) => {
      const place = places[index];
      const line = (place === undefined ? undefined : old[place]) ?? { text, by, unsure: false };
      return unsure.has(index) && !line.unsure ? { ...line, unsure: true } : line;
    });
  }

  #replaceBlock({ before, removed, added, after }: EditedBlock, by: RecordedEdit): boolean {
    const whole = [...before, ...removed, ...after];
    // A block without any lines to find fits an empty file only.
    if (whole.length === 0 && this.#lines.length > 0) return false;
    let at = this.#onlyPlace(whole);
    let skipped = before.length;
    if (at === undefined && removed.length > 0) [at, skipped] = [this.#onlyPlace(removed), 0];
    if (at === undefined) return false;
    const lines = added.map((text) => ({ text, by, unsure: false }));
    const [from, to] = [at + skipped, at + skipped + removed.length];
    this.#lines = [...this.#lines.slice(0, from), ...lines, ...this.#lines.slice(to)];
    return true;
  }

  #onlyPlace(wanted: readonly string[]): number | undefined {
    let found: number | undefined;
    for (let at = 0; at + wanted.length <= this.#lines.length; at++) {
      if (!wanted.every((text, index) => this.#lines[at + index]?.text === text)) continue;
      if (found !== undefined) return undefined;
      found = at;
    }
    return found;
  }

  #replaceText({ old_text, new_text, all }: Replacement, by: RecordedEdit): boolean {
    const before = old_text.replaceAll("\r\n", "\n");
    const after = new_text.replaceAll("\r\n", "\n");
    const text = this.#lines.map((line) => line.text).join("\n") + "\n";
    const first = before === "" ? -1 : text.indexOf(before);
    if (first < 0) return false;
    if (!all && text.indexOf(before, first + 1) >= 0) return false;
    const replaced = all ? text.replaceAll(before, () => after) : text.slice(0, first) + after +
      text.slice(first + before.length);
    this.#become(linesOf(replaced), { by });
    return true;
  }
}
