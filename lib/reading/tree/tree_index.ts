/**
 * First pass over a session whose records form a tree: which records it has, and which each follows.
 * Where the format allows, only the first bytes of most lines are looked at.
 */
import type { LinePosition } from "../../event/envelope.ts";
import { type Diagnostic, isDamage } from "../../log/diagnostic.ts";
import type { Line } from "../../log/line_splitter.ts";
import { count, countSide } from "../../source/source_account.ts";
import { readLines, type RecordOptions } from "../records/jsonl_records.ts";
import { parseRecords, type SourceRecord } from "../records/source_record.ts";
import type { RecordPlace } from "../records/records_at.ts";
import type { NodeFacts, RecordNode, TreeFormat, TreeIndex } from "./tree_format.ts";

const CLOSE_OBJECT = 0x7d;

/** The part of a format that indexing needs. */
export type IndexFormat<Head> = Pick<
  TreeFormat<Head, unknown, unknown>,
  "repeated" | "isBridged" | "head" | "index" | "scan" | "isLeaf"
>;

/**
 * Indexes a file. `thorough`: each line is parsed, so that all damage is found and all bytes are
 * accounted for; else a line that looks whole is taken for whole.
 */
export async function indexFile<Head>(
  format: IndexFormat<Head>,
  path: string,
  options: RecordOptions,
  thorough: boolean,
): Promise<TreeIndex<Head>> {
  const indexing = new Indexing(format, options, thorough);
  for await (const lines of readLines(path, options)) {
    for (const line of lines) indexing.take(line);
  }
  return indexing.index;
}

/** Indexes lines that are at hand. */
export function indexLines<Head>(
  format: IndexFormat<Head>,
  lines: Iterable<Line>,
): TreeIndex<Head> {
  const indexing = new Indexing(format, {}, false);
  for (const line of lines) indexing.take(line);
  return indexing.index;
}

class Indexing<Head> {
  readonly index: TreeIndex<Head>;
  readonly #format: IndexFormat<Head>;
  readonly #options: RecordOptions;
  readonly #thorough: boolean;
  readonly #joined: boolean;
  /** The start of the last damage, and the end of the last record. */
  #damage = -1;
  #end = 0;

  constructor(format: IndexFormat<Head>, options: RecordOptions, thorough: boolean) {
    this.index = { head: format.head(), nodes: [], tree: new Map(), leaf: undefined };
    this.#format = format;
    this.#joined = format.repeated === "joined";
    this.#options = options;
    this.#thorough = thorough || format.scan === undefined;
  }

  take(line: Line): void {
    const facts = this.#thorough || !looksWhole(line) ? undefined : this.#scan(line);
    if (facts !== undefined) this.#add(facts, line);
    else this.#parse(line);
  }

  #scan(line: Line): NodeFacts | undefined {
    return this.#format.scan?.(line.bytes, this.index);
  }

  #parse(line: Line): void {
    const { account, report } = this.#options;
    const records: SourceRecord[] = [];
    let damaged = false;
    parseRecords(line, records, {
      account,
      report: (diagnostic: Diagnostic): void => {
        damaged ||= diagnostic.code !== "invalid-utf8";
        if (isDamage(diagnostic.code)) this.#damage = diagnostic.offset;
        report?.(diagnostic);
      },
    });
    const at = this.index.nodes.length;
    for (const record of records) this.#take(record);
    if (damaged) this.#addDamaged(line, at);
  }

  /** A damaged line may still say what it follows: so the history before it is not lost with it. */
  #addDamaged(line: Line, at: number): void {
    const { nodes, tree } = this.index;
    const facts = line.oversized ? undefined : this.#scan(line);
    if (facts === undefined || nodes.slice(at).some(({ id }) => id === facts.id)) return;
    const { offset, length, line: number } = line;
    const node = { ...facts, offset, length, line: number, damaged: true };
    // Before what was salvaged of its line, which may follow it.
    nodes.splice(at, 0, node);
    tree.set(node.id, node);
  }

  #take(record: SourceRecord): void {
    const { position: { offset, length } } = record;
    const facts = this.#format.index(record, this.index);
    if (facts === "head") count(this.#options.account, "events", length);
    else if ("beside" in facts) countSide(this.#options.account, facts.beside, length);
    else this.#add(facts, record.position, record.salvaged);
    this.#end = offset + length;
  }

  #add(facts: NodeFacts, { offset, length, line }: LinePosition, salvaged?: boolean): void {
    const { tree, nodes } = this.index;
    const first = this.#joined ? tree.get(facts.id) : undefined;
    // Written out: most of the time of an index goes into making these.
    const { id, parent_id, type } = facts;
    const node: RecordNode = first ?? { id, parent_id, type, offset, length, line };
    if (first !== undefined) {
      (first.fragments ??= [placeOf(first)]).push(placeOf({ offset, length, line, salvaged }));
    } else {
      if (salvaged) node.salvaged = true;
      if (this.#damage >= 0) this.#bridge(node);
      nodes.push(node);
      tree.set(id, node);
    }
    this.#end = offset + length;
    if (this.#format.isLeaf?.(facts) ?? true) this.index.leaf = node;
  }

  /** Notes the record before damage at the first one behind it. */
  #bridge(node: RecordNode): void {
    const { leaf } = this.index;
    const is_behind_damage = this.#end <= this.#damage && this.#damage < node.offset;
    if (leaf === undefined || !is_behind_damage) return;
    if (this.#format.isBridged?.(node)) node.bridge_id = leaf.id;
  }
}

function looksWhole({ bytes, terminated, oversized }: Line): boolean {
  return terminated && !oversized && bytes[bytes.length - 1] === CLOSE_OBJECT;
}

function placeOf({ offset, length, line, salvaged }: RecordPlace): RecordPlace {
  return salvaged ? { offset, length, line, salvaged } : { offset, length, line };
}
