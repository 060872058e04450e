// Reads the retailer's addresses and pages: which product a link leads to, and where its picture is. Pure.

export type ProductLink = {
  readonly host: string;
  /** The retailer's number of the product: ten letters and digits. */
  readonly asin: string;
};

const ASIN_IN_PATH =
  /\/(?:dp|gp\/product|gp\/aw\/d|gp\/offer-listing|exec\/obidos\/asin|o\/asin|d)\/([a-z0-9]{10})(?=\/|$)/iu;

/** The product of a link; null if the link is not on one of these hosts or names no product. */
export function productOf(link: string, hosts: ReadonlySet<string>): ProductLink | null {
  if (!URL.canParse(link)) {
    return null;
  }
  const { hostname, pathname, protocol } = new URL(link);
  const asin = ASIN_IN_PATH.exec(pathname)?.[1]?.toUpperCase();
  return /^https?:$/.test(protocol) && hosts.has(hostname) && asin !== undefined
    ? { host: hostname, asin }
    : null;
}

export function isAsin(text: string): boolean {
  return /^[A-Z0-9]{10}$/u.test(text);
}

/** The product's page without what a link carries along. */
export function pageOf({ host, asin }: ProductLink): string {
  return `https://${host}/dp/${asin}`;
}

/** The retailer's picture by the number alone. It is a single pixel where there is none. */
export function pictureByNumber(asin: string): string {
  return `https://images-na.ssl-images-amazon.com/images/P/${asin}.01._SCLZZZZZZZ_.jpg`;
}

/** The same picture of at most 160 pixels; null where the address does not say how to ask for it. */
export function smallerPicture(address: string): string | null {
  const small = address.replace(
    /^(https:\/\/[^/]+\/images\/[A-Z]\/[^/]+?)(?:\._[^/]*_)?\.(jpg|jpeg|png|webp)$/u,
    "$1._SL160_.$2",
  );
  return small === address ? null : small;
}

/** No tag reaches into the next one, so that no page takes long to read. */
const TAGS = /<(?:meta|img)\b[^<>]{0,8000}>/giu;

/**
 * Addresses of pictures on a product's page, the best first: what the page gives for previews, then the picture that
 * it shows itself, in its largest size.
 */
export function picturesOn(page: string): string[] {
  const tags = [...page.matchAll(TAGS)].map(([tag]) => tag);
  const preview = tags.find((tag) => /\bproperty\s*=\s*["']og:image["']/iu.test(tag));
  const landing = tags.find((tag) => /\bid\s*=\s*["'](?:landingImage|imgBlkFront)["']/iu.test(tag));
  const sizes = Object.entries(sizesIn(attributeOf(landing, "data-a-dynamic-image")));
  const largest = sizes.toSorted(([, one], [, other]) => other - one).at(0)?.[0];
  const found = [
    attributeOf(preview, "content"),
    attributeOf(landing, "data-old-hires"),
    largest ?? "",
    attributeOf(landing, "src"),
  ];
  return [...new Set(found.filter((address) => address.startsWith("https://")))];
}

/** `{"https://…": [width, height]}`, as the width of each. */
function sizesIn(text: string): Readonly<Record<string, number>> {
  try {
    const sizes: unknown = JSON.parse(text);
    return typeof sizes === "object" && sizes !== null
      ? Object.fromEntries(
          Object.entries(sizes).map(([address, size]: [string, unknown]) => [
            address,
            Array.isArray(size) && typeof size[0] === "number" ? size[0] : 0,
          ]),
        )
      : {};
  } catch {
    return {};
  }
}

function attributeOf(tag: string | undefined, name: string): string {
  const match = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, "iu").exec(tag ?? "");
  return (match?.[1] ?? match?.[2] ?? "")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&")
    .trim();
}
