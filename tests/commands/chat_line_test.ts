/** The editor of a line in a chat, without a terminal. */
import assert from "node:assert/strict";
import { LineEditor } from "../../commands/chat/line_editor.ts";
import { needing, UNIX } from "../_support/needing.ts";

const STOP = "\x1a";

/** What the editor writes after ^Z, when `meanwhile` happens before it is brought back. */
async function shownAfterStop(meanwhile: (editor: LineEditor) => void): Promise<string> {
  let written = "";
  let bringBack = (): void => {};
  const editor = await LineEditor.open({
    terminal: true,
    width: 40,
    height: 10,
    write: (text) => void (written += text),
  }, {
    prompt: "> ",
    history: [],
    stop: () => new Promise((resolve) => void (bringBack = resolve)),
  });
  editor.press(`half a line${STOP}`);
  meanwhile(editor);
  written = "";
  bringBack();
  await new Promise((resolve) => setTimeout(resolve, 0));
  editor.close();
  return written;
}

Deno.test({
  ...needing(
    "a line is shown again after ^Z, unless the chat ended while the shell had the terminal",
    UNIX,
  ),
  async fn(): Promise<void> {
    assert.match(await shownAfterStop(() => {}), /> half a line/);
    assert.doesNotMatch(await shownAfterStop((editor) => editor.close()), /half a line/);
  },
});
