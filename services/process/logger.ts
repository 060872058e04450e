// The process's log: one JSON line per entry on standard output, without anything that would let a reader sign in.
import { pino } from "pino";
import type { Logger, LoggerOptions } from "pino";
import type { Config } from "#config";

const secretNames = [
  "authorization",
  "Authorization",
  "cookie",
  "Cookie",
  "set-cookie",
  "Set-Cookie",
];

/** Options of the process's logger. `process` is its name: "start", "api", "worker" or a script. */
export function loggerOptions(level: Config["logLevel"], process: string): LoggerOptions {
  return {
    level,
    base: { process },
    serializers: { err: describeError },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: secretNames.flatMap((name) => [
        `["${name}"]`,
        `headers["${name}"]`,
        `*.headers["${name}"]`,
      ]),
      censor: "[redacted]",
    },
  };
}

/** The useful parts of an error. Database drivers attach whole connections to theirs. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) {
    return error;
  }
  const code: unknown = Reflect.get(error, "code");
  return {
    type: error.name,
    message: error.message,
    ...(typeof code === "string" ? { code } : {}),
    stack: error.stack,
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
  };
}

export function createLogger(level: Config["logLevel"], process: string): Logger {
  return pino(loggerOptions(level, process));
}
