// Runs a program with Node 24, also where the machine's own Node is older: every npm script goes through here.
// Plain JavaScript, because an old Node must be able to read it.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { constants } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const neededMajor = 24;
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const programs = join(root, "node_modules", ".bin");

const usage = `Usage: node scripts/with-node.mjs <script or program> [arguments]

  scripts/demo.ts --help    runs a script with Node ${neededMajor}
  vitest run                runs a program of node_modules/.bin with Node ${neededMajor}
  --watch services/api.ts   passes options to Node itself`;

/** The folder of a Node that is new enough: this one, or the one that npm brought. */
function findNode() {
  if (Number.parseInt(process.versions.node, 10) >= neededMajor) {
    return dirname(process.execPath);
  }
  const brought = join(root, "node_modules", `node-${process.platform}-${process.arch}`, "bin");
  return existsSync(join(brought, "node")) ? brought : null;
}

const [first, ...rest] = process.argv.slice(2);
if (first === undefined || first === "--help") {
  console.log(usage);
  process.exit(first === undefined ? 1 : 0);
}

const folder = findNode();
if (folder === null) {
  console.error(
    `Node ${neededMajor} is needed; this is ${process.version}, and npm brings none for ${process.platform}-${process.arch}. ` +
      "Install it from https://nodejs.org and start again.",
  );
  process.exit(1);
}

const isProgram = /^[\w@-]+$/.test(first) && existsSync(join(programs, first));
const child = spawn(
  isProgram ? join(programs, first) : join(folder, "node"),
  isProgram ? rest : [first, ...rest],
  {
    stdio: "inherit",
    env: {
      ...process.env,
      PATH: [folder, programs, process.env.PATH].filter(Boolean).join(delimiter),
    },
  },
);

// The child decides when to end: a signal is only handed on, and this process ends after it.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"]) {
  process.on(signal, () => child.kill(signal));
}
child.on("error", (error) => {
  console.error(`${first} could not be started: ${error.message}`);
  process.exit(1);
});
child.on("exit", (code, signal) => {
  process.exit(code ?? 128 + constants.signals[signal]);
});
