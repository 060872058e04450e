// Runs scripts one after another, each as if the process were its own; see script-host.ts.
import type { EventEmitter } from "node:events";
import { pathToFileURL } from "node:url";
import { z } from "zod";

const call = z.object({
  id: z.string(),
  file: z.string(),
  arguments: z.array(z.string()),
  environment: z.record(z.string(), z.string()),
});

/** What a script may add listeners to. */
const emitters: readonly EventEmitter[] = [process, process.stdout, process.stderr];

function listeners() {
  return emitters.map((emitter) =>
    emitter.eventNames().map((name) => ({ name, own: new Set(emitter.rawListeners(name)) })),
  );
}

/** Takes away what was added since: the next script must not inherit it. */
function forgetListeners(before: ReturnType<typeof listeners>): void {
  for (const [index, emitter] of emitters.entries()) {
    for (const name of emitter.eventNames()) {
      const kept = before[index]?.find((entry) => entry.name === name)?.own;
      for (const listener of emitter.rawListeners(name)) {
        if (kept?.has(listener) !== true) {
          emitter.removeListener(name, listener as () => void);
        }
      }
    }
  }
}

/** As the end of a process waits for sockets and timers that a script left open. */
async function untilIdle(resources: number): Promise<void> {
  while (process.getActiveResourcesInfo().length > resources) {
    await new Promise((resolve) => {
      setTimeout(resolve, 5).unref();
    });
  }
}

function takeExitCode(): number {
  const code = Number(process.exitCode ?? 0);
  process.exitCode = undefined;
  return code;
}

let calls = 0;

async function run(asked: z.infer<typeof call>): Promise<void> {
  const resources = process.getActiveResourcesInfo().length;
  const before = listeners();
  for (const name of Object.keys(process.env)) {
    Reflect.deleteProperty(process.env, name);
  }
  Object.assign(process.env, asked.environment);
  process.argv = [process.execPath, asked.file, ...asked.arguments];
  calls += 1;
  // An error ends this process, as it would end a script's own.
  await import(`${pathToFileURL(asked.file).href}?call=${calls}`);
  await untilIdle(resources);
  forgetListeners(before);
  const code = takeExitCode();
  process.stdout.write(asked.id);
  process.stderr.write(asked.id);
  process.send?.({ code });
}

process.on("message", (message) => void run(call.parse(message)));
// The tests have ended.
process.on("disconnect", () => process.exit(0));
