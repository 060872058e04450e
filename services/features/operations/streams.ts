// The stream of what operators did, and what a command must know of it: which rebuilds are open.
import type { States, StreamDefinition } from "#ledger/decider.ts";
import { operationsEvents } from "#features/operations/events.ts";
import { tableActIn } from "#features/operations/table-acts.ts";

/** What operators did to one projection's tables. */
export type ProjectionActs = {
  /** The rebuild that was neither canceled nor flipped to. */
  readonly rebuild: { readonly id: string; readonly isPaused: boolean } | null;
  /** How many acts there were: a command made for fewer was overtaken. */
  readonly acts: number;
};

export type OperationsState = {
  readonly projections: readonly (ProjectionActs & { readonly projection: string })[];
};

/** There is one. */
export const OPERATIONS = "operations-log";

const NO_ACTS: ProjectionActs = { rebuild: null, acts: 0 };

export function actsOn(state: OperationsState, projection: string): ProjectionActs {
  return state.projections.find((entry) => entry.projection === projection) ?? NO_ACTS;
}

function after(
  state: OperationsState,
  projection: string,
  rebuild: ProjectionActs["rebuild"],
): OperationsState {
  const acts = actsOn(state, projection).acts + 1;
  const others = state.projections.filter((entry) => entry.projection !== projection);
  return { projections: [...others, { projection, rebuild, acts }] };
}

/** `operations-log`. */
export const operationsStream: StreamDefinition<OperationsState> = {
  category: "operations",
  onlyId: OPERATIONS,
  extendedBy: operationsEvents.map(({ type }) => type),
  stateVersion: 2,
  initial: { projections: [] },
  evolve: (state, event) => {
    const done = tableActIn(event);
    if (done === null) {
      return state;
    }
    const { projection, act, rebuildId: id } = done;
    switch (act) {
      case "rebuild":
      case "resume":
        return after(state, projection, { id, isPaused: false });
      case "pause":
        return after(state, projection, { id, isPaused: true });
      default:
        return after(state, projection, null);
    }
  },
};

/** The command must have declared `OPERATIONS`. */
export function operationsOf(states: States): OperationsState {
  return states.get(operationsStream, OPERATIONS).state;
}
