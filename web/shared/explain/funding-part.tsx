// What funded a payout: the sales, oldest first, whose money it took, and whether they add up to it.
import type { FundingResponse, FundingSource } from "#features/accounts/contract-funding.ts";
import { toCents } from "#ledger/money.ts";
import { formatMoney } from "#web/lib/formats.ts";
import { withIsolatedNames } from "#web/lib/isolated.ts";
import { DateTime } from "#web/ui/date-time.tsx";
import { ErrorState } from "#web/ui/error-state.tsx";
import { HeldNotice } from "#web/ui/freshness-line.tsx";
import { LoadMore } from "#web/ui/load-more.tsx";
import { Money } from "#web/ui/money.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { useFunding, type Spent } from "./explain-api.ts";
import { sumSentence } from "./explain-words.ts";
import { LineLinks, WhyLink } from "./line-links.tsx";
import { TransferReference } from "#web/shared/payout/transfer-reference.tsx";
import { SumCheck } from "./sum-check.tsx";

export function FundingPart({ spent }: { readonly spent: Spent }) {
  const funding = useFunding(spent);
  const page = funding.pages?.[0];
  if (page === undefined) {
    return funding.error === undefined ? (
      <Skeleton className="h-60" />
    ) : (
      <ErrorState
        title="What funded it could not be loaded"
        thing="payout"
        error={funding.error}
        onRetry={funding.refresh}
      />
    );
  }
  const { line, summed, isBalanced, sourceCount, consignorID } = page;
  return (
    <div className="flex flex-col gap-6">
      <HeldNotice freshness={funding.freshness} />
      <div className="flex flex-col gap-1">
        <p className="text-16 font-semibold wrap-anywhere">{withIsolatedNames(line.description)}</p>
        <p className="text-12 text-muted">
          <DateTime at={line.happenedAt} />
        </p>
        <SumCheck
          isBalanced={isBalanced}
          sentence={sumSentence(sourceCount + restCount(page), formatMoney(toCents(summed)))}
          shown={formatMoney(toCents(line.lineAmount))}
        />
        <TransferReference reference={page.payoutReference} />
        {page.payoutStatus === "deleted" ? (
          <p className="text-muted">
            {`The request was ${page.payoutWithdrawn ? "withdrawn" : "deleted"}, so`} a later entry
            has the money again.
          </p>
        ) : page.payoutStatus === "returned" ? (
          <p className="text-muted">
            The transfer came back, so a later entry has the money again.
          </p>
        ) : null}
      </div>
      <section className="flex flex-col gap-2">
        <h3 className="font-medium">Paid from, oldest first</h3>
        <ul
          aria-label="Paid from"
          className="divide-y divide-border rounded-card border border-border"
        >
          <Rest label="From what its own sale still had" cents={toCents(page.ownSale)} />
          {(funding.rows ?? []).map((source) => (
            <Source key={source.line} uid={consignorID} source={source} />
          ))}
          <Rest label="Still owed: later income covers it" cents={toCents(page.uncovered)} />
        </ul>
        <LoadMore list={funding} className="self-start" />
        <p className="text-12 text-muted">
          Money that came in first is paid out first. This is worked out from the ledger when you
          ask.
        </p>
      </section>
    </div>
  );
}

function restCount({ ownSale, uncovered }: FundingResponse): number {
  return (ownSale === 0 ? 0 : 1) + (uncovered === 0 ? 0 : 1);
}

function Rest({ label, cents }: { readonly label: string; readonly cents: number }) {
  return cents === 0 ? null : (
    <li className="flex justify-between gap-4 px-4 py-2">
      <span>{label}</span>
      <Money cents={cents} />
    </li>
  );
}

type SourceProps = { readonly uid: string; readonly source: FundingSource };

function Source({ uid, source }: SourceProps) {
  const cents = toCents(source.amount);
  const whole = toCents(source.lineAmount);
  return (
    <li className="flex flex-col gap-0.5 px-4 py-2">
      <span className="flex items-baseline justify-between gap-4">
        <span className="min-w-0 wrap-anywhere">{withIsolatedNames(source.description)}</span>
        <Money cents={cents} />
      </span>
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-12 text-muted">
        <DateTime at={source.happenedAt} />
        {cents === whole ? null : <span>{`of ${formatMoney(whole)}`}</span>}
        <LineLinks
          uid={uid}
          saleId={source.saleID}
          payoutId={source.payoutID}
          tradeId={source.tradeID}
          itemIds={source.itemIDs}
          position={source.position}
        />
        {source.returnedFrom.map((line) => (
          <WhyLink key={line} why={{ kind: "line", uid, line: String(line) }}>
            What it gave back
          </WhyLink>
        ))}
      </span>
    </li>
  );
}
