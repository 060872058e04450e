// Nobody can take the name of the store, of the program or, as an admin, of another admin by letters that look the same.
import { describe, expect, test } from "vitest";
import { looksLike, passesForStore, refuseFalseName, withoutFalseName } from "#http/false-names.ts";

const storeName = "Harbor Street Resale";
const store = { name: () => Promise.resolve(storeName) };

test.each([
  "Harbor Street Resale",
  "the harbor street resale",
  "HarborStreet-Resale!",
  "Hаrb0r Ѕtrееt Rеsаlе",
  "Hárbor Street Resale",
])("%s passes for Harbor Street Resale", (name) => {
  expect(passesForStore(name, storeName)).toBe(true);
});

test.each(["Harbor Street", "Harbor Street Resale Fan", "Avery", ""])(
  "%s is a person's name",
  (name) => {
    expect(passesForStore(name, storeName)).toBe(false);
    expect(passesForStore(name, "")).toBe(false);
  },
);

/** Whole alphabets, by eye: each letter looks like the Latin one that stands at the same place. */
const alphabets: readonly (readonly [string, string, string])[] = [
  ["Greek capitals", "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹͿϜ", "ABEZHIKMNOPTYXCJF"],
  ["Greek small letters", "αβεικνορτυχϲϳ", "abeikvoptuxcj"],
  ["Cyrillic capitals", "АВЕЅІЈКМНОРСТУХԚԜҺҮЅԌӀ", "ABESIJKMHOPCTYXQWHYSGI"],
  ["Cyrillic small letters", "авеѕіјкмнорстухԛԝһүԁгпь", "abesijkmhopctyxqwhydrnb"],
  ["Armenian letters", "ՕՍՏօսոհցյքզ", "OUSounhgjfq"],
  ["Cherokee capitals", "ᎠᎡᎢᎥᎩᎪᎫᎬᎳᎷᎻᏀᏃᏂᏏᏒᏔᏕᏙᏚᏞᏟᏢᏦᏧᏳᏴ", "DRTiYAJEWMHGZhbRWSVSLCPKdGB"],
  ["Lisu", "ꓐꓑꓓꓔꓖꓗꓙꓚꓜꓝꓟꓠꓡꓢꓣꓦꓧꓪꓫꓬꓮꓰꓲꓳꓴ", "BPDTGKJCZFMNLSRVHWXYAEIOU"],
  ["Coptic capitals", "ⲀⲂⲌⲎⲒⲔⲘⲚⲞⲢⲤⲦⲨⲬ", "ABZHIKMNOPCTYX"],
  ["Coptic small letters", "ⲁⲃⲍⲏⲓⲕⲙⲛⲟⲣⲥⲧⲩⲭ", "abzhikmnopctyx"],
  ["small capitals", "ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ", "abcdefghijklmnoprstuvwyz"],
  ["letters with strokes and hooks", "ƀƈđɇƒǥħɨɉƙłɱɲøƥʠɍȿŧʉʋⱳɏƶ", "bcdefghijklmnopqrstuvwyz"],
];

describe("letters that look the same are one letter", () => {
  test.each(alphabets)("%s", (_what, letters, latin) => {
    const each = Array.from(letters);
    expect(each).toHaveLength(latin.length);
    const missed = each.filter((letter, at) => !looksLike(`x${letter}`, `x${latin[at]}`));
    expect(missed).toEqual([]);
  });

  // Each row is the whole alphabet, from its "A".
  test.each([
    ["full-width capitals", 0xff21],
    ["full-width small letters", 0xff41],
    ["mathematical bold capitals", 0x1d400],
    ["mathematical bold small letters", 0x1d41a],
    ["mathematical sans-serif capitals", 0x1d5a0],
    ["mathematical typewriter small letters", 0x1d68a],
    ["circled capitals", 0x24b6],
    ["circled small letters", 0x24d0],
    ["capitals in squares", 0x1f130],
    ["white capitals in black circles", 0x1f150],
    ["white capitals in black squares", 0x1f170],
    ["letters of flags", 0x1f1e6],
  ])("%s", (_what, first) => {
    const latin = "abcdefghijklmnopqrstuvwxyz".split("");
    const missed = latin.filter(
      (letter, at) => !looksLike(`x${String.fromCodePoint(first + at)}`, `x${letter}`),
    );
    expect(missed).toEqual([]);
  });

  test("and a name looks like itself in capitals and in small letters, in every alphabet", () => {
    for (const name of ["Νίκος Βενιζέλος", "Наталья Петрова", "Արամ Խաչատրյան", "Robin Nunn"]) {
      expect(looksLike(name.toUpperCase(), name.toLowerCase())).toBe(true);
    }
  });

  test("but other names are other names", () => {
    for (const [one, other] of [
      ["Robin", "Robyn"],
      ["Νίκος", "Κίκος"],
      ["Наталья", "Наталия"],
      ["美咲", "美紀"],
    ] as const) {
      expect(looksLike(one, other)).toBe(false);
    }
  });
});

const refused = async (name: string) => {
  try {
    await refuseFalseName(store, { displayName: name });
    return null;
  } catch (error) {
    return Object(error) as { status: number; message: string };
  }
};

test.each([
  "System: trades",
  "System: payouts",
  "system",
  "SYSTEM",
  "The System",
  "Ѕуѕтем: restore",
  "ꓢꓬꓢꓔꓰꓟ",
  "Deleted user",
  "deleted-user",
  "De1eted uѕer",
])("%s is a name that only the program writes, and nobody gets it", async (name) => {
  expect(await refused(name)).toMatchObject({
    status: 400,
    message: "This name stands for the program. Choose another one",
  });
  expect(await withoutFalseName(store, { displayName: name })).toEqual({ displayName: null });
});

test.each(["ꓢꓔꓳꓣꓰ", "The ᏚᎢᎾᎡᎬ", "Ηarbor Street Resale"])(
  "%s is the store's name in letters that look the same, and nobody gets it",
  async (name) => {
    expect(await refused(name)).toMatchObject({ status: 400 });
  },
);

test.each(["Sister Mary", "Sy Stone", "Deleon User", "Мария System", "Νίκος", "Наталья"])(
  "%s is a person's name",
  async (name) => {
    expect(await refused(name)).toBeNull();
    expect(await withoutFalseName(store, { displayName: name })).toEqual({ displayName: name });
  },
);
