// The history of the settings, in which people type names of their own.
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import type { SettingsChange } from "#features/settings/contract.ts";
import { SettingsHistory } from "./settings-history.tsx";

it("names written from right to left do not reorder who changed what", () => {
  const change: SettingsChange = {
    position: 7,
    happenedAt: "2026-11-20T10:00:00.000Z",
    actor: { uid: "dana", displayName: "דנה 2" },
    section: "details",
    lines: [{ what: "Store name", before: "לוי 3", after: "לוי 4" }],
  };
  const shown = renderToStaticMarkup(<SettingsHistory changes={[change]} sections={["details"]} />);
  expect(shown).toContain("by \u2068דנה\u2069 2");
  expect(shown).toContain("\u2068לוי\u2069 3");
  expect(shown).toContain("\u2068לוי\u2069 4");
});
