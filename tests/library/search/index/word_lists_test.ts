import assert from "node:assert/strict";
import {
  forEachPair,
  withoutNumbers,
} from "../../../../lib/library/catalogue/cache/number_lists.ts";
import {
  forEachMessage,
  MESSAGE,
  wordBlockOf,
  WordLists,
} from "../../../../lib/library/search/index/word_lists.ts";
import { baseOf, wordNumber } from "../../../../lib/library/search/wording/words.ts";

/** Returns the messages of each word, and the length and properties of each message. */
function contentOf(blocks: readonly Uint8Array[]): [Map<number, number[]>, number[][]] {
  const lists = new Map<number, number[]>();
  for (const [number, block] of blocks.slice(0, -1).entries()) {
    forEachPair(block, (word, message) => {
      assert.equal(wordBlockOf(word, blocks.length - 1), number);
      lists.set(word, [...lists.get(word) ?? [], message]);
    });
  }
  const messages: number[][] = [];
  forEachMessage(blocks.at(-1), (length, properties) => messages.push([length, properties]));
  return [lists, messages];
}

/** Texts with words of their own and with common ones, many enough for several blocks. */
const TEXTS = Array.from(
  { length: 300 },
  (_, at) => `Retries of upload ${at % 7}: retried, id${at} 错误处理 ${"again ".repeat(at % 3)}`,
);

function listsOf(texts: readonly string[]): Uint8Array[] {
  const lists = new WordLists();
  for (const text of texts) lists.addMessage([text], MESSAGE.PROMPT);
  return lists.take();
}

Deno.test("WordLists lists the messages of each word once, and their lengths", () => {
  const blocks = listsOf(TEXTS);
  assert.ok(blocks.length > 2, `${blocks.length}`);
  const [lists, messages] = contentOf(blocks);
  const every = TEXTS.map((_, at) => at);
  assert.deepEqual(lists.get(wordNumber(baseOf("retry"))), every);
  assert.deepEqual(lists.get(wordNumber(baseOf("id42"))), [42]);
  assert.deepEqual(lists.get(wordNumber("处理")), every);
  assert.deepEqual(lists.get(wordNumber("again")), every.filter((at) => at % 3 > 0));
  assert.deepEqual(messages.slice(0, 3), [[9, 1], [10, 1], [11, 1]]);
});

Deno.test("WordLists merges parts as if their messages were added one after the other", () => {
  const [one, other, merged] = [new WordLists(), new WordLists(), new WordLists()];
  for (const text of TEXTS.slice(0, 100)) one.addMessage([text], MESSAGE.PROMPT);
  for (const text of TEXTS.slice(100)) other.addMessage([text], MESSAGE.PROMPT);
  for (const part of [one, other]) merged.addPart(part.take());
  assert.deepEqual(contentOf(merged.take()), contentOf(listsOf(TEXTS)));
  // A builder goes on with an empty part.
  one.addMessage(["again"], MESSAGE.BEGINS_THREAD);
  assert.deepEqual(contentOf(one.take()), [new Map([[wordNumber("again"), [0]]]), [[1, 2]]]);
});

Deno.test("withoutNumbers leaves out numbers, and lists that are then empty", () => {
  const blocks = listsOf(TEXTS);
  const left = blocks.map((block, at) =>
    at === blocks.length - 1
      ? block
      : withoutNumbers(block, (message) => message % 2 === 0) ?? block
  );
  const [lists] = contentOf(left);
  assert.deepEqual(lists.get(wordNumber(baseOf("retry")))?.slice(0, 3), [0, 2, 4]);
  assert.deepEqual([lists.has(wordNumber("id43")), lists.has(wordNumber("id42"))], [false, true]);
  assert.equal(withoutNumbers(blocks[0] ?? new Uint8Array(), () => true), undefined);
});
