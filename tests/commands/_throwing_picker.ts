/** A picker in which something fails while it is on the screen: at the first key. */
import { processContext } from "../../commands/_context.ts";
import { pickSession } from "../../commands/_terminal.ts";

const context = processContext("0.0.0");
let is_pressed = false;
/** Notes the first key as it passes. */
const noting = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
  transform(bytes, controller): void {
    is_pressed = true;
    controller.enqueue(bytes);
  },
});

try {
  await pickSession({
    ...context,
    stdin: () => context.stdin().pipeThrough(noting),
    variable(name): string | undefined {
      if (name === "NO_COLOR" && is_pressed) throw new RangeError("a fault of ours");
      return context.variable(name);
    },
  });
} catch (error) {
  context.stderr.write(`ended by: ${error}\n`);
}
Deno.exit(70);
