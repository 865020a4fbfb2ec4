/**
 * A text as it can stand in a file: in any case, as UTF-8. Pure.
 *
 * Not every character of a text has one form in JSON. Quotes, backslashes and slashes can be
 * escaped and escaped again, in JSON within JSON. A reader may put quotes or brackets around words.
 * So a needle is a stretch without those. All others can still stand as `\uXXXX`;
 * `escape_search.ts` finds where they do.
 */
import { type BytePattern, bytePattern } from "../../log/byte_pattern.ts";
import { caseVariants } from "../fold.ts";

/** What to look for among bytes. */
export interface ByteNeedle {
  readonly pattern: BytePattern;
  /** Bytes of the pattern. */
  readonly length: number;
  /** The code units of all its characters, in any case: any of them may be escaped. */
  readonly units: ReadonlySet<number>;
}

interface Segment {
  /** The bytes that may stand at each place. */
  places: Set<number>[];
  units: Set<number>;
}

const encoder = new TextEncoder();
/** Have a form of their own in JSON; U+FFFD stands for bytes that are no UTF-8. */
const MANY_FORMS = /["'`\\/<>[\]\p{Cc}\p{Cs}\uFFFD]/u;
/** Longer ones find no faster. */
const LONGEST = 64;

/**
 * The longest stretch of a core that has one form; undefined when there is none. Whatever holds the
 * core holds the needle, or an escape of one of its units.
 */
export function makeNeedle(core: string): ByteNeedle | undefined {
  let best: Segment | undefined;
  let current: Segment = { places: [], units: new Set() };
  for (const character of core) {
    const forms = formsOf(character);
    if (forms === undefined) {
      current = { places: [], units: new Set() };
      continue;
    }
    if (current.places.length + forms.places.length > LONGEST) break;
    current.places.push(...forms.places);
    for (const unit of forms.units) current.units.add(unit);
    if (current.places.length > (best?.places.length ?? 0)) best = current;
  }
  return best === undefined ? undefined : compile(best);
}

/** A character in any case, byte by byte; undefined where its forms differ in length. */
function formsOf(character: string): Segment | undefined {
  if (MANY_FORMS.test(character)) return undefined;
  const variants = caseVariants(character);
  const length = encoder.encode(character).length;
  const units = new Set<number>();
  const places = Array.from({ length }, () => new Set<number>());
  for (const variant of variants) {
    for (let index = 0; index < variant.length; index++) units.add(variant.charCodeAt(index));
    const bytes = encoder.encode(variant);
    // Of k and s there are longer forms, which nobody writes; they are looked for apart.
    if (bytes.length !== length) {
      if (!LONG_FORMS.has(variant)) return undefined;
      continue;
    }
    bytes.forEach((byte, index) => places[index]?.add(byte));
  }
  return { places, units };
}

/** The Kelvin sign and the long s. */
const LONG_FORMS: ReadonlySet<string> = new Set(["\u212a", "\u017f"]);

function compile({ places, units }: Segment): ByteNeedle {
  return { pattern: bytePattern(places), length: places.length, units };
}
