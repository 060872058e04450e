// What all scripts have in common: options with --help and --json, a progress bar, and a meaningful exit code.
import { statSync } from "node:fs";
import { inspect, parseArgs } from "node:util";
import { errorLine } from "#process/error-line.ts";

export type OptionSpec = {
  readonly type: "string" | "boolean";
  /** Its description in --help. */
  readonly help: string;
  /** The name of the value in --help, for example FILE. */
  readonly value?: string;
  readonly multiple?: boolean;
};

export type CommandLine = {
  readonly flags: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, readonly string[]>;
  readonly positionals: readonly string[];
  readonly json: boolean;
};

const COMMON: Record<string, OptionSpec> = {
  help: { type: "boolean", help: "show this text" },
  json: {
    type: "boolean",
    help: "write the result as JSON to standard output, and nothing else (npm's own banner: npm run -s)",
  },
};

function helpText(usage: string, about: string, options: Record<string, OptionSpec>): string {
  const rows = Object.entries({ ...options, ...COMMON }).map(([name, option]) => {
    const value = option.type === "string" ? ` ${option.value ?? "VALUE"}` : "";
    return [`  --${name}${value}`, option.help] as const;
  });
  const width = Math.max(...rows.map(([left]) => left.length)) + 2;
  return [
    `Usage: ${usage}`,
    "",
    about,
    "",
    ...rows.map(([left, right]) => `${left.padEnd(width)}${right}`),
    "",
  ].join("\n");
}

/**
 * Lets the script finish when the reader of its output goes away (`| head`), or the disk that it goes to is full: it
 * does its work and stops a database that it started. Further output is lost; on a full disk it then exits with 1.
 */
function outliveReaders(): void {
  let isLost = false;
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error) => {
      if (isLost || ("code" in error && error.code === "EPIPE")) {
        return;
      }
      isLost = true;
      process.once("exit", (code) => {
        process.exitCode = code === 0 ? 1 : code;
      });
      process.stderr.write(`The output could not be written: ${error.message}\n`);
    });
  }
}

/**
 * Reads the arguments, and lets the script outlive the reader of its output. Prints the help and exits with 0
 * if asked to; an unknown option is one line on standard error and exit code 2.
 */
export function readCommandLine(
  usage: string,
  about: string,
  options: Record<string, OptionSpec>,
): CommandLine {
  outliveReaders();
  const all = { ...options, ...COMMON };
  try {
    const parsed = parseArgs({
      allowPositionals: true,
      options: Object.fromEntries(
        Object.entries(all).map(([name, { type, multiple }]) => [
          name,
          { type, multiple: multiple ?? false },
        ]),
      ),
    });
    const flags = new Set<string>();
    const values = new Map<string, readonly string[]>();
    for (const [name, value] of Object.entries(parsed.values)) {
      if (value === true) {
        flags.add(name);
      } else if (Array.isArray(value)) {
        values.set(name, value.map(String));
      } else if (typeof value === "string") {
        values.set(name, [value]);
      }
    }
    if (flags.has("help")) {
      process.stdout.write(helpText(usage, about, options));
      process.exit(0);
    }
    refuseSwallowed(Object.keys(all).filter((name) => !flags.has(name) && !values.has(name)));
    return { flags, values, positionals: parsed.positionals, json: flags.has("json") };
  } catch (error) {
    return endWithUsage(error instanceof Error ? error.message : "unreadable arguments");
  }
}

/**
 * Without `--` before them, npm takes options for its own and says nothing: a dry run would be the real thing. It only
 * leaves a variable behind.
 */
function refuseSwallowed(names: readonly string[]): void {
  const script = process.env["npm_lifecycle_event"];
  const swallowed = names.find(
    (name) => process.env[`npm_config_${name.replaceAll("-", "_")}`] !== undefined,
  );
  if (script !== undefined && swallowed !== undefined) {
    endWithUsage(
      `npm kept --${swallowed} to itself, and nothing was done: put -- before the options, as in npm run ${script} -- --${swallowed}`,
    );
  }
}

/** For scripts that take only options. */
export function refusePositionals({ positionals: [first] }: CommandLine): void {
  if (first !== undefined) {
    endWithUsage(`Unexpected argument '${first}'`);
  }
}

/** Refuses options that contradict each other, so that nobody has to guess which one wins. */
export function refuseTogether({ flags }: CommandLine, names: readonly string[]): void {
  const [first, second] = names.filter((name) => flags.has(name));
  if (first !== undefined && second !== undefined) {
    endWithUsage(`--${first} and --${second} exclude each other; nothing was done`);
  }
}

/** Why a path cannot be read as a file; null if it can. */
export function problemWith(path: string): string | null {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) {
    return `There is no file ${path}`;
  }
  return found.isDirectory() ? `${path} is a folder, not a file` : null;
}

/** Refuses a path that is not a file, before a store is made for it. */
export function refuseNoFile(path: string): void {
  const problem = problemWith(path);
  if (problem !== null) {
    endWithUsage(problem);
  }
}

/** One line on standard error, exit code 2: the call was wrong, nothing was done. */
export function endWithUsage(message: string): never {
  process.stderr.write(`${message}\nTry --help.\n`);
  process.exit(2);
}

export type Progress = {
  readonly update: (label: string, done: number, of: number) => void;
  readonly end: () => void;
};

const BAR_WIDTH = 28;
const REDRAW_MS = 100;

/** A bar on standard error if that is a terminal, otherwise a line every few seconds. */
export function progressBar(silent = false): Progress {
  const terminal = process.stderr.isTTY;
  const everyMs = terminal ? REDRAW_MS : 3_000;
  let drawnAt = 0;
  let lastLabel = "";
  let open = false;
  return {
    update(label, done, of) {
      const now = performance.now();
      const finished = done >= of;
      if (silent || (label === lastLabel && (!finished || done > of) && now - drawnAt < everyMs)) {
        return;
      }
      if (terminal && open && label !== lastLabel) {
        process.stderr.write("\n");
      }
      const share = of === 0 ? 1 : Math.min(1, done / of);
      const filled = Math.round(share * BAR_WIDTH);
      const bar = `${"█".repeat(filled)}${"░".repeat(BAR_WIDTH - filled)}`;
      const text = `${label.padEnd(28)} ${bar} ${String(Math.floor(share * 100)).padStart(3)} %  ${done.toLocaleString("en-US")} of ${of.toLocaleString("en-US")}`;
      process.stderr.write(terminal ? `\r${text}\u001b[K` : `${text}\n`);
      open = terminal;
      drawnAt = now;
      lastLabel = label;
    },
    end() {
      if (open) {
        process.stderr.write("\n");
        open = false;
      }
    },
  };
}

// Ctrl-C in a terminal arrives twice in quick succession: from the terminal itself and from npm.
const SAME_KEYSTROKE_MS = 500;

/** Aborted by the first Ctrl-C, so that the work ends in order; a later one ends the process at once. */
export function untilInterrupted(message: string): AbortSignal {
  const stop = new AbortController();
  let askedAt: number | undefined;
  const ask = () => {
    const now = performance.now();
    askedAt ??= now;
    if (now - askedAt > SAME_KEYSTROKE_MS) {
      process.exit(130);
    }
    stop.abort(new Error(message));
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, ask);
  }
  return stop.signal;
}

/** An error as it is printed: with its stack and its causes under LOG_LEVEL=debug. */
export function errorText(error: unknown, level: string | undefined): string {
  return level === "debug" && error instanceof Error
    ? `${error.message}\n${inspect(error)}\n`
    : errorLine(error);
}

/** Runs a script's body. An error is its message, with its stack under LOG_LEVEL=debug, and exit code 1. */
export async function runScript(body: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await body();
  } catch (error) {
    process.stderr.write(errorText(error, process.env["LOG_LEVEL"]));
    process.exitCode = 1;
  }
}

/**
 * For a line on a terminal: what whoever can write to the database could have put into a name must not move the cursor,
 * hide text or end the line. Such characters are written as "\\u{1b}".
 */
export function printable(text: string): string {
  return text.replaceAll(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
