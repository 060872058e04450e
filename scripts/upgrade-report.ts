// What `npm run demo` prints about a store that an older program, or an older sample, made.
import type { Store } from "#process/open-store.ts";
import type { SampleLoaded } from "./sample-store.ts";

/** `0098_first to 0105_last` reads better than eight names. */
function migrationsText(names: readonly string[]): string {
  const [first] = names;
  const last = names.at(-1);
  const which = names.length < 3 ? names.join(", ") : `${first} to ${last}`;
  return `${names.length === 1 ? "1 migration" : `${names.length} migrations`} applied (${which})`;
}

function doneText({ migrations, rebuilt }: Store["upgraded"]): string {
  const parts = [
    ...(migrations.length === 0 ? [] : [migrationsText(migrations)]),
    ...(rebuilt.length === 0 ? [] : [`read tables built again: ${rebuilt.join(", ")}`]),
  ];
  return `This store was made by an older version and is upgraded now: ${parts.join("; ")}.`;
}

function sampleText(loaded: SampleLoaded): string {
  if (loaded.kind === "kept") {
    return "Its sample stays as it was: nothing was added.";
  }
  const added = loaded.commands - loaded.alreadyThere - loaded.leftOut;
  const leftOut =
    loaded.leftOut === 0 ? "" : `; ${loaded.leftOut} were left out, because they no longer fit`;
  return `The sample was not complete: ${added} of its ${loaded.commands} commands were added${leftOut}.`;
}

/** One line; null if the store is new, or nothing was upgraded and added. */
export function describeUpgrade(
  upgraded: Store["upgraded"],
  loaded: SampleLoaded | undefined,
): string | null {
  const isUpgraded = upgraded.migrations.length + upgraded.rebuilt.length > 0;
  // Commands are there already, and others are not.
  const isContinued =
    loaded?.kind === "loaded" && loaded.alreadyThere > 0 && loaded.alreadyThere < loaded.commands;
  const texts = [
    ...(isUpgraded ? [doneText(upgraded)] : []),
    ...(loaded !== undefined && (isContinued || (isUpgraded && loaded.kind === "kept"))
      ? [sampleText(loaded)]
      : []),
  ];
  return texts.length === 0 ? null : texts.join(" ");
}
