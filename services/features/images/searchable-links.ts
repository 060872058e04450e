// The same question as productOf, for the database: does an item's link or number lead to a product of the retailer?

/** Over an item's row, and `pattern` from `searchableLinks`. */
export const LINKS_TO_PRODUCTS = "(asin ~ '^[A-Z0-9]{10}$' or (link <> '' and link ~* pattern))";

/** A regular expression of PostgreSQL for links to products on these hosts. */
export function searchableLinks(hosts: ReadonlySet<string>): string {
  const names = [...hosts].map((host) => host.replaceAll(".", "\\."));
  const paths = "dp|gp/product|gp/aw/d|gp/offer-listing|exec/obidos/asin|o/asin|d";
  return `^https?://(${names.join("|")})/([^?#]*/)?(${paths})/[a-z0-9]{10}([/?#]|$)`;
}
