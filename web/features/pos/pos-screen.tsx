// /pos: the point of sale. The field, its results and today's sales on the left; the cart on the right. It sells with or without the server.
import { PauseCircle } from "lucide-react";
import {
  startTransition,
  useCallback,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
  type RefObject,
} from "react";
import { formatCount, formatMoney, formatTime } from "#web/lib/formats.ts";
import { useSession } from "#web/shared/account/session.tsx";
import { Menu } from "#web/ui/menu.tsx";
import { Page } from "#web/ui/page.tsx";
import type { CatalogueItem } from "#features/inventory/contract-catalogue.ts";
import { cartSums, type Cart } from "./cart.ts";
import { CartPanel } from "./cart-panel.tsx";
import { followCatalogue, syncCatalogue } from "./catalogue.ts";
import { CommandField } from "./command-field.tsx";
import { ItemList } from "./item-list.tsx";
import { ConnectionBar, RefusedLines, refusedIn, waitingIn } from "./open-lines.tsx";
import { followQueue } from "./outbox.ts";
import { parkedValue, resume } from "./parked.ts";
import { tidyUp } from "./pos-store.ts";
import { TakenPanel } from "./taken-panel.tsx";
import { isShortNumber, pick, typeAnew } from "./till.ts";
import { clearPaidCart, followCart } from "./till-cart.ts";
import { NoticeLine } from "./notice-line.tsx";
import { forgetNotice, type ShownReceipt, type TillState } from "./till-state.ts";
import { followBook } from "./till-book.ts";
import { followTerms } from "./till-terms.ts";
import { prepareTill } from "./till-shell.ts";
import { TodayPanel } from "./today-panel.tsx";
import { emptyField } from "./use-command-keys.ts";
import { useScanFocus } from "./use-scan-focus.ts";
import { useSearch } from "./use-search.ts";
import { useCart, useCatalogue, useLocal, useTerms, useTill, useTillBook } from "./use-till.ts";

/** Everything that runs in the background while the screen is open. */
function useTillAtWork(): void {
  useEffect(() => {
    const stops = [followBook(), followCart(), followCatalogue(), followQueue(), followTerms()];
    void clearPaidCart();
    void tidyUp(new Date());
    void prepareTill();
    return () => {
      for (const stop of stops) {
        stop();
      }
      forgetNotice();
    };
  }, []);
}

const lookAgainMs = 3000;

/** The session cannot be read while the server is down. As soon as it answers, the session is read. */
function useReturnOfServer(): void {
  const { state, restore } = useSession();
  const isAway = state.status === "unreachable";
  useEffect(() => {
    if (!isAway) {
      return undefined;
    }
    const look = (): void => {
      void restore();
      void syncCatalogue();
    };
    const timer = setInterval(look, lookAgainMs);
    addEventListener("online", look);
    return () => {
      clearInterval(timer);
      removeEventListener("online", look);
    };
  }, [isAway, restore]);
}

export function PosScreen() {
  useTillAtWork();
  useReturnOfServer();
  const field = useRef<HTMLInputElement>(null);
  useScanFocus(field);
  const cart = useCart();
  const till = useTill();
  const book = useTillBook();
  const { isReachable } = useCatalogue();
  const [typed, setTypedNow] = useState("");
  // The display may lag behind the keys; Enter always uses the current text.
  const setTyped = useCallback((text: string) => startTransition(() => setTypedNow(text)), []);
  const waiting = useMemo(() => waitingIn(book), [book]);
  const refused = useMemo(() => refusedIn(book), [book]);

  return (
    <Page title="Point of sale" isWide actions={<Parked />}>
      <div className="with-pay-bar gap-4 [--control-text:1rem] [--control:2.75rem] max-lg:flex max-lg:min-h-[calc(100dvh-9.75rem)] max-lg:flex-col max-sm:min-h-[calc(100dvh-8.25rem)] lg:grid lg:grid-cols-[minmax(0,1fr)_32rem] lg:items-start min-[80rem]:grid-cols-[minmax(0,1fr)_34rem]">
        <div className="contents lg:flex lg:min-w-0 lg:flex-col lg:gap-4">
          <div className="flex min-w-0 flex-col gap-2">
            <ConnectionBar waiting={waiting} isReachable={isReachable} />
            <Command field={field} cart={cart} till={till} typed={typed} onTyped={setTyped} />
            {till.shown === undefined ? null : (
              <TakenPanel key={idOf(till.shown)} shown={till.shown} />
            )}
          </div>
          <div className="flex min-w-0 flex-col gap-4 max-lg:order-last">
            <RefusedLines refused={refused} />
            <TodayPanel book={book} />
          </div>
        </div>
        <CartPanel cart={cart} till={till} typed={typed} />
      </div>
    </Page>
  );
}

function idOf(shown: ShownReceipt): string {
  return shown.kind === "taken" ? shown.sale.saleId : (shown.receipt.receiptID ?? "");
}

type CommandProps = {
  readonly field: RefObject<HTMLInputElement | null>;
  readonly cart: Cart;
  readonly till: TillState;
  readonly typed: string;
  readonly onTyped: (text: string) => void;
};

/** The field with its choices and the last message. */
function Command({ field, cart, till, typed, onTyped }: CommandProps) {
  const { mode, notice, offered, waitingScans } = till;
  const listId = useId();
  const found = useSearch(mode, typed);
  const choices =
    mode.kind === "choose" ? mode.items : typed === "" ? (offered ?? []) : (found?.items ?? []);
  // The highlight starts over with each new list. Enter after a short number, which may be a price, picks nothing.
  const first = isShortNumber(typed.trim()) ? -1 : 0;
  const [highlight, setHighlight] = useState({ choices, index: first });
  const highlighted = isSameList(highlight.choices, choices) ? highlight.index : first;

  return (
    <>
      <CommandField
        field={field}
        mode={mode}
        cart={cart}
        onTyped={(text) => {
          onTyped(text);
          typeAnew(text);
        }}
        choices={choices}
        choicesFor={mode.kind === "choose" || typed === "" ? "" : (found?.term ?? "")}
        highlighted={highlighted}
        onHighlight={(index) => setHighlight({ choices, index })}
        listId={listId}
      />
      <NoticeLine
        notice={notice}
        waitingScans={mode.kind === "choose" ? waitingScans : 0}
        isPaying={mode.kind === "pay"}
      />
      {choices.length > 0 ? (
        <ItemList
          id={listId}
          label={mode.kind === "choose" ? `Owners of ${mode.code}` : "Items found"}
          items={choices}
          highlighted={highlighted}
          onHighlight={(index) => setHighlight({ choices, index })}
          onPick={(item) => {
            emptyField(field.current);
            onTyped("");
            pick(item);
          }}
        />
      ) : found !== undefined && typed !== "" ? (
        <p className="card px-4 py-3 wrap-anywhere text-muted">{`No items found for “${found.term}”`}</p>
      ) : null}
    </>
  );
}

function isSameList(one: readonly CatalogueItem[], other: readonly CatalogueItem[]): boolean {
  return one.length === other.length && one.every(({ id }, index) => id === other[index]?.id);
}

/** Its first item, by which a customer's cart is known. */
function contentsOf({ lines }: Cart): string {
  const name = lines[0]?.item.itemName ?? "";
  return lines.length < 2 ? name : `${name} and ${formatCount(lines.length - 1)} more`;
}

/** The parked carts. */
function Parked() {
  const parked = useLocal(parkedValue);
  const terms = useTerms();
  return parked.length === 0 ? null : (
    <Menu
      label={`Parked (${parked.length})`}
      showsLabel
      icon={PauseCircle}
      variant="secondary"
      items={parked.map(({ parkedAt, cart }) => ({
        label: `${formatTime(new Date(parkedAt))} · ${contentsOf(cart)} · ${formatMoney(cartSums(cart, terms).totalCents)}`,
        onSelect: () => resume(cart.saleId),
      }))}
    />
  );
}
