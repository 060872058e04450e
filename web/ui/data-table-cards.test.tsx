// A row of a list as a card: what it has nothing to say in takes no room.
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { DataTableCards } from "./data-table-cards.tsx";

type Month = { readonly name: string; readonly closedBy: string | null };

function cardsOf(months: readonly Month[]): string {
  return renderToStaticMarkup(
    <DataTableCards
      label="Months"
      columns={[
        { id: "name", header: "Month", card: "title", cell: ({ name }) => name },
        { id: "by", header: "Closed by", card: "line", cell: ({ closedBy }) => closedBy },
      ]}
      entries={months.map((row) => ({ kind: "row", key: row.name, row }))}
      rowId={({ name }) => name}
      window={undefined}
      selection={undefined}
      opening={undefined}
      grouping={undefined}
      arrivedIds={new Set()}
      totals={undefined}
      sort={undefined}
      usualOrder="Newest first"
      onSort={() => undefined}
    />,
  );
}

it("a card has a second line only where its row has something for it, such as who closed a month", () => {
  expect(cardsOf([{ name: "October", closedBy: "Robin" }])).toMatch(/data-second-line.*Robin/u);
  expect(cardsOf([{ name: "November", closedBy: null }])).not.toContain("data-second-line");
});
