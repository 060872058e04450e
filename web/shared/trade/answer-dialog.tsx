// The dialog for one answer to an offer. Its script is loaded when somebody is about to answer.
import type { TradeParty } from "#features/trades/contract.ts";
import { onDemand } from "#web/ui/on-demand.tsx";
import type { AnswerableOffer } from "./offer-terms.ts";

export type Answer = "accept" | "counter" | "decline";

const dialogs = {
  accept: onDemand(() => import("./offer-dialogs.tsx").then((file) => file.AcceptDialog)),
  counter: onDemand(() => import("./offer-dialogs.tsx").then((file) => file.CounterDialog)),
  decline: onDemand(() => import("./offer-dialogs.tsx").then((file) => file.DeclineDialog)),
};

/** All three are in one script. */
export const preloadAnswers = dialogs.accept.preload;

type AnswerDialogProps = {
  readonly answer: Answer;
  readonly offer: AnswerableOffer;
  readonly party: TradeParty;
  readonly onClose: () => void;
};

export function AnswerDialog({ answer, ...rest }: AnswerDialogProps) {
  const Dialog = dialogs[answer];
  return <Dialog {...rest} />;
}
