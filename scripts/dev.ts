// `npm run dev`: the service, restarted when its code changes, and the screens with hot reload.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { readCommandLine } from "./command-line.ts";

readCommandLine(
  "npm run dev",
  "Starts the service on port 3000, restarts it when its code changes, and serves the screens with hot reload at the address that vite prints.",
  {},
);

const root = join(import.meta.dirname, "..");
const run = (...args: string[]) =>
  spawn(process.execPath, args, { cwd: root, stdio: "inherit", env: process.env });

const children = [
  run("--watch-path=services", "--watch-preserve-output", "services/start.ts"),
  run(join("node_modules", "vite", "bin", "vite.js"), "web"),
];
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    for (const child of children) {
      child.kill(signal);
    }
  });
}
await Promise.all(children.map((child) => once(child, "exit")));
