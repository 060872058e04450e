// What the sample store sells: names, prices and shelves of typical second-hand goods.
import { createHash } from "node:crypto";

export type Category =
  | "electronics"
  | "games"
  | "sneakers"
  | "collectibles"
  | "kitchen"
  | "home"
  | "outdoors"
  | "books";

export type Product = {
  readonly name: string;
  readonly category: Category;
  /** The usual price of one. */
  readonly priceCents: number;
  /** The shipping cost of one. */
  readonly shippingCents: number;
  readonly barcode: string;
  /** The aisle it is stored in. */
  readonly aisle: string;
  /** The maker's page if there would be one, otherwise empty. */
  readonly link: string;
  /** A few have none, so that there is something to search for. */
  readonly hasPicture: boolean;
};

type Shelf = {
  readonly aisle: string;
  readonly shippingCents: number;
  readonly hasLinks: boolean;
  /** Name and usual price in dollars. */
  readonly products: readonly (readonly [string, number])[];
};

const shelves: Readonly<Record<Category, Shelf>> = {
  electronics: {
    aisle: "A",
    shippingCents: 1150,
    hasLinks: true,
    products: [
      ["Sony WH-1000XM4 Headphones, black", 178],
      ["Bose SoundLink Flex Speaker, blue", 96],
      ["Apple AirPods Pro, 2nd generation", 149],
      ["Apple Watch SE 44 mm, midnight", 165],
      ["iPad 9th generation 64 GB, space grey", 229],
      ["Kindle Paperwhite 11th generation", 89.5],
      ["Logitech MX Master 3S Mouse", 68],
      ["Keychron K2 Mechanical Keyboard", 62],
      ["Anker 737 Power Bank", 74.95],
      ["GoPro HERO10 Black", 189],
      ["Canon EF 50 mm f/1.8 STM Lens", 84],
      ["Fujifilm Instax Mini 11, lilac", 49],
      ["Roku Streaming Stick 4K", 29.5],
      ["JBL Charge 5, teal", 109],
      ["Garmin Forerunner 245", 132],
      ["TP-Link Deco X20, pack of 2", 98],
      ["Samsung T7 SSD 1 TB", 72],
      ["Elgato Stream Deck Mini", 54],
    ],
  },
  games: {
    aisle: "B",
    shippingCents: 595,
    hasLinks: true,
    products: [
      ["Nintendo Switch OLED, white", 268],
      ["Nintendo Switch Lite, coral", 139],
      ["Xbox Wireless Controller, robot white", 41],
      ["PlayStation 5 DualSense, starlight blue", 52],
      ["The Legend of Zelda: Breath of the Wild", 36],
      ["Mario Kart 8 Deluxe", 38.5],
      ["Animal Crossing: New Horizons", 34],
      ["Super Smash Bros. Ultimate", 39],
      ["Elden Ring, PlayStation 5", 31],
      ["God of War Ragnarök, PlayStation 5", 29],
      ["Game Boy Advance SP, cobalt", 94],
      ["Nintendo DS Lite, polar white", 48],
      ["Pokémon HeartGold with Pokéwalker", 138],
      ["Catan, 5th edition", 27],
      ["Ticket to Ride: Europe", 29.95],
      ["Wingspan", 38],
      ["Gloomhaven, all boxes", 88],
      ["8BitDo Pro 2 Controller", 33],
    ],
  },
  sneakers: {
    aisle: "C",
    shippingCents: 1350,
    hasLinks: false,
    products: [
      ["Air Jordan 1 Mid, size 10", 118],
      ["Nike Dunk Low Panda, size 9", 94],
      ["Nike Air Max 90, size 11", 76],
      ["adidas Samba OG, size 8.5", 71],
      ["adidas Ultraboost 22, size 10.5", 82],
      ["New Balance 550, size 9.5", 88],
      ["New Balance 990v5, size 10", 112],
      ["ASICS Gel-Kayano 14, size 9", 97],
      ["Converse Chuck 70 Hi, size 8", 48],
      ["Vans Old Skool, size 12", 39],
      ["Saucony Jazz Original, size 9", 42],
      ["Reebok Club C 85, size 10", 46.5],
      ["Birkenstock Boston, taupe, EU 42", 89],
      ["Dr. Martens 1460, cherry, size 7", 92],
    ],
  },
  collectibles: {
    aisle: "D",
    shippingCents: 450,
    hasLinks: false,
    products: [
      ["LEGO 10281 Bonsai Tree, sealed", 47],
      ["LEGO 21309 Apollo Saturn V, complete", 148],
      ["LEGO 75192 Millennium Falcon, used", 565],
      ["LEGO 40516 Everyone Is Awesome", 52],
      ["Funko Pop! Grogu 368", 14],
      ["Funko Pop! Spider-Man 03", 22.5],
      ["Pokémon 151 Elite Trainer Box", 68],
      ["Pokémon Celebrations tin", 31],
      ["Hot Wheels RLC '72 Skyline", 58],
      ["Matchbox Lesney 1-75, lot of 10", 64],
      ["Beanie Baby Peace Bear", 12],
      ["1994 Upper Deck box, opened", 26],
      ["Swatch Jelly Fish GK100", 85],
      ["Vintage Polaroid SX-70", 126],
      ["Star Wars Black Series Ahsoka", 24],
      ["Marvel Legends Sentinel", 210],
    ],
  },
  kitchen: {
    aisle: "E",
    shippingCents: 1495,
    hasLinks: true,
    products: [
      ["KitchenAid Artisan Stand Mixer, red", 218],
      ["Instant Pot Duo 6 qt", 54],
      ["Vitamix E310 Blender", 186],
      ["Le Creuset Dutch Oven 5.5 qt, flame", 198],
      ["Lodge Cast Iron Skillet 12 in", 27],
      ["Breville Bambino Espresso Machine", 204],
      ["Baratza Encore Grinder", 96],
      ["AeroPress Coffee Maker", 22.95],
      ["Zojirushi Rice Cooker NS-ZCC10", 112],
      ["Anova Precision Cooker Nano", 66],
      ["Pyrex Glass Set, 10 pieces", 21],
      ["Yeti Rambler 20 oz, seafoam", 19.5],
      ["Stanley Quencher 40 oz, rose", 26],
      ["Chemex 6 Cup", 29],
      ["Victorinox Chef's Knife 8 in", 31],
    ],
  },
  home: {
    aisle: "F",
    shippingCents: 1290,
    hasLinks: false,
    products: [
      ["Dyson V8 Cordless Vacuum", 168],
      ["iRobot Roomba i3", 119],
      ["Herman Miller Aeron seat pad", 58],
      ["IKEA Frekvens Spotlight", 18],
      ["Philips Hue Starter Kit, white", 62],
      ["Nest Learning Thermostat", 94],
      ["Levoit Core 300 Air Purifier", 55],
      ["Casper Pillow, king", 24],
      ["Singer 4423 Sewing Machine", 108],
      ["Cricut Explore Air 2, mint", 122],
      ["Bissell Little Green", 71],
      ["Marimekko Unikko Vase", 39],
    ],
  },
  outdoors: {
    aisle: "G",
    shippingCents: 1180,
    hasLinks: true,
    products: [
      ["Patagonia Better Sweater, M", 58],
      ["The North Face Nuptse 700, L", 146],
      ["Arc'teryx Atom LT Hoody, M", 124],
      ["Osprey Daylite Plus", 44],
      ["Jetboil Flash", 72],
      ["Big Agnes Copper Spur UL2", 268],
      ["Hydro Flask 32 oz, cobalt", 21],
      ["Leatherman Wave Plus", 73.5],
      ["Garmin inReach Mini", 178],
      ["Black Diamond Spot 400 Headlamp", 27],
      ["Therm-a-Rest NeoAir XLite", 118],
    ],
  },
  books: {
    aisle: "H",
    shippingCents: 425,
    hasLinks: false,
    products: [
      ["Harry Potter Box Set, paperback", 36],
      ["Calvin and Hobbes, complete", 88],
      ["The Lord of the Rings, 1-volume", 18.5],
      ["Saga, compendium one", 32],
      ["Dune, deluxe hardcover", 21],
      ["Joy of Cooking, 2019", 14],
    ],
  },
};

/** A twelve-digit code with a correct check digit, as scanners expect. */
function barcodeOf(name: string): string {
  const number = createHash("sha256").update(name).digest().readUInt32BE(0) % 1_000_000_000;
  const digits = `84${String(number).padStart(9, "0")}`;
  const sum = digits
    .split("")
    .reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 3 : 1), 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

function slugOf(name: string): string {
  return name
    .toLowerCase()
    .normalize("NFKD")
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
}

/** Goods without a picture have a link of the retailer's kind, to a product that does not exist. */
function linkTo(name: string, hasPicture: boolean): string {
  const number = createHash("sha256").update(name).digest("hex").slice(0, 5).toUpperCase();
  return hasPicture
    ? `https://www.example.com/${slugOf(name)}`
    : `https://www.amazon.com/dp/B0DEM${number}`;
}

function productsOf(category: Category): Product[] {
  const { aisle, shippingCents, hasLinks, products } = shelves[category];
  return products.map(([name, dollars], place) => ({
    name,
    category,
    priceCents: Math.round(dollars * 100),
    shippingCents,
    barcode: barcodeOf(name),
    aisle,
    link: hasLinks ? linkTo(name, place % 9 !== 5) : "",
    hasPicture: place % 9 !== 5,
  }));
}

const categories: readonly Category[] = [
  "electronics",
  "games",
  "sneakers",
  "collectibles",
  "kitchen",
  "home",
  "outdoors",
  "books",
];

/** Every product, the same in every run. */
export const catalog: readonly Product[] = categories.flatMap(productsOf);

/** The product with this name. Throws if the catalog does not have it. */
export function productNamed(name: string): Product {
  const product = catalog.find((candidate) => candidate.name === name);
  if (product === undefined) {
    throw new Error(`The catalog has no ${name}`);
  }
  return product;
}
