// /admin/operations: how the store's machinery is, and what an operator can do about it. One file for each section.
import { paths } from "#web/paths.ts";
import { formatCount } from "#web/lib/formats.ts";
import { Page } from "#web/ui/page.tsx";
import { StripTile, TileStrip } from "#web/ui/tile-strip.tsx";
import { AlertsSection } from "./alerts-section.tsx";
import { ActionsSection } from "./actions-section.tsx";
import { BackupsSection } from "./backups-section.tsx";
import { HeldSection } from "./held-section.tsx";
import { HoldsSection } from "./holds-section.tsx";
import { JobsSection } from "./jobs-section.tsx";
import { lagText } from "./lag-text.ts";
import { useHeld, useJobs, useTables } from "./operations-api.ts";
import { NotificationsSection } from "./notifications-section.tsx";
import { SystemSection } from "./system-section.tsx";
import { TablesSection } from "./tables-section.tsx";

export function OperationsScreen() {
  return (
    <Page title="Operations" isWide>
      <Tiles />
      <AlertsSection />
      <HoldsSection />
      <TablesSection />
      <HeldSection />
      <JobsSection />
      <NotificationsSection />
      <BackupsSection />
      <SystemSection />
      <ActionsSection />
    </Page>
  );
}

function Tiles() {
  const tables = useTables().data;
  const held = useHeld().data;
  const jobs = useJobs().data;
  const slowest = tables?.projections
    .flatMap(({ generations }) => generations.filter(({ state }) => state === "live"))
    .reduce((most, { lagSeconds }) => Math.max(most, lagSeconds), 0);
  const failed = jobs?.queues.reduce((sum, queue) => sum + queue.failed, 0);
  return (
    <TileStrip label="The store's machinery" isWrapped>
      <StripTile
        label="Log position"
        value={tables && formatCount(tables.head.position)}
        hint={tables?.head.hash?.slice(0, 16) ?? "No events yet"}
      />
      <StripTile
        label="Slowest table"
        value={slowest === undefined ? undefined : lagText(slowest)}
        hint={slowest === 0 ? "All tables" : "Behind the log"}
        to={`${paths.operations}#tables`}
      />
      <StripTile
        label="Held rows"
        value={held && formatCount(held.shownCount)}
        hint={held?.shownCount === 0 ? "None held back" : "Could not be computed"}
        to={`${paths.operations}#held`}
      />
      <StripTile
        label="Failed jobs"
        value={failed === undefined ? undefined : formatCount(failed)}
        to={`${paths.operations}#jobs`}
        hint="In all queues"
      />
    </TileStrip>
  );
}
