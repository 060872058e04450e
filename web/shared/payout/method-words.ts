// The payment methods as people read them.
export const methodWords = { cashapp: "CashApp", venmo: "Venmo" } as const;
