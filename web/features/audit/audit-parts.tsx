// Parts of an event's drawer: what it moved, what it changed of each thing, and the events it is related to.
import { ArrowLeft, ArrowRight } from "lucide-react";
import { Link } from "react-router-dom";
import type {
  AuditEvent,
  AuditRelated,
  AuditStream,
  AuditThing,
} from "#features/audit/contract.ts";
import { toCents } from "#ledger/money.ts";
import { formatCount, formatQuantity } from "#web/lib/formats.ts";
import { withIsolatedNames } from "#web/lib/isolated.ts";
import { DateTime } from "#web/ui/date-time.tsx";
import { FactList } from "#web/ui/fact-list.tsx";
import { IconButton } from "#web/ui/icon-button.tsx";
import { Money } from "#web/ui/money.tsx";
import { SmallTable } from "#web/ui/small-table.tsx";
import { TextButton } from "#web/ui/text-button.tsx";
import { Unknown } from "#web/ui/unknown.tsx";
import { thingPath, thingText } from "./audit-words.ts";

/** Who reads, and whom the event touches: some things have an address only for them. */
export type PathOf = { readonly isAdmin: boolean; readonly whom: string | null };

export function ThingLink({ thing, path }: { readonly thing: AuditThing; readonly path: PathOf }) {
  const text = thingText(thing, path.isAdmin);
  const to = thingPath(thing, path.isAdmin, path.whom);
  return to === undefined ? (
    <span className="wrap-anywhere">{text}</span>
  ) : (
    <Link
      to={to}
      className="inline-flex min-h-6 items-center text-accent wrap-anywhere hover:underline"
    >
      {text}
    </Link>
  );
}

/** Postings and movements, if there are any. */
export function Moved({ event: { postings, movements } }: { readonly event: AuditEvent }) {
  const rows = [
    ...postings.map(({ from, to, amount }) => ({
      from: from.label,
      to: to.label,
      what: <Money cents={toCents(amount)} />,
    })),
    ...movements.map(({ from, to, units }) => ({
      from: from.label,
      to: to.label,
      what: <span className="whitespace-nowrap">{formatQuantity(units, "unit")}</span>,
    })),
  ];
  return rows.length === 0 ? null : (
    <section className="flex flex-col gap-2">
      <h3 className="font-medium">Moved</h3>
      <SmallTable
        label="What the event moved"
        columns={[{ label: "From" }, { label: "To" }, { label: "Amount", align: "end" }]}
      >
        {rows.map(({ from, to, what }, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- the order of postings is their identity
          <tr key={index} className="border-b border-border last:border-b-0">
            <td className="h-8 wrap-anywhere">{withIsolatedNames(from)}</td>
            <td className="wrap-anywhere">{withIsolatedNames(to)}</td>
            <td className="text-end">{what}</td>
          </tr>
        ))}
      </SmallTable>
    </section>
  );
}

/** What the event says beyond what its things show, if there is anything. */
export function Said({ said }: Pick<AuditEvent, "said">) {
  return said.length === 0 ? null : (
    <section className="flex flex-col gap-2">
      <h3 className="font-medium">Also says</h3>
      <FactList
        facts={said.map(({ field, value }) => ({
          label: field,
          value: <ChangedValue value={value} />,
        }))}
      />
    </section>
  );
}

type StreamChangesProps = {
  readonly stream: AuditStream;
  readonly path: PathOf;
  readonly onOpen: (position: number) => void;
};

export function StreamChanges({ stream, path, onOpen }: StreamChangesProps) {
  const { thing, version, changes, previous, next } = stream;
  const name = thingText(thing, path.isAdmin);
  return (
    <section
      aria-label={withIsolatedNames(name)}
      className="flex flex-col gap-1 rounded-card border border-border p-3"
    >
      <div className="flex items-center gap-2">
        <h4 className="min-w-0 grow font-medium">
          <ThingLink thing={thing} path={path} />
        </h4>
        <span className="shrink-0 text-12 text-muted tabular-nums">
          {`Event ${formatCount(version)}`}
        </span>
        <IconButton
          icon={ArrowLeft}
          label={`Previous event of ${name}`}
          disabled={previous === null}
          onClick={() => (previous === null ? undefined : onOpen(previous))}
        />
        <IconButton
          icon={ArrowRight}
          label={`Next event of ${name}`}
          disabled={next === null}
          onClick={() => (next === null ? undefined : onOpen(next))}
        />
      </div>
      {changes.length === 0 ? (
        <p className="text-12 text-muted">Nothing changed that is shown here.</p>
      ) : (
        <SmallTable
          label={`What changed: ${name}`}
          columns={[{ label: "Field" }, { label: "Before" }, { label: "After" }]}
        >
          {changes.map(({ field, before, after }, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- two entries of a list may be the same
            <tr key={index} className="border-b border-border last:border-b-0">
              <th scope="row" className="h-8 py-1 pe-1.5 text-start font-normal text-muted">
                {field}
              </th>
              <td className="wrap-anywhere text-muted">
                <ChangedValue value={before} />
              </td>
              <td className="font-medium wrap-anywhere">
                <ChangedValue value={after} />
              </td>
            </tr>
          ))}
        </SmallTable>
      )}
    </section>
  );
}

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/u;

/** A value as the server has it in words; times come as they are stored. */
function ChangedValue({ value }: { readonly value: string | null }) {
  if (value === null) {
    return <Unknown reason="nothing" />;
  }
  return instant.test(value) ? <DateTime at={value} /> : value;
}

type RelatedProps = {
  readonly title: string;
  readonly events: readonly AuditRelated[];
  readonly onOpen: (position: number) => void;
};

export function Related({ title, events, onOpen }: RelatedProps) {
  return events.length === 0 ? null : (
    <section className="flex flex-col gap-2">
      <h3 className="font-medium">{title}</h3>
      <ul className="flex flex-col gap-1">
        {events.map((event) => (
          <li key={event.position} className="flex flex-wrap items-baseline gap-x-2">
            <TextButton onClick={() => onOpen(event.position)}>
              {withIsolatedNames(event.title)}
            </TextButton>
            <span className="text-12 text-muted">
              <DateTime at={event.happenedAt} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
