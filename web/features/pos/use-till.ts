// The till's parts as hooks, so that each part of the screen rerenders only when its own part changes.
import { useSyncExternalStore } from "react";
import type { LocalValue } from "#web/lib/local-store.ts";
import type { SellingTerms } from "#web/shared/sale/selling-terms.ts";
import type { Cart } from "./cart.ts";
import { catalogueStatus, onCatalogue, type CatalogueStatus } from "./catalogue.ts";
import { cartValue, onTill, tillState, type TillState } from "./till-state.ts";
import { termsValue } from "./till-terms.ts";
import { onTillBook, tillBook, type TillBook } from "./till-book.ts";

export function useLocal<T>(value: LocalValue<T>): T {
  return useSyncExternalStore(value.subscribe, value.read);
}

export function useCart(): Cart {
  return useLocal(cartValue);
}

export function useTerms(): SellingTerms {
  return useLocal(termsValue);
}

export function useTill(): TillState {
  return useSyncExternalStore(onTill, tillState);
}

export function useTillBook(): TillBook {
  return useSyncExternalStore(onTillBook, tillBook);
}

export function useCatalogue(): CatalogueStatus {
  return useSyncExternalStore(onCatalogue, catalogueStatus);
}
