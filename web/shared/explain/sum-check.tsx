// Says that the lines below sum to the number, or that they do not, with both amounts.
import { CircleCheck } from "lucide-react";
import { ErrorLine } from "#web/ui/error-line.tsx";
import { Icon } from "#web/ui/icon.tsx";

type SumCheckProps = {
  readonly isBalanced: boolean;
  /** "These 12 entries sum to $253.29." */
  readonly sentence: string;
  /** What the screen shows instead, if the sum is another one. */
  readonly shown: string;
};

export function SumCheck({ isBalanced, sentence, shown }: SumCheckProps) {
  return isBalanced ? (
    <p className="flex items-start gap-2 font-medium">
      <Icon of={CircleCheck} className="mt-0.5 text-credit" />
      {sentence}
    </p>
  ) : (
    <ErrorLine>
      {`${sentence} But ${shown} is shown. The tables are wrong somewhere: the store has to rebuild them.`}
    </ErrorLine>
  );
}
