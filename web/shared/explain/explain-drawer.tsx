// Explains a number in a drawer: the lines that it is the sum of, and where money came from and went.
import { useProfile } from "#web/shared/account/session.tsx";
import { useConsignor } from "#web/shared/consignor/consignor-api.ts";
import { useParams } from "#web/lib/search-param.ts";
import { momentIn } from "#web/shared/past/moment.ts";
import { Drawer } from "#web/ui/drawer.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { HistoryIcon } from "#web/ui/thing-icons.ts";
import { AccountPart } from "./account-part.tsx";
import { accountNames } from "./account-words.ts";
import { numberNames, ownSoldNames, soldNames, totalNames } from "./explain-words.ts";
import { FundingPart } from "./funding-part.tsx";
import { NumberPart } from "./number-part.tsx";
import { PaidByPart } from "./paid-by-part.tsx";
import { OriginPart } from "./origin-part.tsx";
import { ReportPart } from "./report-part.tsx";
import { reportDays, reportWhyIn } from "./report-why.ts";
import { reportNames } from "./report-words.ts";
import { OwnSoldPart, SoldPart } from "./sold-part.tsx";
import { TotalPart } from "./total-part.tsx";
import type { Why } from "./why.ts";
import { whyIn } from "./why-in.ts";

const NO_NUMBER = "Why this number?";

type ExplainDrawerProps = { readonly onClose: () => void };

function titleOf(why: Why): string {
  if (why.kind === "number") {
    return `${numberNames[why.number]}: why this number?`;
  }
  if (why.kind === "total") {
    return `${totalNames[why.id]}: why this number?`;
  }
  if (why.kind === "sold") {
    return `${soldNames[why.id]}: why this number?`;
  }
  if (why.kind === "ownSold") {
    return `${ownSoldNames[why.number]}: why this number?`;
  }
  if (why.kind === "report") {
    const asked = reportWhyIn(why.id);
    return asked === undefined ? NO_NUMBER : `${reportNames[asked.number]}: why this number?`;
  }
  if (why.kind === "account") {
    return `${accountNames[why.id]}: why this balance?`;
  }
  if (why.kind === "item") {
    return "Where it came from";
  }
  return why.kind === "sale" ? "What this sale paid for" : "What funded this";
}

export function ExplainDrawer({ onClose }: ExplainDrawerProps) {
  const [params] = useParams();
  const why = whyIn(params);
  if (why === undefined) {
    return (
      <Drawer title={NO_NUMBER} onClose={onClose}>
        <NoNumber />
      </Drawer>
    );
  }
  return (
    <Drawer title={titleOf(why)} subtitle={<Whose why={why} />} onClose={onClose}>
      <Explanation why={why} at={momentIn(params)} />
    </Drawer>
  );
}

function NoNumber() {
  return (
    <EmptyState icon={HistoryIcon} title="This address names no number that can be explained" />
  );
}

type ExplanationProps = {
  readonly why: Why;
  /** A time or a position of the past; undefined for now. */
  readonly at: string | undefined;
};

function Explanation({ why, at }: ExplanationProps) {
  if (why.kind === "number") {
    return <NumberPart uid={why.uid} number={why.number} at={at} />;
  }
  if (why.kind === "total") {
    return <TotalPart number={why.id} />;
  }
  if (why.kind === "sold") {
    return <SoldPart number={why.id} />;
  }
  if (why.kind === "ownSold") {
    return <OwnSoldPart uid={why.uid} number={why.number} />;
  }
  if (why.kind === "report") {
    const asked = reportWhyIn(why.id);
    return asked === undefined ? <NoNumber /> : <ReportPart asked={asked} />;
  }
  if (why.kind === "account") {
    return <AccountPart account={why.id} />;
  }
  if (why.kind === "sale") {
    return <PaidByPart saleId={why.id} />;
  }
  return why.kind === "item" ? <OriginPart itemId={why.id} /> : <FundingPart spent={why} />;
}

/** Whose number it is, and of which days. */
function Whose({ why }: { readonly why: Why }) {
  const asked = why.kind === "report" ? reportWhyIn(why.id) : undefined;
  const isOfPerson = why.kind === "number" || why.kind === "ownSold";
  const uid = isOfPerson ? why.uid : asked?.consignor;
  const isOwn = useProfile().uid === uid;
  const person = useConsignor(isOwn ? undefined : uid);
  const all = asked?.whose === undefined ? undefined : "All consignors";
  const name = uid === undefined ? all : isOwn ? "Your account" : (person?.label ?? "\u00a0");
  const days = asked === undefined ? undefined : reportDays(asked);
  const words = [name, days].filter((one) => one !== undefined);
  return words.length === 0 ? null : <>{words.join(", ")}</>;
}
