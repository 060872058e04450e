// Nothing that verify finds can stop it: whatever is broken becomes a finding, and everything else is still checked.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { JarProof } from "#testing/jar/jar-proof.ts";
import { finding, openJarProof } from "#testing/jar/jar-proof.ts";

let shop: JarProof;

beforeEach(async () => {
  shop = await openJarProof();
});

afterEach(() => shop.close());

/** A change at a later position that must be found despite everything else that is broken. */
const ALSO = `update log.events set actor = 'somebody' where position = 12;`;
const ALSO_FOUND = { check: "chain", position: 12, message: expect.any(String) };

describe("broken rows in the log", () => {
  it.each([
    [
      "an extra posting to an account that a step cannot fold",
      `alter table read.jar_sums_g1 alter cents set not null;
       insert into log.postings values (3, 7, 'world:customers', 'jar-t9', 5)`,
      [finding("chain", 3, "typed rows of event 3")],
    ],
    [
      "an event that extends a stream of an unknown kind",
      `update log.event_streams set stream_id = 'ghost-1' where position = 9;
       insert into log.streams values ('ghost-1', 1, '{}', 1)`,
      [
        finding("chain", 9, "typed rows of event 9"),
        finding(
          "streams",
          9,
          "Event 9 cannot be folded into ghost-1: No stream definition for ghost-1",
        ),
        finding("streams", 9, "The state row of ghost-1 cannot be checked: No stream definition"),
      ],
    ],
    [
      "a state row of an unknown kind",
      `insert into log.streams values ('ghost-1', 1, '{}', 1)`,
      [finding("streams", 0, "The state row of ghost-1 cannot be checked: No stream definition")],
    ],
    [
      "a state row without events",
      `insert into log.streams values ('jar-ghost', 1, '{}', 1)`,
      [finding("streams", 0, "The state row of jar-ghost .version 1. has no events")],
    ],
    [
      "an unknown event type",
      `update log.events set type = 'JarStolen' where position = 9`,
      [finding("streams", 9, "Event 9 cannot be folded: Event 9 has the unknown type JarStolen")],
    ],
    [
      "a version that is newer than the program",
      `update log.events set schema_version = 9 where position = 9`,
      [finding("streams", 9, "Event 9 cannot be folded: JarFilled version 9 is newer")],
    ],
    [
      "data that no version had",
      `update log.events set data = '{"jar": 5}' where position = 9`,
      [finding("streams", 9, "Event 9 cannot be folded: ")],
    ],
    [
      "a wrong version of an event's stream",
      `update log.event_streams set version = 40 where position = 9`,
      [finding("streams", 9, "stream jar-t0 jumps to version 40"), finding("chain", 9, "")],
    ],
    [
      "a wrong version in a state row",
      `update log.streams set version = 7 where id = 'jar-t0'`,
      [
        finding(
          "streams",
          12,
          "The state row of jar-t0 has version 7, but its 4 events end at position 12",
        ),
      ],
    ],
    [
      "a version too large for a number",
      `update log.streams set version = 9223372036854775807 where id = 'jar-t0'`,
      [finding("streams", 12, "jar-t0 has version 9223372036854775807")],
    ],
    [
      "an infinite time",
      `update log.events set happened_at = 'infinity' where position = 9`,
      [finding("chain", 9, "Event 9 cannot be read: ")],
    ],
    [
      "an infinite recorded time",
      `update log.events set recorded_at = '-infinity' where position = 9`,
      [finding("chain", 9, "Event 9 cannot be read: ")],
    ],
    [
      "amounts too large to sum",
      `update log.postings set cents = 9223372036854775807 where position in (5, 6, 7)`,
      [finding("chain", 5, ""), finding("chain", 6, ""), finding("chain", 7, "")],
    ],
    [
      "a key's position too large for a number",
      `update log.command_keys set position = 9223372036854775807 where key = 'f9'`,
      [finding("keys", 9, "names position 9223372036854775807")],
    ],
    [
      "rows at a position too large for a number",
      `insert into log.postings values (9223372036854775807, 0, 'a', 'b', 1)`,
      [finding("rows", 0, "posting row at position 9223372036854775807 has no event")],
    ],
    [
      "a huge gap",
      `update log.events set position = 4000000000000000 where position = 9`,
      [finding("chain", 10, "Position 9 is missing"), finding("rows", 9, "has no event")],
    ],
    [
      "an event at a position too large for a number",
      `update log.events set position = 9223372036854775807 where position = 9`,
      [finding("rows", 0, "is at position 9223372036854775807, where no event can be")],
    ],
  ])("shows %s, and goes on", async (_what, change, found) => {
    const problems = await shop.afterwards(`${change}; ${ALSO}`);
    for (const expected of [...found, ALSO_FOUND]) {
      expect(problems).toContainEqual(expected);
    }
  });
});

describe("rows that only missing constraints allow", () => {
  const nullable = (table: string, ...columns: string[]) =>
    columns
      .map((column) => `alter table log.${table} alter column ${column} drop not null;`)
      .join(" ");

  it("shows a NULL in any column of an event at its position, and goes on", async () => {
    const columns = [
      ...(["id", "type", "schema_version", "data", "actor", "happened_at", "recorded_at"] as const),
      ...(["field_hash", "hash", "hash_form", "key_scope", "command_key"] as const),
    ];
    const problems = await shop.afterwards(
      columns
        .map(
          (column, index) =>
            `${nullable("events", column)} update log.events set ${column} = null where position = ${index + 1};`,
        )
        .join("") + "update log.events set actor = 'somebody' where position = 13",
    );
    for (const [index, column] of columns.entries()) {
      const check = column.includes("key") ? "keys" : "chain";
      expect(problems).toContainEqual(finding(check, index + 1, ""));
      expect(problems).toContainEqual(finding("schema", 0, `^column log.events.${column} is not`));
    }
    expect(problems).toContainEqual({ ...ALSO_FOUND, position: 13 });
  });

  it("shows a NULL in any column of a posting, a movement and a stream's version at its position", async () => {
    const columns = [
      ...([
        ["postings", "from_account"],
        ["postings", "to_account"],
        ["postings", "cents"],
      ] as const),
      ...([
        ["movements", "from_holding"],
        ["movements", "to_holding"],
        ["movements", "units"],
      ] as const),
    ];
    const problems = await shop.afterwards(
      columns
        .map(
          ([table, column], index) =>
            `${nullable(table, column)} update log.${table} set ${column} = null where position = ${index + 1};`,
        )
        .join("") +
        `alter table log.event_streams drop constraint event_streams_pkey;
         ${nullable("event_streams", "version", "stream_id")}
         update log.event_streams set version = null where position = 8;
         update log.event_streams set stream_id = null where position = 9; ${ALSO}`,
    );
    for (const [index, [table]] of columns.entries()) {
      expect(problems).toContainEqual(finding("chain", index + 1, ""));
      expect(problems).toContainEqual(finding(table, index + 1, "does not move"));
    }
    expect(problems).toContainEqual(finding("streams", 8, "jumps to version NULL"));
    expect(problems).toContainEqual(finding("chain", 9, ""));
    expect(problems).toContainEqual(ALSO_FOUND);
  });

  it.each([
    [
      "an event without a position",
      `alter table log.events drop constraint events_pkey; ${nullable("events", "position")}
       update log.events set position = null where position = 9`,
      finding("rows", 0, "is at position NULL"),
    ],
    [
      "an event at position 0",
      `alter table log.events drop constraint events_position_positive;
       update log.events set position = 0 where position = 9`,
      finding("rows", 0, "is at position 0"),
    ],
    [
      "a duplicate position",
      `alter table log.events drop constraint events_pkey, drop constraint events_id_key;
       insert into log.events select * from log.events where position = 9`,
      finding("chain", 9, "Position 9 is in the log twice"),
    ],
    [
      "rows without a position",
      `alter table log.postings drop constraint postings_pkey; ${nullable("postings", "position")}
       update log.postings set position = null where position = 9`,
      finding("rows", 0, "posting row at position NULL has no event"),
    ],
    [
      "a duplicate key",
      `alter table log.command_keys drop constraint command_keys_pkey;
       insert into log.command_keys select * from log.command_keys where key = 'f9'`,
      finding("keys", 0, "store/f9 has two answers"),
    ],
    [
      "a NULL answer",
      `${nullable("command_keys", "answer")} update log.command_keys set answer = null where key = 'f9'`,
      finding("keys", 9, "store/f9 is not an accepted one"),
    ],
    [
      "a NULL request",
      `${nullable("command_keys", "request_hash")}
       update log.command_keys set request_hash = null where key = 'f9'`,
      finding("chain", 9, "Event 9 cannot be hashed"),
    ],
    [
      "a key without a position",
      `${nullable("command_keys", "position")} update log.command_keys set position = null where key = 'f9'`,
      finding("keys", 9, "store/f9 names position null"),
    ],
    [
      "two state rows of one stream",
      `alter table log.streams drop constraint streams_pkey;
       insert into log.streams select * from log.streams where id = 'jar-t0'`,
      finding("streams", 12, "jar-t0 has two state rows"),
    ],
    [
      "a state row without a stream",
      `alter table log.streams drop constraint streams_pkey; ${nullable("streams", "id")}
       update log.streams set id = null where id = 'jar-t0'`,
      finding("streams", 12, "jar-t0 has 4 events but no state row"),
    ],
  ])("shows %s, and goes on", async (_what, change, found) => {
    const problems = await shop.afterwards(`${change}; ${ALSO}`);
    expect(problems).toContainEqual(found);
    expect(problems).toContainEqual(ALSO_FOUND);
  });
});
