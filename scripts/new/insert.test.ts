// Where entries and imports go in source text that `npm run new` changes.
import { describe, expect, it } from "vitest";
import { addEntry, addImport } from "./insert.ts";

describe("an entry", () => {
  it("goes to the end of its list, whatever brackets are in between", () => {
    const text = `const a = [1];\nconst b = {\n  x: ["]", f(")")], // }\n};\n`;
    expect(addEntry(text, ["const b = {"], "  y: 2")).toBe(
      `const a = [1];\nconst b = {\n  x: ["]", f(")")], // },\n  y: 2,\n};\n`,
    );
  });

  it("is added to an existing import of its module", () => {
    const text = `import { one } from "#a.ts";\nimport type { Two } from "#b.ts";\n`;
    expect(addImport(text, ["three"], "#a.ts")).toContain(`import { one, three } from "#a.ts";`);
    expect(addImport(text, ["three"], "#b.ts")).toMatch(/import \{ three \} from "#b.ts";\n$/u);
    expect(addImport(`${text}const three = 3;\n`, ["three"], "#a.ts")).not.toContain("one, three");
  });
});
