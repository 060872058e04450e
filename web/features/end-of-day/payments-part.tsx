// What was paid on a day by each tender, with tax: sales, refunds and what is left of both.
import {
  correctionTypes,
  type RefundsBy,
  type TillDayResponse,
  type TillPaymentView,
} from "#features/till/contract.ts";
import { toCents } from "#ledger/money.ts";
import { formatMoney, formatQuantity } from "#web/lib/formats.ts";
import { paths } from "#web/paths.ts";
import { storeDayParams } from "#web/shared/sale/sales-filters.ts";
import { Money } from "#web/ui/money.tsx";
import { SmallTable } from "#web/ui/small-table.tsx";
import { TextLink } from "#web/ui/text-link.tsx";
import { paymentName } from "./till-words.ts";

const columns = [
  { label: "Paid by" },
  { label: "Sales", align: "end" },
  { label: "Refunds", align: "end" },
  { label: "Total", align: "end" },
] as const;

type PaymentsPartProps = Pick<
  TillDayResponse,
  "payments" | "elsewhere" | "corrections" | "from" | "to"
> & {
  /** The address of the day's refunds; undefined for all of them. */
  readonly refundsPath: (by: RefundsBy | undefined) => string;
};

export function PaymentsPart(props: PaymentsPartProps) {
  const { payments, elsewhere, corrections, from, to, refundsPath } = props;
  const listOf = ({ tender }: TillPaymentView): string =>
    `${paths.adminSales}?${storeDayParams(from, to)}&paid=${tender ?? "unsaid"}`;
  const sum = (part: (payment: TillPaymentView) => number): number =>
    payments.reduce((total, payment) => total + toCents(part(payment)), 0);
  const sold = sum(({ soldAmount }) => soldAmount);
  const refunded = sum(({ refundedAmount }) => refundedAmount);
  return (
    <div className="sm:[&_table]:text-14 [&_td]:h-9">
      <SmallTable
        label="Payments of the day"
        columns={columns}
        foot={
          <tr className="border-t border-border-strong font-semibold">
            <td>Total</td>
            <Amount cents={sold} />
            <Amount cents={-refunded} to={refundsPath(undefined)} label="All refunds" />
            <Amount cents={sold - refunded} />
          </tr>
        }
      >
        {payments.map((payment) => {
          const [soldCents, backCents] = [
            toCents(payment.soldAmount),
            toCents(payment.refundedAmount),
          ];
          return (
            <tr key={paymentName(payment)} className="border-b border-border last:border-b-0">
              <td>
                <TextLink to={listOf(payment)}>{paymentName(payment)}</TextLink>
              </td>
              <Amount cents={soldCents} />
              <Amount
                cents={-backCents}
                to={refundsPath(payment.tender ?? "unsaid")}
                label={`Refunds by ${paymentName(payment)}`}
              />
              <Amount cents={soldCents - backCents} />
            </tr>
          );
        })}
      </SmallTable>
      <Elsewhere elsewhere={elsewhere} from={from} to={to} refundsPath={refundsPath} />
      {corrections === 0 ? null : (
        <p className="mt-2">
          <TextLink
            to={`${paths.audit}?type=${correctionTypes.join(",")}&${storeDayParams(from, to)}`}
          >
            {`${formatQuantity(corrections, "correction was", "corrections were")} recorded on this day`}
          </TextLink>
        </p>
      )}
    </div>
  );
}

type ElsewhereProps = Omit<PaymentsPartProps, "payments" | "corrections">;

/** Sales and refunds that went through no till. They are in no drawer. */
function Elsewhere({ elsewhere, from, to, refundsPath }: ElsewhereProps) {
  const { sales, soldAmount, refundedAmount } = elsewhere;
  return sales === 0 && refundedAmount === 0 ? null : (
    <p className="mt-2 flex flex-wrap items-baseline gap-x-2 text-muted">
      {`Not at the till: ${formatQuantity(sales, "sale")}, ${formatMoney(toCents(soldAmount))}`}
      {refundedAmount === 0 ? null : (
        <TextLink to={refundsPath("elsewhere")}>
          {`refunded ${formatMoney(toCents(refundedAmount))}`}
        </TextLink>
      )}
      <TextLink to={`${paths.adminSales}?${storeDayParams(from, to)}`}>
        All sales of the day
      </TextLink>
    </p>
  );
}

type AmountProps = {
  readonly cents: number;
  /** The address of the rows that the amount sums; left out if there are none. */
  readonly to?: string;
  readonly label?: string;
};

/** A plain minus would turn 0 into −0. */
function Amount({ cents, to, label }: AmountProps) {
  const amount = <Money cents={cents === 0 ? 0 : cents} />;
  return (
    <td className="text-end">
      {to === undefined || cents === 0 ? (
        amount
      ) : (
        <TextLink to={to} aria-label={`${label}: ${formatMoney(cents)}`}>
          {amount}
        </TextLink>
      )}
    </td>
  );
}
