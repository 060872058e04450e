// Puts the bundler's few lines of runtime into the first script. As a script of their own they would cost a request.
import type { Plugin, Rolldown } from "vite";

const name = "bundlerRuntime";

/** "n as e, t" as a pattern of a declaration: "n:e,t". */
const asPattern = (names: string): string =>
  names
    .split(",")
    .map((one) =>
      one
        .trim()
        .split(/\s+as\s+/)
        .join(":"),
    )
    .join(",");

function importOf(file: string): RegExp {
  const escaped = file.replace(/^assets\//, "").replaceAll(".", String.raw`\.`);
  return new RegExp(String.raw`import\s*\{([^}]*)\}\s*from\s*"\./${escaped}";`);
}

/** The runtime as one expression: its code ends with the names that it exports, "s as n". */
function expressionOf({ code, fileName }: Rolldown.OutputChunk): string {
  const [statement, names] = /export\s*\{([^}]*)\};?\s*$/.exec(code) ?? [];
  if (statement === undefined || names === undefined) {
    throw new Error(`${fileName} does not end with its exports`);
  }
  const fields = names.split(",").map((one) => {
    const [local = "", exported = local] = one.trim().split(/\s+as\s+/);
    return `${exported}:${local}`;
  });
  return `(()=>{${code.slice(0, -statement.length)};return{${fields.join(",")}}})()`;
}

export function oneRuntime(): Plugin {
  return {
    name: "one-runtime",
    apply: "build",
    generateBundle: {
      order: "pre",
      handler(_options, bundle) {
        const chunks = Object.values(bundle).filter((output) => output.type === "chunk");
        const runtime = chunks.find((chunk) => chunk.name === "rolldown-runtime");
        const first = chunks.find((chunk) => chunk.name === "first");
        if (runtime === undefined || first === undefined) {
          return;
        }
        const imported = importOf(runtime.fileName);
        for (const chunk of chunks) {
          if (chunk !== runtime && chunk.imports.includes(runtime.fileName)) {
            const source =
              chunk === first
                ? `const ${name}=${expressionOf(runtime)};`
                : `import{${name}}from"./${first.fileName.replace(/^assets\//, "")}";`;
            const code = chunk.code.replace(
              imported,
              (_, names: string) => `${source}const{${asPattern(names)}}=${name};`,
            );
            if (code === chunk.code) {
              throw new Error(`${chunk.fileName} imports the runtime in an unknown way`);
            }
            chunk.code = chunk === first ? `${code}export{${name}};` : code;
            chunk.imports = [
              ...new Set([
                ...chunk.imports.filter((file) => file !== runtime.fileName),
                ...(chunk === first ? [] : [first.fileName]),
              ]),
            ];
          }
        }
        delete bundle[runtime.fileName];
      },
    },
  };
}
