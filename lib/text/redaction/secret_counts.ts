/** Counts secrets by their placeholders: a secret that stands in many places counts once. */
import type { RedactionFinding } from "./redactor.ts";

export class SecretCounts {
  readonly #kinds = new Map<string, string>();
  places = 0;

  add({ placeholder, kind }: Pick<RedactionFinding, "placeholder" | "kind">): void {
    this.#kinds.set(placeholder, kind);
    this.places++;
  }

  has({ placeholder }: Pick<RedactionFinding, "placeholder">): boolean {
    return this.#kinds.has(placeholder);
  }

  get secrets(): number {
    return this.#kinds.size;
  }

  get kinds(): Record<string, number> {
    const groups = Map.groupBy(this.#kinds.values(), (kind) => kind);
    return Object.fromEntries(
      [...groups].map(([kind, { length }]): [string, number] => [kind, length]).sort(),
    );
  }
}
