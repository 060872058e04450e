// The routes of features as the register has them, for apps of tests that serve only some.
import { features } from "../../features.ts";
import type { FeatureRoutes } from "#http/deps.ts";

/** All routes of the features named. Throws on a name that is not registered. */
export function routesOf(...names: readonly string[]): FeatureRoutes[] {
  return names.flatMap((name) => {
    const feature = features.find((each) => each.name === name);
    if (feature === undefined) {
      throw new Error(`There is no feature ${name} in features.ts`);
    }
    return feature.routes;
  });
}
