// What a request says about the money that an acceptance holds.
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { CostPreview } from "./cost-preview.tsx";
import { emptyRequest } from "./request-draft.ts";

it("a request that pays shipping says that the fee is held too, and one with an own label does not", () => {
  const shown = (feeCents: number) =>
    renderToStaticMarkup(
      <CostPreview
        cost={undefined}
        feeCents={feeCents}
        draft={emptyRequest}
        availableCents={5_000}
      />,
    );
  expect(shown(400)).toContain("the price of the accepted units and the shipping fee are held");
  expect(shown(0)).toContain("the price of the accepted units is held");
});
