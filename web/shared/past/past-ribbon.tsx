// Says that the past is shown, as of when, and leads back to now. Nothing can be changed below it.
import { History } from "lucide-react";
import { formatCount, formatDay, formatDayTime, formatExact } from "#web/lib/formats.ts";
import { useParams } from "#web/lib/search-param.ts";
import { Button } from "#web/ui/button.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { dayIn, noPast, type PastView } from "./moment.ts";

type PastRibbonProps = {
  /** Undefined while it is not known; null while the ledger is empty. */
  readonly at: string | null | undefined;
  /** Undefined while it is not known. */
  readonly position: number | undefined;
  readonly view?: PastView;
};

const labels: Readonly<Record<PastView, string | undefined>> = {
  recorded: undefined,
  effective: "By when things happened, as far as it is known now. This is not a statement.",
  compare: undefined,
};

export function PastRibbon({ at, position, view = "recorded" }: PastRibbonProps) {
  const [params, setParams] = useParams();
  const label = labels[view];
  const day = dayIn(params);
  return (
    <section
      aria-label="The past"
      className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-card border border-accent bg-accent-tint px-4 py-2 text-text"
    >
      <span className="flex min-w-0 grow items-start gap-2">
        <Icon of={History} className="mt-0.5 text-accent" />
        <span className="flex flex-col">
          <span className="font-medium">
            {"As of "}
            <When at={at} day={day} />
            {(at === undefined && day === undefined) || position === undefined ? "" : ", "}
            {position === undefined ? "" : `position ${formatCount(position)}`}
            {at === undefined && day === undefined && position === undefined ? "…" : ""}
          </span>
          <span className="text-12 text-muted">
            {label ?? "As it was recorded then. Nothing can be changed here."}
          </span>
        </span>
      </span>
      <Button onClick={() => setParams(noPast)}>Back to now</Button>
    </section>
  );
}

type WhenProps = Pick<PastRibbonProps, "at"> & { readonly day: Date | undefined };

function When({ at, day }: WhenProps) {
  if (day !== undefined) {
    // Its end is another time of day in each browser, so the day is named instead.
    const end = at?.includes("T") === true ? formatExact(new Date(at)) : undefined;
    return <span data-tip={end}>{`the end of ${formatDay(day)} in the store`}</span>;
  }
  if (at === undefined) {
    return null;
  }
  return at === null ? (
    <>the beginning</>
  ) : (
    <time dateTime={at} data-tip={formatExact(new Date(at))}>
      {formatDayTime(new Date(at))}
    </time>
  );
}

/** For an answer that does not say which moment it shows: what the address asked for. */
export function AskedRibbon({ at }: { readonly at: string }) {
  const isPosition = /^\d+$/u.test(at);
  return (
    <PastRibbon at={isPosition ? undefined : at} position={isPosition ? Number(at) : undefined} />
  );
}
