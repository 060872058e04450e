// Runs once before the browser tests: builds the screens if the build is older than they are.
import { buildWebIfNeeded } from "../../../scripts/build-web.ts";

export default async function setup(): Promise<void> {
  await buildWebIfNeeded();
}
