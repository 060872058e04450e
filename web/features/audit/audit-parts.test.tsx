// What an event changed, as the drawer shows it.
import { renderToStaticMarkup } from "react-dom/server";
import { MemoryRouter } from "react-router-dom";
import { expect, it } from "vitest";
import type { AuditStream } from "#features/audit/contract.ts";
import { StreamChanges } from "./audit-parts.tsx";

it("shows a changed time as a date in local time, and other values as they are", () => {
  const change = { field: "Being paid until", before: null, after: "2026-11-27T09:15:00.000Z" };
  const stream: AuditStream = {
    stream: "payout-1",
    thing: { kind: "payout", id: "1", label: "Payout" },
    version: 2,
    changes: [change, { field: "Status", before: "requested", after: "paid" }],
    previous: null,
    next: null,
  };
  const html = renderToStaticMarkup(
    <MemoryRouter>
      <StreamChanges
        stream={stream}
        path={{ isAdmin: true, whom: null }}
        onOpen={() => undefined}
      />
    </MemoryRouter>,
  );
  expect(html).toMatch(/<time dateTime="2026-11-27T09:15:00.000Z"[^>]*>[^<]*27 Nov/u);
  expect(html).not.toContain(">2026-11-27T09:15");
  expect(html).toContain(">requested<");
});
