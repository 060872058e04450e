// Runs once before the tests that drive a browser: builds the screens where the build is older than they are.
import { buildWebIfNeeded } from "../../../scripts/build-web.ts";

export default async function setup(): Promise<void> {
  await buildWebIfNeeded();
}
