// What was found out about a statement's file: the verdict, what the signature confirms, and what was recorded later.
import { CircleCheck, OctagonAlert, TriangleAlert, type LucideIcon } from "lucide-react";
import type { StatementProof } from "#features/accounts/contract-statement-proof.ts";
import {
  balancesOf,
  laterNote,
  laterSentences,
  nothingLater,
  type Verdict,
  wordsOf,
} from "#features/accounts/contract-statement-verdict.ts";
import { toCents } from "#ledger/money.ts";
import { formatCount, formatDay, formatMoney } from "#web/lib/formats.ts";
import { DateTime } from "#web/ui/date-time.tsx";
import { FactList } from "#web/ui/fact-list.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { Money } from "#web/ui/money.tsx";

type Look = { readonly icon: LucideIcon; readonly colors: string };

const good: Look = { icon: CircleCheck, colors: "bg-credit-tint text-credit" };
const doubtful: Look = { icon: TriangleAlert, colors: "bg-pending-tint text-pending" };
const bad: Look = { icon: OctagonAlert, colors: "bg-danger-tint text-danger" };

const looks: Readonly<Record<Verdict["kind"], Look>> = {
  genuine: good,
  uncompared: doubtful,
  unsigned: doubtful,
  unreadable: doubtful,
  changed: bad,
  rewritten: bad,
  contradicted: bad,
  forged: bad,
  foreign: bad,
};

type StatementVerdictProps = { readonly fileName: string; readonly verdict: Verdict };

export function StatementVerdict({ fileName, verdict }: StatementVerdictProps) {
  const { title, sentence } = wordsOf(verdict);
  const { icon, colors } = looks[verdict.kind];
  return (
    <div className="flex flex-col gap-4">
      <div className={`flex items-start gap-2 rounded-control px-3 py-2 ${colors}`}>
        <Icon of={icon} className="mt-0.5" />
        <div className="flex min-w-0 flex-col gap-1 wrap-anywhere">
          <h2 className="font-semibold">{title}</h2>
          <p>{sentence}</p>
          <p className="text-12">{fileName}</p>
        </div>
      </div>
      {"proof" in verdict ? <Confirmed verdict={verdict} proof={verdict.proof} /> : null}
      {verdict.kind === "genuine" ? <Later later={verdict.later} proof={verdict.proof} /> : null}
    </div>
  );
}

type ConfirmedProps = { readonly verdict: Verdict; readonly proof: StatementProof };

function Confirmed({ verdict, proof }: ConfirmedProps) {
  const { uid, from, to, timeZone, position, head, iat } = proof;
  const day = (text: string) => formatDay(new Date(`${text}T12:00:00`));
  return (
    <section className="flex flex-col gap-2">
      <h2 className="font-semibold">
        {verdict.kind === "changed" ? "What the store signed instead" : "What the store signed"}
      </h2>
      <FactList
        facts={[
          {
            label: "Period",
            value: `${day(from)} to ${day(to)} (${timeZone.replaceAll("_", " ")})`,
          },
          ...balancesOf(proof).map(({ label, cents }) => ({
            label,
            value: <Money cents={cents} isBalance />,
          })),
          { label: "Account", value: <code className="font-mono text-12">{uid}</code> },
          { label: "Signed", value: <DateTime at={new Date(iat * 1000).toISOString()} /> },
          { label: "Position", value: formatCount(position) },
          {
            label: "Hash there",
            value: <code className="font-mono text-12">{head ?? "none"}</code>,
          },
        ]}
      />
    </section>
  );
}

type LaterProps = Pick<Extract<Verdict, { kind: "genuine" }>, "later" | "proof">;

function Later({ later, proof }: LaterProps) {
  const sentences = laterSentences(later, (dollars) => formatMoney(toCents(dollars), true));
  return (
    <section className="flex flex-col gap-2">
      <h2 className="font-semibold">Recorded since</h2>
      {sentences.length === 0 ? (
        <p className="text-muted">{nothingLater(proof, later)}</p>
      ) : (
        <>
          <ul className="flex list-disc flex-col gap-1 pl-5">
            {sentences.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
          <p className="text-12 text-muted">
            Up to position {formatCount(later.through)}. The statement was right when it was issued.{" "}
            {laterNote(proof)}
          </p>
        </>
      )}
    </section>
  );
}
