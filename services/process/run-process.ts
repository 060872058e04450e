// Runs a service until it is told to stop: one orderly end for signals, lost databases and errors nobody caught.
import { parseArgs } from "node:util";
import type { Logger } from "pino";
import { readConfig } from "#config";
import type { Config } from "#config";
import { createLogger } from "./logger.ts";

/** Something that runs until it is closed. */
export type Running = {
  readonly close: () => Promise<void>;
  /** Rejects when it cannot go on; never resolves. */
  readonly lost: Promise<never>;
};

// A terminal's Ctrl-C arrives twice within a moment: from the terminal itself and from the npm script.
const sameKeystrokeMs = 500;

/**
 * Starts, waits for SIGINT or SIGTERM, closes, and ends the process: with 0 after an orderly end, else with 1.
 * A second Ctrl-C ends at once. What goes wrong before the start is done is one readable message, and
 * `--help` prints the usage instead of starting.
 */
export async function runProcess(
  name: string,
  usage: string,
  start: (config: Config, logger: Logger) => Promise<Running>,
): Promise<void> {
  const config = readyOrExit(usage);
  const logger = createLogger(config.logLevel, name);
  const ending = listenForEnd(logger);
  let running: Running;
  try {
    running = await start(config, logger);
  } catch (error) {
    logger.debug({ err: error }, "the start failed");
    exitWith(error);
  }
  running.lost.catch(ending.fail("the database is lost"));
  const code = await ending.asked;
  try {
    await running.close();
  } catch (error) {
    logger.fatal({ err: error }, "the end was not orderly");
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
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}

type Ending = {
  /** Resolves with the exit code once somebody asked for the end. */
  readonly asked: Promise<number>;
  readonly fail: (message: string) => (error: unknown) => void;
};

function listenForEnd(logger: Logger): Ending {
  const ending = Promise.withResolvers<number>();
  let askedAt: number | undefined;
  const ask = () => {
    const now = performance.now();
    if (askedAt === undefined) {
      askedAt = now;
      ending.resolve(0);
    } else if (now - askedAt > sameKeystrokeMs) {
      process.exit(130);
    }
  };
  process.on("SIGINT", ask);
  process.on("SIGTERM", ask);
  // A terminal that is closed.
  process.on("SIGHUP", ask);
  const fail = (message: string) => (error: unknown) => {
    logger.fatal({ err: error }, message);
    ending.resolve(1);
  };
  process.on("uncaughtException", fail("an error that nobody caught"));
  process.on("unhandledRejection", fail("a failure that nobody handled"));
  return { asked: ending.promise, fail };
}
