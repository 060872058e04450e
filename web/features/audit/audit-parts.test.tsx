// What an event changed, as the drawer shows it.
import { renderToStaticMarkup } from "react-dom/server";
import { MemoryRouter } from "react-router-dom";
import { expect, it } from "vitest";
import type { AuditEvent, AuditStream } from "#features/audit/contract.ts";
import { Said, StreamChanges } from "./audit-parts.tsx";

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

it("shows what an event says by itself, also a field that no screen knows, and nothing if there is none", () => {
  const html = (said: AuditEvent["said"]) => renderToStaticMarkup(<Said said={said} />);
  const collected = { field: "Collected at", value: "2026-11-27T09:15:00.000Z" };
  expect(html([{ field: "Register", value: "R-2" }, collected])).toMatch(
    /Also says.*Register.*R-2.*Collected at.*<time/u,
  );
  expect(html([])).toBe("");
});
