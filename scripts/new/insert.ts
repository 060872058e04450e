// Puts entries into source text: an import, a member of a list or an object, a declaration before another one.
import { NewProblem } from "./tree.ts";

/** Whether the file declares the name, or imports it as a value from any module. */
export function hasName(text: string, name: string): boolean {
  const imported = [...text.matchAll(/^import \{([^}]*)\} from "/gmu)].flatMap(([, names = ""]) =>
    names.split(",").map((one) => one.trim().replace(/^.* as /u, "")),
  );
  return (
    imported.includes(name) || new RegExp(`^(?:export )?const ${name}(?::| =)`, "mu").test(text)
  );
}

/** Adds names to the import of a module, or the whole import after the last one. Skips names that the file has. */
export function addImport(text: string, wanted: readonly string[], from: string): string {
  return addToImport(
    text,
    "import",
    wanted.filter((name) => !hasName(text, name)),
    from,
  );
}

function addToImport(
  text: string,
  word: "import" | "import type",
  names: readonly string[],
  from: string,
): string {
  if (names.length === 0) {
    return text;
  }
  const there = new RegExp(
    `^${word} \\{([^}]*)\\} from "${from.replaceAll(".", "\\.")}";`,
    "mu",
  ).exec(text);
  if (there !== null) {
    const before = (there[1] ?? "").split(",").map((name) => name.trim());
    const all = [...new Set([...before, ...names])].filter((name) => name !== "");
    return text.replace(there[0], `${word} { ${all.join(", ")} } from "${from}";`);
  }
  const last = [...text.matchAll(/^import [^;]*;\n/gmu)].at(-1);
  if (last === undefined) {
    throw new NewProblem(`There is no import after which to add the one of ${from}`);
  }
  const end = last.index + last[0].length;
  return `${text.slice(0, end)}${word} { ${names.join(", ")} } from "${from}";\n${text.slice(end)}`;
}

/** Adds a generated module to another one: its imports to the imports, and what is below them to the end. */
export function addModule(text: string, added: string): string {
  const imports = [...added.matchAll(/^(import(?: type)?) \{([^}]*)\} from "([^"]+)";\n/gmu)];
  const merged = imports.reduce((before, [, word = "import", list = "", from = ""]) => {
    const names = list.split(",").map((name) => name.trim());
    return word === "import"
      ? addImport(before, names, from)
      : addToImport(before, "import type", names, from);
  }, text);
  const last = imports.at(-1);
  const body = added.slice(last === undefined ? 0 : last.index + last[0].length);
  return `${merged.trimEnd()}\n\n${body.trim()}\n`;
}

/**
 * Adds an entry at the end of a list or an object. The anchors are searched for one after another; the last one ends
 * with the opening bracket.
 */
export function addEntry(text: string, anchors: readonly string[], entry: string): string {
  let at = 0;
  for (const anchor of anchors) {
    const found = text.indexOf(anchor, at);
    if (found === -1) {
      throw new NewProblem(`"${anchor.trim()}" is not where it was expected`);
    }
    at = found + anchor.length;
  }
  const close = closingOf(text, at - 1);
  const inside = text.slice(at, close).trimEnd();
  const comma = inside.trim() === "" || inside.endsWith(",") ? "" : ",";
  return `${text.slice(0, at)}${inside}${comma}\n${entry},\n${text.slice(close)}`;
}

/** Puts lines before a line that is there once. */
export function addAbove(text: string, line: string, added: string): string {
  const at = text.indexOf(`\n${line}\n`);
  if (at === -1) {
    throw new NewProblem(`"${line.trim()}" is not where it was expected`);
  }
  return `${text.slice(0, at + 1)}${added}\n${text.slice(at + 1)}`;
}

/** Puts a declaration before another one, and before its comment. */
export function addBefore(text: string, declaration: string, added: string): string {
  const at = text.indexOf(`\n${declaration}`);
  if (at === -1) {
    throw new NewProblem(`"${declaration}" is not where it was expected`);
  }
  const comment = /\n\/\*\*(?:(?!\*\/)[^])*\*\/$/u.exec(text.slice(0, at));
  const start = comment === null ? at : comment.index;
  return `${text.slice(0, start)}\n${added}\n${text.slice(start)}`;
}

/** Where the bracket at `open` is closed. Brackets in strings and comments are not counted. */
export function closingOf(text: string, open: number): number {
  let depth = 0;
  const parts = /\/\/[^\n]*|\/\*[^]*?\*\/|"(?:\\.|[^"\\])*"|`(?:\\.|[^`\\])*`|[[({\])}]/gu;
  parts.lastIndex = open;
  for (let part = parts.exec(text); part !== null; part = parts.exec(text)) {
    if ("[({".includes(part[0])) {
      depth += 1;
    } else if ("])}".includes(part[0])) {
      depth -= 1;
    }
    if (depth === 0) {
      return part.index;
    }
  }
  throw new NewProblem("A bracket is never closed");
}

/** Where the argument of a call that begins there ends: at the comma after it, or at the call's parenthesis. */
export function endOfArgument(text: string, start: number): number {
  const parts = /\/\/[^\n]*|\/\*[^]*?\*\/|"(?:\\.|[^"\\])*"|`(?:\\.|[^`\\])*`|[[({,)]/gu;
  parts.lastIndex = start;
  for (let part = parts.exec(text); part !== null; part = parts.exec(text)) {
    if (part[0] === "," || part[0] === ")") {
      return part.index;
    }
    if ("[({".includes(part[0])) {
      parts.lastIndex = closingOf(text, part.index) + 1;
    }
  }
  throw new NewProblem("A call is never closed");
}
