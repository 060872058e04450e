// Refuses a schema that other migrations made than this program's, and tells an operator what to do about it.
import { createHash } from "node:crypto";
import { migrationNames } from "#db/migration-names.ts";

/** A migration as a database or a back-up lists it. */
export type AppliedMigration = {
  readonly number: number;
  readonly name: string;
  readonly sha256: string;
  /** Unknown of a back-up. */
  readonly appliedAt?: Date;
};

/** A migration of this program. */
export type MigrationFile = AppliedMigration & { readonly text: string };

/** The schema is not this program's. */
export class ForeignSchema extends Error {
  override readonly name = "ForeignSchema";
}

/** Throws ForeignSchema if one of them is not a migration of this program: the program does not have it, or its file is another. */
export function refuseForeign(
  applied: readonly AppliedMigration[],
  migrations: readonly MigrationFile[],
): void {
  const changed: Changed[] = [];
  const unknown: string[] = [];
  for (const old of applied) {
    const file = migrations.find((migration) => migration.number === old.number);
    if (file === undefined) {
      unknown.push(old.name);
    } else if (file.sha256 !== old.sha256) {
      changed.push({ old, file });
    }
  }
  if (unknown.length > 0) {
    throw new ForeignSchema(describeUnknown(unknown));
  }
  const [first] = changed;
  if (first !== undefined) {
    throw new ForeignSchema(describeChanged(first, changed));
  }
}

function describeUnknown(names: readonly string[]): string {
  const [first] = names;
  const which =
    names.length === 1
      ? `Migration ${first} was applied, but this program does not have it`
      : `${migrationNames(names)} were applied, but this program does not have them`;
  return `${which}: a newer program has used this database. Start that one, or restore a backup from before`;
}

type Changed = { readonly old: AppliedMigration; readonly file: MigrationFile };

function describeChanged({ old, file }: Changed, changed: readonly Changed[]): string {
  const last = changed.at(-1)?.file.name;
  const others =
    changed.length === 1
      ? ""
      : `, and ${changed.length - 1} more of its files are others, too, the last of them ${last}`;
  const when =
    old.appliedAt === undefined
      ? ""
      : ` on ${old.appliedAt.toISOString().slice(0, 16).replace("T", " ")} UTC`;
  return [
    `This program does not fit the store: migration ${old.name} was applied${when}, and the program's file ` +
      `migrations/${file.name}.sql is not the one that was applied${others}. Nothing was changed in the store.`,
    ...whatToDo(changed),
    `Technical: the file that was applied has the sha256 ${old.sha256}; this program's was changed after it was ` +
      `applied and has ${file.sha256}. Who develops the program writes a new migration instead of changing one.`,
  ].join("\n");
}

function whatToDo(changed: readonly Changed[]): readonly string[] {
  if (changed.every(({ old, file }) => withoutReturns(file.text) === old.sha256)) {
    return [
      "The files differ only in how their lines end: they were copied with Windows line ends. Install the program " +
        "again without that (with git: git config core.autocrlf false, then git checkout -- migrations).",
    ];
  }
  return [
    "What to do: if somebody edited the folder migrations, or copied it incompletely, put back the one of the version " +
      "that is installed (with git: git checkout -- migrations). Otherwise start the version that was used with " +
      "this store last, or a later one that was made from it: another branch does not fit. Do not edit the " +
      "list in ledger_meta.migrations: the tables would stay as the other file made them.",
  ];
}

function withoutReturns(text: string): string {
  return createHash("sha256").update(text.replaceAll("\r\n", "\n")).digest("hex");
}
