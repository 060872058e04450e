// The dialog for one answer to an offer. Its script is loaded when somebody is about to answer.
import type { TradeParty } from "#features/trades/contract.ts";
import { onDemand } from "#web/ui/on-demand.tsx";
import type { AnswerableOffer } from "./offer-dialogs.tsx";

export type Answer = "accept" | "counter" | "decline";

const dialogs = {
  accept: onDemand(async () => (await import("./offer-dialogs.tsx")).AcceptDialog),
  counter: onDemand(async () => (await import("./offer-dialogs.tsx")).CounterDialog),
  decline: onDemand(async () => (await import("./offer-dialogs.tsx")).DeclineDialog),
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
