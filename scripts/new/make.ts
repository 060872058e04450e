// Which recipe `npm run new` follows.
import { newDeadline } from "./deadline.ts";
import type { NewEventOptions } from "./event.ts";
import { newEvent } from "./event.ts";
import { newName } from "./name.ts";
import { newProjection } from "./projection.ts";
import { newScreen } from "./screen.ts";
import type { Tree } from "./tree.ts";
import { NewProblem } from "./tree.ts";
import { newVersion } from "./version.ts";

export type MakeOptions = NewEventOptions & {
  /** The navigation group of a screen. */
  readonly group?: string | undefined;
  /** What a projection's row is, where its name says something else. */
  readonly key?: string | undefined;
  /** What people call a name's holding, after the item's name. */
  readonly words?: string | undefined;
  /** The event that a deadline makes happen. */
  readonly ends?: string | undefined;
  /** A projection without a call that reads it. */
  readonly isTableOnly?: boolean;
};

/** Makes the requested files in the tree's memory; returns what is left to a person. Throws NewProblem. */
export async function make(
  tree: Tree,
  [kind, name, ...rest]: readonly string[],
  options: MakeOptions = {},
): Promise<readonly string[]> {
  const { feature, stream } = options;
  if (kind === "name" && rest.length <= 2) {
    const { words } = options;
    return newName(tree, name, { feature, prefix: rest[0], suffix: rest[1], words });
  }
  if (rest.length > 0) {
    throw new NewProblem(`One name at a time: leave out ${rest.join(" ")}`);
  }
  switch (kind) {
    case "event":
      return newEvent(tree, name, options);
    case "deadline":
      return newDeadline(tree, name, { feature, ends: options.ends });
    case "version":
      return newVersion(tree, name, options.fields);
    case "projection":
      return newProjection(tree, name, { ...options, feature, stream });
    case "screen":
      return newScreen(tree, name, { feature, group: options.group });
    default:
      throw new NewProblem(
        "Say what to make: event, deadline, version, projection, screen or name. See --help",
      );
  }
}
