// Runs a service until it is asked to stop: one orderly shutdown for signals, lost databases and uncaught errors.
import { parseArgs } from "node:util";
import type { Logger } from "pino";
import { readConfig } from "#config";
import type { Config } from "#config";
import { startErrorLine } from "./error-line.ts";
import { createLogger } from "./logger.ts";
import { findOwnModules } from "./own-imports.ts";

/** Something that runs until it is closed. */
export type Running = {
  readonly close: () => Promise<void>;
  /** Rejects when it cannot go on; never resolves. */
  readonly lost: Promise<never>;
};

// A Ctrl-C arrives twice almost at once: from the terminal and from the npm script.
const sameKeystrokeMs = 500;

/**
 * Starts, waits for SIGINT or SIGTERM, closes, and exits: with 0 after an orderly shutdown, else with 1. A second
 * Ctrl-C exits at once. If the start fails, one readable message is printed. `--help` prints the usage instead of
 * starting.
 */
export async function runProcess(
  name: string,
  usage: string,
  start: (config: Config, logger: Logger, signal: AbortSignal) => Promise<Running>,
): Promise<void> {
  const config = readyOrExit(usage);
  const logger = createLogger(config.logLevel, name);
  findOwnModules();
  const ending = listenForEnd(logger);
  let running: Running;
  try {
    running = await start(config, logger, ending.signal);
  } catch (error) {
    if (ending.signal.aborted) {
      logger.info({ err: error }, "asked to end before the start was complete");
      process.exit(await ending.asked);
    }
    logger.debug({ err: error }, "the start failed");
    exitWith(error);
  }
  running.lost.catch(ending.fail("the database is lost"));
  const code = await ending.asked;
  try {
    await running.close();
  } catch (error) {
    logger.fatal({ err: error }, "the shutdown failed");
    process.exit(1);
  }
  process.exit(code);
}

/** Answers `--help`, refuses other arguments, and reads the configuration. */
function readyOrExit(usage: string): Config {
  try {
    const { values } = parseArgs({ options: { help: { type: "boolean", default: false } } });
    if (values.help) {
      process.stdout.write(usage);
      process.exit(0);
    }
    return readConfig();
  } catch (error) {
    return exitWith(error);
  }
}

function exitWith(error: unknown): never {
  process.stderr.write(startErrorLine(error));
  process.exit(1);
}

type Ending = {
  /** Resolves with the exit code once a shutdown was requested. */
  readonly asked: Promise<number>;
  readonly fail: (message: string) => (error: unknown) => void;
  /** Aborted when a shutdown is requested, for a start that takes long. */
  readonly signal: AbortSignal;
};

function listenForEnd(logger: Logger): Ending {
  const ending = Promise.withResolvers<number>();
  const stopping = new AbortController();
  let askedAt: number | undefined;
  const ask = () => {
    const now = performance.now();
    if (askedAt === undefined) {
      askedAt = now;
      ending.resolve(0);
      stopping.abort();
    } else if (now - askedAt > sameKeystrokeMs) {
      process.exit(130);
    }
  };
  process.on("SIGINT", ask);
  process.on("SIGTERM", ask);
  // The terminal was closed.
  process.on("SIGHUP", ask);
  const fail = (message: string) => (error: unknown) => {
    logger.fatal({ err: error }, message);
    ending.resolve(1);
  };
  process.on("uncaughtException", fail("uncaught exception"));
  process.on("unhandledRejection", fail("unhandled rejection"));
  return { asked: ending.promise, fail, signal: stopping.signal };
}
