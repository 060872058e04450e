// The read tables: how far each is behind the log, an hour's chart of that, and the rebuild of each in a drawer.
import { Database } from "lucide-react";
import type { ProjectionStatus } from "#features/operations/contract.ts";
import { formatCount } from "#web/lib/formats.ts";
import { useParams } from "#web/lib/search-param.ts";
import { Button } from "#web/ui/button.tsx";
import { Chip } from "#web/ui/chip.tsx";
import type { Column } from "#web/ui/data-table-column.ts";
import { DataTable } from "#web/ui/data-table.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { LagChart } from "./lag-chart.tsx";
import { behindText, lagText } from "./lag-text.ts";
import { useTables } from "./operations-api.ts";
import { ProjectionDrawer } from "./projection-drawer.tsx";
import { rebuildText } from "./rebuild-text.ts";
import { Section } from "./section.tsx";

/** The tables that are shown. */
function liveOf({ generations }: ProjectionStatus) {
  return generations.find(({ state }) => state === "live");
}

const broken = { stalled: "Stalled", damaged: "Damaged", missing: "No tables" } as const;

function StateChip({ projection }: { readonly projection: ProjectionStatus }) {
  const { state, held } = projection;
  if (state === "stalled" || state === "damaged" || state === "missing") {
    return <Chip kind="danger">{broken[state]}</Chip>;
  }
  if (held > 0) {
    return <Chip kind="danger">{`${formatCount(held)} held`}</Chip>;
  }
  if (state === "behind" || state === "filling") {
    return <Chip kind="pending">{state === "behind" ? "Behind" : "Filling"}</Chip>;
  }
  return <Chip kind="done">Fine</Chip>;
}

const columns: readonly Column<ProjectionStatus>[] = [
  { id: "name", header: "Table", card: "title", cell: ({ name }) => name },
  {
    id: "state",
    header: "State",
    card: "amount",
    cell: (projection) => <StateChip projection={projection} />,
  },
  {
    id: "position",
    header: "Position",
    align: "end",
    card: "line",
    cell: (projection) => (
      <>
        <span className="hidden in-data-cards:inline">Position </span>
        {formatCount(liveOf(projection)?.position ?? 0)}
      </>
    ),
  },
  {
    id: "events",
    header: "Events behind",
    align: "end",
    card: "none",
    cell: (projection) => formatCount(liveOf(projection)?.lagEvents ?? 0),
  },
  {
    id: "seconds",
    header: "Time behind",
    align: "end",
    card: "end-line",
    cell: (projection) => {
      const { lagEvents = 0, lagSeconds = 0 } = liveOf(projection) ?? {};
      return (
        <>
          <span className="in-data-cards:hidden">{lagText(lagSeconds)}</span>
          <span className="hidden in-data-cards:inline">{behindText(lagEvents, lagSeconds)}</span>
        </>
      );
    },
  },
  {
    id: "version",
    header: "Version",
    align: "end",
    card: "none",
    cell: (projection) => {
      const live = liveOf(projection);
      return live === undefined ? "—" : `${live.version}, tables ${live.generation}`;
    },
  },
  {
    id: "rebuild",
    header: "Rebuild",
    card: "line",
    cell: ({ rebuild }) => (rebuild === null ? null : rebuildText(rebuild)),
  },
];

export function TablesSection() {
  const [params, setParams] = useParams();
  const { data, error, refresh } = useTables();
  const openId = params.get("table") ?? undefined;
  const open = data?.projections.find(({ name }) => name === openId);
  return (
    <Section
      id="tables"
      title="Read tables"
      description="Everything on screen comes from these tables, which a worker feeds from the log."
    >
      <LagChart samples={data?.samples} />
      <DataTable
        label="Read tables"
        columns={columns}
        rows={data?.projections}
        rowId={({ name }) => name}
        opening={{ onOpen: ({ name }) => setParams({ table: name }, { push: true }), openId }}
        error={error}
        errorTitle="The read tables could not be loaded"
        onRetry={refresh}
        empty={<EmptyState icon={Database} title="This program has no read tables" />}
      />
      {open === undefined ? null : (
        <ProjectionDrawer
          projection={open}
          head={data?.head.position ?? 0}
          onClose={() => setParams({ table: undefined })}
        />
      )}
      {openId !== undefined && data !== undefined && open === undefined ? (
        <p className="text-muted">
          There is no read table {openId}.{" "}
          <Button onClick={() => setParams({ table: undefined })}>Clear</Button>
        </p>
      ) : null}
    </Section>
  );
}
