/**
 * Checks values. A guard returns the reason why a value does not fit. Unknown fields are ignored.
 */
import { ExactNumber } from "./exact_number.ts";
import { parsedJson } from "./parsed_json.ts";
import { SessionError, type SessionErrorCode } from "./session_error.ts";

export type Guard = (value: unknown) => string | undefined;

/** Puts the place before a reason: `.content[0].text is not a string`. */
export function within(place: string, reason: string): string {
  return reason.startsWith(".") || reason.startsWith("[")
    ? `${place}${reason}`
    : `${place} ${reason}`;
}

export function text(value: unknown): string | undefined {
  return typeof value === "string" ? undefined : "is not a string";
}

export function words(value: unknown): string | undefined {
  return text(value) ?? ((value as string).trim() === "" ? "is blank" : undefined);
}

export function date(value: unknown): string | undefined {
  return value instanceof Date && !Number.isNaN(value.getTime()) ? undefined : "is not a date";
}

export function amount(value: unknown): string | undefined {
  return number(value) ?? ((value as number) < 0 ? "is negative" : undefined);
}

export function number(value: unknown): string | undefined {
  return typeof value === "number" && Number.isFinite(value) ? undefined : "is not a number";
}

export function whole(least: number): Guard {
  return (value) =>
    Number.isSafeInteger(value) && (value as number) >= least
      ? undefined
      : `is not a whole number of at least ${least}`;
}

export function flag(value: unknown): string | undefined {
  return typeof value === "boolean" ? undefined : "is not true or false";
}

export function anything(value: unknown): string | undefined {
  return value === undefined ? "is missing" : undefined;
}

export function callable(value: unknown): string | undefined {
  return typeof value === "function" ? undefined : "is not a function";
}

export function oneOf(...choices: readonly (string | boolean)[]): Guard {
  return (value) =>
    choices.includes(value as string) ? undefined : `is not one of ${choices.join(", ")}`;
}

export function optional(guard: Guard): Guard {
  return (value) => value === undefined ? undefined : guard(value);
}

export function list(guard: Guard): Guard {
  return (value) => {
    if (!Array.isArray(value)) return "is not an array";
    for (let index = 0; index < value.length; index++) {
      const reason = guard(value[index]);
      if (reason !== undefined) return within(`[${index}]`, reason);
    }
    return undefined;
  };
}

/** True for a JSON object. False for an array, and for an object with `toJSON` such as `Date`. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) &&
    typeof (value as { toJSON?: unknown }).toJSON !== "function";
}

/**
 * Accepts an object whose named fields are accepted. Other fields are ignored. In a field for
 * numbers, an `ExactNumber` such as `1.0` is replaced by a number.
 */
export function fields(guards: Readonly<Record<string, Guard>>): Guard {
  const entries = Object.entries(guards);
  return (value) => {
    if (!isObject(value)) return "is not an object";
    for (const [name, guard] of entries) {
      const reason = guard(value[name]);
      if (reason !== undefined && !takesNumber(guard, value, name)) {
        return within(`.${name}`, reason);
      }
    }
    return undefined;
  };
}

/** Accepts an object that has no fields except these. Each field may be missing. */
export function only(guards: Readonly<Record<string, Guard>>): Guard {
  const named = fields(
    Object.fromEntries(Object.entries(guards).map(([name, guard]) => [name, optional(guard)])),
  );
  return (value) => {
    const reason = named(value);
    if (reason !== undefined) return reason;
    const other = Object.keys(value as object).find((name) => !Object.hasOwn(guards, name));
    return other === undefined
      ? undefined
      : `.${other} is not one of ${Object.keys(guards).join(", ")}`;
  };
}

function takesNumber(guard: Guard, value: Record<string, unknown>, name: string): boolean {
  const exact = value[name];
  if (!(exact instanceof ExactNumber) || guard(Number(exact)) !== undefined) return false;
  value[name] = Number(exact);
  return true;
}

export function either(name: string, guards: { present: Guard; absent: Guard }): Guard {
  return (value) => {
    const present = isObject(value) && value[name] !== undefined;
    return present ? guards.present(value) : guards.absent(value);
  };
}

export function textOr(guard: Guard): Guard {
  return (value) => {
    if (typeof value === "string") return undefined;
    return Array.isArray(value) ? guard(value) : "is neither a string nor an array";
  };
}

export function tagged(tag: string, guards: Readonly<Record<string, Guard>>): Guard {
  return (value) => {
    if (!isObject(value)) return "is not an object";
    const name = value[tag];
    if (typeof name !== "string" || !Object.hasOwn(guards, name)) {
      return `.${tag} is not one of ${Object.keys(guards).join(", ")}`;
    }
    return guards[name]?.(value);
  };
}

export function parsedAs<Value>(json: string | undefined, guard: Guard): Value | undefined {
  const value = parsedJson(json);
  return guard(value) === undefined ? value as Value : undefined;
}

/**
 * Checks an argument.
 *
 * @throws {SessionError} `invalid-argument`, or the given code. The message names the wrong value.
 */
export function checkArgument(
  action: string,
  name: string,
  guard: Guard,
  value: unknown,
  code: SessionErrorCode = "invalid-argument",
): void {
  const reason = guard(value);
  if (reason === undefined) return;
  throw new SessionError(code, `Cannot ${action}: ${within(name, reason)}`, {});
}
