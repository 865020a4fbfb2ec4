/** Draws random samples for readers to judge: the commit, or who asks, names the seed. */
import { mulberry32 } from "./mulberry32.ts";
import { ROOT } from "./source_code.ts";

/** Returns the first eight digits of the commit. */
export function commitSeed(): string {
  const { stdout } = new Deno.Command("git", { args: ["rev-parse", "HEAD"], cwd: ROOT })
    .outputSync();
  return new TextDecoder().decode(stdout).slice(0, 8);
}

/** Draws some of the items, each at most once. @param seed A number in hex. */
export function drawSample<Item>(items: readonly Item[], count: number, seed: string): Item[] {
  const unit = mulberry32(Number.parseInt(seed, 16));
  const left = [...items];
  const drawn: Item[] = [];
  while (drawn.length < count && left.length > 0) {
    drawn.push(...left.splice(Math.floor(unit() * left.length), 1));
  }
  return drawn;
}
