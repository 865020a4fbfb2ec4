/**
 * A chat with a model whose session is kept: what `reprise chat` is made of, but for its screen.
 * Built on nothing but what the library exports.
 *
 * @example Talk to a scripted model, and go on later
 * ```ts
 * import assert from "node:assert/strict";
 * import { openStore } from "@reprise/reprise";
 * import { Chat, mockModel } from "@reprise/reprise/chat";
 *
 * const root = await Deno.makeTempDir();
 * const options = {
 *   store: openStore({ root }),
 *   cwd: root,
 *   model: mockModel(),
 *   permit: () => Promise.resolve("yes" as const),
 *   view: { onItem: () => {} },
 * };
 * const chat = await Chat.start(options);
 * await chat.submit("Hello");
 * await chat.close();
 * const [row] = await options.store.list();
 * assert.equal(row?.title, "Hello");
 * await Deno.remove(root, { recursive: true });
 * ```
 *
 * @module
 */
export * from "./models/anthropic_client.ts";
export * from "./chat.ts";
export type * from "./chat_options.ts";
export { chooseModel, type ModelChoice } from "./models/choose_model.ts";
export { mockModel, type MockScript, type MockStep } from "./models/mock_model.ts";
export type * from "./models/model.ts";
export * from "./models/model_error.ts";
export * from "./models/openai_client.ts";
export * from "./models/retry.ts";
export * from "./tools/default_tools.ts";
export type * from "./tools/tool.ts";
