/** Carriers that show secrets as they are. */
import { type Carrier, plain } from "./carrier.ts";

function words(name: string): string {
  return name.toLowerCase().replaceAll("_", " ");
}

/** Around a body, whatever it is. */
export const PLAIN_CARRIERS: readonly Carrier[] = [
  plain("line", ({ body }) => `$ ${body}\n`),
  plain("middle of a log", ({ body }) => `step 1 done\n${body}\nstep 2 done`),
  plain("JSON in a string", ({ body }) => JSON.stringify({ output: `a\n${body}\nb`, ok: true })),
  plain("JSON in JSON", ({ body }) => JSON.stringify(JSON.stringify({ output: body }))),
  plain("diff line", ({ body }) => body.split("\n").map((line) => `+${line}`).join("\n")),
  plain(
    "numbered lines",
    ({ body }) => body.split("\n").map((line, index) => `${index + 1}\t${line}`).join("\n"),
  ),
  plain("error text", ({ body }) => ({ error: { message: `Command failed: ${body}` } })),
  plain("title", ({ body }) => ({ title: `run ${body}` })),
  plain("code fence", ({ body }) => "```sh\n" + body + "\n```"),
  plain("in backticks", ({ body }) => `Run \`${body}\` again.`),
  plain("key of an object", ({ body }) => ({ [body]: true })),
];

/** Where only the secret and what it is for are told. */
export const NAMED_CARRIERS: readonly Carrier[] = [
  plain("export", ({ name, secret }) => `export ${name}="${secret}"`),
  plain("YAML", ({ name, secret }) => `env:\n  ${name.toLowerCase()}: ${secret}\n  debug: true`),
  plain("JSON", ({ name, secret }) => JSON.stringify({ [name]: secret })),
  plain("field", ({ name, secret }) => ({ [name.toLowerCase()]: secret })),
  plain(
    "camel case",
    ({ name, secret }) =>
      `${
        words(name).replaceAll(/ (.)/g, (_, letter: string) => letter.toUpperCase())
      }: "${secret}",`,
  ),
  plain("name and value", ({ name, secret }) => ({ env: [{ name, value: secret }] })),
  plain(
    "sentence with its name",
    ({ name, secret }) => `The ${words(name)} is ${secret}, please rotate it.`,
  ),
  plain("table with its name", ({ name, secret }) => `| ${name} | ${secret} |\n`),
  plain("aligned table", ({ name, secret }) => `${name.padEnd(40)} ${secret}\n`),
  plain("docker option", ({ name, secret }) => `docker run -e ${name}=${secret} app`),
  plain("Python", ({ name, secret }) => `os.environ["${name}"] = "${secret}"`),
  plain("XML", ({ name, secret }) => `<add key="${name}" value="${secret}"/>`),
];

/** Where nothing tells what it is, but its own form. */
export const BARE_CARRIERS: readonly Carrier[] = [
  plain("sentence", ({ secret }) => `Use ${secret} for this, please.`),
  plain("alone", ({ secret }) => secret),
  plain(
    "query",
    ({ secret }) => `https://api.example.net/v1?key=${encodeURIComponent(secret)}&n=1`,
  ),
  plain("bearer", ({ secret }) => `Authorization: Bearer ${secret}`),
  plain("option", ({ secret }) => `deploy --api-key ${secret} --now`),
  plain("path", ({ secret }) => `/srv/keys/${secret}/config.json`),
  plain("file name", ({ secret }) => ({ path: `/srv/keys/${secret}.txt` })),
  plain("table", ({ secret }) => `| prod | ${secret} | yes |`),
  plain("key", ({ secret }) => ({ [secret]: { ok: true } })),
  plain("item", ({ secret }) => ["a", secret, "b"]),
  plain("HTML", ({ secret }) => `<td>${secret}</td>`),
  plain("CSV", ({ secret }) => `1,prod,${secret},x`),
  plain("error", ({ secret }) => ({ error: `401: Incorrect API key provided: ${secret}.` })),
  plain("title", ({ secret }) => ({ title: `why does ${secret} fail` })),
  plain("diff", ({ secret }) => `-old\n+${secret}\n`),
  plain("call", ({ secret }) => `client = Client("${secret}")`),
];
