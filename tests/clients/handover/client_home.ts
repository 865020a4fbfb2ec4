/** A home in which all clients are set up, each with a scripted model of its own. */
import { join } from "node:path";
import { CLIENTS } from "../resume/clients.ts";
import { copilot } from "../resume/client/copilot.ts";
import { goose } from "../resume/client/goose.ts";
import { kilo } from "../resume/client/kilo.ts";
import { reprise } from "../resume/client/reprise.ts";
import {
  type Command,
  installClient,
  type NpmClient,
  type Place,
  RunningClient,
} from "../resume/npm_client.ts";
import { type Item, requestItems } from "../resume/request_items.ts";
import type { Stage } from "../resume/resumed_session.ts";
import { ScriptedServer } from "../resume/scripted_server.ts";

/** The six clients, and our own chat. */
export const ALL_CLIENTS: readonly NpmClient[] = [...CLIENTS, reprise];

/** Clients that only take sessions here. */
export const TAKERS: readonly NpmClient[] = [copilot, kilo, goose];

/** Returns the client of an agent. */
export function clientOf(agent: string): NpmClient {
  return ALL_CLIENTS.find((client) => client.agent === agent) as NpmClient;
}

/** All of these clients that can be installed here. */
export async function installAll(
  clients: readonly NpmClient[] = ALL_CLIENTS,
): Promise<Map<string, Command>> {
  const commands = new Map<string, Command>();
  for (const client of clients) {
    const command = await installClient(client);
    if (command !== undefined) commands.set(client.agent, command);
  }
  return commands;
}

/** The home. Ends with `await using`; its files stay. */
export class ClientHome implements AsyncDisposable {
  readonly home: string;
  /** The directory that all clients work in. */
  readonly cwd: string;
  readonly #deletes: boolean;
  readonly #commands: ReadonlyMap<string, Command>;
  readonly #stages = new Map<string, Stage>();

  /**
   * @param deletes Whether clients delete old sessions, as they do for their users.
   * @param cwd The directory that they work in, where it is not below the home.
   */
  constructor(
    home: string,
    commands: ReadonlyMap<string, Command>,
    deletes = false,
    cwd = join(home, "work"),
  ) {
    this.home = home;
    this.#deletes = deletes;
    this.cwd = cwd;
    this.#commands = commands;
    Deno.mkdirSync(this.cwd, { recursive: true });
  }

  /** The path in which a program finds all clients. */
  get path(): string {
    const folders = [...this.#commands].filter(([agent]) => agent !== "reprise")
      .map(([, { program }]) => program.slice(0, program.lastIndexOf("/")));
    return [...folders, this.#commands.get("pi")?.path ?? Deno.env.get("PATH")].join(":");
  }

  /** Returns a client that is set up. */
  stage(client: NpmClient): Stage | undefined {
    const known = this.#stages.get(client.agent);
    const command = this.#commands.get(client.agent);
    if (known !== undefined || command === undefined) return known;
    const server = new ScriptedServer({ ...client, cwd: this.cwd });
    const place: Place = {
      home: this.home,
      cwd: this.cwd,
      url: server.url,
      deletes: this.#deletes,
    };
    client.setUp(place);
    const stage = { client, command, place, server };
    this.#stages.set(client.agent, stage);
    return stage;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { server } of this.#stages.values()) await server[Symbol.asyncDispose]();
  }
}

/** Says one thing, in a session or a new one; gives the whole of the first request with it. */
export async function ask(stage: Stage, prompt: string, id?: string): Promise<Item[]> {
  const { client, command, place, server } = stage;
  const args = client.args({ prompt, ...(id === undefined ? {} : { id }) }) ?? [];
  const from = server.asked.length;
  const { code, output } = await new RunningClient(client, command, place, args).ended;
  for (const { api, body } of server.asked.slice(from)) {
    const items = requestItems(api, body);
    const has_tools = (body.tools ?? []).length > 0;
    if (has_tools && items.some(({ text }) => text.includes(prompt))) return items;
  }
  throw new Error(`${client.agent} asked nothing (${code}): ${output.slice(0, 600)}`);
}
