// A store of our own to attack: `npm start` in a temporary folder, behind one proxy that this program plays.
import { chmod, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { startService, waitForLine, waitUntilReady } from "#testing/service/service-process.ts";
import { buildWebIfNeeded } from "../build-web.ts";
import type { GroundOptions } from "./ground.ts";
import { becomeAdmin } from "./sign-in.ts";

const PATIENCE_MS = 30_000;

export async function startOwnStore(
  isThorough: boolean,
): Promise<{ readonly ground: GroundOptions; readonly close: () => Promise<void> }> {
  await using parts = new AsyncDisposableStack();
  const dataDir = await mkdtemp(path.join(tmpdir(), "attack-"));
  parts.defer(() => rm(dataDir, { recursive: true, force: true }));
  // The database server's account needs access.
  await chmod(dataDir, 0o711);
  await buildWebIfNeeded();
  const environment = { DATA_DIR: dataDir, PROXY_COUNT: "1", PROOF_TIME: "off" };
  const service = await startService({ entry: "start.ts", environment });
  parts.defer(async () => {
    const force = setTimeout(() => void service.kill("SIGKILL"), PATIENCE_MS);
    await service.kill("SIGTERM");
    clearTimeout(force);
  });
  await waitUntilReady(service);
  await waitForLine(service, "#setup=");
  const [link = ""] = /\S+#setup=[\w-]+/.exec(service.output()) ?? [];
  const running = parts.move();
  return {
    ground: {
      url: service.url,
      isThorough,
      hasProxy: true,
      admin: (send) => becomeAdmin(send, link),
      lettersTo: (email) => readOutbox(path.join(dataDir, "outbox"), email),
    },
    close: () => running.disposeAsync(),
  };
}

/** The letters to an address in a store's outbox, newest last. */
export async function readOutbox(folder: string, email: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  const letters = await Promise.all(
    names
      .toSorted((one, other) => one.localeCompare(other))
      .map((name) => readFile(path.join(folder, name), "utf8")),
  );
  return letters.filter((letter) => letter.includes(`To: ${email}`));
}
