/** A picker in which something fails while it is on the screen: at the first key. */
import { processContext } from "../../commands/_context.ts";
import { pickSession } from "../../commands/_picker.ts";

const context = processContext("0.0.0");
let draws = 0;

try {
  await pickSession({
    ...context,
    variable(name): string | undefined {
      if (name === "NO_COLOR" && ++draws > 2) throw new RangeError("a fault of ours");
      return context.variable(name);
    },
  });
} catch (error) {
  context.stderr.write(`ended by: ${error}\n`);
}
Deno.exit(70);
