// /admin/end-of-day: what was paid by each tender, what should be in the drawer, and the days that were counted.
import { Coins } from "lucide-react";
import { useState } from "react";
import type { RefundsBy, TillClosing, TillDayResponse } from "#features/till/contract.ts";
import { toCents } from "#ledger/money.ts";
import { formatDay } from "#web/lib/formats.ts";
import { useParams } from "#web/lib/search-param.ts";
import { paths } from "#web/paths.ts";
import { Button } from "#web/ui/button.tsx";
import { DataTable } from "#web/ui/data-table.tsx";
import { DayInput } from "#web/ui/day-input.tsx";
import { Drawer as CountDrawer } from "#web/ui/drawer.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { ErrorState } from "#web/ui/error-state.tsx";
import { ExportButton } from "#web/ui/export-button.tsx";
import { FreshnessLine } from "#web/ui/freshness-line.tsx";
import { Money } from "#web/ui/money.tsx";
import { onDemand } from "#web/ui/on-demand.tsx";
import { Page } from "#web/ui/page.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { SumLines } from "#web/ui/sum-lines.tsx";
import { TextLink } from "#web/ui/text-link.tsx";
import { closingColumns } from "./closing-columns.tsx";
import { draftOf, expectedOf } from "./count-draft.ts";
import { CountPart } from "./count-part.tsx";
import { useTillDay, useTillDays } from "./end-of-day-api.ts";
import { PaymentsPart } from "./payments-part.tsx";
import { dayDate, paymentName } from "./till-words.ts";

const CountForm = onDemand(() => import("./count-form.tsx").then((file) => file.CountForm));

const RefundsDrawer = onDemand(() =>
  import("./refunds-drawer.tsx").then((file) => file.RefundsDrawer),
);

const ChangesDrawer = onDemand(() =>
  import("./changes-drawer.tsx").then((file) => file.ChangesDrawer),
);

const refundsChoices = ["all", "cash", "card", "other", "unsaid", "elsewhere"] as const;

const dayPattern = /^20\d\d-\d\d-\d\d$/u;
const idOf = ({ position }: TillClosing): string => String(position);

export function EndOfDayScreen() {
  const [params, setParams] = useParams();
  const asked = params.get("day") ?? "";
  const { data, error, freshness, refresh } = useTillDay(
    dayPattern.test(asked) ? asked : undefined,
  );
  const shown = refundsChoices.find((by) => by === params.get("refunds"));
  const refundsPath = (by: RefundsBy | undefined) => {
    const next = new URLSearchParams(params);
    next.set("refunds", by ?? "all");
    return `?${next.toString()}`;
  };
  // What is counted is the day that was on screen at the click: at midnight the screen moves on to the next one.
  const [counting, setCounting] = useState<TillDayResponse>();
  return (
    <Page
      title="End of Day"
      subtitle={<FreshnessLine freshness={freshness} />}
      isWide
      actions={
        <>
          <DayInput
            label="Day"
            value={data?.day ?? ""}
            onDay={(day) => setParams({ day: day === "" || day === data?.today ? undefined : day })}
          />
          <Button
            variant="primary"
            icon={Coins}
            disabled={data === undefined || data.day > data.today}
            onClick={() => setCounting(data)}
          >
            {data?.closing === null || data === undefined ? "Count the drawer" : "Count again"}
          </Button>
        </>
      }
    >
      {data === undefined && error !== undefined ? (
        <ErrorState
          title="This day could not be loaded"
          missing={{ title: "There is no such day", text: "Choose a day above." }}
          error={error}
          onRetry={refresh}
        />
      ) : (
        <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_26rem]">
          <section aria-label="Payments" className="card flex flex-col gap-2 p-4">
            <h2 className="text-16 font-semibold">
              {data === undefined ? "Payments" : `Payments, ${formatDay(dayDate(data.day))}`}{" "}
              <span className="text-12 font-normal text-muted">with tax</span>
            </h2>
            {data === undefined ? (
              <Skeleton className="h-44 w-full" />
            ) : (
              <PaymentsPart {...data} refundsPath={refundsPath} />
            )}
          </section>
          <section aria-label="Drawer" className="card flex flex-col gap-2 p-4">
            <h2 className="text-16 font-semibold">Drawer</h2>
            {data === undefined ? <Skeleton className="h-44 w-full" /> : <Drawer day={data} />}
          </section>
        </div>
      )}
      <Counts />
      {data === undefined || shown === undefined ? null : (
        <RefundsDrawer
          day={data.day}
          by={shown === "all" ? undefined : shown}
          onClose={() => setParams({ refunds: undefined })}
        />
      )}
      {data === undefined || params.get("changes") === null ? null : (
        <ChangesDrawer day={data.day} onClose={() => setParams({ changes: undefined })} />
      )}
      {counting === undefined ? null : (
        <CountForm opened={counting} onClose={() => setCounting(undefined)} />
      )}
    </Page>
  );
}

function Drawer({ day }: { readonly day: TillDayResponse }) {
  const { closing } = day;
  if (closing === null) {
    const draft = draftOf(day);
    return (
      <>
        <SumLines
          lines={[
            { label: "At opening", cents: toCents(day.leftBefore ?? 0) },
            { label: "Cash sales less cash refunds", cents: cashOf(day) },
          ]}
          total={{ label: "Expected in the drawer", cents: expectedOf(day, draft) ?? 0 }}
        />
        <p className="text-muted">Not counted yet.</p>
      </>
    );
  }
  return (
    <>
      <CountPart closing={closing} day={day} />
      <Since closing={closing} />
    </>
  );
}

function cashOf({ payments }: Pick<TillDayResponse, "payments">): number {
  const cash = payments.find(({ tender }) => tender === "cash");
  return toCents(cash?.soldAmount ?? 0) - toCents(cash?.refundedAmount ?? 0);
}

/** Sales that arrived, or were corrected, after the day was counted. Leads to them. */
function Since({ closing: { day, since } }: { readonly closing: TillClosing }) {
  return since.length === 0 ? null : (
    <p className="flex flex-wrap gap-x-2 text-pending">
      <span>
        Changed since the count:{" "}
        {since.map(({ tender, amount }, index) => (
          <span key={paymentName({ tender })}>
            {index === 0 ? "" : ", "}
            {`${paymentName({ tender })} `}
            <Money cents={toCents(amount)} isChange />
          </span>
        ))}
      </span>
      <TextLink to={`${paths.endOfDay}?day=${day}&changes=yes`}>What changed</TextLink>
    </p>
  );
}

function Counts() {
  const closings = useTillDays();
  const [openId, setOpenId] = useState<string>();
  const open = closings.rows?.find((closing) => idOf(closing) === openId);
  return (
    <section aria-label="Counted days" className="flex flex-col gap-2">
      <div className="flex items-center justify-between gap-2">
        <h2 className="text-16 font-semibold">Counted days</h2>
        {closings.rows === undefined || closings.rows.length === 0 ? null : (
          <span className="no-print">
            <ExportButton path="/till/days/export" name="counted-days" />
          </span>
        )}
      </div>
      <DataTable
        label="Counted days"
        columns={closingColumns}
        rows={closings.rows}
        rowId={idOf}
        opening={{ onOpen: (closing) => setOpenId(idOf(closing)), openId }}
        error={closings.error}
        errorTitle="The counted days could not be loaded"
        onRetry={closings.refresh}
        empty={
          <EmptyState icon={Coins} title="No day has been counted yet">
            Count the drawer in the evening. Each count is kept with what was expected.
          </EmptyState>
        }
        more={closings}
      />
      {open === undefined ? null : (
        <CountDrawer
          title={`Count of ${formatDay(dayDate(open.day))}`}
          subtitle={open.isReplaced ? "Counted again later" : undefined}
          onClose={() => setOpenId(undefined)}
        >
          <div className="flex flex-col gap-3">
            <CountPart closing={open} />
            <Since closing={open} />
          </div>
        </CountDrawer>
      )}
    </section>
  );
}
