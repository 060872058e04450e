// A Kysely statement that is built and compiled once: each run only fills in its values.
import type { CompiledQuery, QueryExecutorProvider, RawBuilder } from "kysely";
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
} from "kysely";
import type { Reads } from "#http/reads.ts";

/** Stands for a value among the parameters of a compiled statement. */
class Slot {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** Only builds and compiles. */
const builder: Reads = new Kysely<never>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (database) => new PostgresIntrospector(database),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
}) as never;

/** The place of a value in the statement. */
export type ValueOf<Values> = <Name extends keyof Values & string>(
  name: Name,
) => RawBuilder<Values[Name]>;

/**
 * Building and compiling a statement takes longer than sending it, so hot reads do it once. Runs where `reads` does.
 * `build` may not depend on anything but its arguments.
 */
export function statement<Values extends object, Row>(
  build: (reads: Reads, value: ValueOf<Values>) => { readonly compile: () => CompiledQuery<Row> },
): (reads: Reads, values: Values) => Promise<readonly Row[]> {
  let compiled: CompiledQuery<Row> | undefined;
  return async (reads, values) => {
    compiled ??= build(builder, (name) => sql`${new Slot(name)}`).compile();
    const filled = new Map<string, unknown>(Object.entries(values));
    const parameters = compiled.parameters.map((parameter) =>
      parameter instanceof Slot ? filled.get(parameter.name) : parameter,
    );
    const provider: QueryExecutorProvider = reads;
    const { rows } = await provider.getExecutor().executeQuery<Row>({ ...compiled, parameters });
    return rows;
  };
}
