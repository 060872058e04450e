// The list of all keys, which a question mark opens.
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { placesFor } from "./key-places.ts";
import { Keys } from "./keys.tsx";

type KeyLine = { readonly keys: readonly string[]; readonly what: string };

/** The key that goes with the letter, on this person's keyboard. */
const control = /Mac|iPhone|iPad/u.test(navigator.userAgent) ? "Cmd" : "Ctrl";

const everywhere: readonly KeyLine[] = [
  { keys: [control, "K"], what: "Find anything, or do something" },
  { keys: ["/"], what: "Search this screen" },
  { keys: ["?"], what: "List the keys" },
  { keys: ["Esc"], what: "Close what is open" },
];

const inLists: readonly KeyLine[] = [
  { keys: ["Down"], what: "From the search to the first row" },
  { keys: ["J"], what: "Next row" },
  { keys: ["K"], what: "Previous row" },
  { keys: ["Enter"], what: "Open the row" },
  { keys: ["X"], what: "Select the row" },
];

function Lines({ title, lines }: { readonly title: string; readonly lines: readonly KeyLine[] }) {
  return (
    <section className="flex flex-col gap-2">
      <h3 className="font-semibold">{title}</h3>
      <dl className="flex flex-col gap-1.5">
        {lines.map(({ keys, what }) => (
          <div key={what} className="flex items-center justify-between gap-3">
            <dt className="text-muted">{what}</dt>
            <dd>
              <Keys keys={keys} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

type KeyListProps = { readonly isAdmin: boolean; readonly onClose: () => void };

export function KeyList({ isAdmin, onClose }: KeyListProps) {
  const go = placesFor(isAdmin).flatMap(({ key, label }) =>
    key === undefined ? [] : [{ keys: ["G", key.toUpperCase()], what: label }],
  );
  return (
    <Dialog
      title="Keyboard shortcuts"
      description="They work wherever you are not typing."
      isWide
      onClose={onClose}
      footer={<Button onClick={onClose}>Close</Button>}
    >
      <div
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- on a phone it is longer than the screen
        tabIndex={0}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- only so that its name is read
        role="group"
        aria-label="Shortcuts"
        className="grid grid-cols-2 gap-x-8 gap-y-6 max-sm:grid-cols-1"
      >
        <div className="flex flex-col gap-6">
          <Lines title="Everywhere" lines={everywhere} />
          <Lines title="In a list" lines={inLists} />
          <p className="text-12 text-muted">
            Scan a code outside a text field to open what it belongs to.
          </p>
        </div>
        <Lines title="Go to" lines={go} />
      </div>
    </Dialog>
  );
}
