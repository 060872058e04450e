// The calls about users with what they need, for apps of tests: `openTestApp({ ...userFeature })`.
import { events, projections, streams } from "../../features.ts";
import { balancesProjection } from "#features/accounts/projection.ts";
import type { TestAppOptions } from "#testing/service/test-app.ts";
import { routesOf } from "#testing/shop/feature-routes.ts";

/** For specs that only ask who somebody is and what they may do. */
export const userFeature: TestAppOptions = {
  routes: routesOf("users"),
  streams,
  events,
  projections: [balancesProjection],
};

/** The same with every read table: for lists, exports and what is left of somebody. */
export const userFeatureWithTables: TestAppOptions = { ...userFeature, projections };
