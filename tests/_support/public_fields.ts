/** Fields and options of the public interface, as `deno doc` sees them. */
import { type Entry, fileOf, type PublicName } from "./public_interface.ts";

/** A field, getter or method of a public type. */
export interface PublicField {
  /** The type that has it, and its own name: `ChatView.onItem`. */
  path: string;
  /** True if it is called. */
  acts: boolean;
}

interface TypeNode {
  kind?: string;
  value?: unknown;
}

interface Members {
  properties?: { name: string; tsType?: TypeNode }[];
  methods?: { name: string; kind?: string }[];
}

function isFunction(type: TypeNode | undefined, aliases: ReadonlySet<string>): boolean {
  if (type?.kind === "fnOrConstructor") return true;
  if (type?.kind === "parenthesized") return isFunction(type.value as TypeNode, aliases);
  if (type?.kind === "union") {
    return (type.value as TypeNode[]).some((one) => isFunction(one, aliases));
  }
  const { typeName = "" } = (type?.value ?? {}) as { typeName?: string };
  return type?.kind === "typeRef" && aliases.has(typeName);
}

/** Types that are functions, by name. */
function functionTypes(entries: readonly Entry[]): Set<string> {
  const names = entries.flatMap((entry) => entry.names).filter(({ declarations }) =>
    declarations.some(({ kind, def }) =>
      kind === "typeAlias" && isFunction((def as { tsType?: TypeNode }).tsType, new Set())
    )
  );
  return new Set(names.map(({ name }) => name));
}

function fieldsIn(node: unknown, owner: string, aliases: ReadonlySet<string>): PublicField[] {
  if (typeof node !== "object" || node === null) return [];
  if (Array.isArray(node)) return node.flatMap((child) => fieldsIn(child, owner, aliases));
  const { properties, methods } = node as Members;
  const own = [
    ...(Array.isArray(properties) ? properties : []).map(({ name, tsType }) => {
      return { path: `${owner}.${name}`, acts: isFunction(tsType, aliases) };
    }),
    ...(Array.isArray(methods) ? methods : []).map(({ name, kind }) => {
      return { path: `${owner}.${name}`, acts: kind === "method" || kind === undefined };
    }),
  ];
  return [...own, ...Object.values(node).flatMap((child) => fieldsIn(child, owner, aliases))];
}

/** Names that are a provider's or an SDK's own. */
const THEIRS = /^lib\/(?:text\/shape\/(?:providers\/|shapes\.ts)|features\/adapters\/)/;

/** Reads all fields of the public interface, but those that providers and SDKs have named. */
export function publicFields(entries: readonly Entry[]): PublicField[] {
  const aliases = functionTypes(entries);
  return entries.flatMap(({ names }) => names).filter((one) => !THEIRS.test(fileOf(one)))
    .flatMap(({ name, declarations }) => fieldsIn(declarations, name, aliases));
}

/** An option of a function: its last parameter, as it is called or written. */
interface Parameter {
  name?: string;
  kind?: string;
  tsType?: { repr?: string; kind?: string };
  left?: Parameter;
}

function parametersIn(node: unknown): Parameter[] {
  if (typeof node !== "object" || node === null) return [];
  const { params } = node as { params?: unknown };
  const own = Array.isArray(params) ? params as Parameter[] : [];
  return [...own, ...Object.values(node).flatMap(parametersIn)];
}

/** Lists the parameters that are options without a name for them, or with another one. */
export function oddOptions({ name, declarations }: PublicName): string[] {
  return parametersIn(declarations).flatMap((parameter) => {
    const { tsType, name: own } = parameter.left ?? parameter;
    const unnamed = parameter.left !== undefined && tsType?.kind === "typeLiteral";
    const odd = own === "options" && !JSON.stringify(tsType).includes("Options");
    return unnamed || odd ? [`${name}: ${own ?? "{…}"}: ${tsType?.repr ?? tsType?.kind}`] : [];
  });
}
