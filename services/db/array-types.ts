// Lets a pool read and write arrays of PostgreSQL's own types without asking each new connection for their numbers.

/** How a pool reads and writes values, by the number of their type. */
export type TypeHandlers = {
  readonly parsers: Record<number, (text: string) => unknown>;
  readonly serializers: Record<number, (value: unknown) => unknown>;
};

/** Each type's number and its array's. They are fixed in PostgreSQL's catalog; a test compares them with the server. */
const numbers: readonly number[] = [
  16, 1000, 17, 1001, 18, 1002, 19, 1003, 20, 1016, 21, 1005, 22, 1006, 23, 1007, 24, 1008, 25,
  1009, 26, 1028, 27, 1010, 28, 1011, 29, 1012, 30, 1013, 114, 199, 142, 143, 600, 1017, 601, 1018,
  602, 1019, 603, 1020, 604, 1027, 628, 629, 650, 651, 700, 1021, 701, 1022, 718, 719, 774, 775,
  790, 791, 829, 1040, 869, 1041, 1033, 1034, 1042, 1014, 1043, 1015, 1082, 1182, 1083, 1183, 1114,
  1115, 1184, 1185, 1186, 1187, 1266, 1270, 1560, 1561, 1562, 1563, 1700, 1231, 1790, 2201, 2202,
  2207, 2203, 2208, 2204, 2209, 2205, 2210, 2206, 2211, 2249, 2287, 2275, 1263, 2950, 2951, 2970,
  2949, 3220, 3221, 3614, 3643, 3615, 3645, 3642, 3644, 3734, 3735, 3769, 3770, 3802, 3807, 3904,
  3905, 3906, 3907, 3908, 3909, 3910, 3911, 3912, 3913, 3926, 3927, 4072, 4073, 4089, 4090, 4096,
  4097, 4191, 4192, 4451, 6150, 4532, 6151, 4533, 6152, 4534, 6153, 4535, 6155, 4536, 6157, 5038,
  5039, 5069, 271,
];

/** Types of elements with the types of their arrays. */
export const builtInArrays: readonly (readonly [element: number, array: number])[] =
  numbers.flatMap((array, index) => (index % 2 === 1 ? [[numbers[index - 1] ?? 0, array]] : []));

/** The array of boxes is the only one that is not written with commas. */
const boxes = 1020;

/** The driver's own way asks every connection for all arrays, also those of each table's rows: a third of the time it takes to connect. */
export function addArrayTypes({ parsers, serializers }: TypeHandlers): void {
  for (const [element, array] of builtInArrays) {
    const delimiter = array === boxes ? ";" : ",";
    parsers[array] = (text) => parseArray(text, delimiter, parsers[element]);
    serializers[array] = (value) => writeArray(value, delimiter, serializers[element]);
  }
}

/** Reads PostgreSQL's text of an array, for example `{1,2}` or `{{"a b",NULL}}`. */
function parseArray(
  text: string,
  delimiter: string,
  parse: (text: string) => unknown = (element) => element,
): unknown[] {
  // One whose first element is not number 1 begins with its bounds, as in `[0:1]={1,2}`.
  let at = text.startsWith("[") ? text.indexOf("=") + 1 : 0;
  function quoted(): string {
    let content = "";
    for (at += 1; text[at] !== '"'; at += 1) {
      if (text[at] === "\\") {
        at += 1;
      }
      content += text[at] ?? "";
    }
    at += 1;
    return content;
  }
  function plain(): unknown {
    const start = at;
    while (text[at] !== delimiter && text[at] !== "}") {
      at += 1;
    }
    const content = text.slice(start, at);
    return content === "NULL" ? null : parse(content);
  }
  function element(): unknown {
    if (text[at] === "{") {
      return list();
    }
    return text[at] === '"' ? parse(quoted()) : plain();
  }
  function list(): unknown[] {
    const elements: unknown[] = [];
    at += 1;
    while (text[at] !== "}") {
      elements.push(element());
      if (text[at] === delimiter) {
        at += 1;
      }
    }
    at += 1;
    return elements;
  }
  return list();
}

/** Writes an array as PostgreSQL reads it. A text is taken for one that is written already. */
function writeArray(
  value: unknown,
  delimiter: string,
  serialize: (value: unknown) => unknown = String,
): unknown {
  if (!Array.isArray(value)) {
    return value;
  }
  const written = value.map((element: unknown) => {
    if (element === undefined) {
      throw new TypeError("An array with an undefined element cannot be sent");
    }
    if (element === null) {
      return "null";
    }
    return Array.isArray(element)
      ? String(writeArray(element, delimiter, serialize))
      : `"${escaped(String(serialize(element)))}"`;
  });
  return `{${written.join(delimiter)}}`;
}

function escaped(text: string): string {
  // Hardly any text needs it, and looking is much quicker than replacing.
  return text.includes('"') || text.includes("\\")
    ? text.replaceAll(/["\\]/gu, String.raw`\$&`)
    : text;
}
