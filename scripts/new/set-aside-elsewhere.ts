// What units that are set aside change elsewhere: whose account can be deleted, and since when an item is unsold.
import { folderOf } from "./feature-files.ts";
import type { Field } from "./fields.ts";
import { addEntry } from "./insert.ts";
import { nextVersion, recordedVersions, replaced, replacedMatch } from "./raise.ts";
import type { Tree } from "./tree.ts";

/** Goods that came after the read tables' position stop the deletion of an account, also if all of them are set aside. */
export function refuseNewerGoods(
  tree: Tree,
  list: string,
  { path, fields }: { readonly path: string; readonly fields: readonly Field[] },
): void {
  const kept = `jsonb_array_length(s.state -> '${list}') > 0`;
  tree.change("services/features/users/routes-admin.ts", (text) => {
    const inStock = "(s.state ->> 'quantity')::bigint > 0";
    const alone = `and ${inStock}\n`;
    return text.includes(alone)
      ? text.replace(alone, `and (${inStock}\n        or ${kept})\n`)
      : replaced(text, `and (${inStock}\n`, `and (${inStock}\n        or ${kept}\n`);
  });
  const said = fields.map(({ name, isPerson, sample }) =>
    name === "units" ? "units: 5" : `${name}: ${isPerson ? "uid" : JSON.stringify(sample)}`,
  );
  const given = fields.some(({ isPerson }) => isPerson) ? "itemId, uid" : "itemId";
  tree.change("services/features/users/newer-goods.test.ts", (text) =>
    addEntry(
      text,
      ["const settingAside: ", " = {"],
      `  "${path}": (${given}) => ({ ${["itemId", ...said].join(", ")} })`,
    ),
  );
}

/** Units that are set aside and come back were neither sold nor new: `unsold_since` stays. */
export function leaveUnsoldSince(tree: Tree, holding: string): void {
  const folder = folderOf("inventory");
  const [, sqlName = "", prefix = "", suffix = ""] =
    new RegExp(`${holding} = defineName\\("(\\w+)", "([^"]+)"(?:, "([^"]+)")?`, "u").exec(
      tree.read(`${folder}/streams.ts`),
    ) ?? [];
  tree.change(`${folder}/projection-moves.ts`, (text) =>
    replacedMatch(
      text,
      /(const stirs = \(place: string\): string =>\s*`[^`]*)`/u,
      (before = "") => `${before}\n    and not log.is_${sqlName}(\${place})\``,
    ),
  );
  raiseWhatCountsUnits(tree);
  tree.change(`${folder}/projection.test.ts`, (text) =>
    replaced(
      text,
      ' || one === "world:removed"',
      ` || one === "world:removed" || one === \`${prefix}\${id}${suffix}\``,
    ),
  );
}

/** Every projection whose step contains `itemMovesSql`. A version that was raised already stays. */
function raiseWhatCountsUnits(tree: Tree): void {
  const { projections } = recordedVersions(tree);
  for (const [feature, constant, name] of [
    ["inventory", "inventoryProjection", "inventory"],
    ["inventory", "itemTimelineProjection", "item_timeline"],
    ["marketplace", "marketplaceProjection", "marketplace"],
  ] as const) {
    const path = `${folderOf(feature)}/projection.ts`;
    const raised = replacedMatch(
      tree.read(path),
      new RegExp(`(export const ${constant}: [^]*?version: )(\\d+)`, "u"),
      (before = "", version = "") => before + nextVersion(projections[name], version),
    );
    if (raised !== tree.read(path)) {
      tree.change(path, () => raised);
    }
  }
}
