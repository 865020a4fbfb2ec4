/** A text of one line that is being typed. Pure. */
import { isText, type Key } from "./key.ts";

/** Returns the text after a key that edits it; undefined for any other key. */
export function editedText(text: string, key: Key): string | undefined {
  const { name, ctrl = false } = key;
  if (ctrl && name === "u") return "";
  if (ctrl && name === "w") return text.replace(/\S*\s*$/u, "");
  if (name === "backspace") return withoutLast(text);
  return isText(key) ? text + key.text : undefined;
}

/** A text without the last of what a person sees as characters. */
function withoutLast(text: string): string {
  const characters = [...new Intl.Segmenter().segment(text)];
  return text.slice(0, characters.at(-1)?.index ?? 0);
}
