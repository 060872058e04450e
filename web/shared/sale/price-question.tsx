// Asks once more about an unusual price, inside the form: Save waits for the answer, and a scan cannot give it.
import { TriangleAlert } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { earlierPriceResponse } from "#features/lookup/contract.ts";
import { toCents, type Cents } from "#ledger/money.ts";
import { useRead } from "#web/lib/read.ts";
import { Button } from "#web/ui/button.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { unusualPrice, type EnteredPrice } from "./unusual-price.ts";

/** The highest price that is known of a unit: of its earlier sales, or its tag. An undefined item has none. */
export function useKnownPrice(
  itemId: string | undefined,
  tagPriceCents: Cents | null,
): Cents | undefined {
  const { data } = useRead(
    itemId === undefined ? undefined : `/lookup/earlier-price/${itemId}`,
    earlierPriceResponse,
  );
  const paid = data?.highestUnitPrice ?? null;
  const known = [paid === null ? null : toCents(paid), tagPriceCents].filter((one) => one !== null);
  return known.length === 0 ? undefined : Math.max(...known);
}

export type PriceCheck = {
  /** True if the price may be booked; otherwise the question appears. */
  readonly passes: () => boolean;
  /** The question, once Save was pressed. */
  readonly question: string | undefined;
  readonly confirm: () => void;
};

/** `entered` is undefined while the price is no amount. Another price is asked about again. */
export function usePriceCheck(entered: EnteredPrice | undefined): PriceCheck {
  return useAskedOnce(entered === undefined ? undefined : unusualPrice(entered));
}

/** Asks `question` before the form may be saved, once for each wording. */
export function useAskedOnce(question: string | undefined): PriceCheck {
  const [askedAbout, setAskedAbout] = useState<string>();
  const confirmed = useRef<string>(undefined);
  return {
    passes() {
      const mayPass = question === undefined || confirmed.current === question;
      setAskedAbout(mayPass ? undefined : question);
      return mayPass;
    },
    question: question === askedAbout ? question : undefined,
    confirm() {
      confirmed.current = question;
    },
  };
}

type PriceQuestionProps = {
  readonly check: PriceCheck;
  /** Saves the form. */
  readonly onYes: () => void;
};

export function PriceQuestion({ check, onYes }: PriceQuestionProps) {
  return (
    <div role="alert" className="empty:hidden">
      {check.question === undefined ? null : (
        <Question key={check.question} check={check} onYes={onYes} />
      )}
    </div>
  );
}

function Question({ check, onYes }: PriceQuestionProps) {
  const yes = useRef<HTMLButtonElement>(null);
  useEffect(() => yes.current?.focus(), []);
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-control bg-pending-tint p-3 text-pending">
      <Icon of={TriangleAlert} />
      <span className="min-w-0 grow">{`${check.question ?? ""} Is it right?`}</span>
      <Button
        ref={yes}
        variant="primary"
        // A key that is held down is no answer.
        onKeyDown={(event) => event.repeat && event.preventDefault()}
        onClick={() => {
          check.confirm();
          onYes();
        }}
      >
        Yes, save it
      </Button>
    </div>
  );
}
