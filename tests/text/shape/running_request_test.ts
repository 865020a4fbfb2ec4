import assert from "node:assert/strict";
import fc from "npm:fast-check@4.10.2";
import { MESSAGE_SHAPES, toMessages } from "../../../lib/text/shape/message_shape.ts";
import { RunningConversation } from "../../../lib/core/projection/conversation/running_conversation.ts";
import { RunningRequest } from "../../../lib/text/shape/running_request.ts";
import { knownEvents } from "../../_support/known_events.ts";
import { assistant, user } from "../../_support/log_bytes.ts";
import { compactionDraft, eventDraft } from "../../_support/random_log.ts";
import { ALL_TORTURE } from "../../_support/torture.ts";

const anyDraft = fc.oneof({ weight: 8, arbitrary: eventDraft }, compactionDraft);

Deno.test("after every event a request is what toMessages gives, and stays as it was", () => {
  fc.assert(
    fc.property(fc.array(anyDraft, { maxLength: 20 }), (drafts) => {
      const fold = new RunningConversation();
      const running = new RunningRequest();
      const given: { value: unknown; text: string }[] = [];
      for (const event of knownEvents(drafts)) {
        fold.add(event);
        const sent = fold.conversation();
        for (const shape of MESSAGE_SHAPES) {
          const value = running.request(shape, sent.messages, fold.settledIn(sent));
          assert.deepEqual(value, toMessages(sent.messages, shape));
          given.push({ value, text: JSON.stringify(value) });
        }
      }
      for (const { value, text } of given) assert.equal(JSON.stringify(value), text);
    }),
    { numRuns: ALL_TORTURE ? 300 : 75 },
  );
});

Deno.test("a changed request changes no later one", () => {
  const fold = new RunningConversation();
  const running = new RunningRequest();
  const talk = [user("One"), assistant("Two"), user("Three"), assistant("Four"), user("Five")];
  for (const event of knownEvents(talk)) fold.add(event);
  const sent = fold.conversation();
  for (const shape of MESSAGE_SHAPES) {
    const take = (): unknown => running.request(shape, sent.messages, fold.settledIn(sent));
    const first = JSON.stringify(take());
    const [list = []] = Object.values(take() as object).filter(Array.isArray);
    for (const message of shape === "plain" ? take() as object[] : list) {
      Object.assign(message, { content: "changed", parts: "changed" });
    }
    assert.equal(JSON.stringify(take()), first, shape);
  }
});
