/**
 * Finds entries of a settings file that are no settings: misspelt, nested, or of a later version.
 */
import { isObject } from "../event/guard.ts";
import { isConfigKey } from "./config.ts";

/** A member of a settings file that has no effect. */
export interface IgnoredSetting {
  /** As the file names it. */
  key: string;
  /** Members that would have the effect that was meant; none where that cannot be told. */
  instead: Record<string, unknown>;
}

/** The members of a settings file that have no effect, in their order. */
export function ignoredSettings(stored: Readonly<Record<string, unknown>>): IgnoredSetting[] {
  return Object.entries(stored).filter(([key]) => !isConfigKey(key))
    .map(([key, value]) => ({ key, instead: settingsIn(value, key) }));
}

/** A file has a few levels at most; what is nested deeper was not meant as settings. */
const DEEPEST = 4;

/** The settings that objects in one another would name, were their keys joined by points. */
function settingsIn(value: unknown, path: string, depth = 0): Record<string, unknown> {
  if (!isObject(value) || depth === DEEPEST) return {};
  const found: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(value)) {
    const name = `${path}.${key}`;
    if (isConfigKey(name)) found[name] = inner;
    else Object.assign(found, settingsIn(inner, name, depth + 1));
  }
  return found;
}
