// An account of the store or of the world outside by days: what each type of event put in and took out, and whether it adds up.
import { useState } from "react";
import type {
  ExplainAccountResponse,
  StoreAccount,
} from "#features/accounts/contract-explain-store.ts";
import { storeAccount } from "#features/accounts/contract-explain-store.ts";
import { toCents } from "#ledger/money.ts";
import { formatCount, formatDay, formatMoney, formatQuantity } from "#web/lib/formats.ts";
import { useParams } from "#web/lib/search-param.ts";
import { paths } from "#web/paths.ts";
import { storeDayParams } from "#web/shared/sale/sales-filters.ts";
import { DayInput } from "#web/ui/day-input.tsx";
import { ErrorState } from "#web/ui/error-state.tsx";
import { HeldNotice } from "#web/ui/freshness-line.tsx";
import { Money } from "#web/ui/money.tsx";
import { Select } from "#web/ui/select.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { TextLink } from "#web/ui/text-link.tsx";
import { accountNames } from "./account-words.ts";
import { useAccountDays } from "./explain-api.ts";
import { SumCheck } from "./sum-check.tsx";
import { WHY } from "./why.ts";

const choices = storeAccount.options.map((value) => ({ value, label: accountNames[value] }));

export function AccountPart({ account }: { readonly account: StoreAccount }) {
  const [, setParams] = useParams();
  const [days, setDays] = useState({ from: "", to: "" });
  const { data, error, refresh, freshness } = useAccountDays(account, days);
  return (
    <div className="flex flex-col gap-6">
      <div className="flex flex-wrap gap-2">
        <Select
          aria-label="Account"
          value={account}
          choices={choices}
          onValue={(chosen) => setParams({ [WHY]: `account:${chosen}` })}
        />
        <DayInput
          label="From"
          value={days.from === "" ? (data?.from ?? "") : days.from}
          onDay={(from) => setDays({ ...days, from })}
        />
        <DayInput
          label="To"
          value={days.to === "" ? (data?.to ?? "") : days.to}
          onDay={(to) => setDays({ ...days, to })}
        />
      </div>
      {data !== undefined ? (
        <>
          <HeldNotice freshness={freshness} />
          <Explained data={data} />
        </>
      ) : error === undefined ? (
        <Skeleton className="h-60" />
      ) : (
        <ErrorState title="The account could not be loaded" error={error} onRetry={refresh} />
      )}
    </div>
  );
}

const row = "flex min-h-9 items-center justify-between gap-3 px-4 py-1.5";

function Explained({ data }: { readonly data: ExplainAccountResponse }) {
  const { opening, closing, summed, isBalanced, days, position, timeZone } = data;
  const sum = formatMoney(toCents(summed));
  return (
    <>
      <div className="flex flex-col gap-1">
        <p className="text-24 font-semibold">
          <Money cents={toCents(closing)} />
        </p>
        <SumCheck
          isBalanced={isBalanced}
          sentence={`The opening and ${formatQuantity(days.length, "day")} with entries sum to ${sum}.`}
          shown={formatMoney(toCents(closing))}
        />
        <p className="text-12 text-muted">
          {`At position ${formatCount(position)} of the ledger. Days are those of ${timeZone}, by the time of recording.`}
        </p>
      </div>
      <ul
        aria-label="By day"
        className="divide-y divide-border rounded-card border border-border tabular-nums"
      >
        <li className={`${row} font-semibold`}>
          <span>Closing</span>
          <Money cents={toCents(closing)} />
        </li>
        {days.map((day) => (
          <Day key={day.day} account={data.account} day={day} timeZone={timeZone} />
        ))}
        <li className={row}>
          <span>Opening</span>
          <Money cents={toCents(opening)} />
        </li>
      </ul>
    </>
  );
}

type DayProps = {
  readonly account: StoreAccount;
  readonly day: ExplainAccountResponse["days"][number];
  readonly timeZone: string;
};

function Day({ account, timeZone, day: { day, starts, ends, amount, groups } }: DayProps) {
  // The events of one type that changed this account on the store's day, in the audit log.
  const eventsPath = (type: string) =>
    `${paths.audit}?account=${account}&type=${type}&${storeDayParams(starts, ends, timeZone)}`;
  return (
    <li className="flex flex-col gap-0.5 px-4 py-2">
      <span className="flex items-baseline justify-between gap-4 font-medium">
        <span>{formatDay(new Date(`${day}T12:00:00`))}</span>
        <span className="whitespace-nowrap">{formatMoney(toCents(amount), true)}</span>
      </span>
      {groups.map((group) => (
        <span key={group.type} className="flex items-baseline justify-between gap-4 text-muted">
          <TextLink to={eventsPath(group.type)}>
            {`${group.label}, ${formatQuantity(group.events, "event")}`}
          </TextLink>
          <span className="whitespace-nowrap">
            {formatMoney(toCents(group.in) - toCents(group.out), true)}
          </span>
        </span>
      ))}
    </li>
  );
}
