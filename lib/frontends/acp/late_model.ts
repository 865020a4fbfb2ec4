/** A model that is chosen at the first prompt, because sessions can be read without a model. */
import type {
  CompletionOptions,
  ModelClient,
  ModelRequest,
  ModelResponse,
} from "../../features/chat/models/model.ts";

export class LateModel implements ModelClient {
  readonly #choose: () => Promise<ModelClient>;
  readonly #caughtUp: () => Promise<unknown>;
  #chosen: ModelClient | undefined;

  /**
   * @param choose Chooses the model: by the options, the settings or the environment.
   * @param caughtUp Resolves when the editor has received all updates. Only then is a response
   * requested. So at most one response waits for an editor that does not read.
   */
  constructor(choose: () => Promise<ModelClient>, caughtUp: () => Promise<unknown>) {
    this.#choose = choose;
    this.#caughtUp = caughtUp;
  }

  get provider(): string {
    return this.#chosen?.provider ?? "";
  }

  get model(): string {
    return this.#chosen?.model ?? "";
  }

  get context_limit(): number {
    return this.#chosen?.context_limit ?? 0;
  }

  /**
   * Chooses the model, unless it was chosen before.
   *
   * @throws {SessionError} `invalid-config` if no model is set; the message says how to set one.
   */
  async choose(): Promise<void> {
    this.#chosen ??= await this.#choose();
  }

  async complete(request: ModelRequest, options?: CompletionOptions): Promise<ModelResponse> {
    await this.choose();
    await orAborted(this.#caughtUp(), options?.signal);
    return await (this.#chosen as ModelClient).complete(request, options);
  }
}

/** Resolves when the task resolves or the signal aborts. */
async function orAborted(task: Promise<unknown>, signal: AbortSignal | undefined): Promise<void> {
  if (signal?.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = (): void => resolve();
  signal?.addEventListener("abort", stop, { once: true });
  await Promise.race([task, promise]);
  signal?.removeEventListener("abort", stop);
}
