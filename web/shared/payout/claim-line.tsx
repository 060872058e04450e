// Who is paying a request, or began to: one line, with the name kept apart from the words around it.
import { useNow } from "#web/lib/use-now.ts";
import { claimTold, type ClaimState } from "./claim-state.ts";

/** Nothing while nobody began to pay. */
export function ClaimLine({ state }: { readonly state: ClaimState }) {
  const told = claimTold(state, useNow());
  return told === undefined ? null : (
    <span className="whitespace-normal text-pending">
      <bdi>{told.who}</bdi> {told.does}
    </span>
  );
}
