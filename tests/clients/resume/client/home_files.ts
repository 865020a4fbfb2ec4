/** Files in a client's home. */
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** Writes a text, or a value as JSON. */
export function writeFile(path: string, value: unknown): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof value === "string" ? value : JSON.stringify(value));
}

/** Copies a file into folders that may not be there yet. */
export function copyFile(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
}

/** An id as most clients give them. */
export const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/;
