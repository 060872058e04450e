// `npm run new -- screen sales-per-item --in sales`: a screen for admins with its address, script, call and browser test.
import { featureFile, folderOf } from "./feature-files.ts";
import { addEntry, addImport } from "./insert.ts";
import { camel, checked, pascal, titleCase } from "./names.ts";
import type { ScreenNames } from "./screen-files.ts";
import { apiFile, browserTestFile, screenFile } from "./screen-files.ts";
import { CHANGELOG, specsToRun } from "./specs.ts";
import type { Tree } from "./tree.ts";
import { NewProblem } from "./tree.ts";

/** The navigation group of each feature's screens. */
const groupOf: Readonly<Record<string, string>> = {
  sales: "Sell",
  till: "Sell",
  inventory: "Goods",
  shipments: "Goods",
  users: "People",
  accounts: "People",
  payouts: "People",
  trades: "Trade",
  marketplace: "Trade",
  audit: "Books",
  months: "Books",
  reports: "Books",
};

/** Specs of what every screen is listed in. */
const everyList = [
  "web/paths.test",
  "web/shell/desk/key-places",
  "web/journeys/scan-moments",
] as const;
/** Those that look at every screen, or weigh them. */
const everyScreen = [
  "web/journeys/first-paint.browser",
  "web/journeys/main-job.browser",
  "web/journeys/for-everyone.browser",
] as const;

/** Makes the files and registrations; returns what is left to a person. */
export function newScreen(
  tree: Tree,
  name: string | undefined,
  options: { readonly feature: string | undefined; readonly group?: string | undefined },
): readonly string[] {
  const file = checked("screen", name);
  const feature = checked("feature", options.feature);
  const names: ScreenNames = {
    file,
    feature,
    name: camel(file),
    typeName: pascal(file),
    title: titleCase(file),
  };
  refuseUnready(tree, names);
  const folder = `web/features/${file}`;
  tree.create(`${folder}/${file}-api.ts`, apiFile(names));
  tree.create(`${folder}/${file}-screen.tsx`, screenFile(names));
  tree.create(`web/journeys/${file}.browser.test.ts`, browserTestFile(names, rowsOf(tree, names)));
  const group = checked("group", options.group ?? groupOf[feature] ?? "Store");
  const key = freeLetter(tree, file);
  addAddress(tree, names, group, key);
  return [
    `${folder}/${file}-screen.tsx: its columns, its words when it is empty, its actions, a chart`,
    `${folder}/${file}-api.ts: what it reads and sends`,
    `web/shell/places.ts: its icon, and its group if it is not ${group}`,
    key === undefined
      ? "web/shell/places.ts: no letter is free; G and a letter goes to every screen, so another one must give up its"
      : `G and ${key.toUpperCase()} goes to it: web/shell/places.ts, if another free letter is better`,
    "web/paths.ts, routes.tsx: another address, if it is not for admins only",
    "services/testing/browser/scan-moments.ts: each dialog that the screen gets, with what is pressed to open it",
    `web/journeys/${file}.browser.test.ts: one spec fails until it says what a person does there`,
    CHANGELOG,
    ...specsToRun([`web/journeys/${file}.browser`, ...everyList], everyScreen),
  ];
}

function refuseUnready(tree: Tree, { file, feature, name }: ScreenNames): void {
  if (tree.read("web/paths.ts").includes(`"/admin/${file}"`)) {
    throw new NewProblem(`/admin/${file} already exists in web/paths.ts`);
  }
  const contract = featureFile(tree, feature, "contract.ts");
  if (!tree.read(contract).includes(`export const ${name}Response = z.object({ rows:`)) {
    throw new NewProblem(
      `${contract} has no ${name}Response with rows: make them first, ` +
        `npm run new -- projection ${file.replaceAll("-", "_")} --in ${feature}`,
    );
  }
}

/** The category of the streams that make a row, as the recipe of projections writes it; another one otherwise. */
function rowsOf(tree: Tree, { file, feature }: ScreenNames): string {
  const path = `${folderOf(feature)}/projection-${file}.ts`;
  const text = tree.has(path) ? tree.read(path) : "";
  return /streamsOfKey: "array\[log\.(\w+)_stream\(key\)\]"/u.exec(text)?.[1] ?? "other";
}

/** G begins, and J, K and X belong to rows. */
const NEVER_FREE = "gjkx";

/** A letter by which no screen of an admin is reached yet: one of its own name, if there is such a one. */
function freeLetter(tree: Tree, file: string): string | undefined {
  const texts = ["web/shell/places.ts", "web/shell/desk/key-places.ts"].map((path) =>
    tree.read(path),
  );
  const used = new Set(
    texts.flatMap((text) => [...text.matchAll(/\bkey: "([a-z])"/gu)].map(([, key]) => key)),
  );
  return `${file.replaceAll("-", "")}abcdefghijklmnopqrstuvwxyz`
    .split("")
    .find((letter) => !NEVER_FREE.includes(letter) && !used.has(letter));
}

function addAddress(
  tree: Tree,
  { file, name, typeName, title }: ScreenNames,
  group: string,
  key: string | undefined,
): void {
  const places = "web/shell/places.ts";
  const list = new RegExp(`label: "${group}", places: (\\w+) `, "u").exec(tree.read(places))?.[1];
  if (list === undefined) {
    throw new NewProblem(`${places} has no group ${group}`);
  }
  tree.change("web/paths.ts", (text) =>
    addEntry(text, ["export const paths = {"], `  ${name}: "/admin/${file}"`),
  );
  tree.change("services/features/visits/contract-screens.ts", (text) =>
    addEntry(text, ["export const countedScreens = ["], `  "/admin/${file}"`),
  );
  tree.change("services/testing/browser/scan-moments.ts", (text) =>
    addEntry(
      text,
      ["export const scanMoments: readonly ScanMoment[] = ["],
      `  { path: "/admin/${file}" }`,
    ),
  );
  tree.change("web/screens.ts", (text) => {
    const declared = text.replace(
      "\nconst screenAt: ",
      `export const ${typeName}Screen = screen(() =>
  import("./features/${file}/${file}-screen.tsx").then((file) => file.${typeName}Screen),
);

const screenAt: `,
    );
    return addEntry(declared, ["const screenAt: ", " = {"], `  [paths.${name}]: ${typeName}Screen`);
  });
  tree.change("web/routes.tsx", (text) => {
    const place = "<Route element={<AdminOnly />}>";
    const route = `\n<Route path={paths.${name}} element={<${typeName}Screen />} />`;
    return addImport(text.replace(place, place + route), [`${typeName}Screen`], "./screens.ts");
  });
  tree.change(places, (text) =>
    addImport(
      addEntry(
        text,
        [`const ${list}: `, " = ["],
        `  { to: paths.${name}, label: "${title}", icon: HistoryIcon${key === undefined ? "" : `, key: "${key}"`} }`,
      ),
      ["HistoryIcon"],
      "#web/ui/thing-icons.ts",
    ),
  );
}
