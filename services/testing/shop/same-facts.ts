// Compares what a market in memory decided with what the service did: the same but for the ids, which the service makes up.
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gu;

/** Knows which id of the service stands for which id in memory, and learns them from facts that must be the same. */
export class KnownIds {
  readonly #served = new Map<string, string>();
  readonly #inMemory = new Map<string, string>();

  /** The text with the service's ids. Ids that are not known yet stay. */
  served(text: string): string {
    return text.replace(UUID, (id) => this.#served.get(id) ?? id);
  }

  /** The text with the ids of the market in memory. */
  inMemory(text: string): string {
    return text.replace(UUID, (id) => this.#inMemory.get(id) ?? id);
  }

  /** Whether the service's text names an id that stands for one in memory. */
  knows(text: string): boolean {
    return (text.match(UUID) ?? []).some((id) => this.#inMemory.has(id));
  }

  #isSame(inMemory: string, served: string): boolean {
    const ids = served.match(UUID) ?? [];
    for (const [index, id] of (inMemory.match(UUID) ?? []).entries()) {
      const other = ids[index];
      if (other !== undefined && !this.#served.has(id) && !this.#inMemory.has(other)) {
        this.#served.set(id, other);
        this.#inMemory.set(other, id);
      }
    }
    return this.served(inMemory) === served;
  }

  /** Where the two differ; empty where they are the same. */
  differences(inMemory: unknown, served: unknown, path = ""): string[] {
    if (typeof inMemory === "string" && typeof served === "string") {
      return this.#isSame(inMemory, served) ? [] : [unlike(path, this.served(inMemory), served)];
    }
    if (!isObject(inMemory) || !isObject(served)) {
      return Object.is(inMemory, served) ? [] : [unlike(path, inMemory, served)];
    }
    const names = new Set([...Object.keys(inMemory), ...Object.keys(served)]);
    return [...names].flatMap((name) =>
      this.differences(
        Reflect.get(inMemory, name),
        Reflect.get(served, name),
        path === "" ? name : `${path}.${name}`,
      ),
    );
  }
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function unlike(path: string, inMemory: unknown, served: unknown): string {
  return `${path}: ${JSON.stringify(inMemory)} in memory, ${JSON.stringify(served)} in the service`;
}
