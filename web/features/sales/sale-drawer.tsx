// One sale next to the list: how its money was split, its refunds, and the buttons to correct or refund it.
import { Pencil, RotateCcw } from "lucide-react";
import { useState } from "react";
import type { SaleView, Tender } from "#features/sales/contract.ts";
import type { StoryEntry } from "#features/sales/contract-story.ts";
import { receiptNumberOf } from "#features/sales/contract-receipt.ts";
import { toCents } from "#ledger/money.ts";
import { formatCount } from "#web/lib/formats.ts";
import type { Freshness } from "#web/lib/read.ts";
import { consignorPath, paths } from "#web/paths.ts";
import { Button } from "#web/ui/button.tsx";
import { Chip } from "#web/ui/chip.tsx";
import { DateTime } from "#web/ui/date-time.tsx";
import { Drawer } from "#web/ui/drawer.tsx";
import { ErrorState } from "#web/ui/error-state.tsx";
import { FactList } from "#web/ui/fact-list.tsx";
import { Money } from "#web/ui/money.tsx";
import { onDemand } from "#web/ui/on-demand.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { Unknown } from "#web/ui/unknown.tsx";
import { TextLink } from "#web/ui/text-link.tsx";
import { TextButton } from "#web/ui/text-button.tsx";
import { AuditLink } from "#web/shared/audit/audit-link.tsx";
import { ExplainHost } from "#web/shared/explain/explain-host.tsx";
import { WhyLink } from "#web/shared/explain/line-links.tsx";
import { useSale } from "#web/shared/sale/sale-api.ts";
import { SaleStory } from "#web/shared/sale/sale-story.tsx";
import { tenderWords } from "#web/shared/receipt/receipt-content.ts";
import { PrintReceiptButton } from "./print-receipt-button.tsx";
import { SaleMoney } from "./sale-money.tsx";
import { consignorOf, exceptionsOf, kindWords } from "./sale-words.ts";

const CorrectSaleForm = onDemand(() =>
  import("./correct-sale-form.tsx").then((file) => file.CorrectSaleForm),
);
const TenderForm = onDemand(() => import("./tender-form.tsx").then((file) => file.TenderForm));
const CertificateForm = onDemand(() =>
  import("./certificate-form.tsx").then((file) => file.CertificateForm),
);
const RefundForm = onDemand(() => import("./refund-form.tsx").then((file) => file.RefundForm));

type OpenForm = {
  readonly name: keyof typeof forms;
  /** As it was when the form was opened. What somebody else changes since is refused, with what was typed still there. */
  readonly sale: SaleView;
  /** For "tender": the refund that went back in another way. */
  readonly refund?: StoryEntry["refund"] | undefined;
};

type OnForm = (name: OpenForm["name"], refund?: OpenForm["refund"]) => void;

type SaleDrawerProps = {
  readonly id: string;
  /** The sale as the list shows it, until the sale's own read has loaded. */
  readonly known: SaleView | undefined;
  /** The list's freshness, for a held sale that has no read of its own. */
  readonly listFreshness: Freshness | undefined;
  readonly onClose: () => void;
  readonly onPrevious: (() => void) | undefined;
  readonly onNext: (() => void) | undefined;
};

export function SaleDrawer(props: SaleDrawerProps) {
  const { id, known, listFreshness, onClose, onPrevious, onNext } = props;
  const read = useSale(id);
  const [form, setForm] = useState<OpenForm>();
  const sale = read.data?.sale ?? known;
  const openForm: OnForm = (name, refund) => {
    if (sale !== undefined) {
      setForm({ name, sale, refund });
    }
  };
  const close = () => setForm(undefined);
  const reload = () => {
    read.refresh();
    close();
  };
  return (
    <>
      <Drawer
        title={sale?.itemName ?? "Sale"}
        subtitle={
          sale === undefined ? undefined : (
            <span className="flex flex-wrap items-center gap-2">
              {exceptionsOf(sale).map((exception) => (
                <Chip key={exception.children} {...exception} />
              ))}
              <DateTime at={sale.dateSold} />
            </span>
          )
        }
        freshness={read.freshness ?? listFreshness}
        onClose={onClose}
        onPrevious={onPrevious}
        onNext={onNext}
        footer={sale === undefined ? undefined : <Footer sale={sale} onForm={openForm} />}
      >
        {sale === undefined ? (
          read.error === undefined ? (
            <Skeleton className="h-48" />
          ) : (
            <ErrorState
              title="The sale could not be loaded"
              thing="sale"
              error={read.error}
              onRetry={read.refresh}
            />
          )
        ) : (
          <div className="flex flex-col gap-6">
            <ExplainHost />
            <SaleMoney sale={sale} />
            <SaleStory
              key={sale.saleID}
              saleId={sale.saleID}
              consignorId={sale.consignorID}
              isOwn={false}
              onRefundWrong={(refund) => openForm("tender", refund)}
            />
            <FactList facts={factsOf(sale, openForm)} />
          </div>
        )}
      </Drawer>
      {form === undefined ? null : <SaleForm {...form} onClose={close} onReload={reload} />}
    </>
  );
}

type SaleFormProps = OpenForm & {
  readonly onClose: () => void;
  readonly onReload: () => void;
};

const forms = {
  correct: CorrectSaleForm,
  refund: RefundForm,
  tender: TenderForm,
  certificate: CertificateForm,
} as const;

function SaleForm({ name, ...props }: SaleFormProps) {
  const Form = forms[name];
  return <Form {...props} />;
}

type FooterProps = { readonly sale: SaleView; readonly onForm: OnForm };

function Footer({ sale, onForm }: FooterProps) {
  return (
    <>
      <PrintReceiptButton key={sale.saleID} saleId={sale.saleID} />
      <Button
        icon={RotateCcw}
        disabled={sale.status === "refunded"}
        onClick={() => onForm("refund")}
      >
        Refund sale
      </Button>
      <Button icon={Pencil} variant="primary" onClick={() => onForm("correct")}>
        Edit sale
      </Button>
    </>
  );
}

const channelWords = { pos: "Point of sale", online: "Online" };

function factsOf(sale: SaleView, onForm: OnForm) {
  const { consignorID, channel, barcode1, itemUID, saleRecord } = sale;
  return [
    { label: "Kind", value: kindWords[sale.kind] },
    ...(consignorID === null
      ? []
      : [
          {
            label: "Consignor",
            value: <TextLink to={consignorPath(consignorID)}>{consignorOf(sale)}</TextLink>,
          },
        ]),
    ...(consignorID === null
      ? []
      : [
          {
            label: "Money",
            value: <WhyLink why={{ kind: "sale", id: sale.saleID }}>What it paid for</WhyLink>,
          },
        ]),
    { label: "Quantity sold", value: formatCount(sale.soldQuantity) },
    {
      label: "Sales tax",
      value: sale.taxExempt ? (
        <TaxExempt onErase={() => onForm("certificate")} />
      ) : (
        <Money cents={toCents(sale.salesTax)} />
      ),
    },
    ...(sale.taxRate === null ? [] : [{ label: "Tax rate", value: taxRateOf(sale.taxRate) }]),
    {
      label: "Sold through",
      value: channel === null ? <Unknown reason="no channel" /> : channelWords[channel],
    },
    ...(sale.tender === null && channel !== "pos"
      ? []
      : [
          {
            label: "Paid by",
            value: <PaidBy tender={sale.tender} onWrong={() => onForm("tender")} />,
          },
        ]),
    ...(sale.receiptID === null
      ? []
      : [{ label: "Receipt", value: <Code>{receiptNumberOf(sale.receiptID)}</Code> }]),
    {
      label: "Barcode",
      value: barcode1 === null ? <Unknown reason="no barcode" /> : <Code>{barcode1}</Code>,
    },
    ...(itemUID === null
      ? []
      : [
          {
            label: "Item",
            value: <TextLink to={`${paths.admin}?item=${itemUID}`}>Open item</TextLink>,
          },
        ]),
    ...(saleRecord === "" ? [] : [{ label: "Record", value: saleRecord }]),
    { label: "Sale ID", value: <Code>{sale.saleID}</Code> },
    { label: "History", value: <AuditLink to={{ sale: sale.saleID }} /> },
  ];
}

type PaidByProps = { readonly tender: Tender | null; readonly onWrong: () => void };

function PaidBy({ tender, onWrong }: PaidByProps) {
  return (
    <span className="flex flex-wrap items-center gap-x-3">
      {tender === null ? <Unknown reason="nobody said" /> : tenderWords[tender]}
      <TextButton onClick={onWrong} aria-label="Correct payment">
        Correct
      </TextButton>
    </span>
  );
}

function TaxExempt({ onErase }: { readonly onErase: () => void }) {
  return (
    <span className="flex flex-wrap items-center gap-x-3">
      Tax exempt
      <TextButton onClick={onErase} aria-label="Erase number of the certificate">
        Erase number
      </TextButton>
    </span>
  );
}

/** "8.25%", and whether the store had another rate by then. */
function taxRateOf({ basisPoints, outdated }: NonNullable<SaleView["taxRate"]>) {
  const rate = `${basisPoints / 100}%`;
  return outdated ? (
    <span className="flex flex-wrap items-center gap-2">
      {rate}
      <Chip kind="pending">Outdated when it was sold</Chip>
    </span>
  ) : (
    rate
  );
}

function Code({ children }: { readonly children: string }) {
  return <span className="font-mono text-12">{children}</span>;
}
