/**
 * Notes in the header of an age file: stanzas that address no recipient. Every reader of age passes
 * over stanzas that it does not know.
 */
import type { Recipient, Stanza } from "npm:age-encryption@0.3.1";
import { openAgeFile } from "./age_file.ts";
import { loadAge } from "./keys.ts";

/** A note: words without spaces, and bytes. */
export type HeaderNote = Pick<Stanza, "args" | "body">;

/** Returns a recipient that adds notes to a header. No key belongs to it. */
export async function noteRecipient(notes: readonly HeaderNote[]): Promise<Recipient> {
  const { Stanza } = await loadAge();
  return { wrapFileKey: () => notes.map(({ args, body }) => new Stanza([...args], body)) };
}

const STANZA =
  /^-> (?<args>[!-~]+(?: [!-~]+)*)\n(?<body>(?:[A-Za-z0-9+/]{64}\n)*[A-Za-z0-9+/]{0,63})$/gm;

/**
 * Reads the notes in the header of an age file. Whoever can write the file can write notes.
 *
 * @param type The first word of the notes wanted.
 * @throws {Error} where the file is damaged.
 */
export async function notesIn(file: Uint8Array, type: string): Promise<HeaderNote[]> {
  const source = new Blob([file as Uint8Array<ArrayBuffer>]).stream();
  const opened = await openAgeFile(source);
  await opened?.whole.cancel();
  const header = new TextDecoder("latin1").decode(opened?.header);
  return [...header.matchAll(STANZA)].flatMap(({ groups }) => {
    const args = (groups?.args ?? "").split(" ");
    if (args[0] !== type) return [];
    const body = atob((groups?.body ?? "").replaceAll("\n", ""));
    return [{ args, body: Uint8Array.from(body, (one) => one.charCodeAt(0)) }];
  });
}
